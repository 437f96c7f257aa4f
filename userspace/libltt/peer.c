// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Who is at the other end of a connection, and what he may have this program do.
 *
 * The kernel says who connected, or made the socket; what is ours is asked for each time,
 * for it changes: a daemon may act for a user for a while.
 */
#include "peer.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool get_uid(int fd, uid_t *uid)
{
	struct ucred ucred;
	socklen_t len = sizeof(ucred);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &ucred, &len))
		return false;
	*uid = ucred.uid;
	return true;
}

/* The user may have made the socket of who is started with more rights. */
bool ltt_may_record(int fd)
{
	uid_t uid;

	return get_uid(fd, &uid) && (!uid || (uid == geteuid() && !getauxval(AT_SECURE)));
}

/* All three: who has another one saved can be that again. */
static bool is_only(uid_t uid)
{
	uid_t ruid, euid, suid;
	gid_t rgid, egid, sgid;

	return !getresuid(&ruid, &euid, &suid) && !getresgid(&rgid, &egid, &sgid) && ruid == uid &&
	       euid == uid && suid == uid && rgid == egid && sgid == egid;
}

static bool has_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	return syscall(SYS_capget, &header, data) || data[0].permitted || data[1].permitted;
}

/* Then processes of the same user do not debug each other. */
static bool is_restricted(void)
{
	int fd = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
	char scope = '0';

	if (fd < 0)
		return false;
	if (read(fd, &scope, 1) != 1)
		scope = '1';
	close(fd);
	return scope != '0';
}

bool ltt_may_probe(int fd)
{
	uid_t uid;

	if (!get_uid(fd, &uid))
		return false;
	return !uid || (is_only(uid) && !has_capabilities() && !getauxval(AT_SECURE) &&
			prctl(PR_GET_DUMPABLE) == 1 && !is_restricted());
}
