// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Bells: the futexes by which programs wake lttd when a sub-buffer is full.
 *
 * Layer: lttd.
 */
#include "bells.h"
#include "lttd/log.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/time_types.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BELLS_MAX	(FUTEX_WAITV_MAX - 1)	/* of a thread; one futex is its own */
#define WAIT_S		2			/* at most, because programs can damage a futex */
#define POLL_NS		10000000		/* where the kernel has no futex_waitv() */

/**
 * struct bell_group - a thread, and the bells that it waits for
 * @next: the next group
 * @bells: all bells
 * @thread: the thread
 * @lock: guards @nr, @bell and @ending; a bell's futex is readable while it is held
 * @changed: futex of the thread: counts changes of @bell
 * @ending: the thread is to exit
 * @nr: number of bells
 * @bell: the bells
 */
struct bell_group {
	struct bell_group *next;
	struct bells *bells;
	pthread_t thread;
	pthread_mutex_t lock;
	uint32_t changed;
	bool ending;
	unsigned int nr;
	struct bell *bell[BELLS_MAX];
};

static struct futex_waitv wait_of(const uint32_t *word, uint32_t value, unsigned int flags)
{
	return (struct futex_waitv){ .uaddr = (uintptr_t)word, .val = value, .flags = FUTEX_32 | flags };
}

static void add_rung(struct bell *bell, struct bells *bells)
{
	bell->rung_before = __atomic_load_n(&bells->rung, __ATOMIC_RELAXED);
	/* Release: @rung_before; pairs with bells_take(). */
	while (!__atomic_compare_exchange_n(&bells->rung, &bell->rung_before, bell, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
}

static bool ring_if_changed(struct bell *bell, struct bells *bells)
{
	/* A(closed:R): the loop's loads of heads after this; pairs with A(closed:S). */
	uint32_t value = __atomic_load_n(bell->word, __ATOMIC_ACQUIRE);

	if (value == bell->seen)
		return false;
	bell->seen = value;
	/* Release: the load of @word; pairs with bell_hear(), if the bell is in the list. */
	if (__atomic_exchange_n(&bell->rung, true, __ATOMIC_RELEASE))
		return false;
	add_rung(bell, bells);
	return true;
}

/* Ring the bells whose futex has changed, and fill in @waits.  Return: the number of @waits; 0:
 * the thread is to exit. */
static unsigned int look(struct bell_group *group, struct futex_waitv *waits)
{
	bool any = false;
	unsigned int i;

	pthread_mutex_lock(&group->lock);
	for (i = 0; i < group->nr; i++) {
		any |= ring_if_changed(group->bell[i], group->bells);
		waits[i] = wait_of(group->bell[i]->word, group->bell[i]->seen, 0);
	}
	waits[i++] = wait_of(&group->changed, group->changed, FUTEX_PRIVATE_FLAG);
	if (group->ending)
		i = 0;
	pthread_mutex_unlock(&group->lock);
	if (any)
		eventfd_write(group->bells->full, 1);
	return i;
}

static void *listen_to_bells(void *arg)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	struct futex_waitv waits[FUTEX_WAITV_MAX];
	struct bell_group *group = arg;
	/* Of the system call: 64 bits on each machine. */
	struct __kernel_timespec until = { 0 };
	struct timespec now;
	unsigned int nr;

	/* The loop looks more often for full sub-buffers whose program did not ring. */
	while ((nr = look(group, waits))) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		until.tv_sec = now.tv_sec + WAIT_S;
		/* EFAULT: a bell was removed meanwhile. */
		if (syscall(SYS_futex_waitv, waits, nr, 0, &until, CLOCK_MONOTONIC) < 0 && errno != EAGAIN &&
		    errno != ETIMEDOUT && errno != EINTR && errno != EFAULT)
			nanosleep(&pause, NULL);
	}
	return NULL;
}

/* The lock is held. */
static void tell(struct bell_group *group)
{
	__atomic_fetch_add(&group->changed, 1, __ATOMIC_RELAXED);
	syscall(SYS_futex, &group->changed, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static struct bell_group *new_group(struct bells *bells, int *err)
{
	struct bell_group *group = calloc(1, sizeof(*group));

	*err = -ENOMEM;
	if (!group)
		return NULL;
	group->bells = bells;
	pthread_mutex_init(&group->lock, NULL);
	*err = -pthread_create(&group->thread, NULL, listen_to_bells, group);
	if (*err) {
		free(group);
		return NULL;
	}
	group->next = bells->groups;
	bells->groups = group;
	return group;
}

int bells_init(struct bells *bells)
{
	*bells = (struct bells){ .full = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	return bells->full < 0 ? fail("cannot wait for programs: %s", strerror(errno)) : 0;
}

void bells_end(struct bells *bells)
{
	struct bell_group *group;

	while ((group = bells->groups)) {
		bells->groups = group->next;
		pthread_mutex_lock(&group->lock);
		group->ending = true;
		tell(group);
		pthread_mutex_unlock(&group->lock);
		pthread_join(group->thread, NULL);
		free(group);
	}
	if (bells->full >= 0)
		close(bells->full);
	bells->full = -1;
}

int bell_hang(struct bells *bells, struct bell *bell, const uint32_t *word)
{
	struct bell_group *group = bells->groups;
	int err = 0;

	while (group && group->nr == BELLS_MAX)
		group = group->next;
	if (!group)
		group = new_group(bells, &err);
	if (!group)
		return err;
	*bell = (struct bell){ .group = group, .word = word, .seen = __atomic_load_n(word, __ATOMIC_ACQUIRE) };
	pthread_mutex_lock(&group->lock);
	group->bell[group->nr++] = bell;
	tell(group);
	pthread_mutex_unlock(&group->lock);
	return 0;
}

/* No thread adds @bell any more. */
static void remove_rung(struct bells *bells, const struct bell *bell)
{
	struct bell *other = bells_take(bells), *next;

	for (; other; other = next) {
		next = other->rung_before;
		if (other != bell)
			add_rung(other, bells);
	}
}

void bell_remove(struct bells *bells, struct bell *bell)
{
	struct bell_group *group = bell->group;
	unsigned int i;

	if (!group)
		return;
	pthread_mutex_lock(&group->lock);
	for (i = 0; group->bell[i] != bell; i++)
		;
	group->bell[i] = group->bell[--group->nr];
	tell(group);
	pthread_mutex_unlock(&group->lock);
	bell->group = NULL;
	if (bell->rung)
		remove_rung(bells, bell);
}

struct bell *bells_take(struct bells *bells)
{
	if (!__atomic_load_n(&bells->rung, __ATOMIC_RELAXED))
		return NULL;
	/* Acquire: @rung_before; pairs with add_rung(). */
	return __atomic_exchange_n(&bells->rung, NULL, __ATOMIC_ACQUIRE);
}

struct bell *bell_hear(struct bell *bell)
{
	struct bell *next = bell->rung_before;

	/* Acquire: loads of heads after this; pairs with ring_if_changed(). */
	(void)__atomic_exchange_n(&bell->rung, false, __ATOMIC_ACQUIRE);
	return next;
}
