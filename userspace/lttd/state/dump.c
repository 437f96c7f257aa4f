// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Write the state of the system to a directory of its own in a recording.
 *
 * Layer: lttd state.  The directory gets its name when it is whole.  Up to then it has
 * another, and no metadata, so that readers ignore it.
 */
#include "dump.h"
#include "bounded.h"
#include "build-ids.h"
#include "common/state.h"
#include "folder.h"
#include "lttd/log.h"
#include "proc.h"
#include "trace-time.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Bytes; lttd needs less than a tenth of it. */
#define MEMORY_MAX	(64 << 20)

static const struct ltt_field begin_fields[] = {
	WRITER_HEX("parts", 4),
};
static WRITER_EVENT(begin_event, "begin", begin_fields);

static const struct ltt_field end_fields[] = {
	WRITER_NUMBER("records", 8),
	WRITER_NUMBER("unreadable", 8),
};
static WRITER_EVENT(end_event, "end", end_fields);

static const struct writer_event *const events[STATE_EVENTS] = {
	[STATE_BEGIN] = &begin_event,
	[STATE_END] = &end_event,
	[STATE_KERNEL] = &kernel_event,
	[STATE_MODULE] = &module_event,
	[STATE_SYMBOL] = &symbol_event,
	[STATE_CPU] = &cpu_event,
	[STATE_INTERRUPT] = &interrupt_event,
	[STATE_BLOCK_DEVICE] = &block_device_event,
	[STATE_NET_DEVICE] = &net_device_event,
	[STATE_MOUNT] = &mount_event,
	[STATE_EVENT_FORMAT] = &event_format_event,
	[STATE_PROCESS] = &process_event,
	[STATE_THREAD] = &thread_event,
	[STATE_FILE] = &file_event,
	[STATE_MAP] = &map_event,
};

static const struct writer_trace state_trace = { STATE_TRACE, events, STATE_EVENTS, .is_live = false };

/* In this order. */
static const struct {
	uint32_t part;
	void (*write)(struct dump *dump);
} steps[] = {
	{ STATE_SYSTEM, dump_kernel },
	{ STATE_SYSTEM, dump_modules },
	{ STATE_SYSTEM, dump_cpus },
	{ STATE_SYSTEM, dump_interrupts },
	{ STATE_SYSTEM, dump_block_devices },
	{ STATE_SYSTEM, dump_net_devices },
	{ STATE_SYSTEM, dump_mounts },
	{ STATE_SYSTEM, dump_formats },
	{ STATE_SYMBOLS, dump_symbols },
	{ STATE_PROCESSES | STATE_FILES | STATE_MAPS, dump_processes },
};

void dump_missed(struct dump *dump, int err)
{
	/* Processes and devices come and go; ECANCELED: a walk was ended.  ETIMEDOUT: see bounded.h. */
	if (err && err != -ENOENT && err != -ESRCH && err != -ECANCELED)
		dump->unreadable++;
}

void dump_end(struct dump *dump)
{
	writer_end(&dump->writer);
	dump->records++;
}

static void take_steps(void *arg)
{
	struct dump *dump = arg;
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (dump->parts & steps[i].part)
			steps[i].write(dump);
}

static void write_all(struct dump *dump)
{
	writer_begin(&dump->writer, STATE_BEGIN, 0);
	writer_number(&dump->writer, dump->parts);
	writer_end(&dump->writer);
	/* Only the last step waits for other users; the rest of it is written here. */
	if (!bounded_run(take_steps, dump)) {
		dump->hurried = true;
		dump_missed(dump, -ETIMEDOUT);
		dump_processes(dump);
	}
	writer_begin(&dump->writer, STATE_END, 0);
	writer_number(&dump->writer, dump->records);
	writer_number(&dump->writer, dump->unreadable);
	writer_end(&dump->writer);
}

/* Return: 0; -errno. */
static int write_trace(struct dump *dump, int dir)
{
	int err;

	time_set(&dump->recording->clock);
	dump->build_ids = build_ids_new();
	if (!dump->build_ids)
		return -ENOMEM;
	err = writer_open(&dump->writer, dir, &dump->recording->clock, &state_trace);
	if (!err) {
		write_all(dump);
		err = writer_close(&dump->writer);
	}
	/* An abandoned thread may use it. */
	if (!dump->hurried)
		build_ids_free(dump->build_ids);
	return err;
}

/* ---- The directory ---- */

static int write_directory(struct dump *dump, int root, const char *hidden, char *name, size_t size)
{
	/* Other users must not see what root may read.  Readers skip a directory that they cannot open. */
	int dir = folder_make(root, hidden, 0700), err;

	if (dir < 0)
		return dir;
	err = write_trace(dump, dir);
	if (!err) {
		err = folder_name(root, hidden, STATE_TRACE, name, size);
		if (err)
			writer_remove(&dump->writer);
	}
	close(dir);
	/* A user who can exchange it can remove an empty directory, too. */
	if (err)
		unlinkat(root, hidden, AT_REMOVEDIR);
	return err;
}

/* A user can make files that have libelf allocate gigabytes, and map them.  With this limit, such an allocation
 * fails. */
static void limit_memory(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_DATA, &limit) || limit.rlim_cur <= MEMORY_MAX)
		return;
	limit.rlim_cur = MEMORY_MAX;
	setrlimit(RLIMIT_DATA, &limit);
}

int dump_state(const char *root, uint32_t parts)
{
	struct dump *dump = calloc(1, sizeof(*dump));
	struct recording recording;
	char hidden[32], name[32];
	int fd, err;

	if (!dump)
		return fail("out of memory");
	limit_memory();
	dump->recording = &recording;
	dump->parts = parts;
	err = recording_read(&recording, root);
	if (err)
		goto out;
	snprintf(hidden, sizeof(hidden), "." STATE_TRACE "-%d", getpid());
	fd = proc_folder(AT_FDCWD, root);
	err = fd < 0 ? fd : write_directory(dump, fd, hidden, name, sizeof(name));
	if (fd >= 0)
		close(fd);
	if (err)
		err = fail("cannot write the state of the system to %s: %s", root, strerror(-err));
	else
		report("state of the system: %" PRIu64 " records written to %s/%s; %" PRIu64 " items could not be read",
		       dump->records, root, name, dump->unreadable);
out:
	recording_free(&recording);
	free(dump);
	return err;
}
