/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The payload of an event with text or arrays.
 */
#ifndef LTT_PACK_H
#define LTT_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/ltt/marker-types.h"

#define LTT_PACK_TOO_LARGE	((size_t)-1)

/**
 * struct ltt_packing - the texts of an event
 * @keep: bytes of each text that are copied, without the NUL
 * @cut: a bit for each text that is longer
 */
struct ltt_packing {
	uint16_t keep[LTT_MARK_MAX_ARGS];
	uint16_t cut;
};

/**
 * ltt_pack_measure() - compute the size of a payload
 * @packing: filled in
 * @step: the steps of the event
 * @words: its arguments, 64 bits each
 * @nr: how many
 *
 * Context: any thread, and its signal handlers.
 * Return: bytes, 0 to LTT_MARK_PAYLOAD_MAX, or LTT_PACK_TOO_LARGE.
 */
size_t ltt_pack_measure(struct ltt_packing *packing, const struct ltt_mark_step *step,
			const uint64_t *words, unsigned int nr);

/**
 * ltt_pack() - build the payload
 * @to: as many bytes as ltt_pack_measure() returned, rounded up to 8
 * @packing: as ltt_pack_measure() has filled it in
 * @step: as for ltt_pack_measure()
 * @words: as for ltt_pack_measure()
 * @nr: as for ltt_pack_measure()
 *
 * Context: any thread, and its signal handlers.
 * Return: bytes.  Less than ltt_pack_measure() returned, if another thread has made a text
 *	shorter meanwhile.
 */
size_t ltt_pack(char *to, const struct ltt_packing *packing, const struct ltt_mark_step *step,
		const uint64_t *words, unsigned int nr);

#endif /* LTT_PACK_H */
