// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The program's socket, by which lttds and threads of the program call the library's thread.
 */
#include "listener-state.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/counter.h"
#include "common/folder.h"
#include "common/protocol.h"
#include "recorder.h"

#define LEFT_OVER_MAX	8
#define ENTRIES_MAX	256

void ltt_call_close(void)
{
	if (*ltt_listener.address.sun_path)
		unlink(ltt_listener.address.sun_path);
	if (ltt_listener.called >= 0)
		close(ltt_listener.called);
	ltt_listener.called = -1;
	ltt_listener.address_len = 0;
}

/* Does no process listen at this socket, as after a kill? */
static bool is_left_over(const struct sockaddr_un *socket_address)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool left_over;

	if (fd < 0)
		return false;
	left_over = connect(fd, (const struct sockaddr *)socket_address, sizeof(*socket_address)) &&
		    errno == ECONNREFUSED;
	close(fd);
	return left_over;
}

/* Remove sockets of programs that were killed.  Each program that starts removes some, so
 * that they do not pile up while no lttd runs, but looks at few: there may be thousands. */
static void remove_left_over(void)
{
	struct sockaddr_un other = { .sun_family = AF_UNIX };
	unsigned int left = LEFT_OVER_MAX, entries = ENTRIES_MAX;
	DIR *dir = opendir(ltt_listener.own_folder);
	struct dirent *entry;
	pid_t owner;

	while (dir && left && entries-- && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, LTT_PROGRAM_CALL, strlen(LTT_PROGRAM_CALL)))
			continue;
		/* A process of another namespace of process ids seems to be gone, too. */
		owner = atoi(entry->d_name + strlen(LTT_PROGRAM_CALL));
		if (!kill(owner, 0) || errno != ESRCH)
			continue;
		left--;
		if (snprintf(other.sun_path, sizeof(other.sun_path), "%s/%s", ltt_listener.own_folder, entry->d_name) <
		    (int)sizeof(other.sun_path) && is_left_over(&other))
			unlink(other.sun_path);
	}
	if (dir)
		closedir(dir);
}

/* Bind the program's socket in the rendezvous folder, where lttds find it.  Without a folder
 * bind it to an abstract address, which only this program's threads know.  If that fails
 * too, listen_once() tries again. */
void ltt_call_open(void)
{
	ltt_call_close();
	if (ltt_folder(ltt_listener.own_folder))
		*ltt_listener.own_folder = '\0';
	ltt_listener.address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	ltt_listener.called = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (ltt_listener.called < 0)
		return;
	/* The program's umask may let others write to the socket. */
	fchmod(ltt_listener.called, 0600);
	ltt_recorders_socket = ltt_counter();
	snprintf(ltt_listener.address.sun_path, sizeof(ltt_listener.address.sun_path), "%s/" LTT_PROGRAM_CALL "%d-%lx",
		 ltt_listener.own_folder, getpid(), (unsigned long)ltt_recorders_socket);
	ltt_listener.address_len = sizeof(ltt_listener.address);
	if (*ltt_listener.own_folder &&
	    !bind(ltt_listener.called, (struct sockaddr *)&ltt_listener.address, sizeof(ltt_listener.address))) {
		remove_left_over();
		return;
	}
	ltt_recorders_socket = 0;
	*ltt_listener.address.sun_path = '\0';
	ltt_listener.address_len = sizeof(ltt_listener.address);
	if (bind(ltt_listener.called, (struct sockaddr *)&ltt_listener.address, sizeof(ltt_listener.address.sun_family)) ||
	    getsockname(ltt_listener.called, (struct sockaddr *)&ltt_listener.address, &ltt_listener.address_len))
		ltt_call_close();
}

/* Wake the thread up by a datagram.  Any thread may call this; it uses a descriptor briefly. */
void ltt_call_listener(void)
{
	int fd = ltt_listener.address_len ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;

	ltt_listener.uncalled = ltt_listener.address_len;
	if (fd < 0)
		return;
	/* A full socket holds a datagram already. */
	ltt_listener.uncalled = sendto(fd, "", 1, MSG_NOSIGNAL, (struct sockaddr *)&ltt_listener.address,
				       ltt_listener.address_len) < 0 && errno != EAGAIN;
	close(fd);
}

void ltt_call_take(void)
{
	char byte;

	while (recv(ltt_listener.called, &byte, sizeof(byte), MSG_DONTWAIT) >= 0)
		;
}
