// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The library's thread: it finds lttds and talks to them, for as long as the program lives.
 *
 * The thread sleeps until an lttd sends a message, or until a datagram arrives at the
 * program's socket: from an lttd that has started, or from a thread of the program that
 * has registered sites.  The thread has its own descriptor table.  So a program that
 * closes all its descriptors does not cut the thread off, and the thread never reads from
 * a descriptor of the program.
 */
#include "listener.h"

#include <dirent.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/counter.h"
#include "common/folder.h"
#include "common/protocol.h"
#include "descriptors.h"
#include "objects.h"
#include "reachable.h"
#include "recorder.h"
#include "sites.h"
#include "thread.h"

#define RECORDERS_MAX	64
#define STACK_SIZE	(256 * 1024)
#define LOAD_STACK_SIZE	(8 * 1024 * 1024)
#define RETRY_MS	1000
#define RETRY_FOR_MS	60000		/* a shortage that lasts longer is taken for permanent */
#define LOOK_MS		100
#define START_MS	2000		/* wait for the lttd that LTT_START names */
#define OTHERS_MS	300		/* and for the others, of which one may be stopped */
#define BYE_MS		50
#define STEP_MS		20
#define LOCK_NS		200000
#define LEFT_OVER_MAX	8
#define ENTRIES_MAX	256

/* All guarded by ltt_lock. */
static bool running;
static bool exiting;			/* the program exits with @exit_status */
static bool told_exit;			/* lttds know the exit status */
static int exit_status;
static bool loading;			/* load_in_thread() runs, in @load_thread */
static pthread_t load_thread;
static bool quiet;			/* in a forked child: the thread still waits for an event */
static pid_t pid;			/* the process of the thread */
static uid_t user;			/* the user of @own_folder */
static char own_folder[LTT_FOLDER_SIZE];
static int called = -1;			/* the program's socket, in the thread's table */
static struct sockaddr_un address;	/* the address of @called */
static socklen_t address_len;
static bool uncalled;			/* a datagram to @called is still to be sent */
static bool look_again;			/* the search for lttds met a shortage */
static bool begun;			/* the program may have emitted events */
static bool lacks_starter;		/* so did adding the lttd that LTT_START names */
static bool holds_retired;		/* threads still use buffers that were inherited by fork() */
static uint64_t failing_since;		/* start of what is retried, in ms; 0: nothing is */
static pthread_cond_t heard;		/* the thread has finished a round; CLOCK_MONOTONIC */

/* ---- The program's socket ---- */

static void close_called(void)
{
	if (*address.sun_path)
		unlink(address.sun_path);
	if (called >= 0)
		close(called);
	called = -1;
	address_len = 0;
}

/* Does no process listen at this socket, as after a kill? */
static bool is_left_over(const struct sockaddr_un *socket_address)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool left_over;

	if (fd < 0)
		return false;
	left_over = connect(fd, (const struct sockaddr *)socket_address, sizeof(*socket_address)) &&
		    errno == ECONNREFUSED;
	close(fd);
	return left_over;
}

/* Remove sockets of programs that were killed.  Each program that starts removes some, so
 * that they do not pile up while no lttd runs, but looks at few: there may be thousands. */
static void remove_left_over(void)
{
	struct sockaddr_un other = { .sun_family = AF_UNIX };
	unsigned int left = LEFT_OVER_MAX, entries = ENTRIES_MAX;
	DIR *dir = opendir(own_folder);
	struct dirent *entry;
	pid_t owner;

	while (dir && left && entries-- && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, LTT_PROGRAM_CALL, strlen(LTT_PROGRAM_CALL)))
			continue;
		/* A process of another namespace of process ids seems to be gone, too. */
		owner = atoi(entry->d_name + strlen(LTT_PROGRAM_CALL));
		if (!kill(owner, 0) || errno != ESRCH)
			continue;
		left--;
		if (snprintf(other.sun_path, sizeof(other.sun_path), "%s/%s", own_folder, entry->d_name) <
		    (int)sizeof(other.sun_path) && is_left_over(&other))
			unlink(other.sun_path);
	}
	if (dir)
		closedir(dir);
}

/* Bind the program's socket in the rendezvous folder, where lttds find it.  Without a folder
 * bind it to an abstract address, which only this program's threads know.  If that fails
 * too, listen_once() tries again. */
static void open_called(void)
{
	close_called();
	if (ltt_folder(own_folder))
		*own_folder = '\0';
	address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	called = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (called < 0)
		return;
	ltt_recorders_socket = ltt_counter();
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/" LTT_PROGRAM_CALL "%d-%lx", own_folder,
		 getpid(), (unsigned long)ltt_recorders_socket);
	address_len = sizeof(address);
	if (*own_folder && !bind(called, (struct sockaddr *)&address, sizeof(address))) {
		remove_left_over();
		return;
	}
	ltt_recorders_socket = 0;
	*address.sun_path = '\0';
	address_len = sizeof(address);
	if (bind(called, (struct sockaddr *)&address, sizeof(address.sun_family)) ||
	    getsockname(called, (struct sockaddr *)&address, &address_len))
		close_called();
}

/* Wake the thread up by a datagram.  Any thread may call this; it uses a descriptor briefly. */
static void call_listener(void)
{
	int fd = address_len ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;

	uncalled = address_len;
	if (fd < 0)
		return;
	/* A full socket holds a datagram already. */
	uncalled = sendto(fd, "", 1, MSG_NOSIGNAL, (struct sockaddr *)&address, address_len) < 0 &&
		   errno != EAGAIN;
	close(fd);
}

static void take_calls(void)
{
	char byte;

	while (recv(called, &byte, sizeof(byte), MSG_DONTWAIT) >= 0)
		;
}

/* ---- Where lttds are ---- */

static void scan(const char *folder)
{
	DIR *dir = *folder ? opendir(folder) : NULL;
	struct dirent *entry;

	if (*folder && !dir && (errno == ENOMEM || errno == EMFILE || errno == ENFILE))
		look_again = true;
	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, LTT_PROGRAM_SOCKET, strlen(LTT_PROGRAM_SOCKET)) &&
		    ltt_recorder_new(folder, entry->d_name, begun ? EINPROGRESS : 0))
			look_again = true;
	if (dir)
		closedir(dir);
}

/* The thread calls this after it has bound the program's socket, so an lttd that starts
 * meanwhile calls it.  Other threads call it for the lttds that are there already. */
static void look_for_lttds(void)
{
	look_again = false;
	scan(LTT_PROGRAM_SYSTEM_DIR);
	if (strcmp(own_folder, LTT_PROGRAM_SYSTEM_DIR))
		scan(own_folder);
}

/* Split LTT_START.  @folder receives the folder.  Return: the name; NULL if it is not set. */
static const char *started_by(char *folder)
{
	const char *path = secure_getenv("LTT_START"), *name = path ? strrchr(path, '/') : NULL;

	if (!name || name - path >= LTT_FOLDER_SIZE)
		return NULL;
	*(char *)mempcpy(folder, path, name - path) = '\0';
	return name + 1;
}

static void look_for_starter(void)
{
	char folder[LTT_FOLDER_SIZE];
	const char *name = started_by(folder);

	lacks_starter = name && ltt_recorder_new(folder, name, begun ? EINPROGRESS : 0);
}

/* Called at the start and when the program has changed its user.  The lttds of the former
 * user must not record this one, so their recorders end. */
static void become_user(void)
{
	user = geteuid();
	while (ltt_recorders && called >= 0)
		ltt_recorder_end(ltt_recorders);
	open_called();
}

/* ---- Loading libraries ---- */

struct load {
	void (*fn)(void *arg);
	void *arg;
};

static void *run_load(void *arg)
{
	struct load *load = arg;

	pthread_mutex_lock(&ltt_lock);
	load_thread = pthread_self();
	pthread_mutex_unlock(&ltt_lock);
	load->fn(load->arg);
	return NULL;
}

/* A recorder_load_fn: calls @fn, which loads libraries, in a thread with a stack as programs
 * have, for the constructors.  Releases ltt_lock for that time; no other thread waits for
 * the listener meanwhile. */
static void load_in_thread(void (*fn)(void *arg), void *arg)
{
	struct load load = { fn, arg };
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, LOAD_STACK_SIZE);
	loading = true;
	pthread_mutex_unlock(&ltt_lock);
	if (!pthread_create(&thread, &attr, run_load, &load))
		pthread_join(thread, NULL);
	pthread_mutex_lock(&ltt_lock);
	loading = false;
	pthread_attr_destroy(&attr);
}

/* ---- Recorders ---- */

/* Connect if necessary, and send.  Return: 0; -EAGAIN: try later; another -errno. */
static int attend(struct recorder *recorder)
{
	int err = recorder->fd < 0 ? ltt_recorder_connect(recorder) : 0;

	return err ? err : ltt_recorder_send(recorder);
}

static void receive_all(struct recorder *recorder)
{
	int err;

	do
		err = ltt_recorder_receive(recorder, load_in_thread);
	while (!err);
	if (err != -EAGAIN)
		ltt_recorder_end(recorder);
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
}

/* Retry after a shortage, but only for RETRY_FOR_MS: an idle program must not wake up for
 * ever. */
static int retry_timeout(void)
{
	if (called >= 0 && !look_again && !lacks_starter && !holds_retired)
		failing_since = 0;
	else if (!failing_since)
		failing_since = now_ms();
	return failing_since && now_ms() - failing_since < RETRY_FOR_MS ? RETRY_MS : -1;
}

/* Fill in @polls and @recorders.  *timeout: how long to wait, in ms.  Return: the number. */
static nfds_t prepare(struct pollfd *polls, struct recorder **recorders, int *timeout)
{
	struct recorder *recorder, *next;
	nfds_t nr = 1;
	int err;

	polls[0] = (struct pollfd){ .fd = called, .events = POLLIN };
	*timeout = retry_timeout();
	for (recorder = ltt_recorders; recorder && nr <= RECORDERS_MAX; recorder = next) {
		next = recorder->next;
		err = attend(recorder);
		if (err && err != -EAGAIN) {
			ltt_recorder_end(recorder);
			continue;
		}
		/* poll() cannot wait for room in the queue of a listening socket. */
		if (recorder->fd < 0) {
			*timeout = RETRY_MS;
			continue;
		}
		polls[nr] = (struct pollfd){ .fd = recorder->fd, .events = POLLIN | (err ? POLLOUT : 0) };
		recorders[nr++] = recorder;
	}
	return nr;
}

/* The library's thread cannot run: report that to the lttds that run at this moment.  The
 * next library that is loaded starts another attempt. */
static void report_unable(int err)
{
	if (ltt_folder(own_folder))
		*own_folder = '\0';
	look_for_starter();
	look_for_lttds();
	ltt_recorders_set_error(err);
	while (ltt_recorders) {
		attend(ltt_recorders);
		ltt_recorder_end(ltt_recorders);
	}
}

static void send_exit(void)
{
	struct recorder *recorder;

	/* A child that emits and exits soon after fork() is not connected yet. */
	for (recorder = ltt_recorders; recorder; recorder = recorder->next)
		if (recorder->fd >= 0 || !attend(recorder))
			ltt_recorder_send_exit(recorder, exit_status);
	close_called();
	told_exit = true;
}

/* Block all signals of the thread, also those that the C library keeps to itself: by one of these it
 * changes the user of each thread.  @before: the signals that were blocked. */
static void block_all(sigset_t *before)
{
	const uint64_t all = ~0ULL;

	sigemptyset(before);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, before, sizeof(all));
}

static void unblock(const sigset_t *before)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, before, NULL, sizeof(uint64_t));
}

/* ppoll() fails with EINVAL for more entries than RLIMIT_NOFILE, which the program may have
 * lowered.  Then all descriptors are tried every LOOK_MS. */
static void wait_for_messages(struct pollfd *polls, nfds_t nr, int timeout, const sigset_t *mask)
{
	const struct timespec limit = { timeout / 1000, timeout % 1000 * 1000000L };
	nfds_t i;

	if (ppoll(polls, nr, timeout < 0 ? NULL : &limit, mask) >= 0 || errno == EINTR)
		return;
	poll(NULL, 0, LOOK_MS);
	for (i = 0; i < nr; i++)
		polls[i].revents = POLLIN;
}

/* One round.  ltt_lock is released while the thread sleeps. */
static void listen_once(void)
{
	struct recorder *recorders[RECORDERS_MAX + 1];
	struct pollfd polls[RECORDERS_MAX + 1];
	sigset_t before;
	nfds_t nr, i;
	int timeout;

	if (user != geteuid() || called < 0) {
		become_user();
		look_again = true;
	}
	if (look_again)
		look_for_lttds();
	if (lacks_starter)
		look_for_starter();
	holds_retired = ltt_channels_release();
	nr = prepare(polls, recorders, &timeout);
	/* If the user has changed meanwhile, no lttd finds the socket, so none could wake the
	 * thread.  From here on the change of the user waits for the sleep, and interrupts it. */
	block_all(&before);
	if (user != geteuid())
		timeout = 0;
	pthread_cond_broadcast(&heard);
	pthread_mutex_unlock(&ltt_lock);
	wait_for_messages(polls, nr, timeout, &before);
	unblock(&before);
	pthread_mutex_lock(&ltt_lock);
	if (polls[0].revents) {
		take_calls();
		look_for_lttds();
	}
	for (i = 1; i < nr; i++)
		if (polls[i].revents)
			receive_all(recorders[i]);
}

/* In a forked child: sleep until its first event, or for LTT_PROGRAM_QUIET_MS.  Most children execute
 * another program or exit before that, and do without connections. */
static void wait_after_fork(void)
{
	const struct timespec timeout = { .tv_nsec = LTT_PROGRAM_QUIET_MS * 1000000 };

	pthread_mutex_unlock(&ltt_lock);
	syscall(SYS_futex, &ltt_process_active, FUTEX_WAIT_PRIVATE, 0, &timeout, NULL, 0);
	pthread_mutex_lock(&ltt_lock);
	ltt_set_process_active();
	quiet = false;
}

static void *listener(void *unused)
{
	(void)unused;
	/* Calls of this thread that preloaded libraries record are not the program's. */
	ltt_context = LTT_CONTEXT_OFF;
	pthread_mutex_lock(&ltt_lock);
	if (quiet)
		wait_after_fork();
	prctl(PR_SET_NAME, "ltt-listener");
	if (!ltt_own_descriptors() || !ltt_standard_files()) {
		report_unable(errno);
		goto out;
	}
	while (!exiting)
		listen_once();
	send_exit();
out:
	running = false;
	pthread_cond_broadcast(&heard);
	pthread_mutex_unlock(&ltt_lock);
	return NULL;
}

/* ---- Starting, forking, exiting ---- */

static void init_heard(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&heard, &attr);
	pthread_condattr_destroy(&attr);
}

/* The caller has blocked all signals, and the thread inherits that: signals are for the
 * program's threads.  Return: 0 or an errno. */
static int start(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	int err;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	pid = getpid();
	err = pthread_create(&thread, &attr, listener, NULL);
	running = !err;
	if (running)
		ltt_keep_reachable(thread);
	pthread_attr_destroy(&attr);
	return err;
}

static void before_fork(void)
{
	pthread_mutex_lock(&ltt_lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&ltt_lock);
}

/* The child inherits the buffers and goes on writing to them; it makes its own connections.
 * The parent's connections are in a descriptor table that the child does not inherit,
 * unless a library's constructor forks. */
static void after_fork_in_child(void)
{
	struct recorder *recorder;
	sigset_t all, before;
	bool has_table;
	int err;

	ltt_thread_forget();
	pthread_mutex_init(&ltt_lock, NULL);
	init_heard();
	if (!running)
		return;
	has_table = loading && pthread_equal(pthread_self(), load_thread);
	loading = false;
	for (recorder = ltt_recorders; recorder; recorder = recorder->next)
		ltt_recorder_forked(recorder, has_table);
	if (has_table)
		close(called);
	called = -1;
	address_len = 0;
	*address.sun_path = '\0';
	failing_since = 0;
	quiet = true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_mutex_lock(&ltt_lock);
	err = start();
	if (err)
		report_unable(err);
	pthread_mutex_unlock(&ltt_lock);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void wait_a_step(void)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += STEP_MS * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&heard, &ltt_lock, &until);
}

/* The program waits for the library's thread, which never waits for an lttd: longer if lttds
 * have to learn that events are missing. */
static bool is_bye_awaited(uint64_t began)
{
	const struct recorder *recorder;
	uint64_t waited = now_ms() - began;

	if (!running || !ltt_recorders || told_exit)
		return false;
	for (recorder = ltt_recorders; recorder; recorder = recorder->next)
		if (recorder->unable && waited < OTHERS_MS)
			return true;
	return waited < BYE_MS;
}

/* The library's thread has not run in time, as on a busy machine: this thread connects to the lttds that do not know
 * the program yet, so that they report it.  The other connections are in the table of that thread.  A child
 * with its parent's buffers is recorded without a connection. */
static void send_exit_instead(void)
{
	struct recorder *recorder, *next;

	for (recorder = ltt_recorders; recorder; recorder = next) {
		next = recorder->next;
		if (recorder->fd >= 0 || recorder->channels)
			continue;
		if (!attend(recorder)) {
			/* Of sites that do not fit, any may be wanted: lttd reports the program. */
			ltt_recorder_send_rest(recorder);
			ltt_recorder_send_exit(recorder, exit_status);
		}
		ltt_recorder_end(recorder);
	}
}

static void at_exit(int status, void *unused)
{
	const struct timespec pause = { .tv_nsec = LOCK_NS };
	uint64_t began = now_ms();

	(void)unused;
	/* A child that a bare clone() system call made has no such thread. */
	if (getpid() != pid)
		return;
	/* A forked child that has no connection and has emitted nothing. */
	if (!__atomic_load_n(&ltt_process_active, __ATOMIC_RELAXED))
		return;
	/* The holder may never release it, as after exit() in a signal handler. */
	while (pthread_mutex_trylock(&ltt_lock)) {
		if (now_ms() - began >= BYE_MS)
			return;
		nanosleep(&pause, NULL);
	}
	exiting = true;
	exit_status = status == LTT_PROGRAM_STATUS_UNKNOWN ? status : status & 0xff;
	call_listener();
	while (is_bye_awaited(began)) {
		if (uncalled)
			call_listener();
		wait_a_step();
	}
	if (running && !told_exit)
		send_exit_instead();
	if (!told_exit && *address.sun_path)
		unlink(address.sun_path);
	pthread_mutex_unlock(&ltt_lock);
}

#ifndef __GLIBC__
/* Other C libraries have no on_exit(). */
static void at_exit_somehow(void)
{
	at_exit(LTT_PROGRAM_STATUS_UNKNOWN, NULL);
}
#endif

static int start_first(void)
{
	static bool prepared;

	if (!prepared) {
		prepared = true;
		if (ltt_folder(own_folder))
			*own_folder = '\0';
		init_heard();
		ltt_objects_set_call(call_listener);
		pthread_atfork(before_fork, after_fork, after_fork_in_child);
#ifdef __GLIBC__
		on_exit(at_exit, NULL);
#else
		atexit(at_exit_somehow);
#endif
	}
	return start();
}

/* ---- Announcing sites ---- */

void ltt_listener_announce(void)
{
	int err;

	if (exiting)
		return;
	err = running ? 0 : start_first();
	if (err) {
		report_unable(err);
		return;
	}
	ltt_set_process_active();
	look_for_starter();
	look_for_lttds();
	call_listener();
}

static bool is_starter(const struct recorder *recorder, const char *starter)
{
	return starter && !strcmp(recorder->address.sun_path, starter);
}

/* Is there an lttd that has not answered for all sites, and has time left to do so?
 * @starter: LTT_START
 * @waited: how long the caller has waited, in ms */
static bool is_any_awaited(const char *starter, uint64_t waited)
{
	struct recorder *recorder;

	for (recorder = ltt_recorders; recorder; recorder = recorder->next)
		if (((ltt_recorder_is_behind(recorder) && !recorder->late) ||
		     (ltt_recorder_lacks_objects(recorder) && !recorder->slow)) &&
		    waited < (is_starter(recorder, starter) ? START_MS : OTHERS_MS))
			return true;
	return waited < OTHERS_MS && (look_again || lacks_starter);
}

/* Events that the program emits now are missing in the recordings of lttds that are behind. */
static void give_up_waiting(void)
{
	struct recorder *recorder;

	for (recorder = ltt_recorders; recorder; recorder = recorder->next) {
		recorder->slow |= ltt_recorder_lacks_objects(recorder);
		if (!ltt_recorder_is_behind(recorder) || recorder->late)
			continue;
		ltt_recorder_set_late(recorder);
		call_listener();
	}
	if (uncalled)	/* the sites are not recorded until the thread wakes up */
		ltt_recorders_set_error(EAGAIN);
}

/* While the thread loads a library for a probe, it answers no caller, and this one may hold a
 * lock of the loader: so it does not wait.
 * Signals are blocked only while the lock is held, which is never long. */
void ltt_listener_wait(void)
{
	const char *starter = secure_getenv("LTT_START");
	uint64_t began = now_ms();
	sigset_t before;
	bool awaited;

	do {
		ltt_sites_lock(&before);
		if (uncalled)
			call_listener();
		awaited = running && !loading && is_any_awaited(starter, now_ms() - began);
		if (awaited)
			wait_a_step();
		else if (running && !(loading && pthread_equal(pthread_self(), load_thread)))
			give_up_waiting();
		begun |= !awaited;
		ltt_sites_unlock(&before);
	} while (awaited);
}
