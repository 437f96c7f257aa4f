// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Beacons: times before which all records of the trace are in files.
 *
 * Layer: lttd.
 */
#include "beacon.h"
#include "buffer-file.h"
#include "common/counter.h"
#include "consumer.h"
#include "lttd/programs/clock.h"

#include <stdlib.h>

void beacon_begin(struct consumer *consumer)
{
	struct clock clock;
	char *text = NULL;

	consumer->has_beacons = pieces_are_used(&consumer->pieces) && !lttctl_trace_clock(consumer->trace, &text) &&
				clock_parse(&clock, text) && clock_is_counter(&clock);
	free(text);
}

/* The kernel may have reported none of a packet yet. */
static bool is_drained(struct consumer *consumer)
{
	unsigned int i;

	for (i = 0; i < consumer->nr_files; i++)
		if (consumer->files[i]->in >= 0 &&
		    (consumer->files[i]->ready || buffer_file_peek(consumer->files[i]) || consumer->files[i]->ready))
			return false;
	return true;
}

void beacon_look(struct consumer *consumer)
{
	if (!consumer->has_beacons)
		return;
	if (consumer->flushed && is_drained(consumer))
		pieces_beacon(&consumer->pieces, consumer->flushed);
	consumer->flushed = ltt_counter();
}
