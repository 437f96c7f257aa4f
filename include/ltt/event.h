/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Events that a program describes while it runs: for interpreters, for packages of other
 * languages, and wherever trace_mark() has no literal format.
 *
 * Layer: markers, in programs.  lttd and lttctl see no difference between such an event and a
 * trace_mark() with the same group, name and fields.
 *
 *	static const struct ltt_event_field fields[] = {
 *		{ .name = "fd", .type = LTT_EVENT_S32 },
 *		{ .name = "path", .type = LTT_EVENT_STRING },
 *	};
 *	struct ltt_event *event = ltt_event_create("app", "open", fields, 2);
 *	struct ltt_event_value values[2] = { { .s = fd }, { .p = path } };
 *
 *	if (ltt_event_enabled(event))
 *		ltt_event_write(event, values);
 *
 * All structures and numbers here are ABI: later versions add to them, and change nothing.
 */
#ifndef LTT_EVENT_H
#define LTT_EVENT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum ltt_event_type - the type of a field
 * @LTT_EVENT_BOOL: 1 if &ltt_event_value.u is not 0, else 0
 * @LTT_EVENT_S8: an integer of 8 bits with a sign, from &ltt_event_value.s; and so on
 * @LTT_EVENT_U8: an integer of 8 bits without a sign, from &ltt_event_value.u; and so on
 * @LTT_EVENT_FLOAT: from &ltt_event_value.f
 * @LTT_EVENT_DOUBLE: from &ltt_event_value.d
 * @LTT_EVENT_STRING: text that ends with a NUL, at &ltt_event_value.p
 * @LTT_EVENT_TEXT: text of &ltt_event_value.length bytes, or up to a NUL before that
 * @LTT_EVENT_BLOB: &ltt_event_value.length bytes, shown in hexadecimal
 * @LTT_EVENT_HEX: a flag beside the type of an integer: shown in hexadecimal
 * @LTT_EVENT_SEQUENCE: a flag beside the type of an integer: &ltt_event_value.length of them
 *
 * A text of more than 4095 bytes is cut, and ends with a mark.  A sequence or blob has at most
 * 4096 bytes.  An event has at most 12 arguments; TEXT, BLOB and SEQUENCE count as two.
 */
enum ltt_event_type {
	LTT_EVENT_BOOL		= 1,
	LTT_EVENT_S8		= 2,
	LTT_EVENT_U8		= 3,
	LTT_EVENT_S16		= 4,
	LTT_EVENT_U16		= 5,
	LTT_EVENT_S32		= 6,
	LTT_EVENT_U32		= 7,
	LTT_EVENT_S64		= 8,
	LTT_EVENT_U64		= 9,
	LTT_EVENT_FLOAT		= 10,
	LTT_EVENT_DOUBLE	= 11,
	LTT_EVENT_STRING	= 12,
	LTT_EVENT_TEXT		= 13,
	LTT_EVENT_BLOB		= 14,
	LTT_EVENT_HEX		= 0x100,
	LTT_EVENT_SEQUENCE	= 0x200
};

/**
 * struct ltt_event_field - a field of an event
 * @name: a C identifier of up to 63 characters
 * @labels: NULL; or, of an integer, names of its values: "idle=0,running=1"
 * @type: enum ltt_event_type
 * @reserved: 0
 */
struct ltt_event_field {
	const char *name;
	const char *labels;
	unsigned int type;
	unsigned int reserved;
};

/**
 * struct ltt_event_value - the value of a field
 * @s: of an integer with a sign
 * @u: of any other integer, and of a bool
 * @d: of a double
 * @f: of a float
 * @p: where the text or the integers are.  NULL is the text "(null)", or no integers
 * @length: of TEXT and BLOB, bytes; of SEQUENCE, integers
 */
struct ltt_event_value {
	__extension__ union {
		long long s;
		unsigned long long u;
		double d;
		float f;
		const void *p;
	};
	size_t length;
};

/**
 * struct ltt_event_options - more about an event; members that are 0 are not given
 * @size: sizeof(struct ltt_event_options)
 * @file: the source file that emits the event; up to 4095 bytes
 * @line: the line in @file
 * @message: receives the reason if ltt_event_create_with() fails, a NUL-terminated text
 * @message_size: bytes of @message
 */
struct ltt_event_options {
	size_t size;
	const char *file;
	unsigned int line;
	char *message;
	size_t message_size;
};

/**
 * struct ltt_event - an event; the other members are private
 * @enabled: not 0 while the event is recorded, or has a probe
 */
struct ltt_event {
	unsigned char enabled;
};

/**
 * ltt_event_create() - describe an event, and make it known to lttds and lttctl
 * @group: a name: 1 to 63 characters of A-Z a-z 0-9 _ . -, the first not a dot
 * @name: a name
 * @fields: the fields, in their order; all texts are copied
 * @nr: how many
 *
 * Waits until each lttd that runs records the event, if it does: as a program that starts
 * does, at most 0.3 seconds, or two seconds for the `lttctl record` that started the program.
 * So create events early; with an lttd that is idle, it takes a millisecond.
 *
 * An event lives as long as the program.  Descriptions that are equal in all, options
 * included, are one event: all threads and libraries that create it get the same pointer.
 * Descriptions with equal names and different fields are different events, as with
 * trace_mark().
 *
 * Context: any thread, but not a signal handler, and not the child of a vfork().
 * Return: the event; NULL with errno EINVAL: a name, type or label is malformed, or two
 *	fields have the same name; E2BIG: there are more than 12 arguments, or the names and
 *	labels are longer than some 8000 characters; ENOSPC: the program has 16384 such events;
 *	ENOMEM.
 */
struct ltt_event *ltt_event_create(const char *group, const char *name,
				   const struct ltt_event_field *fields, unsigned int nr);

/**
 * ltt_event_create_with() - the same, with options
 * @group: as for ltt_event_create(), like the others
 * @name: "
 * @fields: "
 * @nr: "
 * @options: NULL for none
 *
 * Return: as ltt_event_create(); also E2BIG if @options has a member, not 0, that this
 *	version of the library does not know, and ENAMETOOLONG if its file is too long.
 */
struct ltt_event *ltt_event_create_with(const char *group, const char *name,
					const struct ltt_event_field *fields, unsigned int nr,
					const struct ltt_event_options *options);

/**
 * ltt_event_write() - emit an event
 * @event: from ltt_event_create(); NULL is ignored
 * @values: of its fields, in their order
 *
 * Returns at once while the event is not recorded.
 *
 * Context: any thread, and its signal handlers.  Preserves errno.
 */
void ltt_event_write(struct ltt_event *event, const struct ltt_event_value *values);

/**
 * ltt_event_enabled() - find out whether to compute the values of an event
 * @event: from ltt_event_create(), or NULL
 *
 * Context: any thread, and its signal handlers.
 * Return: not 0 if @event is recorded now, by whatever filter, or has a probe.
 */
static inline int ltt_event_enabled(const struct ltt_event *event)
{
	return event && __atomic_load_n(&event->enabled, __ATOMIC_RELAXED) != 0;
}

#ifdef __cplusplus
}
#endif

#endif /* LTT_EVENT_H */
