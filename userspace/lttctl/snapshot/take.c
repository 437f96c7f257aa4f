// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A snapshot of a flight recorder of the kernel.
 *
 * Layer: lttctl.  The kernel's buffers are copied; nothing is taken from them.  Names of
 * threads: a channel "state" that overwrites gets a list of all threads first.  One that
 * an lttd drains is on disk but for its last packets, so it is copied from both places.
 */
#include "take.h"
#include "lttctl/command.h"
#include "lttctl/record/state-child.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/copy.h"
#include "common/folders.h"

#define STATE_CHANNEL "state"

/**
 * struct source - a buffer, or the metadata, on its way to its file
 * @name: of the file: <channel>_<cpu>, or "metadata"
 * @fd: the snapshot of the buffer, or the metadata
 */
struct source {
	char name[LTTCTL_NAME_SIZE + 16];
	int fd;
};

/**
 * struct snapshot - a snapshot that is being written
 * @ctl: the handle
 * @trace: the trace
 * @served: the directory that an lttd writes the trace to; "" without one
 * @path: the directory of this snapshot, of SNAPSHOT_PATH_SIZE bytes
 * @dir: the descriptor of @path/kernel
 * @uuid: of the snapshot, which is a trace of its own
 * @sources: the buffers
 * @nr: their number
 */
struct snapshot {
	struct lttctl *ctl;
	struct lttctl_trace *trace;
	const char *served;
	char *path;
	int dir;
	uint8_t uuid[16];
	struct source *sources;
	size_t nr;
};

/* ---- The directory ---- */

/*
 * Make the first directory of DIR/snapshot-N that does not exist, with kernel/ in it.
 * Without DIR it is beside the directory that lttd writes to, not in it: readers of that
 * look for traces in subdirectories.
 */
static int make_directory(struct snapshot *snapshot, const char *dir)
{
	char kernel[SNAPSHOT_PATH_SIZE + 16];
	unsigned int n = 1;
	int ret;

	if (dir && mkdir(dir, RECORDING_MODE) && errno != EEXIST)
		return complain("cannot create directory %s: %s", dir, strerror(errno));
	do {
		if (snprintf(snapshot->path, SNAPSHOT_PATH_SIZE, "%s%csnapshot-%u",
			     dir ? dir : snapshot->served, dir ? '/' : '-',
			     n++) >= SNAPSHOT_PATH_SIZE)
			return complain("the name of directory %.40s... is too long", snapshot->path);
		ret = mkdir(snapshot->path, RECORDING_MODE);
	} while (ret && errno == EEXIST);
	if (ret)
		return complain("cannot create directory %s: %s", snapshot->path, strerror(errno));
	snprintf(kernel, sizeof(kernel), "%s/kernel", snapshot->path);
	if (mkdir(kernel, 0755))
		return complain("cannot create directory %s: %s", kernel, strerror(errno));
	snapshot->dir = open(kernel, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return snapshot->dir < 0 ? complain("cannot open %s: %s", kernel, strerror(errno)) : 0;
}

/* After a failure: remove what has been made, but not DIR. */
static void remove_directory(const struct snapshot *snapshot)
{
	char kernel[SNAPSHOT_PATH_SIZE + 16];
	size_t i;

	for (i = 0; snapshot->dir >= 0 && i < snapshot->nr; i++)
		unlinkat(snapshot->dir, snapshot->sources[i].name, 0);
	if (snapshot->dir >= 0)
		unlinkat(snapshot->dir, "metadata", 0);
	if (!*snapshot->path)
		return;
	snprintf(kernel, sizeof(kernel), "%s/kernel", snapshot->path);
	rmdir(kernel);
	rmdir(snapshot->path);
}

/* ---- Copying ---- */

static int copy_error(const struct snapshot *snapshot, const char *name)
{
	return complain("cannot write %s/kernel/%s: %s", snapshot->path, name, strerror(errno));
}

/*
 * Copy the packets that lttd has drained of a buffer, then those that the buffer holds.  The
 * first of the latter is read before, so that no packet is missed on its way: lttd frees a
 * packet in the buffer when it is whole in the file.  Return: 0, or -1 with errno set.
 */
static int copy_drained(const struct snapshot *snapshot, const struct source *source, int to)
{
	char path[SNAPSHOT_PATH_SIZE + sizeof(source->name) + 16];
	struct ltt_ctf_packet *held = NULL;
	int from = -1, ret;

	if (copy_read(source->fd, &held) < 0)
		return -1;
	snprintf(path, sizeof(path), "%s/kernel/%s", snapshot->served, source->name);
	from = open(path, O_RDONLY | O_CLOEXEC);
	ret = from < 0 && errno != ENOENT ? -1 : 0;
	if (from >= 0) {
		ret = copy_packets(from, to, snapshot->uuid, held ? held->packet_seq_num : UINT64_MAX);
		/* lttd is writing what is not a packet yet. */
		if (ret && errno == EBADMSG)
			ret = 0;
		close(from);
	}
	if (!ret && held)
		ret = copy_write(to, held, snapshot->uuid);
	free(held);
	return ret ? ret : copy_packets(source->fd, to, snapshot->uuid, UINT64_MAX);
}

static bool is_state(const char *name)
{
	char channel[LTTCTL_NAME_SIZE];

	return !lttctl_buffer_channel(name, channel) && !strcmp(channel, STATE_CHANNEL);
}

/* The source of a file of a snapshot. */
enum content {
	METADATA,
	HELD,		/* what a buffer holds */
	DRAINED,	/* see copy_drained() */
};

/* Make a file of the snapshot and fill it from @source. */
static int write_file(const struct snapshot *snapshot, const struct source *source, enum content content)
{
	int to = openat(snapshot->dir, source->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	int ret = to;

	if (to >= 0 && content == METADATA)
		ret = copy_metadata(source->fd, to, snapshot->uuid);
	else if (to >= 0 && content == HELD)
		ret = copy_packets(source->fd, to, snapshot->uuid, UINT64_MAX);
	else if (to >= 0)
		ret = copy_drained(snapshot, source, to);
	if (ret >= 0)
		ret = fsync(to);
	if (ret < 0)
		ret = copy_error(snapshot, source->name);
	if (to >= 0)
		close(to);
	return ret;
}

/* The metadata comes last: it describes all events in the packets. */
static int write_files(const struct snapshot *snapshot)
{
	struct source metadata = { .name = "metadata" };
	int status = 0;
	size_t i;

	for (i = 0; !status && i < snapshot->nr; i++) {
		const struct source *source = &snapshot->sources[i];
		bool drained = *snapshot->served && is_state(source->name);

		status = write_file(snapshot, source, drained ? DRAINED : HELD);
	}
	if (status)
		return status;
	metadata.fd = lttctl_metadata_open(snapshot->trace);
	if (metadata.fd < 0)
		return tracer_status(snapshot->ctl, metadata.fd);
	status = write_file(snapshot, &metadata, METADATA);
	close(metadata.fd);
	return status;
}

/* ---- The buffers ---- */

static int open_source(const char *name, void *arg)
{
	struct snapshot *snapshot = arg;
	struct source *grown, *source;

	grown = reallocarray(snapshot->sources, snapshot->nr + 1, sizeof(*grown));
	if (!grown)
		return complain("out of memory");
	snapshot->sources = grown;
	source = &grown[snapshot->nr];
	snprintf(source->name, sizeof(source->name), "%s", name);
	source->fd = lttctl_snapshot_open(snapshot->trace, name);
	if (source->fd < 0)
		return source->fd;
	snapshot->nr++;
	return 0;
}

/* The kind of trace that a snapshot needs. */
struct kind {
	bool flight_recorder;
	bool state_overwrites;
};

static int look_at_channel(const struct lttctl_channel *channel, void *arg)
{
	struct kind *kind = arg;

	if (!strcmp(channel->name, STATE_CHANNEL))
		kind->state_overwrites = channel->overwrite;
	else
		kind->flight_recorder |= channel->overwrite;
	return 0;
}

/* Open all snapshots at once, so that they are of the same moment. */
static int open_sources(struct snapshot *snapshot)
{
	const char *name = lttctl_trace_name(snapshot->trace);
	struct kind kind = { false };
	enum lttctl_state state;
	int ret;

	ret = lttctl_for_each_channel(snapshot->trace, look_at_channel, &kind);
	if (!ret)
		ret = lttctl_trace_state(snapshot->trace, &state);
	if (ret)
		return tracer_status(snapshot->ctl, ret);
	if (!kind.flight_recorder)
		return complain("trace %s is not a flight recorder: lttd -o DIR %s writes its data as it comes",
				name, name);
	if (state == LTTCTL_CONFIGURING)
		return complain("trace %s has not been started: it holds nothing yet", name);
	if (state == LTTCTL_RUNNING && kind.state_overwrites)
		ret = lttctl_trace_list_tasks(snapshot->trace);
	if (!ret)
		ret = lttctl_for_each_buffer(snapshot->trace, open_source, snapshot);
	/* A positive value is a status: the message has been printed. */
	return ret < 0 ? tracer_status(snapshot->ctl, ret) : ret;
}

static void close_sources(struct snapshot *snapshot)
{
	while (snapshot->nr)
		close(snapshot->sources[--snapshot->nr].fd);
	free(snapshot->sources);
}

/* ---- The whole ---- */

int snapshot_take(struct lttctl *ctl, struct lttctl_trace *trace, const struct snapshot_to *to, char *path)
{
	struct snapshot snapshot = { .ctl = ctl, .trace = trace, .served = to->served, .path = path, .dir = -1 };
	int status = 0;

	*path = '\0';
	if (copy_new_uuid(snapshot.uuid))
		status = complain("cannot get random numbers: %s", strerror(errno));
	if (!status)
		status = open_sources(&snapshot);
	if (!status)
		status = make_directory(&snapshot, to->dir);
	if (!status)
		status = write_files(&snapshot);
	if (status)
		remove_directory(&snapshot);
	else
		/* A snapshot without a state is whole. */
		state_write(path, to->state);
	if (snapshot.dir >= 0)
		close(snapshot.dir);
	close_sources(&snapshot);
	return status;
}
