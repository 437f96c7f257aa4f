/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the probes in a driver reach ltt-tracepoints, and it reaches them.
 *
 * Layer: instrument; compiled into drivers, which must load without LTT: nothing here calls
 * a function of LTT by name.
 *
 * Each event of the driver has a second tracepoint beside its own, which never fires.  It is the
 * beginning of a struct ltt_driver_event, and listed with the module's tracepoints; so the
 * kernel shows it to ltt-tracepoints when the driver comes and goes, whichever was loaded
 * first.  Its name begins with LTT_DRIVER_PREFIX, which carries the version of the
 * structures here, of struct ltt_tp and of struct ltt_sink.
 *
 * A probe has a struct ltt_driver_probe for its data.  So it finds the functions of LTT by the same
 * pointer as the sink, and needs no other order than that of the address.
 */
#ifndef LTT_INSTRUMENT_DRIVER_LINK_H
#define LTT_INSTRUMENT_DRIVER_LINK_H

#include <linux/stdarg.h>
#include <linux/tracepoint.h>

#include "../probes-include.h"

#define LTT_DRIVER_PREFIX	"ltt5-event:"

/**
 * struct ltt_driver_ops - the functions of LTT that probes call, see <ltt/scratch.h>
 */
struct ltt_driver_ops {
	void (*begin)(struct ltt_scratch *s, size_t fixed);
	void (*end)(struct ltt_scratch *s, const struct ltt_sink *sink);
	char *(*copy_string)(char *to, char *end, const char *from);
	char *(*copy_string_len)(char *to, char *end, const char *from, size_t max);
	char *(*copy_vstring)(char *to, char *end, const char *fmt, va_list *args);
	char *(*copy_array)(char *to, char *end, size_t count, size_t size);
};

/**
 * struct ltt_driver_probe - the data of a probe in a driver
 * @out: where the marker's sink is, see &ltt_marker.out
 * @ops: the functions of LTT, which stay while a probe is registered
 */
struct ltt_driver_probe {
	const struct ltt_sink *const *out;
	const struct ltt_driver_ops *ops;
};

/**
 * struct ltt_driver_event - an event of a driver
 * @tp: its name is LTT_DRIVER_PREFIX; it never fires
 * @event: the event
 */
struct ltt_driver_event {
	struct tracepoint tp;
	const struct ltt_tp *event;
};

/* Enter an event in the module's list of tracepoints. */
static_assert(sizeof(tracepoint_ptr_t) == (IS_ENABLED(CONFIG_HAVE_ARCH_PREL32_RELOCATIONS) ? 4 : sizeof(void *)));
#ifdef CONFIG_HAVE_ARCH_PREL32_RELOCATIONS
#define LTT_DRIVER_LIST(symbol)						\
	asm(".pushsection \"__tracepoints_ptrs\", \"a\"\n"		\
	    "	.balign 4\n"						\
	    "	.long " __stringify(symbol) " - .\n"			\
	    "	.popsection\n")
#else
#define LTT_DRIVER_LIST(symbol)						\
	static void *const symbol##_entry __used			\
	__section("__tracepoints_ptrs") = &symbol
#endif

#endif /* LTT_INSTRUMENT_DRIVER_LINK_H */
