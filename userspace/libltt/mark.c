// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * An event, from the arguments of a trace_mark() to the buffers of all its targets.
 *
 * A record's payload is the context and then the fields, each of its type's size, without
 * padding.  The context is the thread id and the process id, unless the channel has
 * another.  The payload is built on the stack and copied from there within a restartable
 * sequence, which the kernel may restart.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "own.h"
#include "probe.h"
#include "sites.h"
#include "thread.h"
#include "write.h"

#define NAME_SIZE	16	/* of a thread, with its NUL */
#define ALWAYS_INLINE	inline __attribute__((always_inline))

__thread uint64_t ltt_context;

void ltt_thread_forget(void)
{
	ltt_context = 0;
	ltt_own_forget();
}

/* Return: the context; 0 if the thread does not trace. */
static __attribute__((noinline)) uint64_t learn_context(void)
{
	if (ltt_context == LTT_CONTEXT_OFF)
		return 0;
	ltt_context = (uint32_t)syscall(SYS_gettid) | (uint64_t)getpid() << 32;
	return ltt_context;
}

/* ---- Packing ---- */

/* Always stores 8 bytes: the buffer has room, and the next field overwrites the excess. */
static ALWAYS_INLINE char *put(char *to, uint64_t word, size_t size)
{
	memcpy(to, &word, sizeof(word));
	return to + size;
}

/* If another thread changes the string meanwhile, the field ends where the copy has its NUL.
 * Not inline, so that events without strings stay short. */
static __attribute__((noinline)) char *put_string(char *to, const char *from, size_t size)
{
	size_t len;

	if (!from)
		from = "(null)";
	len = strnlen(from, size - 1);
	memcpy(to, from, len);
	to[len] = '\0';
	return to + strlen(to) + 1;
}

static ALWAYS_INLINE char *pack(char *to, const char *end, const struct ltt_site *site,
				const uint64_t *words, unsigned int nr)
{
	unsigned int i;

#pragma GCC unroll 5
	for (i = 0; i < nr; i++) {
		uint32_t arg = site->args[i];

		if (__builtin_expect((arg & 0xff) == LTT_MARK_STRING, 0)) {
			/* Each later argument keeps 8 bytes. */
			size_t room = end - to - 8 * (nr - 1 - i);

			to = put_string(to, (const char *)(uintptr_t)words[i],
					room < LTT_MARK_STRING_MAX ? room : LTT_MARK_STRING_MAX);
		} else {
			to = put(to, words[i], arg >> 8 & 0xff);
		}
	}
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
	int err = ltt_shm_write(buffers_of(target), target->id, payload, size);

	if (__builtin_expect(err == -EINTR || err == -ENXIO || err == -ESTALE, 0))
		send_again(target, err, payload, size);
}

/* Write a record with the context of the channel.  The thread's name can change at any time,
 * so the kernel is asked for it each time. */
static void send_other(const struct ltt_target *target, const uint64_t *payload, uint32_t size)
{
	uint64_t words[(sizeof(uint64_t) + NAME_SIZE + LTT_MARK_PAYLOAD_MAX) / 8 + 1];
	char *start = (char *)words, *to = start, name[NAME_SIZE] = "";
	uint32_t context = buffers_of(target)->context;

	if (context & LTT_CONTEXT_TID)
		to = mempcpy(to, payload, sizeof(uint32_t));
	if (context & LTT_CONTEXT_PID)
		to = mempcpy(to, (const char *)payload + sizeof(uint32_t), sizeof(uint32_t));
	if (context & LTT_CONTEXT_NAME) {
		prctl(PR_GET_NAME, name);
		to = stpcpy(to, name) + 1;
	}
	to = mempcpy(to, payload + 1, size - sizeof(uint64_t));
	send(target, words, to - start);
}

/* A target with another context than the usual, or a probe. */
static __attribute__((noinline)) void send_specially(const struct ltt_target *target, uint8_t on,
						     const struct ltt_site *site, const uint64_t *payload,
						     uint32_t size, const uint64_t *words, unsigned int nr)
{
	if (on == TARGET_OTHER)
		send_other(target, payload, size);
	else
		ltt_probe_call(target, site, words, nr);
}

static ALWAYS_INLINE void emit(const struct ltt_site *site, const uint64_t *words, unsigned int nr)
{
	uint64_t payload[1 + LTT_MARK_PAYLOAD_MAX / 8];
	const struct ltt_target *target;
	uint8_t on;
	char *end;

	/* Neither 0 nor LTT_CONTEXT_OFF. */
	payload[0] = __builtin_expect(ltt_context + 1 > 1, 1) ? ltt_context : learn_context();
	if (!payload[0])
		return;
	end = pack((char *)&payload[1], (const char *)payload + sizeof(payload), site, words, nr);
	/* A(targets:R): load a target's members after its address; pairs with A(targets:S). */
	for (target = __atomic_load_n(&site->targets, __ATOMIC_ACQUIRE); target;
	     target = __atomic_load_n(&target->next, __ATOMIC_ACQUIRE)) {
		on = __atomic_load_n(&target->on, __ATOMIC_RELAXED);
		if (__builtin_expect(on == TARGET_USUAL, 1))
			send(target, payload, end - (char *)payload);
		else if (on)
			send_specially(target, on, site, payload, end - (char *)payload, words, nr);
	}
}

void ltt_mark_0(struct ltt_site *site)
{
	emit(site, NULL, 0);
}

#define MARK(nr, parameters, ...)				\
void ltt_mark_##nr(struct ltt_site *site, PARAMETERS parameters)	\
{								\
	const uint64_t words[] = { __VA_ARGS__ };		\
								\
	emit(site, words, nr);					\
}
#define PARAMETERS(...)	__VA_ARGS__
#define WORD		unsigned long long

MARK(1, (WORD a), a)
MARK(2, (WORD a, WORD b), a, b)
MARK(3, (WORD a, WORD b, WORD c), a, b, c)
MARK(4, (WORD a, WORD b, WORD c, WORD d), a, b, c, d)
MARK(5, (WORD a, WORD b, WORD c, WORD d, WORD e), a, b, c, d, e)

void ltt_mark_many(struct ltt_site *site, ...)
{
	unsigned int i, nr = site->nr_args < LTT_MARK_MAX_ARGS ? site->nr_args : LTT_MARK_MAX_ARGS;
	uint64_t words[LTT_MARK_MAX_ARGS];
	va_list args;

	va_start(args, site);
	for (i = 0; i < nr; i++)
		words[i] = va_arg(args, unsigned long long);
	va_end(args);
	emit(site, words, nr);
}
