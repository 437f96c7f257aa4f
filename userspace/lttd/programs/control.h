/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Requests of lttctl to a running recording of programs.
 *
 * Layer: lttd.
 */
#ifndef LTTD_CONTROL_H
#define LTTD_CONTROL_H

#include "state.h"

/** control_ask() - see &struct program_host.ask */
int control_ask(struct program_host *host, struct program *program, const void *data, size_t size);

/** control_settled() - answer ENABLE and DISABLE if all programs have acknowledged, or in time */
void control_settled(struct programs *programs);

/**
 * control_ended() - answer END
 * @programs: the recording, which has ended
 * @failed: it is not complete
 */
void control_ended(struct programs *programs, bool failed);

#endif /* LTTD_CONTROL_H */
