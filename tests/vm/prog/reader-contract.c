// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The promises of doc/format.md, "Reading a data file", one by one.
 *
 *	reader-contract relay DIR	DIR/{write,hold,cpu0} of ltt-test-relay, which
 *					has sub-buffers of 16 KiB and is unread
 *	reader-contract trace NAME	a running trace with packets in events_0 and
 *					events_1; ends with the trace removed and
 *					all modules of LTT unloaded
 *
 * Prints "ok WHAT" or "not ok WHAT: ..." for each promise.
 *
 * ltt-test-relay counts its records, so what a packet has to be is known to the
 * last byte.  Each test finds all packets freed and leaves them so.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE		4096
#define PACKET		(4 * PAGE)
#define HEADER		32
#define RECORDS		((PACKET - HEADER) / 8)
#define MUCH		(64 * PAGE)
#define DEADLINE_S	20

static const char *dir;
static uint64_t packets;	/* that were written, so the number of the next */
static unsigned char buf[MUCH], want[MUCH];

/* ---- Helpers ---- */

static void check(const char *what, long long expected, long long got)
{
	if (expected == got)
		printf("ok %s\n", what);
	else
		printf("not ok %s: expected %lld, got %lld\n", what, expected, got);
	fflush(stdout);
}

/* What a system call returned, or the errno as a negative number. */
static long sys(long ret)
{
	return ret < 0 ? -errno : ret;
}

static _Noreturn void die(const char *what)
{
	printf("not ok %s: %s\n", what, strerror(errno));
	exit(1);
}

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static int open_data(const char *name, int flags)
{
	int fd = open(path_of(name), O_RDONLY | O_CLOEXEC | flags);

	if (fd < 0)
		die(name);
	return fd;
}

static void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(file);
	close(fd);
}

static void put_number(const char *name, unsigned int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	put(path_of(name), text);
}

static void produce(unsigned int n)
{
	put_number("write", n * RECORDS);
	packets += n;
}

/* Packet number @seq as ltt-test-relay must have written it. */
static void expected_packet(uint64_t seq, unsigned char *to)
{
	const uint64_t header[] = { seq, PACKET, 0 };
	uint64_t i, value;

	memcpy(to, "relaytst", 8);
	memcpy(to + 8, header, sizeof(header));
	for (i = 0; i < RECORDS; i++) {
		value = seq * RECORDS + i;
		memcpy(to + HEADER + 8 * i, &value, 8);
	}
}

/* Do @len bytes of @data lie at @at in the stream that begins with packet @first? */
static bool is_stream(const unsigned char *data, uint64_t first, size_t at, size_t len)
{
	size_t skip = at % PACKET, i;

	for (i = 0; i * PACKET < skip + len; i++)
		expected_packet(first + at / PACKET + i, want + i * PACKET);
	return !memcmp(data, want + skip, len);
}

/* Read all; the last read, which finds nothing, frees the last packet. */
static void drain(int fd)
{
	long ret;

	while ((ret = sys(read(fd, buf, sizeof(buf)))) > 0)
		;
	if (ret != -EAGAIN)
		check("a read of all ends with EAGAIN", -EAGAIN, ret);
}

static void wrap(int fd)
{
	int i;

	for (i = 0; i < 12; i++) {
		produce(3);
		drain(fd);
	}
}

static short polled(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) < 0 ? -1 : p.revents;
}

static void make_pipe(int pipefd[2])
{
	if (pipe2(pipefd, O_CLOEXEC | O_NONBLOCK))
		die("pipe");
}

static void close_pipe(int pipefd[2])
{
	close(pipefd[0]);
	close(pipefd[1]);
}

/* All that is in a pipe or socket. */
static size_t read_all(int fd, unsigned char *to, size_t room)
{
	size_t len = 0;
	ssize_t ret;

	while (len < room && (ret = read(fd, to + len, room - len)) > 0)
		len += ret;
	return len;
}

static bool expired(time_t since)
{
	return time(NULL) - since > DEADLINE_S;
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

/* Is the process asleep in read()? */
static bool in_read(pid_t pid)
{
	char path[64], text[128] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	f = fopen(path, "r");
	if (f) {
		if (!fgets(text, sizeof(text), f))
			text[0] = '\0';
		fclose(f);
	}
	return text[0] >= '0' && text[0] <= '9' && atol(text) == SYS_read;
}

static void on_signal(int number)
{
	(void)number;
}

/* A child that reads once, and ends with 0 for end of file, 1 for a whole packet
 * (or any bytes of a trace), 2 for EINTR, 3 for anything else. */
static pid_t reading_child(int fd)
{
	const struct sigaction action = { .sa_handler = on_signal };
	time_t since = time(NULL);
	pid_t pid;
	long ret;

	/* Without SA_RESTART, and before the child is there to be signalled. */
	sigaction(SIGUSR1, &action, NULL);
	pid = fork();
	if (!pid) {
		ret = sys(read(fd, buf, sizeof(buf)));
		_exit(ret > 0 ? 1 : !ret ? 0 : ret == -EINTR ? 2 : 3);
	}
	while (!in_read(pid))
		if (expired(since))
			die("a blocking read sleeps");
		else
			nap();
	return pid;
}

/* Its status, or -1 when it does not end. */
static int end_of(pid_t pid)
{
	time_t since = time(NULL);
	int status;

	while (!waitpid(pid, &status, WNOHANG)) {
		if (expired(since)) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			return -1;
		}
		nap();
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- read(), pread(), lseek(), close() ---- */

static void test_open(void)
{
	int fd;

	check("it cannot be opened for writing", -EACCES, sys(open(path_of("cpu0"), O_WRONLY)));
	check("nor for both", -EACCES, sys(open(path_of("cpu0"), O_RDWR)));
	fd = open_data("cpu0", O_NONBLOCK);
	check("a second reader gets EBUSY", -EBUSY, sys(open(path_of("cpu0"), O_RDONLY)));
	close(fd);
	fd = open_data("cpu0", O_NONBLOCK);
	check("not when the first is gone; a read of nothing gives EAGAIN", -EAGAIN,
	      sys(read(fd, buf, 1)));
	check("so does pread", -EAGAIN, sys(pread(fd, buf, 1, 0)));
	close(fd);
}

static void test_read(void)
{
	uint64_t first = packets;
	int fd = open_data("cpu0", O_NONBLOCK);

	produce(3);
	check("pread of the header", HEADER, sys(pread(fd, buf, HEADER, 0)));
	check("it is that of the first packet", 1, is_stream(buf, first, 0, HEADER));
	check("it can be had again", HEADER, sys(pread(fd, buf, HEADER, 0)));
	check("it did not move the position", 0, lseek(fd, 0, SEEK_CUR));
	check("a read ends with the packet", PACKET, sys(read(fd, buf, sizeof(buf))));
	check("it has the packet's bytes", 1, is_stream(buf, first, 0, PACKET));
	check("the packet is still there", PAGE, sys(pread(fd, buf, PAGE, PACKET - PAGE)));
	check("with the same bytes", 1, is_stream(buf, first, PACKET - PAGE, PAGE));
	lseek(fd, 1001, SEEK_SET);
	check("also after lseek back", 9, sys(read(fd, buf, 9)));
	check("with the same bytes again", 1, is_stream(buf, first, 1001, 9));

	check("pread in the next packet", 10, sys(pread(fd, buf, 10, PACKET + 4090)));
	check("crosses pages", 1, is_stream(buf, first, PACKET + 4090, 10));
	check("it frees the one before: pread", -EINVAL, sys(pread(fd, buf, 1, PACKET - 1)));
	check("and read there give EINVAL", -EINVAL, sys(read(fd, buf, 1)));
	lseek(fd, 2 * PACKET + 5, SEEK_SET);
	check("lseek forward skips a packet", 11, sys(read(fd, buf, 11)));
	check("it reads the third", 1, is_stream(buf, first, 2 * PACKET + 5, 11));
	lseek(fd, 2 * PACKET - 1, SEEK_SET);
	check("a skipped one cannot be had any more", -EINVAL, sys(read(fd, buf, 1)));
	lseek(fd, 3 * PACKET + 77, SEEK_SET);
	check("lseek to what is not there yet: EAGAIN", -EAGAIN, sys(read(fd, buf, 1)));
	produce(1);
	check("then it comes, from the middle", PACKET - 77, sys(read(fd, buf, sizeof(buf))));
	check("with the right bytes", 1, is_stream(buf, first, 3 * PACKET + 77, PACKET - 77));
	drain(fd);
	close(fd);
}

static void test_close(void)
{
	uint64_t first = packets;
	int fd = open_data("cpu0", O_NONBLOCK);

	produce(2);
	check("a packet is read", PACKET, sys(read(fd, buf, sizeof(buf))));
	close(fd);
	fd = open_data("cpu0", O_NONBLOCK);
	check("close does not free it: the next reader", PACKET, sys(read(fd, buf, sizeof(buf))));
	check("has the same at its position 0", 1, is_stream(buf, first, 0, PACKET));
	check("a pread at its end", 1, sys(pread(fd, buf, 1, PACKET)));
	close(fd);
	fd = open_data("cpu0", O_NONBLOCK);
	check("frees it: the next reader", PACKET, sys(read(fd, buf, sizeof(buf))));
	check("has the second at its position 0", 1, is_stream(buf, first + 1, 0, PACKET));
	check("a read at the end that finds nothing", -EAGAIN, sys(read(fd, buf, 1)));
	close(fd);
	fd = open_data("cpu0", O_NONBLOCK);
	check("has freed it too", -EAGAIN, sys(read(fd, buf, 1)));
	close(fd);
}

static void test_blocking(void)
{
	int fd = open_data("cpu0", 0);
	time_t since = time(NULL);
	pid_t pid = reading_child(fd);
	int pipefd[2];

	produce(1);
	check("a full sub-buffer wakes a read that waits", 1, end_of(pid));
	lseek(fd, PACKET, SEEK_SET);
	pid = reading_child(fd);
	/* Until it has ended: the first may come before it sleeps. */
	while (!kill(pid, SIGUSR1) && in_read(pid) && !expired(since))
		nap();
	check("a signal interrupts one", 2, end_of(pid));
	make_pipe(pipefd);
	check("splice does not wait, even if the file may block", -EAGAIN,
	      sys(splice(fd, NULL, pipefd[1], NULL, PACKET, 0)));
	close_pipe(pipefd);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	drain(fd);
	close(fd);
}

static void test_poll(void)
{
	int fd = open_data("cpu0", O_NONBLOCK);

	check("poll: nothing", 0, polled(fd));
	put_number("write", RECORDS - 1);
	check("poll: nothing while the sub-buffer has room", 0, polled(fd));
	put_number("write", 1);
	packets++;
	check("poll: POLLIN when it is full", POLLIN, polled(fd));
	check("the packet but for a byte", PACKET - 1, sys(read(fd, buf, PACKET - 1)));
	check("poll: POLLIN for the last byte", POLLIN, polled(fd));
	check("the last byte", 1, sys(read(fd, buf, PACKET)));
	check("poll: nothing when all is read, though the packet is out", 0, polled(fd));
	produce(1);
	check("poll: POLLIN for the next packet", POLLIN, polled(fd));
	drain(fd);
	check("poll: nothing in the end", 0, polled(fd));
	close(fd);
}

/* ---- splice(), tee(), sendfile() ---- */

static void test_splice(void)
{
	uint64_t first = packets;
	int fd = open_data("cpu0", O_NONBLOCK), pipefd[2];

	make_pipe(pipefd);
	check("splice of nothing gives EAGAIN", -EAGAIN,
	      sys(splice(fd, NULL, pipefd[1], NULL, MUCH, 0)));
	produce(2);
	check("splice ends with the packet", PACKET,
	      sys(splice(fd, NULL, pipefd[1], NULL, MUCH, 0)));
	lseek(fd, PACKET + 5000, SEEK_SET);
	check("splice from the middle of a page", PACKET - 5000,
	      sys(splice(fd, NULL, pipefd[1], NULL, MUCH, 0)));
	check("it moves the position", 2 * PACKET, lseek(fd, 0, SEEK_CUR));
	check("all bytes are in the pipe", 2 * PACKET - 5000,
	      read_all(pipefd[0], buf, sizeof(buf)));
	check("those of the first packet", 1, is_stream(buf, first, 0, PACKET));
	check("those of the second", 1,
	      is_stream(buf + PACKET, first, PACKET + 5000, PACKET - 5000));

	lseek(fd, PACKET + 100, SEEK_SET);
	check("splice of some bytes", 4000,
	      sys(splice(fd, NULL, pipefd[1], NULL, 4000, 0)));
	check("read goes on where it ended", 4000, sys(read(fd, buf, 4000)));
	check("with the right bytes", 1, is_stream(buf, first, PACKET + 4100, 4000));
	check("the pipe has its own", 4000, read_all(pipefd[0], buf, sizeof(buf)));
	check("with the right bytes too", 1, is_stream(buf, first, PACKET + 100, 4000));
	close_pipe(pipefd);
	drain(fd);
	close(fd);
}

/* A pipe has 16 slots; each page that is written takes one. */
static void test_narrow_pipe(void)
{
	size_t at = 0, n, room, got;
	uint64_t first = packets;
	int fd = open_data("cpu0", O_NONBLOCK), pipefd[2];
	bool right = true;
	long ret;

	make_pipe(pipefd);
	produce(3);
	memset(buf, 'x', sizeof(buf));
	check("a pipe is filled", 16 * PAGE, sys(write(pipefd[1], buf, 17 * PAGE)));
	check("splice to a full pipe gives EAGAIN", -EAGAIN,
	      sys(splice(fd, NULL, pipefd[1], NULL, MUCH, SPLICE_F_NONBLOCK)));
	check("and moves nothing", 0, lseek(fd, 0, SEEK_CUR));
	read_all(pipefd[0], buf, sizeof(buf));

	lseek(fd, 10, SEEK_SET);
	for (at = 10, room = 1; at < 3 * PACKET && right; room = room % 5 + 1) {
		if (write(pipefd[1], buf, (16 - room) * PAGE) != (ssize_t)(16 - room) * PAGE)
			die("pages in the pipe");
		n = room * PAGE - at % PAGE;
		if (n > PACKET - at % PACKET)
			n = PACKET - at % PACKET;
		ret = sys(splice(fd, NULL, pipefd[1], NULL, MUCH, 0));
		got = read_all(pipefd[0], buf, sizeof(buf)) - (16 - room) * PAGE;
		right = ret == (long)n && got == n && lseek(fd, 0, SEEK_CUR) == (off_t)(at + n) &&
			is_stream(buf + (16 - room) * PAGE, first, at, n);
		if (!right)
			printf("%zu slots at %zu: %zu bytes fit, splice moved %ld, the pipe has %zu\n",
			       room, at, n, ret, got);
		at += n;
	}
	check("a pipe with 1 to 5 free slots takes what fits, and no byte is lost", 1, right);
	close_pipe(pipefd);
	drain(fd);
	close(fd);
}

static void test_kept_pages(void)
{
	uint64_t first = packets;
	int fd = open_data("cpu0", O_NONBLOCK), a[2], b[2];

	make_pipe(a);
	make_pipe(b);
	produce(3);
	check("a packet goes into a pipe", PACKET, sys(splice(fd, NULL, a[1], NULL, MUCH, 0)));
	check("and by tee into another", PACKET, sys(tee(a[0], b[1], MUCH, 0)));
	check("the next one into the first", PACKET, sys(splice(fd, NULL, a[1], NULL, MUCH, 0)));
	drain(fd);
	wrap(fd);
	check("the ring has wrapped; the first pipe has all", 2 * PACKET,
	      read_all(a[0], buf, sizeof(buf)));
	check("as it was", 1, is_stream(buf, first, 0, 2 * PACKET));
	wrap(fd);
	check("it wraps again; the second pipe has all", PACKET,
	      read_all(b[0], buf, sizeof(buf)));
	check("as it was then", 1, is_stream(buf, first, 0, PACKET));
	close_pipe(a);
	close_pipe(b);

	first = packets;
	produce(4);
	check("a packet after all that", PACKET, sys(read(fd, buf, sizeof(buf))));
	check("is right", 1, is_stream(buf, first, 0, PACKET));
	drain(fd);
	close(fd);
}

static void test_sendfile(void)
{
	uint64_t first = packets;
	int fd = open_data("cpu0", O_NONBLOCK), s[2];
	long ret, sent = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, s))
		die("socketpair");
	produce(3);
	while ((ret = sys(sendfile(s[0], fd, NULL, MUCH))) > 0)
		sent += ret;
	check("sendfile ends with EAGAIN", -EAGAIN, ret);
	check("when it has sent three packets", 3 * PACKET, sent);
	drain(fd);
	wrap(fd);
	check("they come out of the socket", 3 * PACKET, read_all(s[1], buf, sizeof(buf)));
	check("as they were, though the ring has wrapped", 1, is_stream(buf, first, 0, 3 * PACKET));
	close(s[0]);
	close(s[1]);
	close(fd);
}

/* Last of all, for it upsets the numbers. */
static void test_padding(void)
{
	const size_t content = HEADER + 600 * 8, size = 2 * PAGE;
	int fd = open_data("cpu0", O_NONBLOCK);
	unsigned long sum = 0;
	uint64_t header[4];
	size_t i;

	/* So that the pages have been written before. */
	wrap(fd);
	close(fd);
	fd = open_data("cpu0", O_NONBLOCK);
	put_number("write", 600);
	check("a packet that is being written is not there", -EAGAIN, sys(read(fd, buf, 1)));
	put_number("hold", 0);
	memset(buf, 'x', sizeof(buf));
	check("flushed, it has as many pages as it needs", size, sys(read(fd, buf, sizeof(buf))));
	memcpy(header, buf, sizeof(header));
	check("it tells its content", content, header[2]);
	for (i = content; i < size; i++)
		sum += buf[i];
	check("the rest of its last page is zero", 0, sum);
	check("the stream goes on at its end", -EAGAIN, sys(pread(fd, buf, 1, size)));
	close(fd);
}

static void test_relay(void)
{
	test_open();
	test_read();
	test_close();
	test_blocking();
	test_poll();
	test_splice();
	test_narrow_pipe();
	test_kept_pages();
	test_sendfile();
	test_padding();
}

/* ---- What outlives a trace ---- */

/* Read to the end, and check that the state of poll() is that of read(). */
static void drain_removed(int fd)
{
	unsigned int n = 0, wrong = 0, dirty = 0;
	uint64_t sizes[2];
	size_t i;
	long ret;

	for (;;) {
		short events = polled(fd);

		ret = sys(read(fd, buf, sizeof(buf)));
		wrong += events != (ret > 0 ? POLLIN : POLLHUP);
		if (ret <= 0)
			break;
		n++;
		memcpy(sizes, buf + 40, sizeof(sizes));
		wrong += (long)sizes[1] != ret * 8;
		for (i = sizes[0] / 8; i < (size_t)ret; i++)
			dirty += !!buf[i];
	}
	check("a removed trace is drained, then there is end of file", 0, ret);
	check("it had some packets", 1, n >= 2);
	check("POLLIN as long as there are any, POLLHUP then; packet_size is what is read", 0, wrong);
	check("padding is zero", 0, dirty);
	check("end of file stays", 0, sys(read(fd, buf, 1)));
}

static void test_trace(const char *name)
{
	static unsigned char kept[MUCH];
	int data = open_data("events_0", O_NONBLOCK), empty = open_data("events_1", O_NONBLOCK);
	int pipefd[2], copy[2];
	long len, ret;
	pid_t pid;

	make_pipe(pipefd);
	make_pipe(copy);
	len = sys(pread(data, kept, sizeof(kept), 0));
	check("a packet of the trace", 1, len > 0 && len % PAGE == 0);
	check("goes into a pipe", len, sys(splice(data, NULL, pipefd[1], NULL, MUCH, 0)));
	check("and by tee into another", len, sys(tee(pipefd[0], copy[1], MUCH, 0)));

	drain(empty);
	check("poll: nothing in a drained trace that runs", 0, polled(empty));
	fcntl(empty, F_SETFL, 0);
	pid = reading_child(empty);
	put(path_of("state"), "stop");
	check("stop wakes a read that waits: the sub-buffer with room left", 1, end_of(pid));
	fcntl(empty, F_SETFL, O_NONBLOCK);
	drain(empty);
	check("poll: nothing in a drained trace that is stopped", 0, polled(empty));
	fcntl(empty, F_SETFL, 0);
	pid = reading_child(empty);
	put("/sys/kernel/debug/ltt/traces/remove", name);
	check("removal wakes a read that waits: end of file", 0, end_of(pid));
	check("poll: POLLHUP, no POLLIN", POLLHUP, polled(empty));
	check("splice: end of file", 0, sys(splice(empty, NULL, copy[1], NULL, MUCH, 0)));
	drain_removed(data);
	close(empty);
	close(data);

	check("the trace is gone; the pipe has the packet", len,
	      read_all(pipefd[0], buf, sizeof(buf)));
	check("as it was", 0, memcmp(buf, kept, len));
	ret = system("$LTT/tests/vm/ltt-load --unload");
	check("all modules can be unloaded with pages in a pipe", 0, ret);
	check("the pipe still has the packet", len, read_all(copy[0], buf, sizeof(buf)));
	check("as it was then", 0, memcmp(buf, kept, len));
	close_pipe(pipefd);
	close_pipe(copy);
}

int main(int argc, char **argv)
{
	static char trace_dir[128];
	cpu_set_t one;

	if (argc != 3)
		return 2;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		die("CPU 0");
	if (!strcmp(argv[1], "relay")) {
		dir = argv[2];
		test_relay();
	} else {
		snprintf(trace_dir, sizeof(trace_dir), "/sys/kernel/debug/ltt/traces/%s", argv[2]);
		dir = trace_dir;
		test_trace(argv[2]);
	}
	return 0;
}
