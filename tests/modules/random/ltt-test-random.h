/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A program writes one of these, or an event, to /proc/ltt-test-random.
 */
#ifndef LTT_TEST_RANDOM_H
#define LTT_TEST_RANDOM_H

#include <linux/types.h>

#define RANDOM_MARKERS		1024
#define RANDOM_FIELDS		10
#define RANDOM_PAYLOAD_MAX	8192
#define RANDOM_LABELS		"one=1, minus-two=-2, big=0x7fffffff, a.b = 3}"

/* A field is called f0, f1 and so on.  The members are those of struct ltt_field. */
struct random_field {
	__u32 count;
	__u8 kind;
	__u8 size;
	__u8 is_signed;
	__u8 has_labels;
};

/* Register the marker random:eMARKER. */
struct random_definition {
	__u32 marker;
	__u32 nr_fields;
	struct random_field field[RANDOM_FIELDS];
};

/* An event: the number of a marker, and its payload.  A definition has another size than any event:
 * it has this flag. */
#define RANDOM_DEFINITION	0x80000000

#endif /* LTT_TEST_RANDOM_H */
