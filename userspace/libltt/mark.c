// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * An event, from the arguments of a trace_mark() to the buffers of all its targets.
 *
 * A record's payload is the context and then the fields, without padding.  The context is
 * the thread id and the process id, unless the channel has another.  The payload is built on
 * the stack and copied from there within a restartable sequence, which the kernel may
 * restart.  pack.c has the fields of events with text and arrays.
 *
 * No function here uses the frame pointer for anything else (see the Makefile): ltt_stack()
 * finds the frames of the program by it.
 */
#include <alloca.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mark.h"
#include "own.h"
#include "pack.h"
#include "perf.h"
#include "probe.h"
#include "sites.h"
#include "thread-name.h"
#include "thread.h"
#include "write.h"

#define ALWAYS_INLINE	inline __attribute__((always_inline))

__thread uint64_t ltt_context;

uint32_t ltt_process_active;

void ltt_set_process_active(void)
{
	if (!__atomic_exchange_n(&ltt_process_active, 1, __ATOMIC_RELAXED))
		syscall(SYS_futex, &ltt_process_active, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void ltt_thread_forget(void)
{
	ltt_process_active = 0;
	ltt_context = 0;
	ltt_thread_name_forget();
	ltt_own_forget();
	ltt_perf_forget();
}

/* Return: the context; 0 if the thread does not trace. */
static __attribute__((noinline)) uint64_t learn_context(void)
{
	uint64_t context;

	if (ltt_context == LTT_CONTEXT_OFF)
		return 0;
	ltt_set_process_active();
	context = (uint32_t)syscall(SYS_gettid) | (uint64_t)getpid() << 32;
	__atomic_store_n(&ltt_context, context, __ATOMIC_RELAXED);
	return context;
}

/* Neither 0 nor LTT_CONTEXT_OFF.  In one load: a handler may learn it meanwhile. */
static ALWAYS_INLINE uint64_t context(void)
{
	uint64_t known = __atomic_load_n(&ltt_context, __ATOMIC_RELAXED);

	return __builtin_expect(known + 1 > 1, 1) ? known : learn_context();
}

/* ---- Packing ---- */

/* Always stores 8 bytes: the buffer has room, and the next field overwrites the excess. */
static ALWAYS_INLINE char *put(char *to, uint64_t word, size_t size)
{
	memcpy(to, &word, sizeof(word));
	return to + size;
}

static ALWAYS_INLINE char *pack_values(char *to, const struct ltt_site *site, const uint64_t *words,
				       unsigned int nr)
{
	unsigned int i;

#pragma GCC unroll 5
	for (i = 0; i < nr; i++)
		to = put(to, words[i], site->args[i] >> 8 & 0xff);
	return to;
}

/* ---- Writing ---- */

static ALWAYS_INLINE const struct ltt_shm *buffers_of(const struct ltt_target *target)
{
	/* A(shm:R): loads of the buffers after that of their address, as they depend on it;
	 * pairs with A(shm:S). */
	return __atomic_load_n(&target->shm, __ATOMIC_RELAXED);
}

/* Each repetition means that other buffers have replaced these.  Targets of sites that are not
 * registered any more, as at exit(), keep the old ones. */
static __attribute__((noinline)) void send_again(const struct ltt_target *target, int err,
						 const uint64_t *payload, uint32_t size)
{
	const struct ltt_shm *shm = buffers_of(target), *next;

	do {
		/* A(successor:R): loads of the buffers after that of their address, as they depend
		 * on it; pairs with A(successor:S). */
		while ((next = __atomic_load_n(&shm->successor, __ATOMIC_RELAXED)))
			shm = next;
		if (err == -ESTALE)
			err = ltt_shm_write(shm, target->id, payload, size);
		if (err == -EINTR || err == -ENXIO)
			err = ltt_own_write(shm, target->id, payload, size);
	} while (err == -ESTALE);
}

static ALWAYS_INLINE void send(const struct ltt_target *target, const uint64_t *payload, uint32_t size)
{
	const struct ltt_shm *shm = buffers_of(target);
	int err = shm->sequence_cpus ? ltt_shm_write(shm, target->id, payload, size) : -ENXIO;

	if (__builtin_expect(err == -EINTR || err == -ENXIO || err == -ESTALE, 0))
		send_again(target, err, payload, size);
}

/* Count an event that no buffer can hold.  A(successor:R): as in send_again(). */
static void lose(const struct ltt_target *target)
{
	const struct ltt_shm *shm = buffers_of(target);

	while (ltt_shm_lose(shm, ltt_shm_ring(shm, 0), -EMSGSIZE) == -ESTALE)
		shm = __atomic_load_n(&shm->successor, __ATOMIC_RELAXED);
}

/* Count an event that its filter has dropped.  A(successor:R): as in send_again(). */
static void drop(const struct ltt_target *target)
{
	const struct ltt_shm *shm = buffers_of(target);

	while (ltt_shm_filtered(shm) == -ESTALE)
		shm = __atomic_load_n(&shm->successor, __ATOMIC_RELAXED);
}

/* Write a record with the context of the channel.  ltt_shm_write() reads whole words. */
static void send_other(const struct ltt_target *target, const uint64_t *payload, uint32_t size,
		       struct ltt_origin origin)
{
	const struct ltt_shm *shm = buffers_of(target);
	uint32_t context = shm->context, depth = ltt_context_depth(context);
	uint64_t *words = alloca((LTT_THREAD_NAME_SIZE + LTT_STACK_SIZE(depth) + LTT_PERF_SIZE(context) + size + 7) / 8 * 8);
	char *start = (char *)words, *to = start;

	if (context & LTT_CONTEXT_TID)
		to = mempcpy(to, payload, sizeof(uint32_t));
	if (context & LTT_CONTEXT_PID)
		to = mempcpy(to, (const char *)payload + sizeof(uint32_t), sizeof(uint32_t));
	if (context & LTT_CONTEXT_NAME)
		to = ltt_thread_name(to);
	if (context & LTT_CONTEXT_STACK && depth)
		to = ltt_stack(to, depth, origin);
	if (context & LTT_CONTEXT_PERF)
		to = ltt_perf(to, shm);
	to = mempcpy(to, payload + 1, size - sizeof(uint64_t));
	send(target, words, to - start);
}

static __attribute__((noinline)) void send_any(const struct ltt_target *target, const uint64_t *payload,
					       uint32_t size, struct ltt_origin origin)
{
	if (buffers_of(target)->context == LTT_CONTEXT_USUAL)
		send(target, payload, size);
	else
		send_other(target, payload, size, origin);
}

/* Pack the event for one target. */
static __attribute__((noinline)) void pack_and_send(const struct ltt_target *target, const uint64_t *words,
						    unsigned int nr, struct ltt_origin origin)
{
	struct ltt_packing packing;
	size_t size = ltt_pack_measure(&packing, target->step, words, nr);
	uint64_t *payload;

	if (size == LTT_PACK_TOO_LARGE) {
		lose(target);
		return;
	}
	/* ltt_shm_write() reads whole words. */
	payload = alloca(sizeof(*payload) + (size + 7) / 8 * 8);
	payload[0] = context();
	size = ltt_pack((char *)&payload[1], &packing, target->step, words, nr);
	send_any(target, payload, sizeof(*payload) + size, origin);
}

/* The thread traces: context() is known. */
static void send_filtered(const struct ltt_target *target, const uint64_t *payload, uint32_t size,
			  const uint64_t *words, unsigned int nr, struct ltt_origin origin)
{
	const struct ltt_filter *filter;

	/* A(filter:R): load the filter and its address after @on; pairs with A(filter:S).  @on was TARGET_FILTERED,
	 * so there is a filter, whatever @on is by now. */
	(void)__atomic_load_n(&target->on, __ATOMIC_ACQUIRE);
	filter = __atomic_load_n(&target->filter, __ATOMIC_ACQUIRE);
	if (!ltt_filter_passes(filter, target->step, words, context()))
		drop(target);
	else if (payload)
		send_any(target, payload, size, origin);
	else
		pack_and_send(target, words, nr, origin);
}

/* A target that looks at the arguments themselves: a probe, or one with a filter.  @payload NULL: the event is not
 * packed yet. */
static __attribute__((noinline)) void send_by_arguments(const struct ltt_target *target, uint8_t on,
							const struct ltt_site *site, const uint64_t *payload,
							uint32_t size, const uint64_t *words, unsigned int nr,
							struct ltt_origin origin)
{
	if (on == TARGET_FILTERED)
		send_filtered(target, payload, size, words, nr, origin);
	else
		ltt_probe_call(target, site, words, nr);
}

/* A target with another context than the usual, or one of send_by_arguments(), whose call is a jump: so a target
 * without a filter does not pay for those with one. */
static __attribute__((noinline)) void send_specially(const struct ltt_target *target, uint8_t on,
						     const struct ltt_site *site, const uint64_t *payload,
						     uint32_t size, const uint64_t *words, unsigned int nr,
						     struct ltt_origin origin)
{
	if (on == TARGET_OTHER)
		send_other(target, payload, size, origin);
	else
		send_by_arguments(target, on, site, payload, size, words, nr, origin);
}

/* A(targets:R): load a target's members after its address; pairs with A(targets:S). */
static ALWAYS_INLINE const struct ltt_target *first_target(const struct ltt_site *site)
{
	return __atomic_load_n(&site->targets, __ATOMIC_ACQUIRE);
}

static ALWAYS_INLINE const struct ltt_target *next_target(const struct ltt_target *target)
{
	return __atomic_load_n(&target->next, __ATOMIC_ACQUIRE);
}

static void send_packed(const struct ltt_site *site, const uint64_t *payload, uint32_t size,
			const uint64_t *words, unsigned int nr, struct ltt_origin origin)
{
	const struct ltt_target *target;

	for (target = first_target(site); target; target = next_target(target)) {
		uint8_t on = __atomic_load_n(&target->on, __ATOMIC_RELAXED);

		if (__builtin_expect(on == TARGET_USUAL, 1))
			send(target, payload, size);
		else if (on)
			send_specially(target, on, site, payload, size, words, nr, origin);
	}
}

/* The event is too large, or no target needed its payload when the steps were looked for. */
static __attribute__((noinline)) void send_unpacked(const struct ltt_site *site, const uint64_t *words,
						    unsigned int nr, struct ltt_origin origin)
{
	const struct ltt_target *target;

	for (target = first_target(site); target; target = next_target(target)) {
		uint8_t on = __atomic_load_n(&target->on, __ATOMIC_RELAXED);

		if (on >= TARGET_PROBE)
			send_by_arguments(target, on, site, NULL, 0, words, nr, origin);
		else if (on)
			pack_and_send(target, words, nr, origin);
	}
}

/* All targets of a site have the same steps.  Return: NULL if it has only those that need no payload
 * before their turn: a filter may drop the event. */
static const struct ltt_mark_step *find_steps(const struct ltt_site *site)
{
	const struct ltt_target *target;

	for (target = first_target(site); target; target = next_target(target))
		if (__atomic_load_n(&target->on, __ATOMIC_RELAXED) < TARGET_PROBE)
			return target->step;
	return NULL;
}

/* An event with text or arrays.  It takes the stack that it needs, up to 9 KiB: a handler on
 * a small stack can emit a short one. */
static __attribute__((noinline)) void emit_packed(const struct ltt_site *site, const uint64_t *words,
						  unsigned int nr, struct ltt_origin origin)
{
	const struct ltt_mark_step *step = find_steps(site);
	uint64_t *payload, word = context();
	struct ltt_packing packing;
	size_t size;

	if (!word)
		return;
	size = step ? ltt_pack_measure(&packing, step, words, nr) : LTT_PACK_TOO_LARGE;
	if (size == LTT_PACK_TOO_LARGE) {
		send_unpacked(site, words, nr, origin);
		return;
	}
	/* ltt_shm_write() reads whole words. */
	payload = alloca(sizeof(word) + (size + 7) / 8 * 8);
	payload[0] = word;
	size = ltt_pack((char *)&payload[1], &packing, step, words, nr);
	send_packed(site, payload, sizeof(word) + size, words, nr, origin);
}

/* @origin: NULL if the program has called the function that this is inlined in: nothing is loaded
 * where no call stack is recorded. */
static ALWAYS_INLINE void emit(const struct ltt_site *site, const uint64_t *words, unsigned int nr,
			       const struct ltt_origin *origin)
{
	uint64_t payload[1 + LTT_MARK_MAX_ARGS];
	const struct ltt_target *target;
	uint8_t on;
	char *end;

	/* Not by value; or 0, if the site has just been switched off. */
	if (__builtin_expect(__atomic_load_n(&site->enabled, __ATOMIC_RELAXED) != SITE_BY_VALUE, 0)) {
		emit_packed(site, words, nr, origin ? *origin : LTT_ORIGIN());
		return;
	}
	payload[0] = context();
	if (!payload[0])
		return;
	end = pack_values((char *)&payload[1], site, words, nr);
	for (target = first_target(site); target; target = next_target(target)) {
		on = __atomic_load_n(&target->on, __ATOMIC_RELAXED);
		if (__builtin_expect(on == TARGET_USUAL, 1))
			send(target, payload, end - (char *)payload);
		else if (on)
			send_specially(target, on, site, payload, end - (char *)payload, words, nr,
				       origin ? *origin : LTT_ORIGIN());
	}
}

void ltt_mark_0(struct ltt_site *site)
{
	emit(site, NULL, 0, NULL);
}

#define MARK(nr, parameters, ...)				\
void ltt_mark_##nr(struct ltt_site *site, PARAMETERS parameters)	\
{								\
	const uint64_t words[] = { __VA_ARGS__ };		\
								\
	emit(site, words, nr, NULL);				\
}
#define PARAMETERS(...)	__VA_ARGS__
#define WORD		unsigned long long

MARK(1, (WORD a), a)
MARK(2, (WORD a, WORD b), a, b)
MARK(3, (WORD a, WORD b, WORD c), a, b, c)
MARK(4, (WORD a, WORD b, WORD c, WORD d), a, b, c, d)
MARK(5, (WORD a, WORD b, WORD c, WORD d, WORD e), a, b, c, d, e)

void ltt_mark_words(const struct ltt_site *site, const uint64_t *words, unsigned int nr,
		    struct ltt_origin origin)
{
	emit(site, words, nr, &origin);
}

void ltt_mark_many(struct ltt_site *site, ...)
{
	unsigned int i, nr = site->nr_args < LTT_MARK_MAX_ARGS ? site->nr_args : LTT_MARK_MAX_ARGS;
	uint64_t words[LTT_MARK_MAX_ARGS];
	va_list args;

	va_start(args, site);
	for (i = 0; i < nr; i++)
		words[i] = va_arg(args, unsigned long long);
	va_end(args);
	ltt_mark_words(site, words, nr, LTT_ORIGIN());
}
