/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event header with a field of each kind, to generate probes from.
 *
 * It is never given to ftrace, so it can use what some kernel's ftrace lacks.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ltt_test

#if !defined(LTT_TEST_PROBES_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTT_TEST_PROBES_EVENTS_H

#include <linux/tracepoint.h>

#ifndef LTT_TEST_PROBES_TYPES
#define LTT_TEST_PROBES_TYPES
enum ltt_test_colour { LTT_TEST_RED, LTT_TEST_GREEN };
struct ltt_test_pair {
	u8 one;
	u8 two;
	u8 three;
};
#endif

/* Fills in only part of its arrays, and only if an argument asks for it. */
TRACE_EVENT(ltt_test_fixed,
	TP_PROTO(bool fill, const char *text),
	TP_ARGS(fill, text),
	TP_STRUCT__entry(
		__field(u8, byte)
		__field(s64, number)
		__field(void *, pointer)
		__field(bool, flag)
		__field(enum ltt_test_colour, colour)
		__array(char, text, 16)
		__array(u16, words, 3)
		__field_struct(struct ltt_test_pair, pair)
		__field(unsigned long, last)
	),
	TP_fast_assign(
		if (fill) {
			__entry->byte = 0xb1;
			__entry->number = -2;
			__entry->pointer = (void *)0x1234;
			__entry->flag = true;
			__entry->colour = LTT_TEST_GREEN;
			strscpy(entry->text, text, sizeof(entry->text));
			__entry->words[1] = 0x5678;
			__entry->pair.two = 2;
			__entry->last = 3;
		}
	),
	TP_printk("%d", __entry->byte)
);

DECLARE_EVENT_CLASS(ltt_test_strings,
	TP_PROTO(const char *first, const char *second, unsigned int limit, const char *third),
	TP_ARGS(first, second, limit, third),
	TP_STRUCT__entry(
		__string(first, first)
		__field(u32, limit)
		__string_len(second, second, limit)
		__rel_string(third, third)
		__field(u8, last)
	),
	TP_fast_assign(
		__assign_str(first);
		__entry->limit = limit;
		__assign_str_len(second, second, limit);
		__assign_rel_str(third, third);
		__entry->last = 0x77;
	),
	TP_printk("%s", __get_str(first))
);

DEFINE_EVENT(ltt_test_strings, ltt_test_strings_one,
	TP_PROTO(const char *first, const char *second, unsigned int limit, const char *third),
	TP_ARGS(first, second, limit, third)
);

DEFINE_EVENT_CONDITION(ltt_test_strings, ltt_test_strings_two,
	TP_PROTO(const char *first, const char *second, unsigned int limit, const char *third),
	TP_ARGS(first, second, limit, third),
	TP_CONDITION(limit)
);

TRACE_EVENT(ltt_test_format,
	TP_PROTO(struct va_format *vaf),
	TP_ARGS(vaf),
	TP_STRUCT__entry(
		__vstring(message, vaf->fmt, vaf->va)
		__field(u8, last)
	),
	TP_fast_assign(
		__assign_vstr(message, vaf->fmt, vaf->va);
		__entry->last = 0x77;
	),
	TP_printk("%s", __get_str(message))
);

TRACE_EVENT_FN(ltt_test_arrays,
	TP_PROTO(const u32 *values, int count, const unsigned long *bits, int nr_bits),
	TP_ARGS(values, count, bits, nr_bits),
	TP_STRUCT__entry(
		__dynamic_array(u32, values, count)
		__field(u8, bytes)
		__bitmask(bits, nr_bits)
		__rel_dynamic_array(s16, halves, 2)
		__sockaddr(address, 3)
		__cpumask(cpus)
	),
	TP_fast_assign(
		__entry->bytes = __get_dynamic_array_len(values);
		memcpy(__get_dynamic_array(values), values, count * sizeof(*values));
		__assign_bitmask(bits, bits, nr_bits);
		((s16 *)__get_rel_dynamic_array(halves))[1] = -1;
		__assign_sockaddr(address, "abc", 3);
		__assign_cpumask(cpus, cpumask_bits(cpu_possible_mask));
	),
	TP_printk("%d", __entry->bytes),
	NULL, NULL
);

/* As events are that are made of the prototype in BTF. */
TRACE_EVENT(ltt_test_nofault,
	TP_PROTO(const void *object, const char *text),
	TP_ARGS(object, text),
	TP_STRUCT__entry(
		__field(u32, value)
		ltt_nofault_string(text, text)
	),
	TP_fast_assign(
		ltt_nofault_read(&__entry->value, sizeof(__entry->value), object, 4);
	),
	TP_printk("%u", __entry->value)
);

/* Belongs to no tracepoint: the kernel's configuration would leave it out. */
TRACE_EVENT_NOP(ltt_test_nop,
	TP_PROTO(int a),
	TP_ARGS(a),
	TP_STRUCT__entry(__field(int, a)),
	TP_fast_assign(__entry->a = a;),
	TP_printk("%d", __entry->a)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE probes-events
#include <trace/define_trace.h>
