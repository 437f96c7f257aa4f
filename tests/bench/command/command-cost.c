// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Measure commands and notifications of /dev/ltt, and the same operations in debugfs.
 * Prints lines WHAT TOOL CASE VALUE:
 *
 *	command stream-NUMBER COMMAND	NUMBER in a write; writing all and reading all replies
 *	command debugfs COMMAND		open, read or write, close
 *	command debugfs-open COMMAND	the file is open already
 *	notification streams-NUMBER queue|read	for each stream: to put it in its queue,
 *					and to read it
 *
 * For a VM with one CPU whose TSC, and with it the scheduler's clock, counts
 * instructions: a thread's CPU time is what it has executed, in user space and in the
 * kernel.  Work that others do later, such as freeing memory, is not in it.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../../core/message.c"

#define WORD		sizeof(unsigned long)
#define TRACES		"/sys/kernel/debug/ltt/traces/"
#define ROUNDS		11
#define MANY		4000	/* their replies just fit into the queue */
#define PAIRS		40
#define STREAMS		10

static char vocabulary[65536];
static u8 out[4 << 20], in[4 << 20];

static double executed(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare);
	return values[ROUNDS / 2];
}

/* ---- Messages ---- */

static unsigned long number_of(const char *name)
{
	char pattern[64];
	const char *line;

	snprintf(pattern, sizeof(pattern), " %s ", name);
	line = strstr(vocabulary, pattern);
	while (line && line > vocabulary && line[-1] != '\n')
		line--;
	if (!line)
		errx(1, "there is no command %s", name);
	return strtoul(line, NULL, 10);
}

static size_t add(size_t at, const char *name, unsigned int nr, const struct ltt_message_arg *args)
{
	struct ltt_message message = { .command = number_of(name), .nr_args = nr };

	memcpy(message.arg, args, nr * sizeof(*args));
	ltt_message_encode(out + at, WORD, &message);
	return at + ltt_message_size(&message, WORD);
}

static const struct ltt_message_arg trace_and_0[] = { { LTT_BLOB, 1, "t" }, { LTT_WORD, 0 } };

static void send(int fd, size_t size)
{
	if (write(fd, out, size) != (ssize_t)size)
		err(1, "the device does not take its commands");
}

/* Read replies, or notifications, that are there already; how many. */
static unsigned int receive(int fd)
{
	struct ltt_message message = { .nr_args = 3,
				       .arg = { { LTT_WORD }, { LTT_BLOB }, { LTT_WORD } } };
	ssize_t size = read(fd, in, sizeof(in)), at;
	unsigned int nr = 0;
	s64 total;

	for (at = 0; at < size; at += total, nr++) {
		total = ltt_message_total(in + at, WORD, sizeof(in));
		if (total < 0 || ltt_message_decode(in + at, total, WORD, &message) ||
		    message.arg[0].word)
			errx(1, "a command failed: %.*s", (int)message.arg[1].word,
			     (const char *)message.arg[1].blob);
	}
	return nr;
}

/* The value that comes back with a reply. */
static int ask(int fd, const char *name, unsigned int nr, const struct ltt_message_arg *args)
{
	unsigned long value;

	send(fd, add(0, name, nr, args));
	if (receive(fd) != 1)
		errx(1, "%s has no reply", name);
	memcpy(&value, in + 5 * WORD, WORD);
	return value;
}

static int open_connection(void)
{
	static const struct ltt_message_arg small[] = {
		{ LTT_BLOB, 1, "t" }, { LTT_BLOB, 6, "events" }, { LTT_BLOB, 11, "subbuf_size" },
		{ LTT_WORD, 65536 },
	};
	struct ltt_message first = { .command = 0 };
	int fd = open("/dev/ltt", O_RDWR | O_NONBLOCK);

	if (fd < 0)
		err(1, "/dev/ltt");
	ltt_message_encode(out, WORD, &first);
	send(fd, ltt_message_size(&first, WORD));
	if (receive(fd) != 1)
		errx(1, "the device does not list its commands");
	snprintf(vocabulary, sizeof(vocabulary), "%s", (char *)in + 6 * WORD);
	ask(fd, "create", 1, trace_and_0);
	ask(fd, "channel-set", 4, small);
	ask(fd, "start", 1, trace_and_0);
	return fd;
}

/* ---- Commands ---- */

static void measure_stream(int fd, const char *name, unsigned int nr_args, unsigned int nr)
{
	double taken[ROUNDS];
	unsigned int i, round;
	size_t size = 0;

	for (i = 0; i < nr; i++)
		size = add(size, name, nr_args, trace_and_0);
	for (round = 0; round < ROUNDS; round++) {
		double before = executed();

		if (write(fd, out, size) != (ssize_t)size)
			errx(1, "%u commands are not taken at once", nr);
		if (read(fd, in, sizeof(in)) <= 0)
			errx(1, "there is no reply");
		taken[round] = executed() - before;
	}
	printf("command stream-%u %s %.0f\n", nr, name, median(taken) / nr);
}

/* ---- Files ---- */

static void access_file(int fd, const char *text)
{
	if (text ? write(fd, text, strlen(text)) < 0 : pread(fd, in, 4096, 0) <= 0)
		err(1, "a file of debugfs");
}

static void measure_file(const char *name, const char *path, const char *text)
{
	int flags = text ? O_WRONLY : O_RDONLY, fd = open(path, flags);
	double whole[ROUNDS], alone[ROUNDS];
	unsigned int round;

	if (fd < 0)
		err(1, "%s", path);
	for (round = 0; round < ROUNDS; round++) {
		double before = executed(), middle;
		int again;

		access_file(fd, text);
		middle = executed();
		again = open(path, flags);
		access_file(again, text);
		close(again);
		whole[round] = executed() - middle;
		alone[round] = middle - before;
	}
	close(fd);
	printf("command debugfs %s %.0f\n", name, median(whole));
	printf("command debugfs-open %s %.0f\n", name, median(alone));
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err(1, "%s", path);
	close(fd);
}

/* ---- Notifications ---- */

/* All that it takes to stop and start a trace again, PAIRS times. */
static double stop_and_start(int fd, size_t size)
{
	double before = executed();

	send(fd, size);
	before = executed() - before;
	if (receive(fd) != 2 * PAIRS)
		errx(1, "the trace was not started %u times", PAIRS);
	return before;
}

static double read_notes(int fd)
{
	double before = executed();
	ssize_t size = read(fd, in, sizeof(in));

	before = executed() - before;
	if (size < (ssize_t)(2 * PAIRS * 6 * WORD))
		errx(1, "notifications are missing");
	return before;
}

static void measure_notes(int fd, unsigned int nr)
{
	static const struct ltt_message_arg traces[] = { { LTT_BLOB, 6, "traces" } };
	double queued[ROUNDS], quiet[ROUNDS], reading[ROUNDS];
	unsigned int i, round;
	int streams[STREAMS];
	size_t size = 0;

	/* Anew each time, for those before watch until they are closed. */
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0, size = 0; i < PAIRS; i++) {
			size = add(size, "stop", 1, trace_and_0);
			size = add(size, "start", 1, trace_and_0);
		}
		quiet[round] = stop_and_start(fd, size);
		for (i = 0; i < nr; i++) {
			streams[i] = ask(fd, "stream", 0, traces);
			fcntl(streams[i], F_SETFL, O_NONBLOCK);
			ask(streams[i], "watch", 1, traces);
		}
		for (i = 0, size = 0; i < PAIRS; i++) {
			size = add(size, "stop", 1, trace_and_0);
			size = add(size, "start", 1, trace_and_0);
		}
		queued[round] = stop_and_start(fd, size);
		for (i = 0, reading[round] = 0; i < nr; i++) {
			reading[round] += read_notes(streams[i]);
			close(streams[i]);
		}
	}
	printf("notification streams-%u queue %.0f\n", nr,
	       (median(queued) - median(quiet)) / (2 * PAIRS * nr));
	printf("notification streams-%u read %.0f\n", nr, median(reading) / (2 * PAIRS * nr));
}

int main(void)
{
	static const unsigned int numbers[] = { 1, 100, MANY };
	int fd = open_connection();
	unsigned int i;

	for (i = 0; i < 3; i++) {
		measure_stream(fd, "state", 1, numbers[i]);
		measure_stream(fd, "filter-set", 2, numbers[i]);
	}
	measure_notes(fd, 1);
	measure_notes(fd, STREAMS);
	close(fd);

	write_file(TRACES "create", "t");
	write_file(TRACES "t/channels/events/subbuf_size", "65536");
	write_file(TRACES "t/state", "start");
	measure_file("state", TRACES "t/state", NULL);
	measure_file("filter-set", TRACES "t/pid", "0");
	write_file(TRACES "remove", "t");
	return 0;
}
