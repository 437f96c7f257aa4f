// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * An event, from the arguments of a trace_mark() to the buffers of all its targets.
 *
 * A record's payload is the context and then the fields, without padding.  The context is
 * the thread id and the process id, unless the channel has another.
 *
 * An event with few values, no text and this context is stored straight from registers, see
 * emit_values(), and one with the name of the thread as well by stores_named().  The payload of any other
 * is built on the stack and copied from there within a restartable sequence, which the kernel may restart.
 * pack.c has the fields of events with text and arrays.
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
#include "own-values.h"
#include "pack.h"
#include "perf.h"
#include "probe.h"
#include "sequence.h"
#include "sites.h"
#include "thread-name.h"
#include "thread.h"
#include "write.h"

#define ALWAYS_INLINE	inline __attribute__((always_inline))

/* A definition that leaves out the model has the default one, with a call of the loader. */
__thread uint64_t ltt_context __attribute__((tls_model("initial-exec")));

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
	const int saved = errno;
	uint64_t context;
	uint32_t tid;

	if (ltt_context == LTT_CONTEXT_OFF)
		return 0;
	ltt_set_process_active();
	tid = syscall(SYS_gettid);
	errno = saved;
	/* A sandbox that refuses the call leaves -1, which must not reach the process id. */
	context = (tid & ((1U << LTT_TASK_ID_BITS) - 1)) | (uint64_t)getpid() << LTT_TASK_ID_BITS;
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
 * registered any more, as at exit(), keep the old ones.  Return: as send(). */
static __attribute__((noinline)) int send_again(const struct ltt_target *target, int err, const uint64_t *payload,
						uint32_t size, uint64_t until)
{
	const struct ltt_shm *shm = buffers_of(target), *next;

	do {
		/* A(successor:R): loads of the buffers after that of their address, as they depend
		 * on it; pairs with A(successor:S). */
		while ((next = __atomic_load_n(&shm->successor, __ATOMIC_RELAXED)))
			shm = next;
		if (err == -ESTALE)
			err = ltt_shm_write(shm, target->id, payload, size, until);
		if (err == -EINTR || err == -ENXIO)
			err = ltt_own_write(shm, target->id, payload, size, until);
	} while (err == -ESTALE);
	return err;
}

/* Return: -ETIME: nothing is written, as it is later than @until; else any. */
static ALWAYS_INLINE int send(const struct ltt_target *target, const uint64_t *payload, uint32_t size, uint64_t until)
{
	const struct ltt_shm *shm = buffers_of(target);
	int err = shm->sequence_cpus ? ltt_shm_write(shm, target->id, payload, size, until) : -ENXIO;

	if (__builtin_expect(err == -EINTR || err == -ENXIO || err == -ESTALE, 0))
		err = send_again(target, err, payload, size, until);
	return err;
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

/* The fields of the context of a channel.  @ids: of the thread, as in ltt_context.  @until: set to when the name of the
 * thread is too old.  Bytes behind them are overwritten, up to the size of a name. */
static ALWAYS_INLINE char *put_context(char *to, const struct ltt_shm *shm, uint64_t ids, struct ltt_origin origin,
				       uint64_t *until)
{
	uint32_t context = shm->context, depth = ltt_context_depth(context);

	if (context & LTT_CONTEXT_TID)
		to = put(to, ids, LTT_TASK_ID_SIZE);
	if (context & LTT_CONTEXT_PID)
		to = put(to, ids >> LTT_TASK_ID_BITS, LTT_TASK_ID_SIZE);
	if (context & LTT_CONTEXT_NAME)
		to = ltt_thread_name_known(to, until);
	if (context & LTT_CONTEXT_STACK && depth)
		to = ltt_stack(to, depth, origin);
	if (context & LTT_CONTEXT_PERF)
		to = ltt_perf(to, shm);
	return to;
}

/* Words for a record of values with the ids and the name of the thread. */
#define WORDS_OF_VALUES	((LTT_CONTEXT_USUAL_SIZE + LTT_THREAD_NAME_SIZE) / sizeof(uint64_t) + 2 + LTT_MARK_MAX_ARGS)

/* The same with the context of a channel.  @size: of the fields of the event. */
static ALWAYS_INLINE size_t words_for(const struct ltt_shm *shm, uint32_t size)
{
	return (LTT_CONTEXT_USUAL_SIZE + LTT_THREAD_NAME_SIZE + LTT_STACK_SIZE(ltt_context_depth(shm->context)) +
		LTT_PERF_SIZE(shm->context) + size) / sizeof(uint64_t) + 2;
}

/* Put the name that the thread has now into a payload that ends at @end.  All else stays: a counter that could not be
 * read has been counted as missing. */
static char *renew_name(char *payload, char *end, uint32_t context)
{
	char *name = payload + LTT_TASK_ID_SIZE * __builtin_popcount(context & LTT_CONTEXT_USUAL);
	size_t before = strnlen(name, LTT_THREAD_NAME_SIZE - 1) + 1, rest = end - name - before, size;
	char known[LTT_THREAD_NAME_SIZE];
	uint64_t until;

	ltt_thread_name_ask();
	size = ltt_thread_name_known(known, &until) - known;
	memmove(name + size, name + before, rest);
	memcpy(name, known, size);
	return name + size + rest;
}

/* Write a record that ends at @end and has the @context of its channel.  The time of the record shows whether the name
 * of the thread is too old, so that no event needs the counter twice. */
static ALWAYS_INLINE void send_other(const struct ltt_target *target, uint32_t context, uint64_t *words, char *end,
				     uint64_t until)
{
	if (__builtin_expect(send(target, words, end - (char *)words, until) != -ETIME, 1))
		return;
	end = renew_name((char *)words, end, context);
	send(target, words, end - (char *)words, UINT64_MAX);
}

/* @payload: with the usual context, in whose place that of the channel comes. */
static void send_packed(const struct ltt_target *target, const uint64_t *payload, uint32_t size,
			struct ltt_origin origin)
{
	const struct ltt_shm *shm = buffers_of(target);
	uint64_t *words = alloca(words_for(shm, size) * sizeof(*words)), until = UINT64_MAX;
	char *end = put_context((char *)words, shm, payload[0], origin, &until);

	end = mempcpy(end, (const char *)payload + LTT_CONTEXT_USUAL_SIZE, size - LTT_CONTEXT_USUAL_SIZE);
	send_other(target, shm->context, words, end, until);
}

/* The values are packed behind the context at once: to copy what has just been packed makes the CPU wait for it. */
static void send_values(const struct ltt_target *target, const struct ltt_site *site, const uint64_t *values,
			unsigned int nr, uint64_t ids, struct ltt_origin origin)
{
	const struct ltt_shm *shm = buffers_of(target);
	uint64_t few[WORDS_OF_VALUES], *words = few, until = UINT64_MAX;
	char *end;

	if (shm->context & (LTT_CONTEXT_STACK | LTT_CONTEXT_PERF))
		words = alloca(words_for(shm, nr * sizeof(*values)) * sizeof(*words));
	end = put_context((char *)words, shm, ids, origin, &until);
	send_other(target, shm->context, words, pack_values(end, site, values, nr), until);
}

static ALWAYS_INLINE void send_any(const struct ltt_target *target, const uint64_t *payload, uint32_t size,
				   struct ltt_origin origin)
{
	if (buffers_of(target)->context == LTT_CONTEXT_USUAL)
		send(target, payload, size, UINT64_MAX);
	else
		send_packed(target, payload, size, origin);
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
	size = ltt_pack((char *)payload + LTT_CONTEXT_USUAL_SIZE, &packing, target->step, words, nr);
	send_any(target, payload, LTT_CONTEXT_USUAL_SIZE + size, origin);
}

/* Run the filter of a target, and count the event if it is dropped.  The thread traces: context() is known. */
static ALWAYS_INLINE bool passes(const struct ltt_target *target, const uint64_t *words, uint64_t context)
{
	const struct ltt_filter *filter;

	/* A(filter:R): load the filter and its address after @on; pairs with A(filter:S).  @on was TARGET_FILTERED,
	 * so there is a filter, whatever @on is by now. */
	(void)__atomic_load_n(&target->on, __ATOMIC_ACQUIRE);
	filter = __atomic_load_n(&target->filter, __ATOMIC_ACQUIRE);
	if (ltt_filter_passes(filter, target->step, words, context))
		return true;
	drop(target);
	return false;
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

/* @payload NULL: the event is not packed yet, as it is too large for all targets, or as none needed its payload when
 * the steps were looked for. */
static void send_to_all(const struct ltt_site *site, const uint64_t *payload, uint32_t size, const uint64_t *words,
			unsigned int nr, struct ltt_origin origin)
{
	const struct ltt_target *target;

	for (target = first_target(site); target; target = next_target(target)) {
		uint8_t on = __atomic_load_n(&target->on, __ATOMIC_RELAXED);

		if (__builtin_expect(on == TARGET_USUAL && payload, 1))
			send(target, payload, size, UINT64_MAX);
		else if (on == TARGET_OFF || (on == TARGET_FILTERED && !passes(target, words, context())))
			continue;
		else if (on == TARGET_PROBE)
			ltt_probe_call(target, site, words, nr);
		else if (payload)
			send_any(target, payload, size, origin);
		else
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

/* An event with text or arrays.  It takes the stack that it needs, up to 9 KiB, and twice as much in send_packed(): a
 * handler on a small stack can emit a short one. */
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
		send_to_all(site, NULL, 0, words, nr, origin);
		return;
	}
	/* ltt_shm_write() reads whole words. */
	payload = alloca(sizeof(word) + (size + 7) / 8 * 8);
	payload[0] = word;
	size = ltt_pack((char *)payload + LTT_CONTEXT_USUAL_SIZE, &packing, step, words, nr);
	send_to_all(site, payload, LTT_CONTEXT_USUAL_SIZE + size, words, nr, origin);
}

/* Store a record with the ids and the name of the thread straight in the ring, if it has few values.  The name is not asked
 * for here: where it is too old, send_values() renews it. */
static ALWAYS_INLINE bool stores_named(const struct ltt_target *target, uint64_t ids, const uint64_t *words,
				       unsigned int nr)
{
	const struct ltt_shm *shm = buffers_of(target);

	return shm->context == (LTT_CONTEXT_USUAL | LTT_CONTEXT_NAME) && nr <= LTT_VALUES_MAX &&
	       ltt_sequence_named(shm, &target->layout, ids, &ltt_thread_name, words, nr) == LTT_SEQUENCE_DONE;
}

/* Write an event by value to the targets of a site from @target on, with any context and filter. */
static __attribute__((noinline)) void emit_from(const struct ltt_target *target, const struct ltt_site *site,
						const uint64_t *words, unsigned int nr, struct ltt_origin origin)
{
	uint64_t payload[1 + LTT_MARK_MAX_ARGS];
	uint32_t size = 0;
	uint8_t on;

	payload[0] = context();
	if (!payload[0])
		return;
	for (; target; target = next_target(target)) {
		on = __atomic_load_n(&target->on, __ATOMIC_RELAXED);
		if (on == TARGET_OFF || (on == TARGET_FILTERED && !passes(target, words, payload[0])))
			continue;
		if (on == TARGET_PROBE) {
			ltt_probe_call(target, site, words, nr);
			continue;
		}
		if (buffers_of(target)->context != LTT_CONTEXT_USUAL) {
			if (!stores_named(target, payload[0], words, nr))
				send_values(target, site, words, nr, payload[0], origin);
			continue;
		}
		if (!size)
			size = pack_values((char *)payload + LTT_CONTEXT_USUAL_SIZE, site, words, nr) - (char *)payload;
		send(target, payload, size, UINT64_MAX);
	}
}

static __attribute__((noinline)) void emit(const struct ltt_site *site, const uint64_t *words, unsigned int nr,
					   struct ltt_origin origin)
{
	/* Text or arrays; or 0, if the site has just been switched off. */
	if (__atomic_load_n(&site->enabled, __ATOMIC_RELAXED) != SITE_BY_VALUE)
		emit_packed(site, words, nr, origin);
	else
		emit_from(first_target(site), site, words, nr, origin);
}

/* Write an event of few values straight to the rings.  Return: NULL; or the first target that needs emit_rest(). */
static ALWAYS_INLINE const struct ltt_target *emit_values(const struct ltt_site *site, uint64_t context,
							  unsigned int nr, uint64_t a, uint64_t b, uint64_t c,
							  uint64_t d, uint64_t e)
{
	const struct ltt_target *target;
	uint8_t on;

	for (target = first_target(site); target; target = next_target(target)) {
		on = __atomic_load_n(&target->on, __ATOMIC_RELAXED);
		if (__builtin_expect(on == TARGET_USUAL, 1)) {
			if (__builtin_expect(ltt_sequence_values(buffers_of(target), &target->layout, context, nr, a, b,
								 c, d, e) == LTT_SEQUENCE_DONE, 1))
				continue;
		} else if (on == TARGET_OFF) {
			continue;
		}
		return target;
	}
	return NULL;
}

/* Does a target need an event of few values in the ring that the thread owns? */
static ALWAYS_INLINE bool needs_own(const struct ltt_target *target)
{
	/* A probe has no buffers. */
	return __atomic_load_n(&target->on, __ATOMIC_RELAXED) == TARGET_USUAL && !buffers_of(target)->sequence_cpus;
}

static __attribute__((noinline)) void emit_after_own(const struct ltt_target *target, const uint64_t *words,
						     unsigned int nr, struct ltt_origin origin,
						     enum ltt_own_result result)
{
	if (result == LTT_OWN_UNFINISHED || result == LTT_OWN_FAILED)
		ltt_own_finish(result);
	if (result == LTT_OWN_UNFINISHED)
		target = next_target(target);
	if (target)
		emit_from(target, target->site, words, nr, origin);
}

#define MARK(nr, parameters, arguments, values, ...)			\
/* As emit_from(), with the first target's record in the ring that the thread owns. */ \
static __attribute__((noinline)) void emit_own_##nr(const struct ltt_target *target, uint64_t context \
						    PARAMETERS parameters, struct ltt_origin origin) \
{									\
	enum ltt_own_result result = ltt_own_values(buffers_of(target), &target->layout, context, nr, \
						    PARAMETERS values);	\
									\
	if (__builtin_expect(result == LTT_OWN_STORED, 1)) {		\
		target = next_target(target);				\
		result = LTT_OWN_NONE;					\
	}								\
	if (__builtin_expect(!!target, 0)) {				\
		const uint64_t words[] = { __VA_ARGS__ };		\
									\
		emit_after_own(target, words, nr, origin, result);	\
	}								\
}									\
									\
void ltt_mark_##nr(struct ltt_site *site PARAMETERS parameters)		\
{									\
	uint64_t context = __atomic_load_n(&ltt_context, __ATOMIC_RELAXED); \
	const struct ltt_target *left;					\
									\
	if (__builtin_expect((int64_t)context <= 0 ||			\
			     __atomic_load_n(&site->enabled, __ATOMIC_RELAXED) != SITE_BY_VALUE, 0)) { \
		const uint64_t words[] = { __VA_ARGS__ };		\
									\
		emit(site, words, nr, LTT_ORIGIN());			\
		return;							\
	}								\
	left = emit_values(site, context, nr, PARAMETERS values);	\
	if (__builtin_expect(!left, 1))					\
		return;							\
	if (needs_own(left)) {						\
		emit_own_##nr(left, context PARAMETERS arguments, LTT_ORIGIN()); \
	} else {							\
		const uint64_t words[] = { __VA_ARGS__ };		\
									\
		emit_from(left, left->site, words, nr, LTT_ORIGIN());	\
	}								\
}
#define PARAMETERS(...)	__VA_ARGS__
#define WORD		unsigned long long

MARK(0, (), (), (0, 0, 0, 0, 0), 0)
MARK(1, (, WORD a), (, a), (a, 0, 0, 0, 0), a)
MARK(2, (, WORD a, WORD b), (, a, b), (a, b, 0, 0, 0), a, b)
MARK(3, (, WORD a, WORD b, WORD c), (, a, b, c), (a, b, c, 0, 0), a, b, c)
MARK(4, (, WORD a, WORD b, WORD c, WORD d), (, a, b, c, d), (a, b, c, d, 0), a, b, c, d)
MARK(5, (, WORD a, WORD b, WORD c, WORD d, WORD e), (, a, b, c, d, e), (a, b, c, d, e), a, b, c, d, e)

void ltt_mark_words(const struct ltt_site *site, const uint64_t *words, unsigned int nr,
		    struct ltt_origin origin)
{
	emit(site, words, nr, origin);
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
