/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For <trace/events/io_uring.h>: the kernel does not export io_uring_get_opcode(),
 * the name of an operation, for the string op_str.
 *
 * Layer: instrument.  Context: a probe's.
 */
#include <linux/io_uring.h>

/* The events have the operation's number as well, in the field opcode. */
static inline const char *ltt_io_uring_opcode(u8 opcode)
{
	return "";
}

#define io_uring_get_opcode(opcode) ltt_io_uring_opcode(opcode)
