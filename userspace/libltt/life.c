// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The life of the library's thread: its start, forks and the exit of the program.
 */
#include "listener-state.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/folder.h"
#include "common/protocol.h"
#include "objects.h"
#include "reachable.h"
#include "recorder.h"
#include "sites.h"
#include "thread.h"

#define STACK_SIZE	(256 * 1024)
#define BYE_MS		50
#define STEP_MS		20
#define LOCK_NS		200000

static pid_t pid;	/* the process of the thread; guarded by ltt_lock */

static void init_heard(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&ltt_listener.heard, &attr);
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
	err = pthread_create(&thread, &attr, ltt_listener_run, NULL);
	ltt_listener.running = !err;
	if (ltt_listener.running)
		ltt_keep_reachable(thread);
	pthread_attr_destroy(&attr);
	return err;
}

static bool is_locked_for_fork(void)
{
	struct ltt_section before;
	bool locked;

	ltt_section_begin(&before);
	locked = ltt_forks || !pthread_mutex_trylock(&ltt_lock);
	ltt_forks += locked;
	ltt_section_end(&before);
	return locked;
}

/* Signals stay open while the thread waits, and afterwards: other libraries' handlers of fork() run then, here and in the
 * thread that has the lock, and may wait for a thread that stops this one by a signal. */
static void before_fork(void)
{
	const struct timespec pause = { .tv_nsec = LOCK_NS };
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	while (!is_locked_for_fork())
		nanosleep(&pause, NULL);
	pthread_setcancelstate(cancel, &cancel);
}

/* The C library may call this alone, if before_fork() was registered amid fork(). */
static void after_fork(void)
{
	struct ltt_section before;

	ltt_section_begin(&before);
	if (ltt_forks && !--ltt_forks)
		pthread_mutex_unlock(&ltt_lock);
	ltt_section_end(&before);
}

/* The child inherits the buffers and goes on writing to them; it makes its own connections.
 * The parent's connections are in a descriptor table that the child does not inherit,
 * unless a library's constructor forks. */
static void after_fork_in_child(void)
{
	struct recorder *recorder;
	struct ltt_section before;
	bool has_table, listens;
	int err;

	ltt_section_begin(&before);
	/* Also where a handler of a signal forks amid fork(): such a child seldom goes on with the outer one. */
	ltt_forks = 0;
	ltt_thread_forget();
	pthread_mutex_init(&ltt_lock, NULL);
	init_heard();
	/* The parent may be in exit(), and its thread may have ended therefore: the child goes on. */
	listens = ltt_listener.running || ltt_listener.told_exit;
	ltt_listener.exiting = ltt_listener.told_exit = false;
	has_table = ltt_listener.loading && pthread_equal(pthread_self(), ltt_listener.load_thread);
	ltt_listener.loading = false;
	for (recorder = ltt_recorders; recorder; recorder = recorder->next)
		ltt_recorder_forked(recorder, has_table);
	if (has_table)
		close(ltt_listener.called);
	ltt_listener.called = -1;
	ltt_listener.address_len = 0;
	*ltt_listener.address.sun_path = '\0';
	ltt_listener.failing_since = 0;
	pthread_mutex_lock(&ltt_lock);
	if (listens) {
		ltt_listener.quiet = true;
		err = start();
		if (err)
			ltt_listener_unable(err);
	}
	pthread_mutex_unlock(&ltt_lock);
	ltt_section_end(&before);
}

void ltt_listener_step(void)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += STEP_MS * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&ltt_listener.heard, &ltt_lock, &until);
}

static bool lock_until(uint64_t end)
{
	const struct timespec pause = { .tv_nsec = LOCK_NS };

	while (pthread_mutex_trylock(&ltt_lock)) {
		if (ltt_listener_ms() >= end)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

/* The program waits for the library's thread, which never waits for an lttd: longer if lttds
 * have to learn that events are missing. */
static bool is_bye_awaited(uint64_t began)
{
	const struct recorder *recorder;
	uint64_t waited = ltt_listener_ms() - began;

	if (!ltt_listener.running || !ltt_recorders || ltt_listener.told_exit)
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
		if (!ltt_listener_attend(recorder)) {
			/* Of sites that do not fit, any may be wanted: lttd reports the program. */
			ltt_recorder_send_rest(recorder);
			ltt_recorder_send_exit(recorder, ltt_listener.exit_status);
		}
		ltt_recorder_end(recorder);
	}
}

static void at_exit(int status, void *unused)
{
	const struct timespec pause = { .tv_nsec = LOCK_NS };
	uint64_t began = ltt_listener_ms();
	struct ltt_section before;

	(void)unused;
	/* A child that a bare clone() system call made has no such thread. */
	if (getpid() != pid)
		return;
	/* A forked child that has no connection and has emitted nothing. */
	if (!__atomic_load_n(&ltt_process_active, __ATOMIC_RELAXED))
		return;
	ltt_section_begin(&before);
	if (ltt_forks) {
		/* A handler of a signal exits amid fork(), which never goes on. */
		ltt_forks = 0;
	} else if (!lock_until(began + BYE_MS)) {
		ltt_section_end(&before);
		return;
	}
	ltt_listener.exiting = true;
	ltt_listener.exit_status = status == LTT_PROGRAM_STATUS_UNKNOWN ? status : status & 0xff;
	ltt_call_listener();
	while (is_bye_awaited(began)) {
		if (ltt_listener.uncalled)
			ltt_call_listener();
		/* Not ltt_listener_step(): if exit() interrupted malloc(), the library's thread waits for that with the lock. */
		pthread_mutex_unlock(&ltt_lock);
		nanosleep(&pause, NULL);
		if (!lock_until(began + OTHERS_MS)) {
			ltt_section_end(&before);
			return;
		}
	}
	if (ltt_listener.running && !ltt_listener.told_exit)
		send_exit_instead();
	if (!ltt_listener.told_exit && *ltt_listener.address.sun_path)
		unlink(ltt_listener.address.sun_path);
	ltt_sites_unlock(&before);
}

#ifndef __GLIBC__
/* Other C libraries have no on_exit(). */
static void at_exit_somehow(void)
{
	at_exit(LTT_PROGRAM_STATUS_UNKNOWN, NULL);
}
#endif

/* Now: the program may change its environment later, while the library's thread runs. */
static void take_starter(void)
{
	const char *starter = secure_getenv("LTT_START");

	if (starter && strlen(starter) < sizeof(ltt_listener.starter))
		strcpy(ltt_listener.starter, starter);
}

int ltt_listener_start(void)
{
	static bool prepared;

	if (!prepared) {
		prepared = true;
		take_starter();
		if (ltt_folder(ltt_listener.own_folder))
			*ltt_listener.own_folder = '\0';
		init_heard();
		ltt_objects_set_call(ltt_call_listener);
		pthread_atfork(before_fork, after_fork, after_fork_in_child);
#ifdef __GLIBC__
		on_exit(at_exit, NULL);
#else
		atexit(at_exit_somehow);
#endif
	}
	return start();
}
