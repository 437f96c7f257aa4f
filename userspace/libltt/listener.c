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
#include "listener-state.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/time_types.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/folder.h"
#include "common/protocol.h"
#include "descriptors.h"
#include "recorder.h"
#include "sites.h"
#include "thread.h"

#define RECORDERS_MAX	64
#define LOAD_STACK_SIZE	(8 * 1024 * 1024)
#define RETRY_MS	1000
#define RETRY_FOR_MS	60000		/* a shortage that lasts longer is taken for permanent */
#define LOOK_MS		100

struct ltt_listener ltt_listener = { .called = -1 };

/* Guarded by ltt_lock. */
static uid_t user;			/* the user of @own_folder */
static bool holds_retired;		/* threads still use buffers that were inherited by fork() */

/* Called at the start and when the program has changed its user.  The lttds of the former
 * user must not record this one, so their recorders end. */
static void become_user(void)
{
	user = geteuid();
	while (ltt_recorders && ltt_listener.called >= 0)
		ltt_recorder_end(ltt_recorders);
	ltt_call_open();
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
	ltt_listener.load_thread = pthread_self();
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
	ltt_listener.loading = true;
	pthread_mutex_unlock(&ltt_lock);
	if (!pthread_create(&thread, &attr, run_load, &load))
		pthread_join(thread, NULL);
	pthread_mutex_lock(&ltt_lock);
	ltt_listener.loading = false;
	pthread_attr_destroy(&attr);
}

/* ---- Rounds of the thread ---- */

/* Connect if necessary, and send.  Return: 0; -EAGAIN: try later; another -errno. */
int ltt_listener_attend(struct recorder *recorder)
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

uint64_t ltt_listener_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
}

/* Retry after a shortage, but only for RETRY_FOR_MS: an idle program must not wake up for
 * ever. */
static int retry_timeout(void)
{
	if (ltt_listener.called >= 0 && !ltt_listener.look_again && !ltt_listener.lacks_starter && !holds_retired)
		ltt_listener.failing_since = 0;
	else if (!ltt_listener.failing_since)
		ltt_listener.failing_since = ltt_listener_ms();
	return ltt_listener.failing_since && ltt_listener_ms() - ltt_listener.failing_since < RETRY_FOR_MS ? RETRY_MS : -1;
}

/* Fill in @polls and @recorders.  *timeout: how long to wait, in ms.  Return: the number. */
static nfds_t prepare(struct pollfd *polls, struct recorder **recorders, int *timeout)
{
	struct recorder *recorder, *next;
	nfds_t nr = 1;
	int err;

	polls[0] = (struct pollfd){ .fd = ltt_listener.called, .events = POLLIN };
	*timeout = retry_timeout();
	for (recorder = ltt_recorders; recorder && nr <= RECORDERS_MAX; recorder = next) {
		next = recorder->next;
		err = ltt_listener_attend(recorder);
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
void ltt_listener_unable(int err)
{
	if (ltt_folder(ltt_listener.own_folder))
		*ltt_listener.own_folder = '\0';
	ltt_search_starter();
	ltt_search_lttds();
	ltt_recorders_set_error(err);
	while (ltt_recorders) {
		ltt_listener_attend(ltt_recorders);
		ltt_recorder_end(ltt_recorders);
	}
}

static void send_exit(void)
{
	struct recorder *recorder;

	/* A child that emits and exits soon after fork() is not connected yet. */
	for (recorder = ltt_recorders; recorder; recorder = recorder->next)
		if (recorder->fd >= 0 || !ltt_listener_attend(recorder))
			ltt_recorder_send_exit(recorder, ltt_listener.exit_status);
	ltt_call_close();
	ltt_listener.told_exit = true;
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

	if (user != geteuid() || ltt_listener.called < 0) {
		become_user();
		ltt_listener.look_again = true;
	}
	if (ltt_listener.look_again)
		ltt_search_lttds();
	if (ltt_listener.lacks_starter)
		ltt_search_starter();
	holds_retired = ltt_channels_release();
	nr = prepare(polls, recorders, &timeout);
	/* If the user has changed meanwhile, no lttd finds the socket, so none could wake the
	 * thread.  From here on the change of the user waits for the sleep, and interrupts it. */
	block_all(&before);
	if (user != geteuid())
		timeout = 0;
	pthread_cond_broadcast(&ltt_listener.heard);
	pthread_mutex_unlock(&ltt_lock);
	wait_for_messages(polls, nr, timeout, &before);
	unblock(&before);
	pthread_mutex_lock(&ltt_lock);
	if (polls[0].revents) {
		ltt_call_take();
		ltt_search_lttds();
	}
	for (i = 1; i < nr; i++)
		if (polls[i].revents)
			receive_all(recorders[i]);
}

/* In a forked child: sleep until its first event, or for LTT_PROGRAM_QUIET_MS.  Most children execute
 * another program or exit before that, and do without connections. */
static void wait_after_fork(void)
{
	/* Not the C library's type: on 32 bits that may have a 64-bit time_t. */
	const struct __kernel_old_timespec timeout = { .tv_nsec = LTT_PROGRAM_QUIET_MS * 1000000 };

	pthread_mutex_unlock(&ltt_lock);
	syscall(SYS_futex, &ltt_process_active, FUTEX_WAIT_PRIVATE, 0, &timeout, NULL, 0);
	pthread_mutex_lock(&ltt_lock);
	ltt_set_process_active();
	ltt_listener.quiet = false;
}

void *ltt_listener_run(void *unused)
{
	(void)unused;
	/* Calls of this thread that preloaded libraries record are not the program's. */
	ltt_context = LTT_CONTEXT_OFF;
	pthread_mutex_lock(&ltt_lock);
	if (ltt_listener.quiet)
		wait_after_fork();
	prctl(PR_SET_NAME, "ltt-listener");
	if (!ltt_own_descriptors() || !ltt_standard_files()) {
		ltt_listener_unable(errno);
		goto out;
	}
	while (!ltt_listener.exiting)
		listen_once();
	send_exit();
out:
	ltt_listener.running = false;
	pthread_cond_broadcast(&ltt_listener.heard);
	pthread_mutex_unlock(&ltt_lock);
	return NULL;
}
