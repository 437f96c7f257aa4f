/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Where the parts of a record lie whose event has few values, no text and the usual context, and perhaps the name of the
 * thread behind that.
 *
 * All of it is known before the event comes, so that a thread stores each value from a register straight into the
 * ring, without building a payload first.
 */
#ifndef LTT_LAYOUT_H
#define LTT_LAYOUT_H

#include <stdint.h>

#include "include/ltt/marker-types.h"
#include "common/shm.h"
#include "core/header.h"

#define LTT_VALUES_MAX	5	/* so many fit in registers */

/**
 * struct ltt_layout - the record of such an event, with the compact or the medium header
 * @header: the header without the time
 * @room: @size, and the bytes behind the record that storing its last value as a word may change
 * @at: offsets of the context and of each value
 * @shift: 64 minus the bits of each value
 * @size: of the record, in bytes
 */
struct ltt_layout {
	uint64_t header;
	uint64_t room;
	uint8_t at[1 + LTT_VALUES_MAX];
	uint8_t shift[LTT_VALUES_MAX];
	uint8_t size;
};

/**
 * ltt_layout_of() - compute a layout
 * @id: of the event, at most UINT16_MAX
 * @step: its values, LTT_MARK_VALUE each
 * @nr: how many; the layout of more than LTT_VALUES_MAX is of no use
 */
static inline struct ltt_layout ltt_layout_of(uint32_t id, const struct ltt_mark_step *step, unsigned int nr)
{
	bool compact = id < LTT_COMPACT_IDS;
	struct ltt_layout layout = {
		.header = compact ? id : LTT_ID_MEDIUM | (uint64_t)id << 32,
		.at = { compact ? LTT_HEADER_COMPACT : LTT_HEADER_MEDIUM },
	};
	unsigned int i, end = layout.at[0] + LTT_CONTEXT_USUAL_SIZE;

	for (i = 0; i < nr && i < LTT_VALUES_MAX; i++) {
		layout.at[1 + i] = end;
		layout.shift[i] = 64 - 8 * step[i].size;
		end += step[i].size;
	}
	layout.size = end;
	layout.room = end + sizeof(uint64_t);
	return layout;
}

#endif /* LTT_LAYOUT_H */
