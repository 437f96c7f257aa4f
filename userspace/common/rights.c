// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Messages that carry a descriptor.
 */
#include "rights.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
	struct cmsghdr align;
	char buf[CMSG_SPACE(sizeof(int))];
};

ssize_t rights_send(int socket, const void *message, size_t size, int fd)
{
	union control control = { 0 };
	struct iovec iov = { (void *)message, size };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.buf, .msg_controllen = sizeof(control.buf),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(int));
	return TEMP_FAILURE_RETRY(sendmsg(socket, &msg, MSG_NOSIGNAL | MSG_DONTWAIT));
}

int rights_receive(int socket)
{
	union control control;
	char byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.buf, .msg_controllen = sizeof(control.buf),
	};
	struct cmsghdr *cmsg;
	int fd;

	if (TEMP_FAILURE_RETRY(recvmsg(socket, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT)) < 0)
		return -errno;
	cmsg = CMSG_FIRSTHDR(&msg);
	if (!cmsg || cmsg->cmsg_type != SCM_RIGHTS)
		return -EMFILE;
	memcpy(&fd, CMSG_DATA(cmsg), sizeof(int));
	return fd;
}
