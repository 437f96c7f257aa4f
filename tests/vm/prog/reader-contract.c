// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The promises of doc/format.md, "Reading a data file", one by one:
 *
 *	reader-contract DIR	with DIR/{write,hold,cpu0} of ltt-test-relay, which has
 *				sub-buffers of 16 KiB and is unread
 *
 * ltt-test-relay counts its records, so what a packet has to be is known to the
 * last byte.  Each test finds all packets freed and leaves them so.
 */
#include "reader.h"

#include <sched.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

#define PACKET		(4 * PAGE)
#define HEADER		32
#define RECORDS		((PACKET - HEADER) / 8)

static uint64_t packets;	/* that were written, so the number of the next */
static unsigned char want[MUCH];

/* ---- What ltt-test-relay writes ---- */

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

static void wrap(int fd)
{
	int i;

	for (i = 0; i < 12; i++) {
		produce(3);
		drain(fd);
	}
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
	check("a read of nothing gives nothing", 0, sys(read(fd, buf, 0)));
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
	while (!kill(pid, SIGUSR1) && is_in_call(pid, SYS_read) && !expired(since))
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

/* More pages in pipes than are kept for when they come back: the rest is the pipe's. */
static void test_many_pages(void)
{
	int fd = open_data("cpu0", O_NONBLOCK), pipefd[2];
	uint64_t first = packets;
	size_t got = 0;
	unsigned int i;
	bool right = true;

	make_pipe(pipefd);
	if (fcntl(pipefd[1], F_SETPIPE_SZ, 64 * PAGE) < 0)
		die("a pipe of 64 pages");
	for (i = 0; i < 12; i++) {
		produce(1);
		if (sys(splice(fd, NULL, pipefd[1], NULL, PACKET, 0)) != PACKET)
			die("splice");
	}
	for (i = 0; i < 12; i++) {
		got += read(pipefd[0], buf, PACKET);
		right &= is_stream(buf, first, i * PACKET, PACKET);
	}
	check("12 packets in a pipe", 12 * PACKET, got);
	check("they are as they were", 1, right);
	close_pipe(pipefd);
	wrap(fd);
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
	test_many_pages();
	test_sendfile();
	test_padding();
}

int main(int argc, char **argv)
{
	cpu_set_t one;

	if (argc != 2)
		return 2;
	dir = argv[1];
	/* ltt-test-relay writes on the CPU of its caller. */
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		die("CPU 0");
	test_relay();
	return 0;
}
