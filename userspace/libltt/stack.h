/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The call stack of the calling thread, by frame pointers.
 */
#ifndef LTT_STACK_H
#define LTT_STACK_H

#include <stdint.h>

/**
 * struct ltt_origin - where an event comes from
 * @place: the address behind the call of ltt_mark_N()
 * @end: the end of the frame of ltt_mark_N(); the frames of the program are from here on
 */
struct ltt_origin {
	const void *place;
	const void *end;
};

/* In ltt_mark_N() and the like, which the program calls: their own caller. */
#define LTT_ORIGIN()	((struct ltt_origin){ __builtin_return_address(0), __builtin_dwarf_cfa() })

/* The bytes of a stack: its number of addresses, and these. */
#define LTT_STACK_SIZE(depth)	(sizeof(uint16_t) + (depth) * sizeof(uint64_t))

/**
 * ltt_stack() - copy the call stack
 * @to: receives the number of addresses and the addresses, LTT_STACK_SIZE(@depth) bytes at most
 * @depth: largest number of addresses, 1 to LTT_STACK_DEPTH_MAX
 * @origin: of the event; its @place is the first address, the others are return addresses
 *
 * The functions between ltt_mark_N() and this must leave the frame pointer alone, or have
 * a frame: mark.c, event.c and text.c are compiled for that.  A program whose functions use the frame pointer for
 * something else has a stack that is short, or has wrong addresses.
 *
 * Context: any thread, and its signal handlers, on any stack.  Preserves errno.
 * Return: the end of the addresses.
 */
char *ltt_stack(char *to, unsigned int depth, struct ltt_origin origin);

#endif /* LTT_STACK_H */
