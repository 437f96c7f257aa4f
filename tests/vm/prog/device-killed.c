// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Connections whose holders are killed at random moments: device-killed ROUNDS
 *
 * Each round two processes share a connection: one sends commands that make, fill,
 * start and stop traces and open their buffers, over and over; the other one reads
 * the replies.  Both are killed with SIGKILL, and have to be gone.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../core/message.c"

#define WORD	sizeof(unsigned long)

static char vocabulary[65536];
static char script[65536];
static size_t length;

static void read_vocabulary(int fd)
{
	struct ltt_message ask = { .command = 0 };
	char message[3 * WORD];
	ssize_t n;

	ltt_message_encode(message, WORD, &ask);
	if (write(fd, message, sizeof(message)) != sizeof(message))
		err(1, "the device takes no command");
	n = read(fd, vocabulary, sizeof(vocabulary) - 1);
	if (n < 0)
		err(1, "the device does not answer");
	/* The text lies behind six words; the rest does no harm. */
	memmove(vocabulary, vocabulary + 6 * WORD, n - 6 * WORD);
}

static unsigned long number_of(const char *name)
{
	char pattern[64];
	const char *line;

	snprintf(pattern, sizeof(pattern), " %s ", name);
	line = strstr(vocabulary, pattern);
	if (!line)
		errx(1, "there is no command %s", name);
	while (line > vocabulary && line[-1] != '\n')
		line--;
	return strtoul(line, NULL, 10);
}

static void add(const char *name, unsigned int nr, const struct ltt_message_arg *args)
{
	struct ltt_message message = { .command = number_of(name), .nr_args = nr };

	memcpy(message.arg, args, nr * sizeof(*args));
	ltt_message_encode(script + length, WORD, &message);
	length += ltt_message_size(&message, WORD);
}

#define TEXT(s)		{ LTT_BLOB, sizeof(s) - 1, s }
#define NUMBER(n)	{ LTT_WORD, n, NULL }
#define ADD(name, ...)								\
	do {									\
		const struct ltt_message_arg args[] = { __VA_ARGS__ };		\
										\
		add(name, sizeof(args) / sizeof(args[0]), args);		\
	} while (0)

static void write_script(void)
{
	ADD("create", TEXT("t"));
	ADD("channel-set", TEXT("t"), TEXT("events"), TEXT("subbuf_size"), NUMBER(16384));
	ADD("channel-set", TEXT("t"), TEXT("state"), TEXT("subbuf_size"), NUMBER(16384));
	ADD("enable", TEXT("t"), TEXT("test:*"));
	ADD("start", TEXT("t"));
	ADD("open-buffer", TEXT("t"), TEXT("events"), NUMBER(0));
	ADD("create", TEXT("u"));
	ADD("open-metadata", TEXT("t"));
	ADD("want", TEXT("sched:sched_switch"));
	ADD("stats", TEXT("t"));
	ADD("stop", TEXT("t"));
	ADD("destroy", TEXT("t"));
	ADD("destroy", TEXT("u"));
}

static void send_for_ever(int fd)
{
	for (;;)
		if (write(fd, script, length) < 0)
			_exit(1);
}

/* Shared by all processes: starts and descriptors that were answered without error. */
static unsigned long *done;

static void read_for_ever(int fd)
{
	const unsigned long start = number_of("start"), open_buffer = number_of("open-buffer");
	static unsigned long reply[65536];
	size_t have = 0;
	ssize_t n;

	while ((n = read(fd, (char *)reply + have,
			 (have < WORD ? WORD : reply[0]) - have)) > 0) {
		have += n;
		if (have < WORD || have < reply[0])
			continue;
		have = 0;
		if ((reply[1] == start || reply[1] == open_buffer) && !reply[3])
			++*done;
	}
	_exit(1);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Till something has worked, which on a slow kernel takes long.  Return: how long, in
 * seconds. */
static double let_work(void)
{
	const double began = now();
	const unsigned long before = *done;

	while (*(volatile unsigned long *)done < before + 2 && now() < began + 60)
		usleep(1000);
	return now() - began;
}

/* @longest_us before both are killed; 0: as soon as something has worked.  Return: see
 * there. */
static double one_round(unsigned int longest_us)
{
	double took = 0;
	pid_t sender, reader;
	int fd = open("/dev/ltt", O_RDWR | O_CLOEXEC), status;

	if (fd < 0)
		err(1, "/dev/ltt");
	reader = fork();
	if (!reader)
		read_for_ever(fd);
	sender = fork();
	if (!sender)
		send_for_ever(fd);
	close(fd);
	if (longest_us)
		usleep(random() % longest_us);	/* the moment is to be any */
	else
		took = let_work();
	kill(random() & 1 ? sender : reader, SIGKILL);
	kill(sender, SIGKILL);
	kill(reader, SIGKILL);
	if (waitpid(sender, &status, 0) != sender || !WIFSIGNALED(status) ||
	    waitpid(reader, &status, 0) != reader || !WIFSIGNALED(status))
		errx(1, "a process had ended by itself");
	return took;
}

int main(int argc, char **argv)
{
	int rounds = argc == 2 ? atoi(argv[1]) : 0;
	int fd = open("/dev/ltt", O_RDWR | O_CLOEXEC), i;
	double took, least = 0.5;	/* at most, or hundreds of rounds take too long */

	if (rounds <= 0)
		errx(2, "usage: device-killed ROUNDS");
	if (fd < 0)
		err(1, "/dev/ltt");
	read_vocabulary(fd);
	close(fd);
	write_script();
	done = mmap(NULL, sizeof(*done), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (done == MAP_FAILED)
		err(1, "there is no memory");
	srandom(1);
	for (i = 0; i < 3; i++) {
		took = one_round(0);
		least = took < least ? took : least;
	}
	for (i = 0; i < rounds; i++)
		one_round(4e6 * least);
	printf("%lu starts and opens\n", *done);
	if (*done < (unsigned long)rounds / 20)
		errx(1, "hardly anything worked");
	return 0;
}
