/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call stacks as contexts.
 *
 * Layer: tracer.
 */
#ifndef LTT_TRACER_STACK_H
#define LTT_TRACER_STACK_H

#include <linux/percpu.h>
#include <linux/types.h>

#include "../../core/ring.h"

#define LTT_STACK_DEPTH		16	/* addresses of a stack, unless the user asks for more */
#define LTT_STACK_DEPTH_MAX	64
#define LTT_STACKS_MAX		2	/* contexts that are stacks: kernel_stack and user_stack */

/* Where frames are known to be linked by a register, in kernel and programs alike. */
#if defined(CONFIG_X86) || defined(CONFIG_ARM64)
#define LTT_STACK_OF_USER
#endif

/* Frames of the tracer itself, which a captured stack begins with, and those between an origin and
 * the tracer. */
#define LTT_STACK_OWN		8
#define LTT_STACK_BETWEEN	12

/* The number of a stack, the number of its addresses, the addresses. */
#define LTT_STACK_HEAD		(8 + 2)
#define LTT_STACK_BYTES(depth)	(LTT_STACK_HEAD + 8 * (depth))

#define LTT_STACK_TAGS		1024	/* a power of two */

/**
 * struct ltt_stack_tags - the stacks whose addresses a buffer has, in some packet
 * @tag: each says that a packet has the addresses of a stack; 0 says nothing.  Written by
 *	writers on the CPU of the buffer, in any context
 */
struct ltt_stack_tags {
	ltt_u64 tag[LTT_STACK_TAGS];
};

/**
 * struct ltt_stack_scratch - memory to build the contexts of an event in
 * @is_busy: an event is using it
 * @address: the stack being captured
 * @bytes: all contexts
 */
struct ltt_stack_scratch {
	bool is_busy;
	unsigned long address[LTT_STACK_OWN + LTT_STACK_BETWEEN + LTT_STACK_DEPTH_MAX];
	u8 bytes[256 + LTT_STACKS_MAX * LTT_STACK_BYTES(LTT_STACK_DEPTH_MAX)];
};

unsigned int ltt_stack_of_kernel(unsigned long *to, unsigned int max, unsigned long site);
unsigned int ltt_stack_of_user(unsigned long *to, unsigned int max, unsigned long site);

u64 ltt_stack_number(const unsigned long *address, unsigned int nr);
ltt_u64 *ltt_stack_find(struct ltt_stack_tags *tags, u64 number, u64 packet, bool *found);
void ltt_stack_found(ltt_u64 *tag, u64 number, u64 packet);

struct ltt_stack_scratch *ltt_stack_begin(void);
void ltt_stack_end(struct ltt_stack_scratch *scratch);
int ltt_stack_alloc(u64 random);
void ltt_stack_exit(void);

#endif /* LTT_TRACER_STACK_H */
