/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Markers as raw tracepoints of eBPF, for drivers that are built with LTT_MARK_RAW_TRACEPOINTS.
 *
 * Layer: markers.  Compiled into drivers; marker-kernel.h includes it.
 *
 * Each trace_mark() then has a second tracepoint, to which the kernel attaches programs by its name,
 * mark_GROUP_NAME, whether LTT is loaded or not.  It is not that of the site itself, because what
 * ltt-markers connects to that is sinks, and each of them is called as one.  The second one has a
 * branch, one more no-op, and it is not in the module's list of tracepoints, as nothing but
 * eBPF knows how to call its probes.  The site evaluates its arguments once for both.
 *
 * The functions that run programs are for modules with a licence compatible with the GPL.
 */
#ifndef LTT_MARKER_RAW_H
#define LTT_MARKER_RAW_H

#include <linux/tracepoint.h>
#include <linux/types.h>

struct ltt_mark_site;
struct ltt_mark_place;

#if defined(LTT_MARK_RAW_TRACEPOINTS) && defined(CONFIG_BPF_EVENTS) && defined(TRACEPOINTS_ENABLED)

#include <linux/trace_events.h>

/**
 * struct ltt_mark_place - a site, and its raw tracepoint
 * @tp: the tracepoint
 * @site: the site
 */
struct ltt_mark_place {
	struct tracepoint tp;
	struct ltt_mark_site *site;
};

/* A probe of a place is a function of this file, with a program as its data. */
typedef void ltt_mark_run_fn(void *program, const u64 *words);

#define LTT_MARK_RUN(nr, run, ...)						\
static notrace __maybe_unused void ltt_mark_run_##nr(void *program, const u64 *words) \
{										\
	bpf_trace_run##run(program, __VA_ARGS__);				\
}

LTT_MARK_RUN(0, 1, 0)
LTT_MARK_RUN(1, 1, words[0])
LTT_MARK_RUN(2, 2, words[0], words[1])
LTT_MARK_RUN(3, 3, words[0], words[1], words[2])
LTT_MARK_RUN(4, 4, words[0], words[1], words[2], words[3])
LTT_MARK_RUN(5, 5, words[0], words[1], words[2], words[3], words[4])
LTT_MARK_RUN(6, 6, words[0], words[1], words[2], words[3], words[4], words[5])
LTT_MARK_RUN(7, 7, words[0], words[1], words[2], words[3], words[4], words[5], words[6])
LTT_MARK_RUN(8, 8, words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7])
LTT_MARK_RUN(9, 9, words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7],
	     words[8])
LTT_MARK_RUN(10, 10, words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7],
	     words[8], words[9])
LTT_MARK_RUN(11, 11, words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7],
	     words[8], words[9], words[10])
LTT_MARK_RUN(12, 12, words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7],
	     words[8], words[9], words[10], words[11])

static __always_inline void ltt_mark_raw_call(struct ltt_mark_place *place, const u64 *words)
{
	struct tracepoint_func *probe = rcu_dereference_raw(place->tp.funcs);

	/* Only the site may be on, or the last program may have been detached meanwhile. */
	if (!probe)
		return;
	do {
		((ltt_mark_run_fn *)probe->func)(probe->data, words);
	} while ((++probe)->func);
}

/* Our walk inside that of the kernel: see marker-kernel.h. */
#pragma push_macro("__DO_TRACE_CALL")
#undef __DO_TRACE_CALL
#define __DO_TRACE_CALL(name, args)	name##_call(args)

#ifndef __DO_TRACE
__DECLARE_TRACE(ltt_mark_raw, PARAMS(struct ltt_mark_place *place, const u64 *words),
		PARAMS(place, words), true,
		PARAMS(void *priv, struct ltt_mark_place *place, const u64 *words))
#endif

/**
 * ltt_mark_raw() - run the programs that are attached to a place
 * @place: the place
 * @words: the arguments of its site, extended to 64 bits
 *
 * Context: any, NMI included.
 */
static __always_inline void ltt_mark_raw(struct ltt_mark_place *place, const u64 *words)
{
#ifdef __DO_TRACE
	__DO_TRACE(ltt_mark_raw, PARAMS(place, words), cpu_online(raw_smp_processor_id()), 0);
#else
	preempt_disable_notrace();
	__do_trace_ltt_mark_raw(place, words);
	preempt_enable_notrace();
#endif
}

#pragma pop_macro("__DO_TRACE_CALL")

static __always_inline struct ltt_mark_site *ltt_mark_site_of(struct ltt_mark_place *place)
{
	return place->site;
}

/* Define the place of a site, "ltt_mark_place", and the kernel's entry for it. */
#define LTT_MARK_DEFINE_PLACE(site_, group_, name_, nr)				\
	static struct ltt_mark_place ltt_mark_place				\
	__section("__tracepoints") = {						\
		.tp.name = "mark_" group_ "_" name_,				\
		.site = &(site_),						\
	};									\
	static struct bpf_raw_event_map ltt_mark_map				\
	__used __section("__bpf_raw_tp_map") = {				\
		.tp = &ltt_mark_place.tp,					\
		.bpf_func = LTT_MARK_CAT(ltt_mark_run_, nr),			\
		.num_args = nr,							\
	}

#define LTT_MARK_PLACE_OF(site)		(&ltt_mark_place)
#define LTT_MARK_PLACE_ENABLED(site)						\
	(LTT_MARK_ENABLED(site) || LTT_MARK_ENABLED(ltt_mark_place))

#else

/* Without the option a place is its site, and nothing more. */
#define LTT_MARK_DEFINE_PLACE(site, group, name, nr)	do { } while (0)
#define LTT_MARK_PLACE_OF(site)		((struct ltt_mark_place *)&(site))
#define LTT_MARK_PLACE_ENABLED(site)	LTT_MARK_ENABLED(site)

static __always_inline struct ltt_mark_site *ltt_mark_site_of(struct ltt_mark_place *place)
{
	return (struct ltt_mark_site *)place;
}

static __always_inline void ltt_mark_raw(struct ltt_mark_place *place, const u64 *words)
{
}

#endif

#endif /* LTT_MARKER_RAW_H */
