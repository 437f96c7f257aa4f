// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Check the user at the other end of a connection, or the owner of a folder.
 */
#include "peer.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <unistd.h>

#define OVERFLOW_UID	65534	/* the kernel's default */

static uid_t overflow_uid(void)
{
	FILE *file = fopen("/proc/sys/kernel/overflowuid", "re");
	unsigned int uid = OVERFLOW_UID;

	if (file) {
		if (fscanf(file, "%u", &uid) != 1)
			uid = OVERFLOW_UID;
		fclose(file);
	}
	return uid;
}

/* True: this user namespace maps all users, as the initial one does. */
static bool have_all_users(void)
{
	FILE *file = fopen("/proc/self/uid_map", "re");
	unsigned int inside, outside, count;
	bool all;

	if (!file)
		return false;
	all = fscanf(file, "%u %u %u", &inside, &outside, &count) == 3 && count == UINT32_MAX;
	fclose(file);
	return all;
}

bool ltt_is_us(uid_t uid)
{
	return uid == geteuid() && (uid != overflow_uid() || have_all_users());
}

bool ltt_may_record(int fd)
{
	struct ucred ucred;
	socklen_t len = sizeof(ucred);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &ucred, &len) &&
	       (!ucred.uid || (ltt_is_us(ucred.uid) && !getauxval(AT_SECURE)));
}
