// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Anything at all written to /dev/ltt: device-fuzz SECONDS PROCESSES [COMMAND...]
 *
 * Each process has one session after the other, and sends messages that are right,
 * almost right and wrong, cut anywhere; the COMMANDs are left out.  Half of the
 * processes make 32-bit system calls, so that their words have 4 bytes.  What the
 * device has taken is put together here as well, and so it is known what it has to
 * answer: each command once, in order, with its cookie, and with the errors that
 * doc/device.md promises.  The descriptors that come back are used and closed.
 *
 * LTT_SEED in the environment repeats a run, as far as time does.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../core/message.c"

#define COMMANDS_MAX	64
#define REPLY_MAX	(2 << 20)
#define BATCH_MAX	(256 << 10)
#define WAITING_MAX	65536	/* replies: more do not fit into the queue */
#define KEPT_MAX	4
#define ANSWER_MS	60000	/* a machine that emulates four processes takes its time */

/* Of a watch's cookie, that of its notifications: no other command has it. */
#define WATCH_COOKIE	0x5a000000U

/* ---- Chance ---- */

static unsigned long seed;
static unsigned int process;

static unsigned int below(unsigned int limit)
{
	return limit ? (unsigned long)random() % limit : 0;
}

static bool one_in(unsigned int n)
{
	return !below(n);
}

__attribute__((format(printf, 1, 2), noreturn))
static void wrong(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("not ok seed %lu, process %u: ", seed, process);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	_exit(1);
}

/* ---- The vocabulary ---- */

struct command {
	unsigned long number;
	char name[32];
	unsigned int nr_args;
	struct {
		char name[16];
		bool is_text;
	} arg[LTT_MESSAGE_ARGS_MAX];
	enum { NOTHING, TEXT, DESCRIPTOR } result;
	bool left_out;
};

static struct command commands[COMMANDS_MAX];
static unsigned int nr_commands;

/* "NUMBER NAME ARG:KIND... -> RESULT: HELP" */
static void parse_command(char *line)
{
	struct command *command = &commands[nr_commands];
	char *left = line, *right = strstr(line, " -> "), *word, *kind;

	if (!right || nr_commands == COMMANDS_MAX)
		wrong("\"%s\" is no line of the vocabulary", line);
	*right = '\0';
	right += strlen(" -> ");
	command->result = !strncmp(right, "text:", 5) ? TEXT :
			  !strncmp(right, "descriptor:", 11) ? DESCRIPTOR : NOTHING;
	command->number = strtoul(strsep(&left, " "), NULL, 10);
	if (command->number != nr_commands)
		wrong("command %u of the vocabulary has number %lu", nr_commands, command->number);
	snprintf(command->name, sizeof(command->name), "%s", strsep(&left, " "));
	while ((word = strsep(&left, " "))) {
		kind = strchr(word, ':');
		*kind++ = '\0';
		snprintf(command->arg[command->nr_args].name, 16, "%s", word);
		command->arg[command->nr_args++].is_text = !strcmp(kind, "text");
	}
	nr_commands++;
}

static void learn(char **left_out)
{
	static char in[65536];
	const struct ltt_message ask = { .command = 0 };
	struct ltt_message reply = { .nr_args = 3,
				     .arg = { { LTT_WORD }, { LTT_BLOB }, { LTT_WORD } } };
	char message[3 * sizeof(long)], *text, *line;
	int fd = open("/dev/ltt", O_RDWR | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		err(1, "/dev/ltt");
	ltt_message_encode(message, sizeof(long), &ask);
	if (write(fd, message, sizeof(message)) != sizeof(message))
		err(1, "the device takes no command");
	n = read(fd, in, sizeof(in));
	if (n < 0 || ltt_message_decode(in, n, sizeof(long), &reply))
		errx(1, "the device does not list its commands");
	text = strndup(reply.arg[1].blob, reply.arg[1].word);
	while ((line = strsep(&text, "\n")))
		if (*line)
			parse_command(line);
	for (; *left_out; left_out++)
		for (n = 0; n < (ssize_t)nr_commands; n++)
			if (!strcmp(commands[n].name, *left_out))
				commands[n].left_out = true;
	close(fd);
}

/* ---- What may be said ---- */

#define LIST(name, ...) static const char *const name[] = { __VA_ARGS__, NULL }

LIST(traces, "a", "b", "c", "a", "b", "c", "d-d",
     "0123456789-0123456789_0123456789.0123456789_0123456789_012345678");
LIST(channels, "events", "events", "state", "event");
LIST(options, "subbuf_size", "subbuf_size", "subbuf_count", "subbuf_count", "overwrite",
     "lossless_ms", "colour");
LIST(patterns, "test:*", "test:task", "sched:sched_switch", "sched_process_f*", "none:*", "none");
LIST(groups, "test", "sched", "none");
LIST(names, "task", "text", "sched_switch", "none");
LIST(kinds, "markers", "traces", "cpus", "buffers", "losses traces", " traces  buffers ",
     "winds", "");
LIST(odd, "", " ", ".", "..", "remove", "create", ".hidden", "a/b", "%s%n%p", "[", "[a-", "a:b:c",
     ":", "\\", "\xff\xfe", "a b", "\n", "9999999999999999999999",
     "0123456789-0123456789_0123456789.0123456789_0123456789_0123456789");

static const unsigned long numbers[] = {
	0, 1, 2, 4, 8, 4096, 4096, 16384, 65536, 3, 100, 1UL << 28, 0xffffffff, ~0UL, 1UL << 63,
};

static const char *one_of(const char *const *list)
{
	unsigned int n = 0;

	while (list[n])
		n++;
	return list[below(n)];
}

static const char *text_for(const struct command *command, const char *arg)
{
	if (one_in(12))
		return one_of(odd);
	if (!strcmp(arg, "trace"))
		return one_of(traces);
	if (!strcmp(arg, "channel"))
		return one_of(channels);
	if (!strcmp(arg, "option"))
		return one_of(options);
	if (!strcmp(arg, "group"))
		return one_of(groups);
	if (!strcmp(arg, "name"))
		return one_of(names);
	if (!strcmp(arg, "kinds"))
		return one_of(kinds);
	/* To put a probe everywhere would take most of the time; to list all does not. */
	if (!strcmp(command->name, "markers") && one_in(4))
		return "*";
	return one_of(patterns);
}

static void fill_arg(const struct command *command, unsigned int nr, struct ltt_message_arg *arg)
{
	static const char nuls[70000];
	static char junk[66000];
	unsigned int i;

	if (!command->arg[nr].is_text) {
		arg->kind = LTT_WORD;
		arg->word = one_in(10) ? (u64)random() << 32 | random() :
			    numbers[below(sizeof(numbers) / sizeof(numbers[0]))];
		return;
	}
	arg->kind = LTT_BLOB;
	arg->blob = text_for(command, command->arg[nr].name);
	arg->word = strlen(arg->blob);
	if (one_in(60)) {
		arg->word = below(one_in(4) ? 40000 : 300);
		for (i = 0; i < arg->word; i++)
			junk[i] = 1 + below(255);
		arg->blob = junk;
	} else if (one_in(100)) {
		arg->word = 1 + below(20);
		arg->blob = nuls;
	}
}

/* A message for a command of the vocabulary, and then, maybe, something wrong with it. */
static size_t fill_message(u8 *to, u32 word)
{
	const struct command *command;
	struct ltt_message message = { .cookie = random() & 0xffffff };
	size_t size;
	unsigned int i;

	do
		command = &commands[below(nr_commands)];
	while (command->left_out);
	if (!strcmp(command->name, "watch"))
		message.cookie |= WATCH_COOKIE;
	message.command = command->number;
	message.nr_args = command->nr_args;
	for (i = 0; i < message.nr_args; i++)
		fill_arg(command, i, &message.arg[i]);
	if (one_in(20))
		message.nr_args = below(LTT_MESSAGE_ARGS_MAX + 1);
	if (one_in(30))
		message.command = nr_commands + below(one_in(2) ? 3 : 0x7fffffff);
	size = ltt_message_size(&message, word);
	if (size > LTT_MESSAGE_MAX)
		return 0;
	ltt_message_encode(to, word, &message);
	/* A word that is not what it was: an argument's most often, the size rarely. */
	i = 3 + below(size / word - 2);
	if (one_in(15) && i * word < size)
		put_word(to + i * word, word, one_in(2) ? below(100) : (u64)random() << 32 | random());
	if (one_in(400))
		put_word(to, word, one_in(2) ? size + word * ((int)below(9) - 4) : (u64)random());
	return size;
}

static size_t fill_batch(u8 *to, u32 word)
{
	unsigned int nr = one_in(10) ? below(300) : 1 + below(8);
	size_t size = 0, i, n;

	while (nr-- && size + LTT_MESSAGE_MAX < BATCH_MAX)
		size += fill_message(to + size, word);
	if (one_in(150)) {
		n = 1 + below(200);
		for (i = 0; i < n; i++)
			to[size++] = random();
	}
	return size;
}

/* ---- System calls, of both kinds ---- */

/* A 32-bit call from a 64-bit program; memory that it is given lies below 4 GiB. */
static long call32(int number, long a, const void *b, long c)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a" (ret)
			 : "a" ((long)number), "b" (a), "c" (b), "d" (c)
			 : "memory", "r8", "r9", "r10", "r11");
	if ((int)ret >= 0)
		return (int)ret;
	errno = -(int)ret;
	return -1;
}

static void *low_memory(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (at == MAP_FAILED)
		err(1, "there is no memory");
	return at;
}

static int open_device(u32 word, int flags)
{
	static char *path;

	if (!path)
		path = strcpy(low_memory(64), "/dev/ltt");
	return word == 4 ? call32(5, (long)path, (void *)(long)flags, 0) : open(path, flags);
}

static ssize_t put(int fd, u32 word, const u8 *from, size_t size)
{
	return word == 4 ? call32(4, fd, from, size) : write(fd, from, size);
}

static ssize_t get(int fd, u32 word, u8 *to, size_t size)
{
	return word == 4 ? call32(3, fd, to, size) : read(fd, to, size);
}

/* ---- A stream, and what it owes us ---- */

struct waiting {
	u64 command;
	u64 cookie;
	int error;	/* the one that has to come, -1 for any, 0 for any or none */
};

struct stream {
	int fd;
	u32 word;
	bool ended;	/* its session: commands are refused */
	bool broken;
	bool told;	/* that it is broken, before write() says so */
	struct ltt_message_in taken;
	struct waiting *waiting;
	unsigned int first, last;
	u8 *in;
	size_t have;
	int kept[KEPT_MAX];
	unsigned int nr_kept;
};

/* Of all processes; not exact, for they count at once. */
static struct counts {
	unsigned long sessions, answered, refused, notified, broke, opened;
} *counts;

static void stream_init(struct stream *stream, int fd, u32 word)
{
	memset(stream, 0, sizeof(*stream));
	stream->fd = fd;
	stream->word = word;
	stream->taken.bytes = malloc(LTT_MESSAGE_MAX);
	stream->taken.word = word;
	stream->taken.max = LTT_MESSAGE_MAX;
	stream->waiting = malloc(WAITING_MAX * sizeof(*stream->waiting));
	stream->in = low_memory(REPLY_MAX);
	if (!stream->taken.bytes || !stream->waiting)
		err(1, "there is no memory");
}

static void stream_exit(struct stream *stream)
{
	free(stream->taken.bytes);
	free(stream->waiting);
	munmap(stream->in, REPLY_MAX);
}

static void expect(struct stream *stream, u64 command, u64 cookie, int error)
{
	if (stream->last - stream->first == WAITING_MAX)
		wrong("%u commands have been taken and not one was answered", WAITING_MAX);
	stream->waiting[stream->last++ % WAITING_MAX] = (struct waiting){ command, cookie, error };
}

/* The error that a whole message has to be answered with. */
static int error_of(const struct ltt_message_in *in, struct ltt_message *message, bool ended)
{
	const struct command *command;
	unsigned int i;

	ltt_message_head(in->bytes, in->word, message);
	if (message->command >= nr_commands)
		return ENOSYS;
	command = &commands[message->command];
	message->nr_args = command->nr_args;
	for (i = 0; i < message->nr_args; i++)
		message->arg[i].kind = command->arg[i].is_text ? LTT_BLOB : LTT_WORD;
	if (ltt_message_decode(in->bytes, in->total, in->word, message))
		return EBADMSG;
	for (i = 0; i < message->nr_args; i++)
		if (command->arg[i].is_text && memchr(message->arg[i].blob, 0, message->arg[i].word))
			return EINVAL;
	return ended ? ESHUTDOWN : 0;
}

/* The device has taken these bytes. */
static void took(struct stream *stream, const u8 *from, size_t size)
{
	struct ltt_message_in *in = &stream->taken;
	struct ltt_message message;
	int error;

	while (size) {
		size_t n = ltt_message_wanted(in) < size ? ltt_message_wanted(in) : size;

		memcpy(in->bytes + in->have, from, n);
		from += n;
		size -= n;
		if (ltt_message_took(in, n))
			wrong("a message of an impossible size was taken");
		if (!ltt_message_whole(in))
			continue;
		error = error_of(in, &message, stream->ended);
		expect(stream, message.command, message.cookie, error);
		ltt_message_next(in);
	}
}

/* It took no more: what comes next has to be of an impossible size. */
static void must_break(struct stream *stream, const u8 *from, size_t size)
{
	struct ltt_message_in *in = &stream->taken;
	size_t n = ltt_message_wanted(in);

	if (in->total || n > size)
		wrong("a stream broke with %u of %u bytes", in->have, in->total);
	memcpy(in->bytes + in->have, from, n);
	if (!ltt_message_took(in, n))
		wrong("a message of %u bytes was said to be impossible", in->total);
	stream->broken = true;
	counts->broke++;
	if (!stream->told)
		expect(stream, 0, 0, EPROTO);
}

/* ---- What comes back ---- */

static void use(struct stream *stream, int fd);

/* An error is a sentence. */
static void check_sentence(const struct ltt_message *message)
{
	const u8 *text = message->arg[1].blob;
	u64 len = message->arg[1].word;

	if (message->arg[0].word > 4095)
		wrong("command %lu failed with errno %lu", message->command, message->arg[0].word);
	if (len < 10 || !memchr(text, ' ', len) || memchr(text, 0, len))
		wrong("command %lu failed without a sentence: \"%.*s\"", message->command, (int)len, text);
	if (message->arg[2].word)
		wrong("command %lu failed, and gives %lu", message->command, message->arg[2].word);
}

static void check_result(struct stream *stream, const struct ltt_message *message)
{
	const struct command *command = &commands[message->command];
	u64 value = message->arg[2].word;

	if (command->result != TEXT && message->arg[1].word)
		wrong("%s shows \"%.*s\"", command->name, (int)message->arg[1].word,
		      (const char *)message->arg[1].blob);
	if (command->result == DESCRIPTOR)
		use(stream, value);
	else if (value)
		wrong("%s gives %lu", command->name, value);
}

static void check_reply(struct stream *stream, const struct ltt_message *message)
{
	const struct waiting *waiting = &stream->waiting[stream->first % WAITING_MAX];
	u64 error = message->arg[0].word;

	if (stream->first == stream->last && !stream->told && error == EPROTO &&
	    !message->command && !message->cookie) {
		stream->told = true;
		check_sentence(message);
		return;
	}
	if (stream->first == stream->last)
		wrong("a reply to command %lu that nobody sent", message->command);
	if (message->command != waiting->command || message->cookie != waiting->cookie)
		wrong("a reply to command %lu, cookie %lu; it was the turn of %lu, %lu",
		      message->command, message->cookie, waiting->command, waiting->cookie);
	if (waiting->error && error != (u64)waiting->error)
		wrong("command %lu is answered with error %lu, not %d", message->command, error,
		      waiting->error);
	stream->first++;
	counts->answered++;
	if (!error) {
		check_result(stream, message);
		return;
	}
	counts->refused++;
	check_sentence(message);
}

static void check_message(struct stream *stream, u64 total)
{
	struct ltt_message message = { .nr_args = 3,
				       .arg = { { LTT_WORD }, { LTT_BLOB }, { LTT_WORD } } };
	u32 word = stream->word;

	if (ltt_message_decode(stream->in, total, word, &message))
		wrong("what was read is no reply");
	if (message.command < 0x10000 || stream->waiting[stream->first % WAITING_MAX].command ==
	    message.command) {
		check_reply(stream, &message);
		return;
	}
	counts->notified++;
	if (message.arg[0].word || (message.cookie & 0xff000000) != WATCH_COOKIE)
		wrong("notification %lu has cookie %#lx", message.command, message.cookie);
}

/* Read once.  False at the end. */
static bool take_replies(struct stream *stream, size_t size)
{
	size_t left = REPLY_MAX - stream->have;
	ssize_t n = get(stream->fd, stream->word, stream->in + stream->have, size < left ? size : left);
	s64 total;

	if (n < 0 && errno == EAGAIN)
		return true;
	if (n < 0)
		wrong("read: %s", strerror(errno));
	stream->have += n;
	while (stream->have >= stream->word) {
		total = ltt_message_total(stream->in, stream->word, REPLY_MAX);
		if (total < 0)
			wrong("what was read has no size of a message");
		if ((size_t)total > stream->have)
			break;
		check_message(stream, total);
		stream->have -= total;
		memmove(stream->in, stream->in + total, stream->have);
	}
	return n;
}

static short wait_for(struct stream *stream, short events)
{
	struct pollfd fd = { .fd = stream->fd, .events = events };

	if (poll(&fd, 1, ANSWER_MS) != 1)
		wrong("nothing happens to %#x", events);
	return fd.revents;
}

/* All that is owed. */
static void collect(struct stream *stream)
{
	while (stream->first != stream->last) {
		wait_for(stream, POLLIN);
		if (!take_replies(stream, one_in(20) ? 1 + below(30) : 1 + below(200000)))
			wrong("the stream ends with %u replies owed", stream->last - stream->first);
	}
	if (!stream->broken)
		return;
	/* Notifications are not kept from it. */
	while (take_replies(stream, 10000))
		;
	if (stream->have)
		wrong("a broken stream ends within a message");
}

/* ---- Sending ---- */

/*
 * Blocking, no more is sent than there are replies for in the queue, for nobody else
 * reads: what is shown can fill it with one command.
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
			/* No room is waited for when nobody has to read. */
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

/* A further stream: a little, here and now, or later when its session has ended. */
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

/* ---- Sessions ---- */

/* A stream whose session has ended: it says so, and refuses everything. */
static void use_ended(int fd, u32 word)
{
	struct stream stream;

	stream_init(&stream, fd, word);
	stream.ended = true;
	if (!(wait_for(&stream, 0) & POLLHUP))
		wrong("a stream does not hang up at its session's end");
	some_batches(&stream, 1);
	collect(&stream);
	stream_exit(&stream);
}

static void one_session(u32 word)
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
	for (; time(NULL) < end; counts->sessions++)
		one_session(process & 1 ? 4 : 8);
	_exit(0);
}

int main(int argc, char **argv)
{
	int seconds = argc > 2 ? atoi(argv[1]) : 0, processes = argc > 2 ? atoi(argv[2]) : 0;
	int status, failed = 0;

	if (seconds <= 0 || processes <= 0)
		errx(2, "usage: device-fuzz SECONDS PROCESSES [COMMAND...]");
	seed = getenv("LTT_SEED") ? strtoul(getenv("LTT_SEED"), NULL, 10) : (unsigned long)time(NULL);
	printf("# LTT_SEED=%lu\n", seed);
	fflush(stdout);
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (counts == MAP_FAILED)
		err(1, "there is no memory");
	learn(argv + 3);
	for (process = 0; process < (unsigned int)processes; process++)
		if (!fork())
			one_process(seconds);
	while (processes--)
		if (wait(&status) < 0 || status)
			failed = 1;
	printf("# %lu sessions, %lu replies, %lu of them errors, %lu notifications, %lu descriptors, %lu broken streams\n",
	       counts->sessions, counts->answered, counts->refused, counts->notified,
	       counts->opened, counts->broke);
	if (counts->answered - counts->refused < 500 || counts->refused < 500 ||
	    counts->opened < 20 || counts->broke < 3) {
		printf("# that is hardly anything\n");
		failed = 1;
	}
	printf("%s every message was answered as it should be\n", failed ? "not ok" : "ok");
	return failed;
}
