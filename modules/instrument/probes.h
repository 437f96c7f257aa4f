/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probes of one event header of the kernel.
 *
 * Layer: instrument.  Included once by each generated file of gen/, which says
 *   LTT_HEADER	"trace/events/irq.h"
 *   LTT_UNIT	irq		prefix of the file's symbols
 *   LTT_KEEPS_FUNCTIONS	if the header has parts for CREATE_TRACE_POINTS only
 *   LTT_OMIT_<class or event>	1 for what cannot be built for this kernel
 *   LTT_FROM_BTF	if the header is made of the prototypes in BTF (btf/events.c); such a
 *			header says LTT_UNIT and LTT_MODULE for each of its parts
 *
 * The header is read again and again, each time with other definitions of
 * TRACE_EVENT() and of what stands in it.  So field layout, prototype and the
 * code that fills in the fields are those of the kernel that the header belongs
 * to; nothing here depends on a kernel version (see modules/compat).  For each class the passes make
 *
 *   1  struct ltt_entry_<class>	the fields of fixed size, packed
 *   2  struct ltt_fixed_<class>	one char for each of them: offsetof() is
 *					the index of its description
 *   3  struct ltt_places_<class>	one struct ltt_place for each field of
 *					variable size
 *   4  ltt_probe_<class>()		the probe
 *   5  ltt_class_<class>()		the description of the fields
 *
 * and for each event pass 5 makes a struct ltt_tp.  (All events of a class
 * have one probe: it knows the event only by the marker it is called with.)
 *
 * The payload is the fields of fixed size in the order of the header, then those
 * of variable size in the order of the header.
 *
 * Probe context: whatever the tracepoint runs in, NMI included.  Preemption is off
 * while the kernel's code runs, because that code may expect it.  ftrace traces
 * nothing here: Kbuild removes its flags.
 */

/* ---- the header as other sources read it: its types, its tracepoints ---- */

#include <linux/tracepoint.h>
#include <linux/trace_events.h>
#include LTT_HEADER

#include "probes-include.h"

/* The data of a probe is the place of the marker's sink. */
#ifndef ltt_probe_sink
#define ltt_probe_sink(data)	READ_ONCE(*(const struct ltt_sink *const *)(data))
#endif

/* An event of a header may be of any module, one of BTF is of the module with this BTF. */
#ifndef LTT_MODULE
#define LTT_MODULE NULL
#endif

/* Kernels that declare the tracepoints of events apart name those without fields x_tp. */
#ifdef DECLARE_TRACE_EVENT
#define LTT_BARE_TRACEPOINT(name)	#name "_tp"
#else
#define LTT_BARE_TRACEPOINT(name)	#name
#endif

#define TRACE_HEADER_MULTI_READ

/* ---- pass 0: the functions that a header keeps for the kernel's own copy ---- */

/*
 * Some headers have inline functions for their assign blocks under #ifdef
 * CREATE_TRACE_POINTS.  The same macro makes define_trace.h, the last line of
 * every header, define the tracepoints; with these empty it does nothing.
 */
#ifdef LTT_KEEPS_FUNCTIONS
#undef TRACEPOINTS_ENABLED
#undef DECLARE_TRACE
#define DECLARE_TRACE(name, proto, args)
#undef DECLARE_TRACE_CONDITION
#define DECLARE_TRACE_CONDITION(name, proto, args, cond)
#undef DECLARE_TRACE_EVENT
#define DECLARE_TRACE_EVENT(name, proto, args)
#undef DECLARE_TRACE_EVENT_CONDITION
#define DECLARE_TRACE_EVENT_CONDITION(name, proto, args, cond)
#undef DECLARE_TRACE_SYSCALL
#define DECLARE_TRACE_SYSCALL(name, proto, args)
#undef DECLARE_EVENT_NOP
#define DECLARE_EVENT_NOP(name, proto, args)
#undef DEFINE_TRACE
#define DEFINE_TRACE(name, proto, args)
#undef DEFINE_TRACE_FN
#define DEFINE_TRACE_FN(name, reg, unreg, proto, args)
#undef DEFINE_TRACE_SYSCALL
#define DEFINE_TRACE_SYSCALL(name, reg, unreg, proto, args)

#define CREATE_TRACE_POINTS
#include LTT_HEADER
#undef CREATE_TRACE_POINTS
#endif

/* ---- The same in every pass ---- */

#define TRACE_HEADER_MULTI_READ

#define LTT_PASTE2(a, b, c)	a##__##b##__##c
#define LTT_PASTE(a, b, c)	LTT_PASTE2(a, b, c)
#define LTT_SYMBOL(event)	LTT_PASTE(ltt_tp, LTT_UNIT, event)

/*
 * LTT_KEPT(LTT_OMIT_x, code): the code, unless LTT_OMIT_x is defined as 1.
 * LTT_LEFT(LTT_OMIT_x, code): the code, if it is.
 */
#define LTT_IF_0(...)
#define LTT_IF_1(...)			__VA_ARGS__
#define LTT_UNLESS_0(...)		__VA_ARGS__
#define LTT_UNLESS_1(...)
#define LTT_CHOOSE2(macro, cond, ...)	macro##cond(__VA_ARGS__)
#define LTT_CHOOSE(macro, cond, ...)	LTT_CHOOSE2(macro, cond, __VA_ARGS__)
#define LTT_LEFT(omit, ...)	LTT_CHOOSE(LTT_IF_, __is_defined(omit), __VA_ARGS__)
#define LTT_KEPT(omit, ...)	LTT_CHOOSE(LTT_UNLESS_, __is_defined(omit), __VA_ARGS__)

#undef TRACE_EVENT
#define TRACE_EVENT(name, proto, args, tstruct, assign, print)			\
	DECLARE_EVENT_CLASS(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),	\
			    PARAMS(assign), PARAMS(print))			\
	DEFINE_EVENT(name, name, PARAMS(proto), PARAMS(args))

/* A condition is tested, and a function called, by the kernel, not by a probe. */
#undef TRACE_EVENT_FN
#define TRACE_EVENT_FN(name, proto, args, tstruct, assign, print, reg, unreg)	\
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),		\
		    PARAMS(assign), PARAMS(print))
#undef TRACE_EVENT_SYSCALL
#define TRACE_EVENT_SYSCALL TRACE_EVENT_FN
#undef TRACE_EVENT_CONDITION
#define TRACE_EVENT_CONDITION(name, proto, args, cond, tstruct, assign, print)	\
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),		\
		    PARAMS(assign), PARAMS(print))
#undef TRACE_EVENT_FN_COND
#define TRACE_EVENT_FN_COND(name, proto, args, cond, tstruct, assign, print,	\
			    reg, unreg)						\
	TRACE_EVENT(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct),		\
		    PARAMS(assign), PARAMS(print))
#undef DECLARE_EVENT_SYSCALL_CLASS
#define DECLARE_EVENT_SYSCALL_CLASS DECLARE_EVENT_CLASS

#undef DEFINE_EVENT_FN
#define DEFINE_EVENT_FN(template, name, proto, args, reg, unreg)		\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))
#undef DEFINE_EVENT_PRINT
#define DEFINE_EVENT_PRINT(template, name, proto, args, print)			\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))
#undef DEFINE_EVENT_CONDITION
#define DEFINE_EVENT_CONDITION(template, name, proto, args, cond)		\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))
#undef DEFINE_EVENT_WRITABLE
#define DEFINE_EVENT_WRITABLE(template, name, proto, args, size)		\
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))

/* Events that this kernel's configuration leaves without a tracepoint. */
#undef TRACE_EVENT_NOP
#define TRACE_EVENT_NOP(name, proto, args, tstruct, assign, print)
#undef DECLARE_EVENT_CLASS_NOP
#define DECLARE_EVENT_CLASS_NOP(name, proto, args, tstruct, assign, print)
#undef DEFINE_EVENT_NOP
#define DEFINE_EVENT_NOP(template, name, proto, args)

/* Tracepoints without fields, meant for code of the kernel; pass 5 lists them. */
#undef DECLARE_TRACE
#define DECLARE_TRACE(name, proto, args)
#undef DECLARE_TRACE_CONDITION
#define DECLARE_TRACE_CONDITION(name, proto, args, cond)			\
	DECLARE_TRACE(name, PARAMS(proto), PARAMS(args))
#undef DECLARE_TRACE_WRITABLE
#define DECLARE_TRACE_WRITABLE(name, proto, args, size)				\
	DECLARE_TRACE(name, PARAMS(proto), PARAMS(args))

#undef TRACE_EVENT_FLAGS
#define TRACE_EVENT_FLAGS(event, flag)
#undef TRACE_EVENT_PERF_PERM
#define TRACE_EVENT_PERF_PERM(event, expr...)
#undef TRACE_DEFINE_ENUM
#define TRACE_DEFINE_ENUM(a)
#undef TRACE_DEFINE_SIZEOF
#define TRACE_DEFINE_SIZEOF(a)

#undef TP_STRUCT__entry
#define TP_STRUCT__entry(args...) args
#undef TP_fast_assign
#define TP_fast_assign(args...) args
#undef __perf_count
#define __perf_count(c) (c)
#undef __perf_task
#define __perf_task(t) (t)

/* The spellings of a field that are the same to us. */
#undef __field_ext
#define __field_ext(type, item, filter_type) __field(type, item)
#undef __field_struct_ext
#define __field_struct_ext(type, item, filter_type) __field_struct(type, item)
#undef __cpumask
#define __cpumask(item) __bitmask(item, nr_cpumask_bits)
#undef __sockaddr
#define __sockaddr(item, len) __dynamic_array(u8, item, len)
#undef __rel_dynamic_array
#define __rel_dynamic_array __dynamic_array
#undef __rel_string
#define __rel_string __string
#undef __rel_string_len
#define __rel_string_len __string_len
#undef __rel_bitmask
#define __rel_bitmask __bitmask
#undef __rel_cpumask
#define __rel_cpumask __cpumask
#undef __rel_sockaddr
#define __rel_sockaddr __sockaddr

/* ---- passes 1 and 2: the fields of fixed size ---- */

#undef __dynamic_array
#define __dynamic_array(type, item, len)
#undef __string
#define __string(item, src)
#undef __string_len
#define __string_len(item, src, len)
#undef __vstring
#define __vstring(item, fmt, ap)
#undef __bitmask
#define __bitmask(item, nr_bits)
#undef ltt_nofault_string
#define ltt_nofault_string(item, address)
#undef DEFINE_EVENT
#define DEFINE_EVENT(template, name, proto, args)

#undef __field
#define __field(type, item)		type item;
#undef __field_struct
#define __field_struct(type, item)	type item;
#undef __array
#define __array(type, item, len)	type item[len];
#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)		\
	LTT_KEPT(LTT_OMIT_##name, struct ltt_entry_##name { tstruct } __packed;)
#include LTT_HEADER

#undef __field
#define __field(type, item)		char item;
#undef __field_struct
#define __field_struct(type, item)	char item;
#undef __array
#define __array(type, item, len)	char item;
#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)		\
	LTT_KEPT(LTT_OMIT_##name, struct ltt_fixed_##name { tstruct };)
#include LTT_HEADER

/* ---- pass 3: the fields of variable size ---- */

#undef __field
#define __field(type, item)
#undef __field_struct
#define __field_struct(type, item)
#undef __array
#define __array(type, item, len)
#undef __dynamic_array
#define __dynamic_array(type, item, len)	struct ltt_place item;
#undef __string
#define __string(item, src)			struct ltt_place item;
#undef __string_len
#define __string_len(item, src, len)		struct ltt_place item;
#undef __vstring
#define __vstring(item, fmt, ap)		struct ltt_place item;
#undef __bitmask
#define __bitmask(item, nr_bits)		struct ltt_place item;
#undef ltt_nofault_string
#define ltt_nofault_string(item, address)	struct ltt_place item;
#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)		\
	LTT_KEPT(LTT_OMIT_##name, struct ltt_places_##name { tstruct };)
#include LTT_HEADER

/* ---- pass 4: the probes ---- */

/*
 * The part of an assign block that fills fields of variable size.  Strings are in
 * place before the block runs: __string() names the source, and what it names is
 * copied there and then, once, so that a string that changes meanwhile cannot
 * make its length and its bytes disagree.
 */
#undef __dynamic_array
#define __dynamic_array(type, item, len)					\
	ltt_scratch_add_array(&ltt_scratch, &ltt_at.item, len, sizeof(type));
#undef __string
#define __string(item, src)							\
	ltt_scratch_add(&ltt_scratch, &ltt_at.item, ltt_copy_string, (const char *)(src));
#undef __string_len
#define __string_len(item, src, len)						\
	ltt_scratch_add(&ltt_scratch, &ltt_at.item, ltt_copy_string_len,	\
			(const char *)(src), len);
#undef __vstring
#define __vstring(item, fmt, ap)						\
	ltt_scratch_add(&ltt_scratch, &ltt_at.item, ltt_copy_vstring, fmt, ap);
#undef __bitmask
#define __bitmask(item, nr_bits)						\
	__dynamic_array(unsigned long, item, BITS_TO_LONGS(nr_bits))
/* A string at an address that may be wrong; only headers made of BTF have it. */
#undef ltt_nofault_string
#define ltt_nofault_string(item, address)					\
	ltt_scratch_add(&ltt_scratch, &ltt_at.item, ltt_nofault_copy_string, address);

#undef __get_dynamic_array
#define __get_dynamic_array(item)	(ltt_at.item.data)
#undef __get_dynamic_array_len
#define __get_dynamic_array_len(item)	(ltt_at.item.bytes)
#undef __get_str
#define __get_str(item)			((char *)ltt_at.item.data)
#undef __get_bitmask
#define __get_bitmask(item)		((char *)ltt_at.item.data)
#undef __get_cpumask
#define __get_cpumask(item)		((char *)ltt_at.item.data)
#undef __get_sockaddr
#define __get_sockaddr(item)		((struct sockaddr *)ltt_at.item.data)
#undef __get_rel_dynamic_array
#define __get_rel_dynamic_array		__get_dynamic_array
#undef __get_rel_dynamic_array_len
#define __get_rel_dynamic_array_len	__get_dynamic_array_len
#undef __get_rel_str
#define __get_rel_str			__get_str
#undef __get_rel_bitmask
#define __get_rel_bitmask		__get_bitmask
#undef __get_rel_cpumask
#define __get_rel_cpumask		__get_cpumask
#undef __get_rel_sockaddr
#define __get_rel_sockaddr		__get_sockaddr

/* Two arguments (item, source) in older kernels, one in newer. */
#undef __assign_str
#define __assign_str(...)		do { } while (0);
#undef __assign_str_len
#define __assign_str_len(item, src, len) do { } while (0)
#undef __assign_vstr
#define __assign_vstr(item, fmt, ap)	do { } while (0)
#undef __assign_bitmask
#define __assign_bitmask(item, src, nr_bits)					\
	memcpy(ltt_at.item.data, src,						\
	       min_t(size_t, ltt_at.item.bytes, BITS_TO_LONGS(nr_bits) * sizeof(long)))
#undef __assign_cpumask
#define __assign_cpumask(item, src)	__assign_bitmask(item, src, nr_cpumask_bits)
#undef __assign_sockaddr
#define __assign_sockaddr(item, src, len)					\
	memcpy(ltt_at.item.data, src, min_t(size_t, ltt_at.item.bytes, len))
#undef __assign_rel_str
#define __assign_rel_str		__assign_str
#undef __assign_rel_str_len
#define __assign_rel_str_len		__assign_str_len
#undef __assign_rel_bitmask
#define __assign_rel_bitmask		__assign_bitmask
#undef __assign_rel_cpumask
#define __assign_rel_cpumask		__assign_cpumask
#undef __assign_rel_sockaddr
#define __assign_rel_sockaddr		__assign_sockaddr

/* Assign blocks know the entry by both names. */
#undef __entry
#define __entry entry

/*
 * A probe asks the sink before all else, so that an event that no trace takes, or for
 * which there is no room, costs little.
 *
 * An entry of fixed size is put together on the stack, one with fields of
 * variable size in a scratch buffer; the choice is made at compile time.  Either
 * starts as zeros, since an assign block need not fill all of an array, nor run
 * all its branches, and old memory must not get into a trace; the compiler drops
 * the zeros that the block overwrites in any case, that is all of them in an event
 * of integers.  (It could not drop those of a kernel that initialises all of the
 * stack, in front of a barrier: hence __uninitialized.)
 */
#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)		\
LTT_KEPT(LTT_OMIT_##name,							\
static notrace __maybe_unused void ltt_probe_##name(void *ltt_data, proto)	\
{										\
	const bool ltt_variable = sizeof(struct ltt_places_##name) != 0;	\
	struct ltt_places_##name ltt_at __maybe_unused __uninitialized;		\
	struct ltt_entry_##name ltt_stack __uninitialized;			\
	struct ltt_entry_##name *entry = &ltt_stack;				\
	struct ltt_scratch ltt_scratch __uninitialized;				\
	const struct ltt_sink *ltt_sink;					\
										\
	LTT_PREEMPT_DISABLE();							\
	ltt_sink = ltt_probe_sink(ltt_data);					\
	if (!ltt_sink_wants(ltt_sink))						\
		goto ltt_done;							\
	if (ltt_variable && !ltt_sink_has_room(ltt_sink)) {			\
		ltt_sink->refuse(ltt_sink);					\
		goto ltt_done;							\
	}									\
	if (ltt_variable) {							\
		ltt_scratch_begin(&ltt_scratch, sizeof(*entry));		\
		tstruct								\
		entry = (void *)ltt_scratch.start;				\
	}									\
	if (!ltt_variable || likely(ltt_scratch.pos)) {				\
		memset(entry, 0, sizeof(*entry));				\
		assign;								\
	}									\
	if (ltt_variable)							\
		ltt_scratch_end(&ltt_scratch, ltt_sink);			\
	else									\
		ltt_sink->write(ltt_sink, entry, sizeof(*entry));		\
ltt_done:									\
	LTT_PREEMPT_ENABLE();							\
})
#include LTT_HEADER

/* ---- pass 5: the description of the fields, and the events ---- */

#define LTT_IS_POINTER(type)	(__builtin_classify_type((type)0) == 5)
#define LTT_IS_CHAR(type)	__builtin_types_compatible_p(type, char)

#define LTT_FIXED(item)		[offsetof(ltt_fixed, item)]
#define LTT_VARIABLE(item)							\
	[sizeof(ltt_fixed) + offsetof(ltt_places, item) / sizeof(struct ltt_place)]
#define LTT_INTEGERS(_kind, _type, _item, _count)				\
	{ .name = #_item, .type = #_type, .kind = _kind, .count = _count,	\
	  .size = sizeof(_type), .is_signed = is_signed_type(_type),		\
	  .base = LTT_IS_POINTER(_type) ? 16 : 10 },
#define LTT_BYTES(_kind, _type, _item, _count, _base)				\
	{ .name = #_item, .type = _type, .kind = _kind, .count = _count,	\
	  .size = 1, .base = _base },

#undef __field
#define __field(type, item)							\
	LTT_FIXED(item) LTT_INTEGERS(LTT_FIELD_INT, type, item, 0)
#undef __field_struct
#define __field_struct(type, item)						\
	LTT_FIXED(item) LTT_BYTES(LTT_FIELD_ARRAY, #type, item, sizeof(type), 16)
#undef __array
#define __array(type, item, len)						\
	LTT_FIXED(item) LTT_INTEGERS(LTT_IS_CHAR(type) ? LTT_FIELD_TEXT		\
				     : LTT_FIELD_ARRAY, type, item, len)
#undef __dynamic_array
#define __dynamic_array(_type, _item, _len)					\
	LTT_VARIABLE(_item)							\
	{ .name = #_item, .type = #_type, .kind = LTT_FIELD_SEQUENCE,		\
	  .size = sizeof(_type), .is_signed = is_signed_type(_type),		\
	  .base = LTT_IS_CHAR(_type) ? LTT_BASE_TEXT				\
		: LTT_IS_POINTER(_type) ? 16 : 10 },
#undef __string
#define __string(item, src)							\
	LTT_VARIABLE(item) LTT_BYTES(LTT_FIELD_STRING, "char *", item, 0, 10)
#undef __string_len
#define __string_len(item, src, len)	__string(item, src)
#undef __vstring
#define __vstring(item, fmt, ap)	__string(item, fmt)
#undef ltt_nofault_string
#define ltt_nofault_string(item, address)	__string(item, address)
#undef __bitmask
#define __bitmask(item, nr_bits)						\
	LTT_VARIABLE(item) LTT_BITMASK(#item)
#define LTT_BITMASK(_name)							\
	{ .name = _name, .type = "unsigned long", .kind = LTT_FIELD_SEQUENCE,	\
	  .size = sizeof(long), .base = 16 },

#undef DECLARE_EVENT_CLASS
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)		\
LTT_KEPT(LTT_OMIT_##name,							\
static __maybe_unused const struct ltt_tp_class *ltt_class_##name(void)	\
{										\
	typedef struct ltt_fixed_##name ltt_fixed __maybe_unused;		\
	typedef struct ltt_places_##name ltt_places __maybe_unused;		\
	static const struct ltt_field fields[] = { tstruct };			\
	static const struct ltt_tp_class class = {				\
		.probe = ltt_probe_##name,					\
		.fields = fields,						\
		.nr_fields = ARRAY_SIZE(fields),				\
	};									\
										\
	return &class;								\
})

/*
 * For "generate": an event that was left out, for what class of events, and the system
 * that it belongs to.  The linker drops the section.
 */
#define LTT_NOTE_LEFT(why, name)						\
	static const char __UNIQUE_ID(ltt_left)[]				\
	__used __section(".discard.ltt") = why " " name " " __stringify(TRACE_SYSTEM);

/* The unused function lets the compiler compare the prototypes. */
#ifdef LTT_FROM_BTF
#define LTT_CHECK_PROTOTYPE(template, event)
#else
#define LTT_CHECK_PROTOTYPE(template, event)					\
static inline void ltt_check_##event(void)					\
{										\
	check_trace_callback_type_##event(ltt_probe_##template);		\
}
#endif

/* The events of a driver are not in a table that ltt-tracepoints has. */
#ifdef LTT_IN_DRIVER
#define LTT_LINK_EVENT(event)	LTT_LINK_EVENT2(LTT_PASTE(ltt_link, LTT_UNIT, event), event)
#define LTT_LINK_EVENT2(symbol, event)	LTT_LINK_EVENT3(symbol, event)
#define LTT_LINK_EVENT3(symbol, _event)						\
static struct ltt_driver_event symbol __used __section("__tracepoints") = {	\
	.tp.name = LTT_DRIVER_PREFIX,						\
	.event = &LTT_SYMBOL(_event),						\
};										\
LTT_DRIVER_LIST(symbol);
#else
#define LTT_LINK_EVENT(event)
#endif

#undef DEFINE_EVENT
#define DEFINE_EVENT(template, event, proto, args)				\
LTT_LEFT(LTT_OMIT_##template, LTT_NOTE_LEFT(#template, #event))			\
LTT_LEFT(LTT_OMIT_##event, LTT_NOTE_LEFT(#event, #event))			\
LTT_KEPT(LTT_OMIT_##template, LTT_KEPT(LTT_OMIT_##event,			\
LTT_CHECK_PROTOTYPE(template, event)						\
extern const struct ltt_tp LTT_SYMBOL(event);					\
const struct ltt_tp LTT_SYMBOL(event) = {					\
	.system = __stringify(TRACE_SYSTEM),					\
	.name = #event,								\
	.module = LTT_MODULE,							\
	.class = ltt_class_##template,						\
};										\
LTT_LINK_EVENT(event)))

#undef DECLARE_TRACE
#define DECLARE_TRACE(event, proto, args)					\
	LTT_NOTE_LEFT("-", LTT_BARE_TRACEPOINT(event))
#include LTT_HEADER
