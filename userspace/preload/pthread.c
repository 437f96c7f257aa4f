// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * libltt-pthread.so: the locks of a program, and how long its threads wait.
 *
 *   pthread:mutex_lock, mutex_trylock		mutex, wait_ns, result, caller
 *   pthread:mutex_unlock			mutex, caller
 *   pthread:rwlock_rdlock, rwlock_tryrdlock,
 *	     rwlock_wrlock, rwlock_trywrlock	rwlock, wait_ns, result, caller
 *   pthread:rwlock_unlock			rwlock, caller
 *   pthread:cond_wait				cond, mutex, wait_ns, result, caller
 *   pthread:cond_signal, cond_broadcast	cond, caller
 *   pthread:barrier_wait			barrier, wait_ns, result, caller
 *
 * The result is that of the function.  The functions with a time limit have the events of
 * those without.  A lock is recorded when the thread has it, an unlock before.
 *
 * While its event is recorded, a lock is first tried, and waits only if that did not take it:
 * so a lock that is free costs no look at the clock, and its @wait_ns is 0.
 */
#include "preload.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

enum {
	MUTEX_LOCK, MUTEX_TRYLOCK, MUTEX_UNLOCK,
	RWLOCK_RDLOCK, RWLOCK_TRYRDLOCK, RWLOCK_WRLOCK, RWLOCK_TRYWRLOCK, RWLOCK_UNLOCK,
	COND_WAIT, COND_SIGNAL, COND_BROADCAST,
	BARRIER_WAIT,
	NR_GATES
};

static struct preload_gate gates[NR_GATES] = {
	[MUTEX_LOCK] = PRELOAD_GATE("mutex_lock"),
	[MUTEX_TRYLOCK] = PRELOAD_GATE("mutex_trylock"),
	[MUTEX_UNLOCK] = PRELOAD_GATE("mutex_unlock"),
	[RWLOCK_RDLOCK] = PRELOAD_GATE("rwlock_rdlock"),
	[RWLOCK_TRYRDLOCK] = PRELOAD_GATE("rwlock_tryrdlock"),
	[RWLOCK_WRLOCK] = PRELOAD_GATE("rwlock_wrlock"),
	[RWLOCK_TRYWRLOCK] = PRELOAD_GATE("rwlock_trywrlock"),
	[RWLOCK_UNLOCK] = PRELOAD_GATE("rwlock_unlock"),
	[COND_WAIT] = PRELOAD_GATE("cond_wait"),
	[COND_SIGNAL] = PRELOAD_GATE("cond_signal"),
	[COND_BROADCAST] = PRELOAD_GATE("cond_broadcast"),
	[BARRIER_WAIT] = PRELOAD_GATE("barrier_wait"),
};

/* ---- The functions behind ---- */

#define FUNCTIONS(X)							\
	X(pthread_mutex_lock) X(pthread_mutex_trylock) X(pthread_mutex_timedlock)	\
	X(pthread_mutex_clocklock) X(pthread_mutex_unlock)		\
	X(pthread_rwlock_rdlock) X(pthread_rwlock_tryrdlock) X(pthread_rwlock_timedrdlock) \
	X(pthread_rwlock_clockrdlock) X(pthread_rwlock_wrlock) X(pthread_rwlock_trywrlock) \
	X(pthread_rwlock_timedwrlock) X(pthread_rwlock_clockwrlock) X(pthread_rwlock_unlock) \
	X(pthread_cond_wait) X(pthread_cond_timedwait) X(pthread_cond_clockwait)	\
	X(pthread_cond_signal) X(pthread_cond_broadcast) X(pthread_barrier_wait)

PRELOAD_REAL(FUNCTIONS)

/* libltt's own locks are not the program's; a call of them at the end of a function of
 * libltt seems to come from that function's caller. */
static inline bool is_recorded(unsigned int gate, const void *lock, const void *caller)
{
	return preload_is_on(&gates[gate]) && !preload_is_own(lock) && preload_wants(caller);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* ---- Mutexes ---- */

/* The result of a try that was not made, as the function rejects wrong arguments. */
#define NOT_TRIED	EBUSY

static NOINLINE void record_mutex_lock(const void *mutex, uint64_t wait_ns, int result, const void *caller)
{
	trace_mark(pthread, mutex_lock, "mutex %p wait_ns %llu result %d caller %p", mutex,
		   (unsigned long long)wait_ns, result, caller);
}

/* All results of a try but EBUSY are those of the call as well.  To make the call after them
 * could block: the C library's try leaves a lock that is not recoverable locked. */
#define LOCK(record, lock, try_result, call)				\
	do {								\
		uint64_t began;						\
		int result = (try_result);				\
									\
		if (result != EBUSY) {					\
			record(lock, 0, result, CALLER);		\
			return result;					\
		}							\
		began = now_ns();					\
		result = (call);					\
		record(lock, now_ns() - began, result, CALLER);		\
		return result;						\
	} while (0)

PRELOAD_API int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	need_real();
	if (!is_recorded(MUTEX_LOCK, mutex, CALLER))
		return real.pthread_mutex_lock(mutex);
	LOCK(record_mutex_lock, mutex, real.pthread_mutex_trylock(mutex), real.pthread_mutex_lock(mutex));
}

PRELOAD_API int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	need_real();
	if (!is_recorded(MUTEX_LOCK, mutex, CALLER))
		return real.pthread_mutex_timedlock(mutex, until);
	LOCK(record_mutex_lock, mutex, real.pthread_mutex_trylock(mutex),
	     real.pthread_mutex_timedlock(mutex, until));
}

/* The functions with a clock reject a wrong one even if the lock is free. */
static bool is_clock(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

PRELOAD_API int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
	need_real();
	if (!is_recorded(MUTEX_LOCK, mutex, CALLER))
		return real.pthread_mutex_clocklock(mutex, clock, until);
	LOCK(record_mutex_lock, mutex, is_clock(clock) ? real.pthread_mutex_trylock(mutex) : NOT_TRIED,
	     real.pthread_mutex_clocklock(mutex, clock, until));
}

PRELOAD_API int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	int result;

	need_real();
	result = real.pthread_mutex_trylock(mutex);
	if (is_recorded(MUTEX_TRYLOCK, mutex, CALLER))
		trace_mark(pthread, mutex_trylock, "mutex %p wait_ns %llu result %d caller %p", mutex, 0ULL,
			   result, CALLER);
	return result;
}

PRELOAD_API int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	need_real();
	if (is_recorded(MUTEX_UNLOCK, mutex, CALLER))
		trace_mark(pthread, mutex_unlock, "mutex %p caller %p", mutex, CALLER);
	return real.pthread_mutex_unlock(mutex);
}

/* ---- Locks for many readers or one writer ---- */

/* A wrong time limit is rejected even if the lock is free, by the functions of these locks. */
static bool is_time(const struct timespec *time)
{
	return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

/* The functions of readers and those of writers.  @kind: rd or wr. */
#define RWLOCK_FUNCTIONS(kind, gate, try_gate)				\
static NOINLINE void record_##kind##lock(const void *rwlock, uint64_t wait_ns, int result, const void *caller) \
{									\
	trace_mark(pthread, rwlock_##kind##lock, "rwlock %p wait_ns %llu result %d caller %p", rwlock, \
		   (unsigned long long)wait_ns, result, caller);	\
}									\
									\
PRELOAD_API int pthread_rwlock_##kind##lock(pthread_rwlock_t *rwlock)	\
{									\
	need_real();							\
	if (!is_recorded(gate, rwlock, CALLER))				\
		return real.pthread_rwlock_##kind##lock(rwlock);	\
	LOCK(record_##kind##lock, rwlock, real.pthread_rwlock_try##kind##lock(rwlock), \
	     real.pthread_rwlock_##kind##lock(rwlock));			\
}									\
									\
PRELOAD_API int pthread_rwlock_timed##kind##lock(pthread_rwlock_t *rwlock, const struct timespec *until) \
{									\
	need_real();							\
	if (!is_recorded(gate, rwlock, CALLER))				\
		return real.pthread_rwlock_timed##kind##lock(rwlock, until); \
	LOCK(record_##kind##lock, rwlock,				\
	     is_time(until) ? real.pthread_rwlock_try##kind##lock(rwlock) : NOT_TRIED, \
	     real.pthread_rwlock_timed##kind##lock(rwlock, until));	\
}									\
									\
PRELOAD_API int pthread_rwlock_clock##kind##lock(pthread_rwlock_t *rwlock, clockid_t clock, \
						 const struct timespec *until) \
{									\
	need_real();							\
	if (!is_recorded(gate, rwlock, CALLER))				\
		return real.pthread_rwlock_clock##kind##lock(rwlock, clock, until); \
	LOCK(record_##kind##lock, rwlock, is_clock(clock) && is_time(until) \
	     ? real.pthread_rwlock_try##kind##lock(rwlock) : NOT_TRIED,	\
	     real.pthread_rwlock_clock##kind##lock(rwlock, clock, until)); \
}									\
									\
PRELOAD_API int pthread_rwlock_try##kind##lock(pthread_rwlock_t *rwlock) \
{									\
	int result;							\
									\
	need_real();							\
	result = real.pthread_rwlock_try##kind##lock(rwlock);		\
	if (is_recorded(try_gate, rwlock, CALLER))			\
		trace_mark(pthread, rwlock_try##kind##lock, "rwlock %p wait_ns %llu result %d caller %p", \
			   rwlock, 0ULL, result, CALLER);		\
	return result;							\
}

RWLOCK_FUNCTIONS(rd, RWLOCK_RDLOCK, RWLOCK_TRYRDLOCK)
RWLOCK_FUNCTIONS(wr, RWLOCK_WRLOCK, RWLOCK_TRYWRLOCK)

PRELOAD_API int pthread_rwlock_unlock(pthread_rwlock_t *rwlock)
{
	need_real();
	if (is_recorded(RWLOCK_UNLOCK, rwlock, CALLER))
		trace_mark(pthread, rwlock_unlock, "rwlock %p caller %p", rwlock, CALLER);
	return real.pthread_rwlock_unlock(rwlock);
}

/* ---- Condition variables and barriers ---- */

static NOINLINE void record_wait(const void *cond, const void *mutex, uint64_t began, int result,
				 const void *caller)
{
	trace_mark(pthread, cond_wait, "cond %p mutex %p wait_ns %llu result %d caller %p", cond, mutex,
		   (unsigned long long)(now_ns() - began), result, caller);
}

/* A thread that is cancelled in its wait does not return here. */
#define WAIT(cond, mutex, call)						\
	do {								\
		uint64_t began;						\
		int result;						\
									\
		need_real();						\
		if (!is_recorded(COND_WAIT, cond, CALLER))			\
			return (call);					\
		began = now_ns();					\
		result = (call);					\
		record_wait(cond, mutex, began, result, CALLER);	\
		return result;						\
	} while (0)

PRELOAD_API int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	WAIT(cond, mutex, real.pthread_cond_wait(cond, mutex));
}

PRELOAD_API int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until)
{
	WAIT(cond, mutex, real.pthread_cond_timedwait(cond, mutex, until));
}

PRELOAD_API int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
				       const struct timespec *until)
{
	WAIT(cond, mutex, real.pthread_cond_clockwait(cond, mutex, clock, until));
}

PRELOAD_API int pthread_cond_signal(pthread_cond_t *cond)
{
	need_real();
	if (is_recorded(COND_SIGNAL, cond, CALLER))
		trace_mark(pthread, cond_signal, "cond %p caller %p", cond, CALLER);
	return real.pthread_cond_signal(cond);
}

PRELOAD_API int pthread_cond_broadcast(pthread_cond_t *cond)
{
	need_real();
	if (is_recorded(COND_BROADCAST, cond, CALLER))
		trace_mark(pthread, cond_broadcast, "cond %p caller %p", cond, CALLER);
	return real.pthread_cond_broadcast(cond);
}

PRELOAD_API int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	uint64_t began;
	int result;

	need_real();
	if (!is_recorded(BARRIER_WAIT, barrier, CALLER))
		return real.pthread_barrier_wait(barrier);
	began = now_ns();
	result = real.pthread_barrier_wait(barrier);
	trace_mark(pthread, barrier_wait, "barrier %p wait_ns %llu result %d caller %p", barrier,
		   (unsigned long long)(now_ns() - began), result, CALLER);
	return result;
}

static __attribute__((constructor(199))) void begin(void)
{
	need_real();
	preload_open_gates(gates, NR_GATES);
}

PRELOAD_SITES(pthread);
