// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A recording of programs in pieces.
 *
 * Layer: lttd.
 */
#include "rotate.h"
#include "lttd/log.h"
#include "lttd/state/clock.h"

int programs_rotate(struct programs *programs)
{
	struct piece *old;
	struct user *user;
	bool is_sampled;

	programs_sample(programs);
	is_sampled = programs->sampler;
	for (user = programs->users; user; user = user->next)
		if (notes_flush(&user->notes))
			return -1;
	sampler_end(programs->sampler);
	programs->sampler = NULL;
	old = pieces_open_next(&programs->pieces);
	if (!old)
		return -1;
	for (user = programs->users; user; user = user->next)
		if (user_move(user, programs->pieces.path))
			return -1;
	pieces_sync(&programs->pieces);
	pieces_close(&programs->pieces, old);
	if (is_sampled)
		programs->sampler = sampler_begin(programs->pieces.path, &programs->clock);
	return 0;
}

int programs_before_packet(void *arg, size_t bytes)
{
	struct programs *programs = arg;

	if (pieces_are_full(&programs->pieces, bytes) && programs_rotate(programs))
		return -1;
	pieces_add(&programs->pieces, bytes);
	return 0;
}

/* Events that were recorded before the request belong into the old piece. */
int programs_rotate_in_time(struct programs *programs)
{
	struct user *user;

	if (!programs->rotate && !pieces_are_due(&programs->pieces))
		return 0;
	programs->rotate = false;
	user = programs->options->buffers.overwrite ? NULL : programs->users;
	for (; user; user = user->next)
		if (slots_take(&user->slots, SLOTS_ALL))
			return -1;
	return programs_rotate(programs);
}
