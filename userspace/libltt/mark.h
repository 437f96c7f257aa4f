/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * An event, from its arguments to the buffers of all targets of its site.
 */
#ifndef LTT_LIB_MARK_H
#define LTT_LIB_MARK_H

#include <stdint.h>

#include "include/ltt/marker.h"
#include "stack.h"

/**
 * ltt_mark_words() - write an event to all targets of a site
 * @site: the site
 * @words: the arguments, 64 bits each: see ltt_mark_0()
 * @nr: how many: as many as the site has
 * @origin: LTT_ORIGIN() of the function that the program has called
 *
 * Context: any thread, and its signal handlers.  Preserves errno.
 */
void ltt_mark_words(const struct ltt_site *site, const uint64_t *words, unsigned int nr,
		    struct ltt_origin origin);

#endif /* LTT_LIB_MARK_H */
