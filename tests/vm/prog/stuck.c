// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A thread blocks in read() or write() on a page fault of its buffer (userfaultfd):
 * other threads get an answer, or can be interrupted, and when the fault is resolved
 * no event is missing.
 *
 *	stuck DIR	the folder of a stopped trace with a packet in events_0
 */
#include "reader.h"

#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "../../../core/message.c"

static int uffd;
static void *absent;		/* a page that is not there */

/* ---- Memory that does not come ---- */

static void make_absent(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .range = { .len = PAGE }, .mode = UFFDIO_REGISTER_MODE_MISSING };

	uffd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	absent = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (uintptr_t)absent;
	if (uffd < 0 || absent == MAP_FAILED || ioctl(uffd, UFFDIO_API, &api) ||
	    ioctl(uffd, UFFDIO_REGISTER, &range))
		die("memory can be made that is not there");
}

static void wait_for_fault(void)
{
	struct pollfd p = { .fd = uffd, .events = POLLIN };
	struct uffd_msg message;

	check("it is asked for", 1, poll(&p, 1, DEADLINE_S * 1000));
	check("by a fault", sizeof(message), sys(read(uffd, &message, sizeof(message))));
}

static void let_come(const void *content)
{
	struct uffdio_copy copy = { .dst = (uintptr_t)absent, .src = (uintptr_t)content, .len = PAGE };

	if (ioctl(uffd, UFFDIO_COPY, &copy) && errno != EEXIST)
		die("memory comes");
}

static void let_go(void)
{
	madvise(absent, PAGE, MADV_DONTNEED);
}

/* ---- Threads, each with a system call ---- */

/**
 * struct call - a thread that makes a system call
 * @number: SYS_read, SYS_pread64, SYS_write or SYS_poll
 * @fd: its descriptor
 * @memory: the other argument; of poll() filled in here
 * @size: of it
 * @tid: of the thread, once it is there
 * @over: it has returned
 * @ret: what it returned, as sys()
 * @polled: what poll() tells
 */
struct call {
	long number;
	int fd;
	void *memory;
	size_t size;
	pthread_t thread;
	pid_t tid;
	bool over;
	long ret;
	struct pollfd polled;
};

static void *make_call(void *arg)
{
	struct call *call = arg;

	call->polled = (struct pollfd){ .fd = call->fd, .events = POLLIN | POLLOUT };
	__atomic_store_n(&call->tid, gettid(), __ATOMIC_RELEASE);
	if (call->number == SYS_poll)
		call->ret = sys(poll(&call->polled, 1, 0));
	else
		call->ret = sys(syscall(call->number, call->fd, call->memory, call->size, 0L));
	__atomic_store_n(&call->over, true, __ATOMIC_RELEASE);
	return NULL;
}

static bool is_over(struct call *call)
{
	return __atomic_load_n(&call->over, __ATOMIC_ACQUIRE);
}

static bool is_asleep_in_it(struct call *call)
{
	pid_t tid = __atomic_load_n(&call->tid, __ATOMIC_ACQUIRE);

	return tid && is_in_call(tid, call->number);
}

static void begin(struct call *call)
{
	if (pthread_create(&call->thread, NULL, make_call, call))
		die("a thread can be made");
}

static bool comes_to_its_end(struct call *call)
{
	time_t since = time(NULL);

	while (!is_over(call) && !expired(since))
		nap();
	return is_over(call);
}

static void check_interrupted(const char *what, struct call *call)
{
	time_t since = time(NULL);

	begin(call);
	while (!is_over(call) && !is_asleep_in_it(call) && !expired(since))
		nap();
	if (!is_over(call))
		pthread_kill(call->thread, SIGUSR1);
	check(what, 1, comes_to_its_end(call) && call->ret == -EINTR);
}

static void check_polled(const char *what, int fd, short events)
{
	struct call poll = { .number = SYS_poll, .fd = fd };
	bool ends;

	begin(&poll);
	ends = comes_to_its_end(&poll);
	check(what, events, ends ? poll.polled.revents : -1);
	/* Or it ends when the memory comes, and this goes on. */
	if (!ends)
		let_come(buf);
	pthread_join(poll.thread, NULL);
}

/* ---- The buffer of a trace ---- */

static void test_reader(void)
{
	static char page[PAGE];
	int fd = open_data("events_0", 0), pipefd[2];
	/* In read() it is the file's position that one would wait for. */
	struct call stuck = { .number = SYS_pread64, .fd = fd, .memory = absent, .size = PAGE };
	struct call other = { .number = SYS_pread64, .fd = fd, .memory = page, .size = PAGE };

	make_pipe(pipefd);
	begin(&stuck);
	wait_for_fault();
	check("splice() beside a read that does not end: EAGAIN", -EAGAIN,
	      sys(splice(fd, NULL, pipefd[1], NULL, PAGE, 0)));
	check_interrupted("pread(): can be interrupted", &other);
	check_polled("poll(): only a read can tell", fd, POLLIN);
	let_come(buf);
	pthread_join(stuck.thread, NULL);
	check("when the memory comes the read ends", PAGE, stuck.ret);
	check("it can be read again", PAGE, sys(pread(fd, page, PAGE, 0)));
	check("and is the same", 0, memcmp(page, absent, PAGE));
	pthread_join(other.thread, NULL);
	let_go();
	close_pipe(pipefd);
	close(fd);
}

/* A child that reads the snapshot of events_0 once, asleep in read(). */
static pid_t snapshot_reader(void)
{
	int fd = open_data("events_0.snapshot", 0);
	time_t since = time(NULL);
	pid_t pid = fork();

	if (!pid)
		_exit(read(fd, buf, sizeof(buf)) < 0);
	close(fd);
	while (!is_in_call(pid, SYS_read) && !expired(since))
		nap();
	check("a read of a snapshot waits for the reader of its buffer", 1, is_in_call(pid, SYS_read));
	return pid;
}

static bool ends_by(pid_t pid, int signal)
{
	time_t since = time(NULL);
	int status = 0;
	pid_t ended;

	while (!(ended = waitpid(pid, &status, WNOHANG)) && !expired(since))
		nap();
	return ended == pid && WIFSIGNALED(status) && WTERMSIG(status) == signal;
}

static void test_snapshot_reader(void)
{
	int fd = open_data("events_0", 0);
	struct call stuck = { .number = SYS_pread64, .fd = fd, .memory = absent, .size = PAGE };
	pid_t pid;

	begin(&stuck);
	wait_for_fault();
	pid = snapshot_reader();
	kill(pid, SIGKILL);
	check("the read of a snapshot can be killed", 1, ends_by(pid, SIGKILL));
	let_come(buf);
	pthread_join(stuck.thread, NULL);
	check("when the memory comes the read of the buffer ends", PAGE, stuck.ret);
	let_go();
	close(fd);
}

/* ---- The folder of a trace ---- */

/* The result of the write, as sys() has it. */
static long try_put(const char *name, const char *text)
{
	int fd = open(path_of(name), O_WRONLY | O_CLOEXEC);
	long ret = sys(write(fd, text, strlen(text)));

	close(fd);
	return ret;
}

/* The removal waits until the folder's files are used no more, after the trace has gone. */
static void test_removal(void)
{
	static char page[PAGE], name[] = "held";
	time_t since = time(NULL);
	struct call stuck = { .number = SYS_read, .memory = absent, .size = PAGE };
	struct call removal = { .number = SYS_write, .memory = name, .size = strlen(name) };
	long ret;

	check("there is a trace", strlen(name), try_put("../create", name));
	stuck.fd = open(path_of("../held/stats"), O_RDONLY | O_CLOEXEC);
	removal.fd = open(path_of("../remove"), O_WRONLY | O_CLOEXEC);
	begin(&stuck);
	wait_for_fault();
	begin(&removal);
	while ((ret = try_put("../create", name)) == -EEXIST && !expired(since))
		nap();
	check("while it is being removed there can be none of its name: EBUSY", -EBUSY, ret);
	check("others can be made", 5, try_put("../create", "other"));
	check("and removed", 5, try_put("../remove", "other"));
	let_come(page);
	pthread_join(stuck.thread, NULL);
	pthread_join(removal.thread, NULL);
	check("when the memory comes the read ends", 1, stuck.ret > 0);
	check("and so does the removal", strlen(name), removal.ret);
	check("then there can be one of its name", strlen(name), try_put("../create", name));
	check("the trace can be removed", strlen(name), try_put("../remove", name));
	let_go();
	close(removal.fd);
	close(stuck.fd);
}

/* ---- A connection of /dev/ltt ---- */

/* Command 0, "help", of which each connection knows the number. */
static size_t encode_help(char *to)
{
	const struct ltt_message message = { .cookie = 1 };

	ltt_message_encode(to, sizeof(long), &message);
	return ltt_message_size(&message, sizeof(long));
}

static void test_device(void)
{
	static char page[PAGE], replies[4 * PAGE];
	size_t size = encode_help(page);
	int fd = open("/dev/ltt", O_RDWR | O_CLOEXEC);
	struct call writer = { .number = SYS_write, .fd = fd, .memory = absent, .size = size };
	struct call other_writer = { .number = SYS_write, .fd = fd, .memory = page, .size = size };
	struct call reader = { .number = SYS_read, .fd = fd, .memory = absent, .size = PAGE };
	struct call other_reader = { .number = SYS_read, .fd = fd, .memory = replies, .size = PAGE };
	long got, more;

	begin(&writer);
	wait_for_fault();
	check_interrupted("write() beside one that does not end: can be interrupted", &other_writer);
	check_polled("poll(): there is nothing to read, and room", fd, POLLOUT);
	let_come(page);
	pthread_join(writer.thread, NULL);
	check("when the memory comes all is written", size, writer.ret);
	let_go();

	begin(&reader);
	wait_for_fault();
	check_interrupted("read() beside one that does not end: can be interrupted", &other_reader);
	check_polled("poll(): something to read, and room", fd, POLLIN | POLLOUT);
	check("commands are taken", size, sys(write(fd, page, size)));
	let_come(buf);
	pthread_join(reader.thread, NULL);
	check("when the memory comes it is read", 1, reader.ret > 0);
	memcpy(replies, absent, PAGE);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	for (got = reader.ret; (more = sys(read(fd, replies + got, sizeof(replies) - got))) > 0;)
		got += more;
	check("two replies in all, the same", 0, got % 2 ?: memcmp(replies, replies + got / 2, got / 2));
	pthread_join(other_writer.thread, NULL);
	pthread_join(other_reader.thread, NULL);
	let_go();
	close(fd);
}

int main(int argc, char **argv)
{
	const struct sigaction action = { .sa_handler = on_signal };

	if (argc != 2)
		return 2;
	dir = argv[1];
	sigaction(SIGUSR1, &action, NULL);
	make_absent();
	test_reader();
	test_snapshot_reader();
	test_removal();
	test_device();
	return 0;
}
