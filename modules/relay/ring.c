// SPDX-License-Identifier: GPL-2.0-only
/*
 * core/'s ring and record writer, compiled for the kernel and exported to the
 * clients of ltt-relay.  Layer: relay.
 */
#include <linux/export.h>

#include <ltt/clock.h>

#include "../../core/ring.c"
#include "../../core/record.c"

u64 ltt_plat_clock(void)
{
	return ltt_clock_read();
}

EXPORT_SYMBOL_GPL(ltt_ring_init);
EXPORT_SYMBOL_GPL(ltt_ring_reserve);
EXPORT_SYMBOL_GPL(ltt_ring_copy);
EXPORT_SYMBOL_GPL(ltt_ring_deliver);
EXPORT_SYMBOL_GPL(ltt_ring_refused);
EXPORT_SYMBOL_GPL(ltt_ring_get_stats);
EXPORT_SYMBOL_GPL(ltt_record_write_slow);
EXPORT_SYMBOL_GPL(ltt_record_write_context);
