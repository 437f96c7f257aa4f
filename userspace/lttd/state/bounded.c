// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A bound for waits that another user decides about.
 *
 * Layer: lttd state.
 */
#include "bounded.h"

#include <pthread.h>
#include <stdint.h>
#include <time.h>

#define NSEC_PER_MSEC	1000000ULL
#define NSEC_PER_SEC	1000000000ULL
#define LOOK_MS		50
#define STACK_SIZE	(256 << 10)

/* The thread holds it, but for its waits.  When the thread is abandoned, it is never released again. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Guarded by lock. */
static void (*function)(void *arg);
static bool has_returned;
static pthread_cond_t returned;		/* on CLOCK_MONOTONIC */
static uint64_t waited;			/* nanoseconds in waits that have ended */
static uint64_t wait_began;		/* begin of the present wait; 0: the thread does not wait */

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

void bounded_wait_begin(void)
{
	wait_began = now();
	pthread_mutex_unlock(&lock);
}

void bounded_wait_end(void)
{
	pthread_mutex_lock(&lock);
	waited += now() - wait_began;
	wait_began = 0;
}

static void *run(void *arg)
{
	pthread_mutex_lock(&lock);
	function(arg);
	has_returned = true;
	pthread_cond_signal(&returned);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static int start(void *arg)
{
	pthread_condattr_t condattr;
	pthread_attr_t attr;
	pthread_t thread;
	int err;

	pthread_condattr_init(&condattr);
	pthread_condattr_setclock(&condattr, CLOCK_MONOTONIC);
	pthread_cond_init(&returned, &condattr);
	pthread_condattr_destroy(&condattr);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	err = pthread_create(&thread, &attr, run, arg);
	pthread_attr_destroy(&attr);
	return err;
}

static bool is_over(void)
{
	return waited + (wait_began ? now() - wait_began : 0) > BOUNDED_MS * NSEC_PER_MSEC;
}

bool bounded_run(void (*fn)(void *arg), void *arg)
{
	struct timespec until;
	uint64_t ns;

	pthread_mutex_lock(&lock);
	function = fn;
	/* Without a thread, the waits have no bound. */
	if (start(arg)) {
		fn(arg);
		has_returned = true;
	}
	while (!has_returned && !(wait_began && is_over())) {
		ns = now() + LOOK_MS * NSEC_PER_MSEC;
		until = (struct timespec){ ns / NSEC_PER_SEC, ns % NSEC_PER_SEC };
		pthread_cond_timedwait(&returned, &lock, &until);
	}
	if (has_returned)
		pthread_mutex_unlock(&lock);
	return has_returned;
}
