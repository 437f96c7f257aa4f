/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The header of an event, in the kernel's records and in those of programs.
 *
 * Layer: core.  Native byte order, after the compact header of lttng (CTF 1.8 metadata that
 * describes it: ctf.c):
 *
 *   id 0-29     u32: id in bits 0-4, low 27 bits of the time in bits 5-31
 *   id 30-65535 u32: 30 in bits 0-4, time as above; then u16 id
 *   any         u8 31; u32 id; u64 time: when 27 bits are too few for the time
 */
#ifndef LTT_CORE_HEADER_H
#define LTT_CORE_HEADER_H

#define LTT_ID_BITS		5
#define LTT_TIME_BITS		27

#define LTT_COMPACT_IDS		30
#define LTT_ID_MEDIUM		30
#define LTT_ID_LONG		31

#define LTT_HEADER_COMPACT	4
#define LTT_HEADER_MEDIUM	6
#define LTT_HEADER_LONG		13

#endif /* LTT_CORE_HEADER_H */
