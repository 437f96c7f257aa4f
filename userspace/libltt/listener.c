// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The thread that talks to lttd, for as long as the program lives.
 *
 * It sleeps until an lttd says something, or the program's socket is called: by an lttd
 * that has begun, or by a thread of the program that has more sites.  It has a table of
 * descriptors of its own, so neither can the program, which may close all of its own and
 * open others, take away what it listens to, nor does it read what is the program's.
 */
#include "listener.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/counter.h"
#include "common/folder.h"
#include "common/protocol.h"
#include "recorder.h"
#include "sites.h"
#include "thread.h"

#define RECORDERS_MAX	64
#define STACK_SIZE	(256 * 1024)
#define LOAD_STACK_SIZE	(8 * 1024 * 1024)
#define RETRY_MS	1000
#define RETRY_FOR_MS	60000		/* what fails for longer is not for lack of something */
#define LOOK_MS		100
#define START_MS	2000
#define BYE_MS		50
#define STEP_MS		20
#define LOCK_NS		200000

/* All guarded by ltt_lock. */
static bool running;
static bool exiting;			/* with @exit_status, which lttds have been told */
static bool told_exit;
static int exit_status;
static bool loading;			/* by load_in_thread(), in this thread: */
static pthread_t load_thread;
static pid_t pid;			/* whose thread it is */
static uid_t user;			/* whose folder is looked at */
static char own_folder[LTT_FOLDER_SIZE];
static int called = -1;			/* the program's socket, in the listener's table */
static struct sockaddr_un address;	/* and how to call it */
static socklen_t address_len;
static bool uncalled;			/* it could not be called */
static bool look_again;			/* what was looked for could not be had at the moment */
static bool lacks_starter;		/* what LTT_START names, too */
static uint64_t failing_since;		/* one of these, in ms; 0: they do not */
static pthread_cond_t heard;		/* of the monotonic clock */

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

/* Where lttds find it; if that cannot be, this program's threads do; and if they cannot, it
 * is tried again. */
static void open_called(void)
{
	close_called();
	if (ltt_folder(own_folder))
		*own_folder = '\0';
	address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	called = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (called < 0)
		return;
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/" LTT_PROGRAM_CALL "%d-%lx", own_folder,
		 getpid(), (unsigned long)ltt_counter());
	address_len = sizeof(address);
	if (*own_folder && !bind(called, (struct sockaddr *)&address, sizeof(address)))
		return;
	*address.sun_path = '\0';
	address_len = sizeof(address);
	if (bind(called, (struct sockaddr *)&address, sizeof(address.sun_family)) ||
	    getsockname(called, (struct sockaddr *)&address, &address_len))
		close_called();
}

/* By any thread: with a descriptor that it has for a moment. */
static void call_listener(void)
{
	int fd = address_len ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;

	uncalled = address_len;
	if (fd < 0)
		return;
	/* No room: it has been called. */
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
		    ltt_recorder_new(folder, entry->d_name))
			look_again = true;
	if (dir)
		closedir(dir);
}

/* Being called comes before looking, so that nobody is missed in between. */
static void look_for_lttds(void)
{
	look_again = false;
	scan(LTT_PROGRAM_SYSTEM_DIR);
	if (strcmp(own_folder, LTT_PROGRAM_SYSTEM_DIR))
		scan(own_folder);
}

/* Return: the folder's part of its path and the name, in @folder; NULL: none is named. */
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

	lacks_starter = name && ltt_recorder_new(folder, name);
}

/* At the beginning, and when the program has another user: what the last one's lttds gave
 * is not for this one. */
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

/* Connect and speak.  -EAGAIN: later. */
static int attend(struct recorder *recorder)
{
	int err = recorder->fd < 0 ? ltt_recorder_connect(recorder) : 0;

	return err ? err : ltt_recorder_send(recorder);
}

static void hear_all(struct recorder *recorder)
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

/* What could not be had is asked for again for a while, and then no more: a program that
 * has nothing to do is not to be woken up for ever. */
static int retry_timeout(void)
{
	if (called >= 0 && !look_again && !lacks_starter)
		failing_since = 0;
	else if (!failing_since)
		failing_since = now_ms();
	return failing_since && now_ms() - failing_since < RETRY_FOR_MS ? RETRY_MS : -1;
}

/* Fill in what to wait for.  Return: how many; *timeout: for how long. */
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
		/* In a queue of programs that want to connect one cannot wait. */
		if (recorder->fd < 0) {
			*timeout = RETRY_MS;
			continue;
		}
		polls[nr] = (struct pollfd){ .fd = recorder->fd, .events = POLLIN | (err ? POLLOUT : 0) };
		recorders[nr++] = recorder;
	}
	return nr;
}

/* There is no thread to listen to anybody: lttds that are there now hear it from this one.
 * At the next library that is loaded it is tried again. */
static void tell_unable(int err)
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

static void say_bye(void)
{
	struct recorder *recorder;

	for (recorder = ltt_recorders; recorder; recorder = recorder->next)
		if (recorder->fd >= 0)
			ltt_recorder_send_exit(recorder, exit_status);
	close_called();
	told_exit = true;
}

/* poll() refuses more than the program may have descriptors, which it may have made fewer:
 * then all are looked at now and then. */
static void sleep_until_said(struct pollfd *polls, nfds_t nr, int timeout)
{
	nfds_t i;

	if (poll(polls, nr, timeout) >= 0 || errno == EINTR)
		return;
	poll(NULL, 0, LOOK_MS);
	for (i = 0; i < nr; i++)
		polls[i].revents = POLLIN;
}

/* One round.  The lock is not held while it sleeps. */
static void listen_once(void)
{
	struct recorder *recorders[RECORDERS_MAX + 1];
	struct pollfd polls[RECORDERS_MAX + 1];
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
	nr = prepare(polls, recorders, &timeout);
	/* A user who has changed meanwhile has no socket that anybody finds, so that nobody
	 * could call.  From here on a change interrupts the sleep. */
	if (user != geteuid())
		timeout = 0;
	pthread_cond_broadcast(&heard);
	pthread_mutex_unlock(&ltt_lock);
	sleep_until_said(polls, nr, timeout);
	pthread_mutex_lock(&ltt_lock);
	if (polls[0].revents) {
		take_calls();
		look_for_lttds();
	}
	for (i = 1; i < nr; i++)
		if (polls[i].revents)
			hear_all(recorders[i]);
}

/* What a library's constructor, or what it starts, writes to its standard files goes
 * nowhere, and not to an lttd. */
static bool have_standard_files(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
		if (fd < 0)
			fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	} while (fd >= 0 && fd < STDERR_FILENO);
	return fd >= 0;
}

/* close_range() unshares the table, and closes all in it, from Linux 5.9 on. */
static bool have_own_descriptors(void)
{
	struct dirent *entry;
	DIR *dir;

	if (!syscall(SYS_close_range, 0, ~0U, CLOSE_RANGE_UNSHARE))
		return true;
	if (unshare(CLONE_FILES))
		return false;
	dir = opendir("/proc/thread-self/fd");
	while (dir && (entry = readdir(dir)))
		if (*entry->d_name != '.' && atoi(entry->d_name) != dirfd(dir))
			close(atoi(entry->d_name));
	if (dir)
		closedir(dir);
	return dir;
}

static void *listener(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&ltt_lock);
	if (!have_own_descriptors() || !have_standard_files()) {
		tell_unable(errno);
		goto out;
	}
	while (!exiting)
		listen_once();
	say_bye();
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

/* Signals are for the program's threads; they are blocked here.  Return: 0 or an errno. */
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
		pthread_setname_np(thread, "ltt-listener");
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

/* The child has the buffers and goes on writing; it has connections of its own.  The
 * parent's are in a table that it has not got, unless a library's constructor forks. */
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
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_mutex_lock(&ltt_lock);
	err = start();
	if (err)
		tell_unable(err);
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

/* The program waits for this thread only, which does not wait for lttd. */
static void at_exit(int status, void *unused)
{
	const struct timespec pause = { .tv_nsec = LOCK_NS };
	uint64_t until = now_ms() + BYE_MS;

	(void)unused;
	/* A child of a bare system call has no such thread. */
	if (getpid() != pid)
		return;
	/* It may be held by a thread that is never going on, as after exit() in a handler. */
	while (pthread_mutex_trylock(&ltt_lock)) {
		if (now_ms() >= until)
			return;
		nanosleep(&pause, NULL);
	}
	exiting = true;
	exit_status = status == LTT_PROGRAM_STATUS_UNKNOWN ? status : status & 0xff;
	call_listener();
	while (running && ltt_recorders && !told_exit && now_ms() < until) {
		if (uncalled)
			call_listener();
		wait_a_step();
	}
	if (!told_exit && *address.sun_path)
		unlink(address.sun_path);
	pthread_mutex_unlock(&ltt_lock);
}

#ifndef __GLIBC__
/* Others have no on_exit(). */
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
		init_heard();
		pthread_atfork(before_fork, after_fork, after_fork_in_child);
#ifdef __GLIBC__
		on_exit(at_exit, NULL);
#else
		atexit(at_exit_somehow);
#endif
	}
	return start();
}

/* ---- Telling ---- */

void ltt_listener_announce(void)
{
	int err;

	if (exiting)
		return;
	err = running ? 0 : start_first();
	if (err) {
		tell_unable(err);
		return;
	}
	look_for_starter();
	call_listener();
}

/* Not while the thread waits for a library itself, which may wait for the loader. */
static bool is_awaited(const char *path)
{
	struct recorder *recorder;

	for (recorder = running && !loading ? ltt_recorders : NULL; recorder; recorder = recorder->next)
		if (!strcmp(recorder->address.sun_path, path))
			return recorder->ready < ltt_sites_end() || recorder->unable;
	return running && !loading && lacks_starter;
}

/* Signals are blocked while the lock is held, and not for long. */
void ltt_listener_wait(void)
{
	const char *path = secure_getenv("LTT_START");
	static bool in_vain;		/* guarded by ltt_lock */
	uint64_t until = now_ms() + START_MS;
	sigset_t all, before;
	bool awaited;

	sigfillset(&all);
	do {
		pthread_sigmask(SIG_SETMASK, &all, &before);
		pthread_mutex_lock(&ltt_lock);
		if (uncalled)
			call_listener();
		awaited = path && !in_vain && is_awaited(path);
		if (awaited)
			wait_a_step();
		else if (uncalled)	/* until something else wakes it up */
			ltt_recorders_set_error(EAGAIN);
		in_vain |= awaited && now_ms() >= until;
		pthread_mutex_unlock(&ltt_lock);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	} while (awaited);
}
