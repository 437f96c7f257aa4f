// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Snapshots of a flight recorder of programs.
 *
 * Layer: lttd.  A snapshot is a trace of its own: it has copies, with its UUID, of the files that
 * describe a user's trace, and files of its own for the rings.
 */
#include "snapshot.h"
#include "lttd/disk.h"
#include "lttd/log.h"
#include "common/copy.h"
#include "common/folders.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Copy a file of the trace by @copy.  A file that does not exist yet is as good as an empty one. */
static int copy_file(int from_dir, struct ring_trace *to_trace, const char *name,
		     int (*copy)(int from, int to, const uint8_t *uuid))
{
	int from = openat(from_dir, name, O_RDONLY | O_CLOEXEC), to, err;

	if (from < 0)
		return errno == ENOENT ? 0 : fail("cannot open %s: %s", name, strerror(errno));
	to = openat(to_trace->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	err = to < 0 || copy(from, to, to_trace->uuid) ? errno : disk_sync(to);
	if (to >= 0)
		close(to);
	close(from);
	return err ? fail("cannot copy %s to the snapshot: %s", name, strerror(err)) : 0;
}

static int copy_all_packets(int from, int to, const uint8_t *uuid)
{
	return copy_packets(from, to, uuid, UINT64_MAX);
}

static int copy_ring(const struct ring *ring, struct ring_trace *trace, struct stream *stream)
{
	const struct ring_how how = { .partial = true, .max = ring->reader.shm->nr_sb + 1 };
	struct ring copy;
	int ret;

	ring_init_copy(&copy, ring, stream);
	ret = ring_take(&copy, trace, &how);
	ring_end(&copy);
	return ret;
}

/* The rings with one number of all buffer sets of the slot, in the order of time. */
static int copy_stream(const struct slot *slot, uint32_t nr, struct ring_trace *trace)
{
	struct stream stream = STREAM_NEW(slot->number, nr);
	const struct buffer_set *set;
	int ret = 0;

	for (set = slot->oldest; set && !ret; set = set->newer)
		if (set->ring[nr])
			ret = copy_ring(set->ring[nr], trace, &stream);
	if (!ret)
		ret = stream_report_losses(&stream, trace);
	return stream_end(&stream, trace) || ret ? -1 : 0;
}

static int copy_slot(const struct slot *slot, struct ring_trace *trace)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < slot->nr_streams && !ret; i++)
		if (slot->streams[i])
			ret = copy_stream(slot, i, trace);
	return ret;
}

static int copy_user(struct user *user, int dir)
{
	struct ring_trace trace = user->trace;
	uint32_t i;
	int ret;

	trace.dir = dir;
	trace.oldest = trace.newest = NULL;
	trace.nr_open = 0;
	trace.before_packet = NULL;
	trace.together = user->slots.nr > STREAM_SLOTS_MAX;
	if (copy_new_uuid(trace.uuid))
		return fail("cannot get random numbers: %s", strerror(errno));
	ret = slots_find_rings(&user->slots);
	if (!ret)
		ret = notes_flush(&user->notes);
	if (!ret)
		ret = copy_file(user->trace.dir, &trace, "metadata", copy_metadata);
	if (!ret)
		ret = copy_file(user->trace.dir, &trace, NOTES_FILE, copy_all_packets);
	for (i = 0; i < user->slots.nr && !ret; i++)
		ret = copy_slot(user->slots.slot[i], &trace);
	return streams_end(&trace) || ret ? -1 : 0;
}

static int write_user(struct user *user, const char *path)
{
	char name[PATH_MAX];
	int dir, ret;

	if (snprintf(name, sizeof(name), "%s/user-%u", path, user->uid) >= (int)sizeof(name))
		return fail("%s: the name is too long", path);
	if (mkdir(name, 0755))
		return fail("cannot create directory %s: %s", name, strerror(errno));
	dir = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return fail("cannot open %s: %s", name, strerror(errno));
	ret = copy_user(user, dir);
	close(dir);
	return ret;
}

static void remove_slot(const struct slot *slot, int dir)
{
	char file[32];
	uint32_t i;

	for (i = 0; i < slot->nr_streams; i++) {
		if (!slot->streams[i])
			continue;
		stream_name(slot->streams[i], file);
		unlinkat(dir, file, 0);
	}
}

static void remove_user(const struct user *user, const char *path)
{
	char name[PATH_MAX];
	uint32_t i;
	int dir;

	snprintf(name, sizeof(name), "%s/user-%u", path, user->uid);
	dir = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return;
	unlinkat(dir, "metadata", 0);
	unlinkat(dir, NOTES_FILE, 0);
	for (i = 0; i < user->slots.nr; i++)
		remove_slot(user->slots.slot[i], dir);
	close(dir);
	rmdir(name);
}

static int make_folder(const char *root, char *path, size_t size)
{
	unsigned int n = 1;
	int ret;

	do {
		if (snprintf(path, size, "%s-snapshot-%u", root, n++) >= (int)size)
			return fail("%s: the name is too long", root);
		ret = mkdir(path, RECORDING_MODE);
	} while (ret && errno == EEXIST);
	return ret ? fail("cannot create directory %s: %s", path, strerror(errno)) : 0;
}

int snapshot_write(const struct programs *programs, char *path, size_t size)
{
	struct user *user;
	int ret = make_folder(programs->options->root, path, size);

	if (ret)
		return ret;
	for (user = programs->users; user && !ret; user = user->next)
		ret = write_user(user, path);
	for (user = programs->users; user && ret; user = user->next)
		remove_user(user, path);
	if (ret)
		rmdir(path);
	return ret;
}
