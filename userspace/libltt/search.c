// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Look for lttds.
 */
#include "listener-state.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/protocol.h"
#include "recorder.h"

static void scan(const char *folder)
{
	DIR *dir = *folder ? opendir(folder) : NULL;
	struct dirent *entry;

	if (*folder && !dir && (errno == ENOMEM || errno == EMFILE || errno == ENFILE))
		ltt_listener.look_again = true;
	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, LTT_PROGRAM_SOCKET, strlen(LTT_PROGRAM_SOCKET)) &&
		    ltt_recorder_new(folder, entry->d_name, ltt_listener.begun ? EINPROGRESS : 0))
			ltt_listener.look_again = true;
	if (dir)
		closedir(dir);
}

/* The thread calls this after it has bound the program's socket, so an lttd that starts
 * meanwhile calls it.  Other threads call it for the lttds that are there already. */
void ltt_search_lttds(void)
{
	ltt_listener.look_again = false;
	scan(LTT_PROGRAM_SYSTEM_DIR);
	if (strcmp(ltt_listener.own_folder, LTT_PROGRAM_SYSTEM_DIR))
		scan(ltt_listener.own_folder);
}

/* Split LTT_START.  @folder receives the folder.  Return: the name; NULL if it is not set. */
static const char *started_by(char *folder)
{
	const char *path = ltt_listener.starter, *name = strrchr(path, '/');

	if (!name || name - path >= LTT_FOLDER_SIZE)
		return NULL;
	*(char *)mempcpy(folder, path, name - path) = '\0';
	return name + 1;
}

void ltt_search_starter(void)
{
	char folder[LTT_FOLDER_SIZE];
	const char *name = started_by(folder);

	ltt_listener.lacks_starter = name && ltt_recorder_new(folder, name, ltt_listener.begun ? EINPROGRESS : 0);
}
