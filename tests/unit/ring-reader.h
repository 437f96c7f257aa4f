/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The interface between the two halves of the ring fixture.
 */
#ifndef LTT_TESTS_RING_READER_H
#define LTT_TESTS_RING_READER_H

#include "ring-fixture.h"

/* Fill bytes: where only the client writes, and where no one writes. */
#define FX_HEADER_FILL	0xee
#define FX_POISON	0xa5

extern const u8 fx_uuid[16];

/* The payload of record @serial, @len bytes; the same each time. */
const u8 *fx_payload(u32 serial, u32 len);

#endif /* LTT_TESTS_RING_READER_H */
