// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A fuzzer for /dev/ltt: device-fuzz SECONDS PROCESSES [COMMAND...]
 *
 * Each process opens one control connection after the other, and sends messages that are right,
 * almost right and wrong, cut anywhere; it leaves out the COMMANDs.  Half of the processes make
 * 32-bit system calls, so their words have 4 bytes.  The fuzzer decodes the bytes that the device
 * has accepted as the device does, and so knows the replies that must come: one for each command,
 * in order, with its cookie, and with the errors that doc/device.md promises.  It uses the
 * descriptors that the replies return, and closes them.
 *
 * LTT_SEED in the environment repeats the random choices of a run.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fuzz-grammar.h"
#include "fuzz-stream.h"

/* ---- Sending ---- */

/*
 * A blocking stream sends no more than the queue has room for replies, because this thread is
 * the only reader; a command that shows much can fill the queue alone.
 */
static size_t next_piece(struct stream *stream, size_t size, bool blocking)
{
	size_t most = one_in(3) ? 1 + below(40) : 1 + below(100000);
	struct ltt_message_in *in = &stream->taken;

	if (blocking && in->total)
		most = ltt_message_wanted(in);
	else if (blocking)
		most = 1 + below(stream->word);
	return most < size ? most : size;
}

static void send_all(struct stream *stream, const u8 *from, size_t size)
{
	bool blocking = !(fcntl(stream->fd, F_GETFL) & O_NONBLOCK);
	ssize_t n;

	while (size && !stream->broken) {
		if (blocking)
			collect(stream);
		n = put(stream->fd, stream->word, from, next_piece(stream, size, blocking));
		if (n > 0 && stream->told) {
			wrong("a broken stream goes on");
		} else if (n > 0) {
			took(stream, from, n);
			from += n;
			size -= n;
		} else if (n < 0 && errno == EPIPE && stream->ended &&
			   stream->first != stream->last) {
			/* Without a reply to read there is no room to wait for. */
			collect(stream);
		} else if (n < 0 && errno == EPIPE) {
			must_break(stream, from, size);
		} else if (n < 0 && errno == EAGAIN) {
			if (wait_for(stream, POLLIN | POLLOUT) & POLLIN)
				take_replies(stream, 1 + below(20000));
		} else {
			wrong("write: %zd, %s", n, strerror(errno));
		}
		if (one_in(5) && !blocking)
			take_replies(stream, 1 + below(5000));
	}
}

static void some_batches(struct stream *stream, unsigned int nr)
{
	while (nr-- && !stream->broken) {
		/* Not on the stack: it is in use further up when a stream comes back. */
		u8 *bytes = low_memory(BATCH_MAX);

		send_all(stream, bytes, fill_batch(bytes, stream->word));
		munmap(bytes, BATCH_MAX);
		if (one_in(2))
			collect(stream);
	}
}

/* ---- Descriptors ---- */

static unsigned int depth;

/* A further stream: a little, here and now, or later when its connection has ended. */
static void use_stream(struct stream *owner, int fd)
{
	struct stream stream;

	if (owner->nr_kept < KEPT_MAX && one_in(2)) {
		owner->kept[owner->nr_kept++] = fd;
		return;
	}
	if (depth < 3) {
		depth++;
		if (one_in(2))
			fcntl(fd, F_SETFL, O_NONBLOCK);
		stream_init(&stream, fd, owner->word);
		some_batches(&stream, 1 + below(2));
		if (one_in(2))
			collect(&stream);
		while (stream.nr_kept)
			close(stream.kept[--stream.nr_kept]);
		stream_exit(&stream);
		depth--;
	}
	close(fd);
}

static bool is_stream(int fd)
{
	char path[64], name[64] = "";

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (readlink(path, name, sizeof(name) - 1) < 0)
		wrong("descriptor %d: %s", fd, strerror(errno));
	return strstr(name, "ltt-stream");
}

/* Reading all of a buffer would take long; what it says is for other tests. */
static void use(struct stream *stream, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	static char data[65536];

	if (!(fcntl(fd, F_GETFD) & FD_CLOEXEC))
		wrong("descriptor %d is not closed by exec", fd);
	counts->opened++;
	if (is_stream(fd)) {
		use_stream(stream, fd);
		return;
	}
	poll(&p, 1, 0);
	if (p.revents & POLLNVAL)
		wrong("descriptor %d is none", fd);
	if (read(fd, data, 1 + below(sizeof(data))) < 0 && errno != EAGAIN)
		wrong("descriptor %d: read: %s", fd, strerror(errno));
	lseek(fd, random(), below(3));
	if (pread(fd, data, below(sizeof(data)), random() % 100000) < 0 && errno != EAGAIN &&
	    errno != EINVAL && errno != ESPIPE && errno != ENXIO && errno != ENODATA)
		wrong("descriptor %d: pread: %s", fd, strerror(errno));
	if (one_in(3) && stream->nr_kept < KEPT_MAX)
		stream->kept[stream->nr_kept++] = fd;
	else
		close(fd);
}

/* ---- Connections ---- */

/* A stream whose connection has ended: it returns an error for everything. */
static void use_ended(int fd, u32 word)
{
	struct stream stream;

	stream_init(&stream, fd, word);
	stream.ended = true;
	if (!(wait_for(&stream, 0) & POLLHUP))
		wrong("a stream does not hang up at its connection's end");
	some_batches(&stream, 1);
	collect(&stream);
	stream_exit(&stream);
}

static void one_connection(u32 word)
{
	int fd = open_device(word, O_RDWR | O_CLOEXEC | (one_in(2) ? O_NONBLOCK : 0));
	struct stream stream;

	if (fd < 0)
		wrong("/dev/ltt: %s", strerror(errno));
	stream_init(&stream, fd, word);
	some_batches(&stream, 1 + below(20));
	if (!one_in(4))
		collect(&stream);
	close(fd);
	while (stream.nr_kept) {
		fd = stream.kept[--stream.nr_kept];
		if (is_stream(fd))
			use_ended(fd, word);
		close(fd);
	}
	stream_exit(&stream);
}

static void one_process(int seconds)
{
	time_t end = time(NULL) + seconds;

	srandom(seed * 1000 + process);
	for (; time(NULL) < end; counts->connections++)
		one_connection(process & 1 ? 4 : 8);
	_exit(0);
}

int main(int argc, char **argv)
{
	int seconds = argc > 2 ? atoi(argv[1]) : 0, processes = argc > 2 ? atoi(argv[2]) : 0;
	int failed;

	if (seconds <= 0 || processes <= 0)
		errx(2, "usage: device-fuzz SECONDS PROCESSES [COMMAND...]");
	choose_seed();
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (counts == MAP_FAILED)
		err(1, "there is no memory");
	learn(argv + 3);
	failed = !all_end_well(processes, one_process, seconds);
	printf("# %lu connections, %lu replies, %lu of them errors, %lu notifications, %lu descriptors, %lu broken streams\n",
	       counts->connections, counts->answered, counts->refused, counts->notified,
	       counts->opened, counts->broke);
	if (counts->answered - counts->refused < 500 || counts->refused < 500 ||
	    counts->opened < 20 || counts->broke < 3) {
		printf("# that is hardly anything\n");
		failed = 1;
	}
	printf("%s every message was answered as it should be\n", failed ? "not ok" : "ok");
	return failed;
}
