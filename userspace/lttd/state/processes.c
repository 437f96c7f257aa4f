// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The processes and their threads.
 *
 * Layer: lttd state.  All files of a process are opened by its folder, so they are those of one
 * process even if its id is given to another meanwhile.
 */
#include "common/state.h"
#include "bounded.h"
#include "dump.h"
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NSEC_PER_SEC	1000000000ULL

static const struct ltt_field process_fields[] = {
	WRITER_SIGNED("pid", 4),
	WRITER_SIGNED("ppid", 4),
	WRITER_STRING("comm"),
	WRITER_STRING("cmdline"),
	WRITER_NUMBER("uid", 4),
	WRITER_STRING("status"),
	WRITER_NUMBER("threads", 4),
	WRITER_NUMBER("start", 8),
	WRITER_STRING("cgroup"),
	WRITER_NUMBER("pid_ns", 4),
	WRITER_NUMBER("net_ns", 4),
	WRITER_NUMBER("mnt_ns", 4),
};
WRITER_EVENT(process_event, "process", process_fields);

static const struct ltt_field thread_fields[] = {
	WRITER_SIGNED("pid", 4),
	WRITER_STRING("comm"),
	WRITER_STRING("status"),
	WRITER_NUMBER("start", 8),
};
WRITER_EVENT(thread_event, "thread", thread_fields);

/**
 * struct stat_line - the file stat of a process or thread
 * @comm: its name
 * @status: a letter, such as "S"
 * @ppid: its parent
 * @threads: the number of threads
 * @start: when it started, in nanoseconds after the boot
 */
struct stat_line {
	char comm[64];
	char status[2];
	int ppid;
	unsigned int threads;
	uint64_t start;
};

/* Return: 0; -errno. */
static int read_stat(int dir, const char *name, struct stat_line *stat)
{
	unsigned long long start = 0;
	char text[1024], *open, *close;
	ssize_t got = proc_read(dir, name, text, sizeof(text));

	if (got < 0)
		return got;
	open = strchr(text, '(');
	/* A name may contain parentheses. */
	close = strrchr(text, ')');
	if (!open || !close || close < open)
		return -ESRCH;
	*close = '\0';
	snprintf(stat->comm, sizeof(stat->comm), "%s", open + 1);
	if (sscanf(close + 1, " %1s %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %u %*d %llu",
		   stat->status, &stat->ppid, &stat->threads, &start) != 4)
		return -EBADMSG;
	stat->start = start * (NSEC_PER_SEC / sysconf(_SC_CLK_TCK));
	return 0;
}

/* Return: the user, -1 if it cannot be read. */
static uint32_t read_uid(int dir)
{
	char text[4096];
	const char *line;

	if (proc_read(dir, "status", text, sizeof(text)) < 0)
		return -1;
	line = strstr(text, "\nUid:\t");
	return line ? strtoul(line + strlen("\nUid:\t"), NULL, 10) : (uint32_t)-1;
}

/* The arguments with blanks in between; "" of a thread of the kernel. */
static void read_cmdline(struct dump *dump, int dir, char *text, size_t size)
{
	ssize_t len, i;

	*text = '\0';
	if (dump->hurried) {
		dump_missed(dump, -ETIMEDOUT);
		return;
	}
	bounded_wait_begin();
	len = proc_read(dir, "cmdline", text, size);
	bounded_wait_end();
	while (len > 0 && !text[len - 1])
		len--;
	for (i = 0; i < len; i++)
		if (!text[i])
			text[i] = ' ';
}

/* The path in the hierarchy of version 2; without one, in the first of version 1. */
static const char *read_cgroup(int dir, char *text, size_t size)
{
	char *line;

	if (proc_read(dir, "cgroup", text, size) < 0)
		return "";
	line = strncmp(text, "0::", 3) ? strstr(text, "\n0::") : text;
	line = strchr(line ? line + (*line == '\n') : text, ':');
	line = line ? strchr(line + 1, ':') : NULL;
	if (!line)
		return "";
	line[strcspn(line, "\n")] = '\0';
	return line + 1;
}

/* Return: the inode of a namespace, 0 if it cannot be read. */
static uint32_t read_namespace(struct dump *dump, int dir, const char *name)
{
	char text[64];
	ssize_t len = readlinkat(dir, name, text, sizeof(text) - 1);
	const char *number;

	if (len < 0) {
		dump_missed(dump, -errno);
		return 0;
	}
	text[len] = '\0';
	number = strchr(text, '[');
	return number ? strtoul(number + 1, NULL, 10) : 0;
}

/**
 * struct process - the process whose threads are being written
 * @dump: the state
 * @pid: its id
 */
struct process {
	struct dump *dump;
	int32_t pid;
};

static bool write_thread(int dir, const char *name, void *arg)
{
	const struct process *process = arg;
	struct writer *writer = &process->dump->writer;
	int64_t tid = proc_id(name);
	struct stat_line stat;
	char path[32];
	int err;

	/* The first thread is the process. */
	if (tid < 0 || tid == process->pid)
		return true;
	snprintf(path, sizeof(path), "%.20s/stat", name);
	err = read_stat(dir, path, &stat);
	if (err) {
		dump_missed(process->dump, err);
		return true;
	}
	writer_begin(writer, STATE_THREAD, tid);
	writer_number(writer, process->pid);
	writer_string(writer, stat.comm);
	writer_string(writer, stat.status);
	writer_number(writer, stat.start);
	dump_end(process->dump);
	return !writer->err;
}

static void write_threads(struct dump *dump, int dir, int32_t pid)
{
	struct process process = { dump, pid };
	int tasks = proc_folder(dir, "task");

	if (tasks < 0) {
		dump_missed(dump, tasks);
		return;
	}
	dump_missed(dump, proc_walk(tasks, write_thread, &process));
	close(tasks);
}

static void write_process(struct dump *dump, int dir, int32_t pid)
{
	struct writer *writer = &dump->writer;
	struct stat_line stat;
	char text[4096];
	int err;

	err = read_stat(dir, "stat", &stat);
	if (err) {
		dump_missed(dump, err);
		return;
	}
	/* Before the record is begun: the thread may be abandoned in it. */
	read_cmdline(dump, dir, text, sizeof(text));
	writer_begin(writer, STATE_PROCESS, pid);
	writer_number(writer, pid);
	writer_number(writer, stat.ppid);
	writer_string(writer, stat.comm);
	writer_string(writer, text);
	writer_number(writer, read_uid(dir));
	writer_string(writer, stat.status);
	writer_number(writer, stat.threads);
	writer_number(writer, stat.start);
	writer_string(writer, read_cgroup(dir, text, sizeof(text)));
	writer_number(writer, read_namespace(dump, dir, "ns/pid"));
	writer_number(writer, read_namespace(dump, dir, "ns/net"));
	writer_number(writer, read_namespace(dump, dir, "ns/mnt"));
	dump_end(dump);
	if (stat.threads > 1)
		write_threads(dump, dir, pid);
}

static bool look_at(int proc, const char *name, void *arg)
{
	struct dump *dump = arg;
	int64_t pid = proc_id(name);
	int dir;

	/* In the order of their ids. */
	if (pid < dump->from)
		return true;
	dump->from = pid;
	dir = openat(proc, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0) {
		dump_missed(dump, -errno);
		return true;
	}
	if (dump->parts & STATE_PROCESSES)
		write_process(dump, dir, pid);
	/* If the thread is abandoned from here on, this process lacks the rest of its maps. */
	dump->from = pid + 1;
	if (dump->parts & STATE_FILES)
		dump_files(dump, dir, pid);
	if (dump->parts & STATE_MAPS)
		dump_maps(dump, dir, pid);
	close(dir);
	return !dump->writer.err;
}

void dump_processes(struct dump *dump)
{
	dump_missed(dump, proc_walk_path("/proc", look_at, dump));
}
