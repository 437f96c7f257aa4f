/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace_mark() in the kernel: the site descriptor, and how a site sends an event.
 *
 * Layer: markers.  Compiled into drivers, which must load without LTT: this file
 * calls no function of LTT by name.  Drivers include marker.h.
 *
 * A site is a static descriptor that begins with a kernel tracepoint and is listed
 * with the module's tracepoints.  So the kernel patches the site's no-op, notifies
 * ltt-markers when the module comes and goes (also of modules that were loaded
 * first), and frees a site's list of probes when no CPU uses it any more.  The name
 * of the tracepoint starts with LTT_MARK_PREFIX, which distinguishes our tracepoints
 * from the kernel's own and carries the version of struct ltt_mark_site and of
 * struct ltt_sink.
 *
 * The instrumented function contains only the no-op and, out of line, a call with
 * the arguments in registers.  A function of its own (one per source file) builds the
 * payload of integers and short texts.  On the stack of the instrumented function the payload
 * would cost frame space and a stack protector at every call, even while the marker is off.
 * ltt-markers builds any other payload, in memory of its own: it has given the site the
 * address of the function for that before any probe was connected.
 *
 * A probe is ltt_sink.write with the sink as its data; the site asks ltt_sink_wants()
 * first.  If an argument is a pointer and there is one probe, the site asks that and
 * ltt_sink_has_room() before it builds the payload: few instructions against many.  A site that
 * may sleep also asks each sink for something to wait for, and waits after the last probe has
 * returned.
 *
 * In a driver whose markers are raw tracepoints, too, marker-raw.h adds these.  An emitter gets the place
 * of a site: the site itself, or in such a driver both.
 *
 * Drivers do not have modules/compat, so this file adapts to kernels by itself: to
 * those without __DO_TRACE() and to those without __no_stack_protector.
 */
#ifndef LTT_MARKER_KERNEL_H
#define LTT_MARKER_KERNEL_H

#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/jump_label.h>
#include <linux/preempt.h>
#include <linux/stdarg.h>
#include <linux/tracepoint.h>

#include <asm/page.h>

#include "marker-string.h"
#include "marker-types.h"
#include "sink.h"

#define LTT_MARK_PREFIX	"ltt5:"

/* A payload on the stack has room for integers and two texts of up to 255 bytes. */
#define LTT_MARK_SHORT_TEXT	256
#define LTT_MARK_SHORT_TEXTS	2

struct ltt_mark_site;

/**
 * ltt_mark_fire_fn - pack and send an event with text or arrays
 * @site: its site
 * @words: the arguments, extended to 64 bits; changed
 * @probe: see ltt_mark_call_all(), as for the other
 * @pause: "
 *
 * Context: that of ltt_mark_write().
 */
typedef void ltt_mark_fire_fn(struct ltt_mark_site *site, u64 *words, struct tracepoint_func *probe,
			      struct ltt_pause **pause);

/**
 * struct ltt_mark_site - one trace_mark() in the source
 * @tp: the tracepoint; its name is LTT_MARK_PREFIX "group:name"
 * @group: the marker's group
 * @name: the marker's name
 * @format: the format as written in the source
 * @file: source file
 * @line: line in @file
 * @nr_args: number of elements in @steps and @args
 * @room: ltt-markers: room that texts and sequences have in the payload, see
 *	ltt_mark_room()
 * @fire: NULL if each argument is recorded by its value, else a function of ltt-markers; set
 *	before the first probe is connected, and valid while one is
 * @may_be_short: ltt-markers: beside values there are LTT_MARK_SHORT_TEXTS texts at most, and
 *	nothing else: @fire is for texts that are not short
 * @steps: ltt-markers: how to pack the arguments
 * @args: types of the arguments
 */
struct ltt_mark_site {
	struct tracepoint tp;
	const char *group;
	const char *name;
	const char *format;
	const char *file;
	unsigned int line;
	unsigned int nr_args;
	int room;
	bool may_be_short;
	ltt_mark_fire_fn *fire;
	struct ltt_mark_step *steps;
	struct ltt_mark_arg args[];
};

#include "marker-raw.h"

#ifndef __no_stack_protector
#if __has_attribute(__no_stack_protector__)
#define __no_stack_protector	__attribute__((__no_stack_protector__))
#else
#define __no_stack_protector	__attribute__((__optimize__("-fno-stack-protector")))
#endif
#endif

/* No stack protector: it would add a quarter to the work, and all stores are bounded. */
#define LTT_MARK_EMIT	static noinline notrace __maybe_unused __no_stack_protector void

/* ---- Packing and sending, in the walk of the probes ---- */

/**
 * ltt_mark_put() - pack an integer
 * @to: 8 bytes, all of which are stored; the next argument overwrites the surplus
 * @word: the integer, extended to 64 bits
 * @size: its bytes: 1, 2, 4 or 8
 *
 * Context: any.
 * Return: the place of the next argument.
 */
static __always_inline u8 *ltt_mark_put(u8 *to, u64 word, size_t size)
{
#ifdef __BIG_ENDIAN
	word <<= 64 - 8 * size;
#endif
	__builtin_memcpy(to, &word, sizeof(word));
	return to + size;
}

/* The first sink of an event that has something to wait for gives it to a site that may sleep. */
static __always_inline void ltt_mark_take_pause(const struct ltt_sink *sink,
						struct ltt_pause **pause)
{
	if (pause && sink->pause && !*pause)
		*pause = sink->pause(sink);
}

/**
 * ltt_mark_sink() - find the sink of a probe
 * @probe: the probe
 *
 * Read it once for each event, because ltt-markers may replace it; and call its own function, not
 * that of @probe, which may already be of another sink.
 *
 * Context: any, NMI included; preemption off; in the kernel's walk of the probes.
 * Return: the sink.
 */
static __always_inline const struct ltt_sink *ltt_mark_sink(const struct tracepoint_func *probe)
{
	return READ_ONCE(probe->data);
}

/**
 * ltt_mark_write() - send an event to a sink
 * @sink: the sink; it wants the event
 * @payload: @len bytes, packed; or NULL, see &ltt_sink.write
 * @len: 0 to LTT_MARK_PAYLOAD_MAX, or what stands for a payload
 * @pause: NULL, or receives the object that a site that may sleep is to wait for
 *
 * Context: that of ltt_mark_sink().
 */
static __always_inline void ltt_mark_write(const struct ltt_sink *sink, const void *payload,
					   size_t len, struct ltt_pause **pause)
{
	sink->write(sink, payload, len);
	ltt_mark_take_pause(sink, pause);
}

/**
 * ltt_mark_call_several() - call the probes in a list, each if its sink wants the event
 * @probe: the first
 * @payload: see ltt_mark_write(), as for the others
 * @len: "
 * @pause: "
 *
 * A function of its own, so that the emitters, which mostly have one probe to call, save no
 * registers for this loop.
 *
 * Context: that of ltt_mark_write().
 */
LTT_MARK_EMIT ltt_mark_call_several(struct tracepoint_func *probe, const void *payload, size_t len,
				    struct ltt_pause **pause)
{
	const struct ltt_sink *sink;

	do {
		sink = ltt_mark_sink(probe);
		if (ltt_sink_wants(sink))
			ltt_mark_write(sink, payload, len, pause);
	} while ((++probe)->func);
}

/**
 * ltt_mark_is_only() - check whether a probe is the only one in its list
 * @probe: the first
 *
 * Context: that of ltt_mark_write().
 * Return: true if no probe follows.
 */
static __always_inline bool ltt_mark_is_only(const struct tracepoint_func *probe)
{
	return likely(!probe[1].func);
}

/**
 * ltt_mark_call_all() - call the probes in a list with a payload
 * @probe: the first; if it is the only one, its sink wants the event
 * @payload: see ltt_mark_write(), as for the others
 * @len: "
 * @pause: "
 *
 * Context: that of ltt_mark_write().
 */
static __always_inline void ltt_mark_call_all(struct tracepoint_func *probe, const void *payload,
					      size_t len, struct ltt_pause **pause)
{
	if (ltt_mark_is_only(probe))
		ltt_mark_write(ltt_mark_sink(probe), payload, len, pause);
	else
		ltt_mark_call_several(probe, payload, len, pause);
}

/**
 * ltt_mark_refuse() - count an event that the full buffer of a sink refuses
 * @sink: the sink, which has no room
 * @pause: see ltt_mark_write()
 *
 * Context: that of ltt_mark_write().
 */
static __always_inline void ltt_mark_refuse(const struct ltt_sink *sink, struct ltt_pause **pause)
{
	sink->refuse(sink);
	ltt_mark_take_pause(sink, pause);
}

/**
 * ltt_mark_ints_call() - pack arguments that are integers, and call the probes of a site
 * @site: the site
 * @words: its arguments, extended to 64 bits
 * @nr: how many, a constant from 0 to 5
 *
 * Context: that of ltt_mark_write().
 */
static __always_inline void ltt_mark_ints_call(struct ltt_mark_site *site, const u64 *words,
					       unsigned int nr)
{
	struct tracepoint_func *probe = rcu_dereference_raw(site->tp.funcs);
	u8 payload[5 * sizeof(u64)] __uninitialized;
	const struct ltt_sink *sink;
	size_t len = 0;
	unsigned int i;

	/* The last probe may have been removed after the branch was taken. */
	if (unlikely(!probe))
		return;
	for (i = 0; i < nr; i++) {
		ltt_mark_put(payload + len, words[i], site->args[i].size);
		len += site->args[i].size;
	}
	if (!ltt_mark_is_only(probe)) {
		ltt_mark_call_several(probe, nr ? payload : (const u8 *)"", len, NULL);
		return;
	}
	sink = ltt_mark_sink(probe);
	if (ltt_sink_wants(sink))
		ltt_mark_write(sink, nr ? payload : (const u8 *)"", len, NULL);
}

/**
 * ltt_mark_is_bad() - find a pointer that cannot point to anything
 * @word: the pointer
 *
 * Context: any.
 * Return: true for NULL, an error, and one into the first page.
 */
static __always_inline bool ltt_mark_is_bad(u64 word)
{
	return (unsigned long)word - PAGE_SIZE >= (unsigned long)-MAX_ERRNO - PAGE_SIZE;
}

/**
 * ltt_mark_text() - get the text that an argument points to
 * @word: the pointer
 *
 * Context: any.
 * Return: the text; for a bad pointer what printk() prints.
 */
static __always_inline const char *ltt_mark_text(u64 word)
{
	if (unlikely(ltt_mark_is_bad(word)))
		return word ? "(efault)" : "(null)";
	return (const char *)(unsigned long)word;
}

/**
 * ltt_mark_pack_short() - pack integers and short texts
 * @to: room for LTT_MARK_MAX_ARGS integers and LTT_MARK_SHORT_TEXTS texts
 * @site: the site; it may be short
 * @words: its arguments, extended to 64 bits
 * @nr: how many
 *
 * Context: any.
 * Return: the end of the payload; NULL if a text is not short.
 */
static __always_inline u8 *ltt_mark_pack_short(u8 *to, const struct ltt_mark_site *site,
					       const u64 *words, unsigned int nr)
{
	unsigned int i;

#if defined(__clang__) || __GNUC__ >= 8
#pragma GCC unroll 5
#endif
	for (i = 0; i < nr; i++) {
		const struct ltt_mark_arg *arg = &site->args[i];

		if (arg->type != LTT_MARK_STRING) {
			to = ltt_mark_put(to, words[i], arg->size);
			continue;
		}
		to = (u8 *)ltt_copy_text_if((char *)to, ltt_mark_text(words[i]),
					    (char *)to + LTT_MARK_SHORT_TEXT - 1);
		if (unlikely(!to))
			return NULL;
	}
	return to;
}

/**
 * ltt_mark_any_call() - pack arguments of any type, and call the probes of a site
 * @site: the site
 * @words: its arguments, extended to 64 bits
 * @nr: how many
 * @pause: see ltt_mark_write()
 *
 * Context: that of ltt_mark_write().
 */
static __always_inline void ltt_mark_any_call(struct ltt_mark_site *site, const u64 *words,
					      unsigned int nr, struct ltt_pause **pause)
{
	/* The probes before what ltt-markers has set; pairs with rcu_assign_pointer() in the
	 * kernel's registration of a probe, which comes after that. */
	struct tracepoint_func *probe = smp_load_acquire(&site->tp.funcs);
	u8 payload[LTT_MARK_MAX_ARGS * sizeof(u64) +
		   LTT_MARK_SHORT_TEXTS * LTT_MARK_SHORT_TEXT] __uninitialized, *end;
	u64 copy[LTT_MARK_MAX_ARGS] __uninitialized;
	const struct ltt_sink *sink;
	unsigned int i;

	if (unlikely(!probe))
		return;
	if (ltt_mark_is_only(probe)) {
		sink = ltt_mark_sink(probe);
		if (!ltt_sink_wants(sink))
			return;
		if (!ltt_sink_has_room(sink)) {
			ltt_mark_refuse(sink, pause);
			return;
		}
	}
	if (likely(site->may_be_short)) {
		end = ltt_mark_pack_short(payload, site, words, nr);
		if (likely(end)) {
			ltt_mark_call_all(probe, payload, end - payload, pause);
			return;
		}
	}
	/* A copy, so that @words can be in registers.  A probe keeps ltt-markers loaded. */
	for (i = 0; i < nr; i++)
		copy[i] = words[i];
	site->fire(site, copy, probe, pause);
}

#ifdef TRACEPOINTS_ENABLED

/*
 * Kernels differ in what keeps a list of probes alive while it is walked: disabled
 * preemption, or SRCU.  So our walk replaces the walk inside the kernel's own code for
 * calling probes.  Older kernels have that code as a macro, newer ones as a function
 * for each declared tracepoint.
 *
 * The macro calls probes with preemption off, but for those of system calls on kernels with
 * DECLARE_TRACE_SYSCALL().  A site is not one of these, so the macro alone decides here,
 * where modules/compat/probe-context.h looks for both.
 */
#pragma push_macro("__DO_TRACE_CALL")
#undef __DO_TRACE_CALL
#define __DO_TRACE_CALL(name, args)	name##_call(args)

#ifndef __DO_TRACE
__DECLARE_TRACE(ltt_mark_ints, PARAMS(struct ltt_mark_site *site, const u64 *words,
				      unsigned int nr),
		PARAMS(site, words, nr), true,
		PARAMS(void *priv, struct ltt_mark_site *site, const u64 *words,
		       unsigned int nr))
__DECLARE_TRACE(ltt_mark_any, PARAMS(struct ltt_mark_site *site, const u64 *words,
				     unsigned int nr, struct ltt_pause **pause),
		PARAMS(site, words, nr, pause), true,
		PARAMS(void *priv, struct ltt_mark_site *site, const u64 *words,
		       unsigned int nr, struct ltt_pause **pause))
#endif

/**
 * ltt_mark_emit_ints() - send an event with integers only
 * @site: see ltt_mark_ints_call(), as for the others
 * @words: "
 * @nr: "
 *
 * Context: any, NMI included.
 */
static __always_inline void ltt_mark_emit_ints(struct ltt_mark_site *site, const u64 *words,
					       unsigned int nr)
{
#ifdef __DO_TRACE
	__DO_TRACE(ltt_mark_ints, PARAMS(site, words, nr),
		   cpu_online(raw_smp_processor_id()), 0);
#else
	/* Sinks expect preemption to be off; these kernels leave it on. */
	preempt_disable_notrace();
	__do_trace_ltt_mark_ints(site, words, nr);
	preempt_enable_notrace();
#endif
}

/**
 * ltt_mark_emit_any() - send an event with arguments of any type
 * @site: see ltt_mark_any_call(), as for the others
 * @words: "
 * @nr: "
 * @pause: "
 *
 * Context: any, NMI included.
 */
static __always_inline void ltt_mark_emit_any(struct ltt_mark_site *site, const u64 *words,
					      unsigned int nr, struct ltt_pause **pause)
{
#ifdef __DO_TRACE
	__DO_TRACE(ltt_mark_any, PARAMS(site, words, nr, pause),
		   cpu_online(raw_smp_processor_id()), 0);
#else
	preempt_disable_notrace();
	__do_trace_ltt_mark_any(site, words, nr, pause);
	preempt_enable_notrace();
#endif
}

#pragma pop_macro("__DO_TRACE_CALL")

/* ---- Functions of a source file ---- */

/*
 * Up to 5 arguments travel in registers: one function for integers only, one for arguments
 * with a pointer, which may stand for what it points to.
 */
#define LTT_MARK_EMITTERS(nr, parameters, ...)					\
LTT_MARK_EMIT ltt_mark_emit_##nr(struct ltt_mark_place *place, parameters)	\
{										\
	const u64 words[] = { __VA_ARGS__ };					\
										\
	ltt_mark_emit_ints(ltt_mark_site_of(place), words, nr);			\
	ltt_mark_raw(place, words);						\
}										\
LTT_MARK_EMIT ltt_mark_emit_any_##nr(struct ltt_mark_place *place, parameters)	\
{										\
	const u64 words[] = { __VA_ARGS__ };					\
										\
	ltt_mark_emit_any(ltt_mark_site_of(place), words, nr, NULL);		\
	ltt_mark_raw(place, words);						\
}

LTT_MARK_EMITTERS(1, PARAMS(u64 a), a)
LTT_MARK_EMITTERS(2, PARAMS(u64 a, u64 b), a, b)
LTT_MARK_EMITTERS(3, PARAMS(u64 a, u64 b, u64 c), a, b, c)
LTT_MARK_EMITTERS(4, PARAMS(u64 a, u64 b, u64 c, u64 d), a, b, c, d)
LTT_MARK_EMITTERS(5, PARAMS(u64 a, u64 b, u64 c, u64 d, u64 e), a, b, c, d, e)

LTT_MARK_EMIT ltt_mark_emit_0(struct ltt_mark_place *place)
{
	ltt_mark_emit_ints(ltt_mark_site_of(place), NULL, 0);
	ltt_mark_raw(place, NULL);
}

/**
 * ltt_mark_collect() - take the arguments of a site from a list
 * @site: the site
 * @words: receives &ltt_mark_site.nr_args arguments
 * @args: each argument has 64 bits
 *
 * Context: any.
 */
static __always_inline void ltt_mark_collect(struct ltt_mark_site *site, u64 *words, va_list args)
{
	unsigned int i;

	for (i = 0; i < site->nr_args; i++)
		words[i] = va_arg(args, u64);
}

/**
 * ltt_mark_emit_many() - pack and send an event with more than 5 arguments
 * @place: the place of its site; the arguments follow, 64 bits each
 *
 * Context: any, NMI included.
 */
LTT_MARK_EMIT ltt_mark_emit_many(struct ltt_mark_place *place, ...)
{
	struct ltt_mark_site *site = ltt_mark_site_of(place);
	u64 words[LTT_MARK_MAX_ARGS] __uninitialized;
	va_list args;

	va_start(args, place);
	ltt_mark_collect(site, words, args);
	va_end(args);
	ltt_mark_emit_any(site, words, site->nr_args, NULL);
	ltt_mark_raw(place, words);
}

/**
 * ltt_mark_emit_may_sleep() - pack and send an event, and wait for room
 * @place: the place of its site; the arguments follow, 64 bits each
 *
 * Waits after all probes have returned.
 *
 * Context: may sleep.
 */
LTT_MARK_EMIT ltt_mark_emit_may_sleep(struct ltt_mark_place *place, ...)
{
	struct ltt_mark_site *site = ltt_mark_site_of(place);
	u64 words[LTT_MARK_MAX_ARGS] __uninitialized;
	struct ltt_pause *pause = NULL;
	va_list args;

	might_sleep();
	va_start(args, place);
	ltt_mark_collect(site, words, args);
	va_end(args);
	ltt_mark_emit_any(site, words, site->nr_args, &pause);
	ltt_mark_raw(place, words);
	if (pause)
		pause->wait(pause);
}

#define ltt_mark_emit_6		ltt_mark_emit_many
#define ltt_mark_emit_7		ltt_mark_emit_many
#define ltt_mark_emit_8		ltt_mark_emit_many
#define ltt_mark_emit_9		ltt_mark_emit_many
#define ltt_mark_emit_10	ltt_mark_emit_many
#define ltt_mark_emit_11	ltt_mark_emit_many
#define ltt_mark_emit_12	ltt_mark_emit_many
#define ltt_mark_emit_any_0	ltt_mark_emit_0
#define ltt_mark_emit_any_6	ltt_mark_emit_many
#define ltt_mark_emit_any_7	ltt_mark_emit_many
#define ltt_mark_emit_any_8	ltt_mark_emit_many
#define ltt_mark_emit_any_9	ltt_mark_emit_many
#define ltt_mark_emit_any_10	ltt_mark_emit_many
#define ltt_mark_emit_any_11	ltt_mark_emit_many
#define ltt_mark_emit_any_12	ltt_mark_emit_many

/* ---- The site ---- */

/* Enter the site in the module's list of tracepoints; no instruction. */
#ifdef CONFIG_HAVE_ARCH_PREL32_RELOCATIONS
#define LTT_MARK_LIST_ENTRY	".balign 4\n\t.long %c0 - .\n\t"
#elif defined(CONFIG_64BIT)
#define LTT_MARK_LIST_ENTRY	".balign 8\n\t.quad %c0\n\t"
#else
#define LTT_MARK_LIST_ENTRY	".balign 4\n\t.long %c0\n\t"
#endif

#define LTT_MARK_LIST(site)						\
	asm_inline volatile(".pushsection \"__tracepoints_ptrs\", \"a\"\n\t" \
			    LTT_MARK_LIST_ENTRY				\
			    ".popsection" : : "i" (&(site)))
_Static_assert(sizeof(tracepoint_ptr_t) == (IS_ENABLED(CONFIG_HAVE_ARCH_PREL32_RELOCATIONS) ? 4 : sizeof(long)),
	       "an entry of the module's list of tracepoints has the size of LTT_MARK_LIST_ENTRY");

/* The key's type differs between kernels, its layout does not. */
_Static_assert(sizeof(((struct tracepoint *)0)->key) == sizeof(struct static_key), "the key of a tracepoint is a static key");
#define LTT_MARK_ENABLED(site)						\
	unlikely(static_key_false((struct static_key *)&(site).tp.key))

#define LTT_MARK_ARG(x)							\
	{ LTT_MARK_TYPE(x), LTT_MARK_SIZE(x), LTT_MARK_SIGNED(x), LTT_MARK_ELEMENT(x) },

#define LTT_MARK_PLUS_POINTER(x)	+ LTT_MARK_IS_POINTER(x)
#define LTT_MARK_COMMA_WORD(x)	, LTT_MARK_WORD(x)

#define LTT_MARK_SITE(emit, group_, name_, ...)				\
	do {								\
		static struct ltt_mark_step ltt_mark_steps[LTT_MARK_COUNT(__VA_ARGS__)]; \
		static struct ltt_mark_site ltt_mark_site		\
		__section("__tracepoints") = {				\
			.tp.name = LTT_MARK_PREFIX group_ ":" name_,	\
			.group = group_,				\
			.name = name_,					\
			.format = LTT_MARK_FORMAT(__VA_ARGS__),		\
			.file = __FILE__,				\
			.line = __LINE__,				\
			.nr_args = LTT_MARK_COUNT(__VA_ARGS__),		\
			.steps = ltt_mark_steps,			\
			.args = { LTT_MARK_FOR_EACH(LTT_MARK_ARG, __VA_ARGS__) }, \
		};							\
									\
		LTT_MARK_DEFINE_PLACE(ltt_mark_site, group_, name_, LTT_MARK_COUNT(__VA_ARGS__)); \
									\
		LTT_MARK_LIST(ltt_mark_site);				\
		if (LTT_MARK_PLACE_ENABLED(ltt_mark_site))		\
			emit(LTT_MARK_PLACE_OF(ltt_mark_site) LTT_MARK_FOR_EACH(LTT_MARK_COMMA_WORD, __VA_ARGS__)); \
	} while (0)

#define LTT_MARK_EMITTER(...)						\
	__builtin_choose_expr(0 LTT_MARK_FOR_EACH(LTT_MARK_PLUS_POINTER, __VA_ARGS__), \
			      LTT_MARK_CAT(ltt_mark_emit_any_, LTT_MARK_COUNT(__VA_ARGS__)), \
			      LTT_MARK_CAT(ltt_mark_emit_, LTT_MARK_COUNT(__VA_ARGS__)))

#define LTT_MARK_FIRE(group, name, ...)					\
	LTT_MARK_SITE(LTT_MARK_EMITTER(__VA_ARGS__), group, name, __VA_ARGS__)

#define LTT_MARK_FIRE_MAY_SLEEP(group, name, ...)			\
	LTT_MARK_SITE(ltt_mark_emit_may_sleep, group, name, __VA_ARGS__)

#else /* no tracepoints: by the kernel's configuration, or by NOTRACE in the driver */

#define LTT_MARK_FIRE(group, name, ...)			do { } while (0)
#define LTT_MARK_FIRE_MAY_SLEEP(group, name, ...)	do { } while (0)

#endif /* TRACEPOINTS_ENABLED */

#endif /* LTT_MARKER_KERNEL_H */
