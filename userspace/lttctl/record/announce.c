// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A private recording makes itself known, so that list and status can show it.
 *
 * Layer: lttctl.  The description is one JSON object in one message.  A recording of
 * another user is not trusted: only known members of it are used, and only to be shown.
 * Links are not followed, and only sockets of the folder's owner are asked, as in common/call.c.
 */
#include "lttctl/record/announce.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/call.h"
#include "common/folder.h"

#define SOCKET "record-"

/* The longest description, with every character escaped. */
#define DESCRIPTION_MAX 65536

/* Recordings of a user that do not answer, for a second each, before the others of that user are left out. */
#define SILENT_MAX 3

static bool set_address(struct sockaddr_un *address, const char *path)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	return snprintf(address->sun_path, sizeof(address->sun_path), "%s", path) <
	       (int)sizeof(address->sun_path);
}

/* ---- The recording's side ---- */

/* Return: 0 or -errno. */
static int listen_at(struct announcement *announcement)
{
	struct sockaddr_un address;
	char folder[LTT_FOLDER_SIZE];
	int err = ltt_folder(folder), fd;

	if (err)
		return err;
	snprintf(announcement->path, sizeof(announcement->path), "%s/" SOCKET "%d", folder,
		 getpid());
	if (!set_address(&address, announcement->path))
		return -ENAMETOOLONG;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	/* A killed process that had our number may have left its socket. */
	unlink(announcement->path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    chmod(announcement->path, 0600) || listen(fd, 8)) {
		err = -errno;
		close(fd);
		return err;
	}
	announcement->fd = fd;
	return 0;
}

void announce_begin(struct announcement *announcement)
{
	int err;

	announcement->fd = -1;
	err = listen_at(announcement);
	if (err)
		complain("warning: lttctl list cannot show this recording: %s", strerror(-err));
}

void announce_reply(const struct announcement *announcement, struct json_object *description)
{
	const char *text = json_object_to_json_string(description);
	int fd;

	while (announcement->fd >= 0 &&
	       (fd = accept4(announcement->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
		/* A peer that does not read misses it. */
		if (send(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			shutdown(fd, SHUT_RDWR);
		close(fd);
	}
}

void announce_end(struct announcement *announcement)
{
	if (announcement->fd < 0)
		return;
	unlink(announcement->path);
	close(announcement->fd);
	announcement->fd = -1;
}

/* ---- The side of list and status ---- */

/* A folder of recordings, which may belong to another user. */
struct place {
	int fd;
	uid_t owner;
	unsigned int silent;
};

/* Remove the socket of a process that was killed: nothing accepts its connections. */
static void remove_stale(const struct place *place, const char *name)
{
	pid_t pid = strtol(name + strlen(SOCKET), NULL, 10);

	if (pid > 0 && kill(pid, 0) && errno == ESRCH)
		unlinkat(place->fd, name, 0);
}

/* Return: a connection to a socket of the folder's owner; -1. */
static int connect_to(const struct place *place, const char *name)
{
	const struct timeval timeout = { .tv_sec = 1 };
	int target = openat(place->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), fd = -1, err = 0;
	struct sockaddr_un address;
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", target);
	set_address(&address, path);
	if (target >= 0 && !fstat(target, &st) && S_ISSOCK(st.st_mode) && st.st_uid == place->owner)
		fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd >= 0 && (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) ||
			setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout)) ||
			connect(fd, (struct sockaddr *)&address, sizeof(address)))) {
		err = errno;
		close(fd);
		fd = -1;
	}
	if (target >= 0)
		close(target);
	if (err == ECONNREFUSED)
		remove_stale(place, name);
	errno = err;
	return fd;
}

/* Return: the description that a socket sends, or NULL. */
static struct json_object *receive(struct place *place, const char *name)
{
	struct json_object *description = NULL;
	char text[DESCRIPTION_MAX + 1];
	ssize_t got = -1;
	int fd = connect_to(place, name);

	if (fd >= 0)
		got = recv(fd, text, DESCRIPTION_MAX, 0);
	place->silent += got < 0 && errno == EAGAIN;
	if (fd >= 0)
		close(fd);
	if (got > 0) {
		text[got] = '\0';
		description = json_tokener_parse(text);
	}
	if (description && !json_object_is_type(description, json_type_object)) {
		json_object_put(description);
		description = NULL;
	}
	return description;
}

static const char *text_of(struct json_object *description, const char *member)
{
	return json_object_get_string(json_object_object_get(description, member)) ?: "";
}

static uint64_t count_of(struct json_object *description, const char *member)
{
	struct json_object *total = json_object_object_get(description, "total");

	return json_object_is_type(total, json_type_object) ?
	       json_object_get_uint64(json_object_object_get(total, member)) : 0;
}

static void show_text(struct json_object *description, bool counts)
{
	char output[4096], command[1024], emitted[32], lost[32];

	snprintf(output, sizeof(output), "%s", text_of(description, "output"));
	snprintf(command, sizeof(command), "%s", text_of(description, "command"));
	make_printable(output);
	make_printable(command);
	printf(SOCKET "%d running, private, lttctl %d writes %s%s%s\n",
	       json_object_get_int(json_object_object_get(description, "pid")),
	       json_object_get_int(json_object_object_get(description, "pid")), output,
	       *command ? ", command " : "", command);
	if (counts)
		printf("  %s events, %s lost\n",
		       with_commas(count_of(description, "emitted"), emitted),
		       with_commas(count_of(description, "refused"), lost));
}

static void add_json(struct json_object *to, struct json_object *description, bool counts)
{
	static const char *const members[] = {
		"name", "state", "private", "pid", "lttd", "uid", "output", "command", "seconds", "total", "channels",
	};
	struct json_object *object = json_object_new_object(), *value;
	size_t i, nr = sizeof(members) / sizeof(members[0]) - (counts ? 0 : 2);

	for (i = 0; i < nr; i++)
		if (json_object_object_get_ex(description, members[i], &value))
			json_object_object_add(object, members[i], json_object_get(value));
	json_object_array_add(to, object);
}

struct show {
	const char *name;
	bool counts;
	char **output;
	struct json_object *to;
	unsigned int nr;
};

static void show_socket(struct place *place, const char *name, struct show *show)
{
	struct json_object *description;

	if (show->name && strcmp(name, show->name))
		return;
	description = receive(place, name);
	if (!description)
		return;
	if (show->output && !*show->output)
		*show->output = strdup(text_of(description, "output"));
	else if (show->to)
		add_json(show->to, description, show->counts);
	else if (!show->output)
		show_text(description, show->counts);
	show->nr++;
	json_object_put(description);
}

static int is_socket(const struct dirent *entry)
{
	return !strncmp(entry->d_name, SOCKET, strlen(SOCKET));
}

static void show_folder(const char *path, struct show *show)
{
	struct place place = { .fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) };
	struct dirent **entries = NULL;
	struct stat st;
	int nr = -1, i;

	if (place.fd >= 0 && !fstat(place.fd, &st)) {
		place.owner = st.st_uid;
		nr = scandirat(place.fd, ".", &entries, is_socket, versionsort);
	}
	for (i = 0; i < nr; i++) {
		if (place.silent < SILENT_MAX)
			show_socket(&place, entries[i]->d_name, show);
		free(entries[i]);
	}
	free(entries);
	if (place.fd >= 0)
		close(place.fd);
}

/* The recordings of this user. */
static void show_own(struct show *show)
{
	char folder[LTT_FOLDER_SIZE];

	if (!ltt_folder_find(folder))
		show_folder(folder, show);
}

static void show_all(struct show *show)
{
	glob_t folders;
	size_t i;

	show_own(show);
	if (geteuid())
		return;
	call_folders_of_users(&folders);
	for (i = 0; i < folders.gl_pathc; i++)
		show_folder(folders.gl_pathv[i], show);
	globfree(&folders);
}

void announced_show(const char *name, bool counts, struct json_object *to, unsigned int *nr)
{
	struct show show = { .name = name, .counts = counts, .to = to };

	show_all(&show);
	*nr = show.nr;
}

void announced_own(struct json_object *to)
{
	struct show show = { .counts = true, .to = to };

	show_own(&show);
}

char *announced_output(const char *name)
{
	char *output = NULL;
	struct show show = { .name = name, .output = &output };

	show_own(&show);
	return output;
}
