// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The rules of doc/device.md about messages to and from /dev/ltt, one by one.  A line
 * "ok WHAT" or "not ok WHAT" for each.
 */
#include "device.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Numbers of the vocabulary, found by name. */
static unsigned long create, destroy, state, start, channel_set, filter_set, stream, open_buffer,
		     watch, share, detach, uuid;

/* ---- Messages ---- */

#define TEXT(s)		{ LTT_BLOB, sizeof(s) - 1, s }
#define NUMBER(n)	{ LTT_WORD, n, NULL }

#define MESSAGE(command, cookie, ...)						\
	({									\
		const struct ltt_message_arg args_[] = { __VA_ARGS__ };		\
										\
		encode(command, cookie, sizeof(args_) / sizeof(args_[0]), args_); \
	})

static void learn(void)
{
	static char vocabulary[sizeof(reply.text)];
	int fd = device(0);

	check("command 0 lists the commands", 0, ask(fd, encode(0, 9, 0, NULL)));
	check("a reply has its command's number", 0, reply.command);
	check("and its cookie", 9, reply.cookie);
	memcpy(vocabulary, reply.text, sizeof(vocabulary));
	create = number_of(vocabulary, "create");
	destroy = number_of(vocabulary, "destroy");
	state = number_of(vocabulary, "state");
	start = number_of(vocabulary, "start");
	channel_set = number_of(vocabulary, "channel-set");
	filter_set = number_of(vocabulary, "filter-set");
	stream = number_of(vocabulary, "stream");
	open_buffer = number_of(vocabulary, "open-buffer");
	watch = number_of(vocabulary, "watch");
	share = number_of(vocabulary, "share");
	detach = number_of(vocabulary, "detach");
	uuid = number_of(vocabulary, "uuid");
	close(fd);
}

/* ---- Not as it should be used ---- */

static void test_misuse(void)
{
	char *volatile nowhere = (char *)8;	/* or the compiler refuses it, too */
	int fd = device(0);
	size_t size = MESSAGE(state, 3, TEXT("none"));

	check("it is opened for both ways", -EINVAL, open("/dev/ltt", O_RDONLY) < 0 ? -errno : 0);
	check("it is not opened for writing only", -EINVAL, open("/dev/ltt", O_WRONLY) < 0 ? -errno : 0);
	check("a message from nowhere", -EFAULT, write(fd, nowhere, size) < 0 ? -errno : 0);
	check("takes nothing", (long)size, write(fd, out, size));
	check("nothing is read", 0, read(fd, reply.text, 0));
	check("nor to nowhere", -EFAULT, read(fd, nowhere, 100) < 0 ? -errno : 0);
	check("and the reply is still there", 0, receive(fd, &reply) || reply.cookie != 3);
	close(fd);
}

/* ---- In any pieces ---- */

static void test_pieces(void)
{
	size_t size, at, piece, bad = 0;
	char all[4096];
	int fd = device(0);

	for (piece = 1; piece <= 40; piece++) {
		size = MESSAGE(create, piece, TEXT("pieces"));
		memcpy(all, out, size);
		memcpy(all + size, out, MESSAGE(state, piece + 1000, TEXT("pieces")));
		size *= 2;	/* both names are equally long */
		memcpy(all + size, out, MESSAGE(destroy, piece + 2000, TEXT("pieces")));
		size = size / 2 * 3;
		for (at = 0; at < size; at += piece) {
			size_t n = size - at < piece ? size - at : piece;

			bad += write(fd, all + at, n) != (ssize_t)n;
		}
		bad += receive(fd, &reply) || reply.error || reply.cookie != piece;
		bad += receive(fd, &reply) || strcmp(reply.text, "configuring\n");
		bad += receive(fd, &reply) || reply.error || reply.cookie != piece + 2000;
	}
	check("commands can be written in pieces of any size", 0, bad);
	close(fd);
}

static void test_many(void)
{
	const unsigned int nr = 500;
	size_t size = MESSAGE(state, 0, TEXT("none"));
	char *all = malloc(nr * size), byte;
	unsigned int i, bad = 0;
	int fd = device(0);

	for (i = 0; i < nr; i++) {
		MESSAGE(state, i, TEXT("none"));
		memcpy(all + i * size, out, size);
	}
	check("many commands can be written at once", nr * size, write(fd, all, nr * size));
	for (i = 0; i < nr; i++)
		bad += receive(fd, &reply) || reply.cookie != i || reply.error != ENOENT;
	check("each is answered, in turn", 0, bad);

	MESSAGE(state, 1, TEXT("none"));
	bad += write(fd, out, size) != (ssize_t)size;
	for (i = 0; i < 3 * WORD; i++)
		bad += read(fd, &byte, 1) != 1;
	check("replies can be read byte by byte", 0, bad);
	close(fd);
	free(all);
}

/* ---- What is wrong ---- */

static void test_refusals(void)
{
	static const char *const globs[] = {
		"[", "sched:[", "[!", "sched:a[b", "sched:[]", "sched:*[a-", "[a:b",
		"sched:", ":x", ":", "a:b:c", "a::b",
	};
	static char long_name[1000];
	unsigned long *word = (unsigned long *)out;
	int fd = device(0);
	unsigned int i;
	size_t size;

	check("an unknown command", ENOSYS, ask(fd, encode(9999, 1, 0, NULL)));
	check("a number beyond all", ENOSYS, ask(fd, encode(~0UL, 1, 0, NULL)));
	check("the reply has its number, too", 1, reply.command == ~0UL);
	check("too few words", EBADMSG, ask(fd, encode(create, 1, 0, NULL)));
	check("too many", EBADMSG, ask(fd, MESSAGE(create, 1, TEXT("a"), TEXT("b"))));
	size = MESSAGE(create, 1, TEXT("name"));
	word[3] = 9;
	check("a text longer than the message", EBADMSG, ask(fd, size));
	word[3] = ~0UL;
	check("a text longer than all", EBADMSG, ask(fd, size));
	check("a text with a NUL in it", EINVAL, ask(fd, MESSAGE(create, 1, TEXT("a\0b"))));
	check("no text", EINVAL, ask(fd, MESSAGE(create, 1, TEXT(""))));
	memset(long_name, 'a', sizeof(long_name));
	check("a long text", EINVAL, ask(fd, MESSAGE(create, 1, { LTT_BLOB, 1000, long_name })));
	check("it is still in step", 0, ask(fd, MESSAGE(create, 1, TEXT("name"))));
	check("a number that is too large", EINVAL,
	      ask(fd, MESSAGE(filter_set, 1, TEXT("name"), NUMBER(~0UL))));
	check("an option that there is not", EINVAL,
	      ask(fd, MESSAGE(channel_set, 1, TEXT("name"), TEXT("events"), TEXT("colour"), NUMBER(1))));
	for (i = 0; i < sizeof(globs) / sizeof(globs[0]); i++) {
		check(globs[i], EINVAL, command(fd, "enable name %s", globs[i]));
		check(globs[i], EINVAL, command(fd, "disable name %s", globs[i]));
		check(globs[i], EINVAL, command(fd, "want %s", globs[i]));
		check(globs[i], EINVAL, command(fd, "group-events g %s", globs[i]));
		check(globs[i], EINVAL, command(fd, "markers %s", globs[i]));
	}
	check("a malformed pattern leaves no group", 0, command(fd, "groups") ?: *reply.text);
	check("nor a wanted pattern", 0, command(fd, "wanted") ?: *reply.text);
	check("nor an event", 0, command(fd, "events name") ?: !!strstr(reply.text, "? "));
	check("a class that holds ] is well formed", 0, command(fd, "enable name x:[]a]"));
	check("a CPU that there is not", ENOENT,
	      ask(fd, MESSAGE(open_buffer, 1, TEXT("name"), TEXT("events"), NUMBER(4096))));
	check("an error has a text", 1, strlen(reply.text) > 10);
	close(fd);
}

/* ---- By name ---- */

static void test_by_name(void)
{
	int fd = device(0), other = device(0);

	check("a command by name", 0, ask(fd, MESSAGE(LTT_MESSAGE_CALL, 7, TEXT("create\nnamed"))));
	check("its reply has the cookie", 7, reply.cookie);
	check("it does what the command does", 0, ask(fd, MESSAGE(state, 1, TEXT("named"))));
	check("a number is text", 0, ask(fd, MESSAGE(LTT_MESSAGE_CALL, 1,
		TEXT("channel-set\nnamed\nevents\nsubbuf_size\n64K"))));
	check("a word that is not a number", EINVAL, ask(fd, MESSAGE(LTT_MESSAGE_CALL, 1,
		TEXT("channel-set\nnamed\nevents\nsubbuf_size\nmany"))));
	check("a command that there is not", ENOSYS, ask(fd, MESSAGE(LTT_MESSAGE_CALL, 1, TEXT("fly"))));
	check("no name", ENOSYS, ask(fd, MESSAGE(LTT_MESSAGE_CALL, 1, TEXT(""))));
	check("too few arguments", EBADMSG, ask(fd, MESSAGE(LTT_MESSAGE_CALL, 1, TEXT("state"))));
	check("too many", EBADMSG,
	      ask(fd, MESSAGE(LTT_MESSAGE_CALL, 1, TEXT("state\na\nb\nc\nd\ne\nf"))));
	check("another message", EBADMSG, ask(fd, MESSAGE(LTT_MESSAGE_CALL, 1, TEXT("state"), NUMBER(1))));
	check("a shared trace", 0,
	      ask(fd, MESSAGE(LTT_MESSAGE_CALL_SHARED, 1, TEXT("create\nshared"))));
	check("is not one of this connection", ENOENT,
	      ask(fd, MESSAGE(LTT_MESSAGE_CALL, 1, TEXT("state\nshared"))));
	check("another connection finds it", 0,
	      ask(other, MESSAGE(LTT_MESSAGE_CALL_SHARED, 1, TEXT("destroy\nshared"))));
	close(fd);
	close(other);
}

static void test_out_of_step(void)
{
	static const unsigned long sizes[] = { 0, 1, 2 * WORD, 3 * WORD + 1, 65536 + WORD, ~0UL };
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		unsigned long words[4] = { sizes[i], 0, 5 };
		int fd = device(0);

		check("a size that no message has ends the stream", -EPIPE,
		      write(fd, words, WORD) < 0 ? -errno : 0);
		check("with a reply", 0, receive(fd, &reply));
		check("with an errno", EPROTO, reply.error);
		check("and then is at its end", -EPIPE, receive(fd, &reply));
		check("nothing more is taken", -EPIPE, write(fd, words, WORD) < 0 ? -errno : 0);
		close(fd);
	}
}

/* ---- Waiting ---- */

static short poll_now(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT };

	poll(&p, 1, 0);
	return p.revents;
}

static void test_poll(void)
{
	int fd = device(O_NONBLOCK);
	char byte;

	check("with nothing to read, one can write", POLLOUT, poll_now(fd));
	check("and reading does not wait", -EAGAIN, read(fd, &byte, 1) < 0 ? -errno : 0);
	ask(fd, MESSAGE(state, 1, TEXT("none")));
	check("read, it is as before", POLLOUT, poll_now(fd));
	if (write(fd, out, MESSAGE(state, 1, TEXT("none"))) > 0)
		check("with a reply, one can read", POLLIN | POLLOUT, poll_now(fd));
	close(fd);
}

/* Without a reader: the commands that were written are done, and no others. */
static void test_full(void)
{
	size_t size = MESSAGE(state, 7, TEXT("none"));
	unsigned int sent = 0, answered = 0;
	int fd = device(O_NONBLOCK);
	ssize_t n;

	while ((n = write(fd, out, size)) == (ssize_t)size && sent < 1000000)
		sent++;
	check("a stream without a reader accepts a bounded number of commands", 1, sent > 100 && sent < 100000);
	check("it has taken the beginning of one", 1, n > 0 && n < (ssize_t)size);
	check("and then takes nothing", -EAGAIN, write(fd, out + n, size - n) < 0 ? -errno : 0);
	check("poll() reports it", POLLIN, poll_now(fd));
	while (!receive(fd, &reply) && ++answered < sent)
		;
	check("each command that was taken was answered", sent, answered);
	check("the rest completes one more", size - n, write(fd, out + n, size - n));
	check("the device answers it", 0, receive(fd, &reply) ?: reply.error != ENOENT);
	close(fd);
}

#define WRITTEN 20000	/* commands, more than a stream accepts while its replies are not read */

static void on_signal(int signal)
{
	(void)signal;
}

/* A child that writes commands to @fd, waiting for room; it ends with the errno that it got. */
static pid_t start_writer(int fd, int other)
{
	const struct sigaction action = { .sa_handler = on_signal };	/* that interrupts */
	size_t size = MESSAGE(state, 7, TEXT("none")), done;
	unsigned int i;
	pid_t pid = fork();
	ssize_t n;

	if (pid)
		return pid;
	sigaction(SIGUSR1, &action, NULL);
	if (other >= 0)
		close(other);
	for (i = 0; i < WRITTEN; i++) {
		for (done = 0; done < size; done += n) {
			n = write(fd, out + done, size - done);
			if (n < 0)
				_exit(errno);
		}
	}
	_exit(0);
}

static void wait_until_full(int fd)
{
	while (poll_now(fd) & POLLOUT)
		sched_yield();
}

static int status_of(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* While replies are not read, write() waits. */
static void test_waits(void)
{
	int fd = device(0), second;
	unsigned int answered = 0;
	pid_t pid = start_writer(fd, -1);
	siginfo_t info;

	wait_until_full(fd);
	while (answered < WRITTEN && !receive(fd, &reply))
		answered++;
	check("write() waits until replies are read", 0, status_of(pid));
	check("and each command is answered", WRITTEN, answered);

	pid = start_writer(fd, -1);
	wait_until_full(fd);
	do {
		kill(pid, SIGUSR1);	/* it may not have been waiting yet */
		usleep(10000);
		info.si_pid = 0;
	} while (!waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) && !info.si_pid);
	check("a signal ends that", EINTR, status_of(pid));
	close(fd);

	fd = device(0);
	ask(fd, encode(stream, 1, 0, NULL));
	second = reply.value;
	pid = start_writer(second, fd);
	wait_until_full(second);
	close(fd);
	check("as does the end of the connection", EPIPE, status_of(pid));
	close(second);
}

/* ---- Connections ---- */

static void test_connections(void)
{
	int one = device(0), two = device(0), second;
	struct pollfd p;

	check("a trace", 0, ask(one, MESSAGE(create, 1, TEXT("same"))));
	check("another connection does not see it", ENOENT, ask(two, MESSAGE(state, 1, TEXT("same"))));
	check("and has one of the same name", 0, ask(two, MESSAGE(create, 1, TEXT("same"))));
	check("another stream", 0, ask(one, encode(stream, 1, 0, NULL)));
	second = reply.value;
	check("leads to the same connection", 0, ask(second, MESSAGE(state, 1, TEXT("same"))));
	close(second);
	check("closing it does not end the connection", 0, ask(one, MESSAGE(state, 1, TEXT("same"))));
	ask(one, encode(stream, 1, 0, NULL));
	second = reply.value;
	close(one);
	p = (struct pollfd){ .fd = second, .events = POLLIN };
	poll(&p, 1, -1);
	check("the end of the connection hangs up the other stream", POLLHUP, p.revents);
	if (write(second, out, MESSAGE(create, 1, TEXT("late"))) > 0)
		check("the ended connection runs nothing more", ESHUTDOWN,
		      receive(second, &reply) ? -1 : (long)reply.error);
	close(second);
	check("the other connection has not noticed", 0, ask(two, MESSAGE(state, 1, TEXT("same"))));
	close(two);
}

/* A buffer that is open can be read to its end when its connection is gone. */
static void test_buffer_outlives(void)
{
	int fd = device(0), buffer;
	static char data[1 << 20];
	cpu_set_t cpu = {};
	struct pollfd p;
	ssize_t n;

	/* The list of tasks is written where the trace is started. */
	CPU_SET(0, &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
	ask(fd, MESSAGE(create, 1, TEXT("t")));
	check("it starts", 0, ask(fd, MESSAGE(start, 1, TEXT("t"))));
	check("a buffer is opened", 0,
	      ask(fd, MESSAGE(open_buffer, 1, TEXT("t"), TEXT("state"), NUMBER(0))));
	buffer = reply.value;
	check("once", EBUSY, ask(fd, MESSAGE(open_buffer, 1, TEXT("t"), TEXT("state"), NUMBER(0))));
	check("it does not wait", O_NONBLOCK, fcntl(buffer, F_GETFL) & O_NONBLOCK);
	close(fd);
	p = (struct pollfd){ .fd = buffer, .events = POLLIN };
	poll(&p, 1, -1);
	n = read(buffer, data, sizeof(data));
	check("the file of an ended connection can still be read", 1, n > 0);
	check("at any place", 16, pread(buffer, data, 16, 0));
	while ((n = read(buffer, data, sizeof(data))) > 0)
		;
	check("up to its end", 0, n);
	close(buffer);
}

/* ---- Who may ---- */

static void drop_root(void)
{
	if (setgid(65534) || setuid(65534))
		exit(99);
}

static void test_rights(void)
{
	int fd = device(0), status;
	pid_t child;

	child = fork();
	if (!child) {
		drop_root();
		exit(open("/dev/ltt", O_RDWR) < 0 ? errno : 0);
	}
	waitpid(child, &status, 0);
	check("others may not open it", EACCES, WEXITSTATUS(status));
	chmod("/dev/ltt", 0666);
	child = fork();
	if (!child) {
		drop_root();
		exit(open("/dev/ltt", O_RDWR) < 0 ? errno : 0);
	}
	waitpid(child, &status, 0);
	chmod("/dev/ltt", 0600);
	check("nor without CAP_PERFMON where the mode would let them", EPERM, WEXITSTATUS(status));
	child = fork();
	if (!child) {
		drop_root();
		exit(ask(fd, MESSAGE(create, 1, TEXT("passed"))) ?: ask(fd, MESSAGE(detach, 1, TEXT("passed"))));
	}
	waitpid(child, &status, 0);
	check("a descriptor that was passed on has its opener's rights", 0, WEXITSTATUS(status));
	check("the trace is handed over", ENOENT, ask(fd, MESSAGE(state, 1, TEXT("passed"))));
	check("another one of its name", 0, ask(fd, MESSAGE(create, 1, TEXT("passed"))));
	check("cannot follow it", EEXIST, ask(fd, MESSAGE(detach, 1, TEXT("passed"))));
	check("and stays", 0, ask(fd, MESSAGE(state, 1, TEXT("passed"))));
	check("the stream is about debugfs", 0, ask(fd, encode(share, 1, 0, NULL)));
	check("the detached trace is there", 0, ask(fd, MESSAGE(destroy, 1, TEXT("passed"))));
	check("once", ENOENT, ask(fd, MESSAGE(destroy, 1, TEXT("passed"))));
	close(fd);
}

/* A connection that may observe the system, but not administer it. */
static void test_less_rights(void)
{
	int fd, status;
	pid_t child;

	chmod("/dev/ltt", 0666);
	child = fork();
	if (!child) {
		/* The user of the last test, with one capability. */
		struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
		struct __user_cap_data_struct data[2] = {};

		prctl(PR_SET_KEEPCAPS, 1);
		drop_root();
		data[CAP_PERFMON / 32].effective = 1U << CAP_PERFMON % 32;
		data[CAP_PERFMON / 32].permitted = 1U << CAP_PERFMON % 32;
		if (syscall(SYS_capset, &header, data))
			exit(90);
		fd = open("/dev/ltt", O_RDWR);
		if (fd < 0)
			exit(91);
		if (ask(fd, MESSAGE(create, 1, TEXT("mine"))))
			exit(92);
		if (ask(fd, MESSAGE(detach, 1, TEXT("mine"))) != EPERM)
			exit(93);
		exit(ask(fd, encode(share, 1, 0, NULL)) == EPERM ? 0 : 94);
	}
	waitpid(child, &status, 0);
	chmod("/dev/ltt", 0600);
	check("with CAP_PERFMON one has connections, and nothing of debugfs", 0, WEXITSTATUS(status));
}

static void test_watch(void)
{
	int fd = device(0), other = device(0);

	check("a kind that there is not", EINVAL, ask(fd, MESSAGE(watch, 5, TEXT("traces wind"))));
	check("traces are watched", 0, ask(fd, MESSAGE(watch, 5, TEXT(" traces  cpus"))));
	ask(fd, MESSAGE(create, 1, TEXT("w")));
	ask(other, MESSAGE(create, 1, TEXT("w")));
	ask(other, MESSAGE(start, 1, TEXT("w")));
	if (write(fd, out, MESSAGE(start, 6, TEXT("w"))) < 0 || receive(fd, &reply))
		exit(1);
	check("a start is announced before its reply", 1, reply.command >= 65536);
	check("to the stream that watches", 5, reply.cookie);
	check("with its name", 0, strcmp(reply.text, "w"));
	receive(fd, &reply);
	check("that of another connection is not", 6, reply.cookie);
	if (write(fd, out, MESSAGE(destroy, 7, TEXT("w"))) < 0 || receive(fd, &reply))
		exit(1);
	check("a trace that is ended is stopped", 1, reply.command >= 65536);
	receive(fd, &reply);
	check("and then gone, which is announced", 1, reply.command >= 65536);
	check("with its name", 0, strcmp(reply.text, "w"));
	receive(fd, &reply);
	check("before it is answered", 7, reply.cookie);
	close(fd);
	close(other);
}

/* By its uuid, a trace is never mistaken for a later one of its name. */
/* Where notifications do not fit they are dropped, and counted. */
static void test_watch_full(void)
{
	size_t size = MESSAGE(state, 6, TEXT("none"));
	int fd = device(0), silent, i;
	unsigned int sent = 0, answered = 0;

	ask(fd, encode(stream, 1, 0, NULL));
	silent = reply.value;
	ask(silent, MESSAGE(watch, 5, TEXT("traces")));
	fcntl(silent, F_SETFL, O_NONBLOCK);
	MESSAGE(state, 6, TEXT("none"));
	while (write(silent, out, size) == (ssize_t)size)
		sent++;
	for (i = 0; i < 3; i++) {
		ask(fd, MESSAGE(create, 1, TEXT("w")));
		ask(fd, MESSAGE(destroy, 1, TEXT("w")));
	}
	while (answered < sent && !receive(silent, &reply) && reply.cookie == 6)
		answered++;
	check("a stream that does not read has its replies, and no notifications", sent, answered);
	check("there is no more", -EAGAIN, read(silent, out, 1) < 0 ? -errno : 0);
	ask(fd, MESSAGE(create, 1, TEXT("last")));
	ask(fd, MESSAGE(destroy, 1, TEXT("last")));
	check("the next one is announced", 0, receive(silent, &reply) || reply.cookie != 5);
	check("how many were not", 3, reply.value);
	check("and comes after that", 0, receive(silent, &reply) || strcmp(reply.text, "last"));
	close(silent);
	close(fd);
}

static void test_uuid(void)
{
	int fd = device(0), other = device(0);
	struct ltt_message_arg it = { LTT_BLOB, 37, NULL };
	char text[64] = "=";

	ask(fd, MESSAGE(create, 1, TEXT("same")));
	check("a trace has a uuid", 0, ask(fd, MESSAGE(uuid, 1, TEXT("same"))));
	check("of that length", 37, strlen(reply.text));
	memcpy(text + 1, reply.text, 36);
	it.blob = text;
	check("a uuid names the trace", 0, ask(fd, MESSAGE(start, 1, it)));
	check("and is not in an error text", EALREADY, ask(fd, MESSAGE(start, 1, it)));
	check("the trace's name is", 1, !!strstr(reply.text, "same"));
	check("only in its own connection", ENOENT, ask(other, MESSAGE(state, 1, it)));
	check("it can be ended by it", 0, ask(fd, MESSAGE(destroy, 1, it)));
	check("another of the same name", 0, ask(fd, MESSAGE(create, 1, TEXT("same"))));
	check("is not meant", ENOENT, ask(fd, MESSAGE(destroy, 1, it)));
	check("nor by a word that is not a uuid", ENOENT, ask(fd, MESSAGE(destroy, 1, TEXT("="))));
	check("and is still there", 0, ask(fd, MESSAGE(state, 1, TEXT("same"))));
	close(fd);
	close(other);
}

/* When the connection has ended, replies that are not read do not grow without end. */
static void test_end_is_full(void)
{
	int one = device(0), second;
	size_t size;
	unsigned int sent = 0;

	ask(one, encode(stream, 1, 0, NULL));
	second = reply.value;
	close(one);
	size = MESSAGE(state, 1, TEXT("none"));
	while (sent < 100000 && write(second, out, size) == (ssize_t)size)
		sent++;
	check("after the end, commands are refused when no more replies fit", 1, sent < 100000);
	check("with the errno of a broken pipe", -EPIPE, write(second, out, size) < 0 ? -errno : 0);
	close(second);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	learn();
	test_misuse();
	test_pieces();
	test_many();
	test_refusals();
	test_by_name();
	test_out_of_step();
	test_poll();
	test_full();
	test_waits();
	test_connections();
	test_buffer_outlives();
	test_rights();
	test_less_rights();
	test_watch();
	test_watch_full();
	test_uuid();
	test_end_is_full();
	return 0;
}
