// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The open files of a process.
 *
 * Layer: lttd state.
 */
#include "dump.h"
#include "proc.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

static const struct ltt_field fields[] = {
	WRITER_SIGNED("pid", 4),
	WRITER_SIGNED("fd", 4),
	WRITER_STRING("path"),
};
WRITER_EVENT(file_event, "file", fields);

struct process {
	struct dump *dump;
	int32_t pid;
};

static bool write_file(int dir, const char *name, void *arg)
{
	const struct process *process = arg;
	struct writer *writer = &process->dump->writer;
	char path[PATH_MAX];
	ssize_t len = readlinkat(dir, name, path, sizeof(path) - 1);

	if (len < 0) {
		dump_missed(process->dump, -errno);
		return true;
	}
	path[len] = '\0';
	writer_begin(writer, STATE_FILE, process->pid);
	writer_number(writer, process->pid);
	writer_number(writer, proc_id(name));
	writer_string(writer, path);
	dump_end(process->dump);
	return !writer->err;
}

void dump_files(struct dump *dump, int dir, int32_t pid)
{
	struct process process = { dump, pid };
	int fds = proc_folder(dir, "fd");

	if (fds < 0) {
		dump_missed(dump, fds);
		return;
	}
	dump_missed(dump, proc_walk(fds, write_file, &process));
	close(fds);
}
