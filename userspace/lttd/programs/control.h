/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What lttctl asks of a recording of programs while it runs.
 *
 * Layer: lttd.
 */
#ifndef LTTD_CONTROL_H
#define LTTD_CONTROL_H

#include "recording.h"

/** control_ask() - see &struct program_host.ask */
int control_ask(struct program_host *host, struct program *program, const void *data, size_t size);

/** control_settled() - answer who waits for programs, if there is nothing more to wait for */
void control_settled(struct programs *programs);

/** control_ended() - all is written, or (@failed) not: answer who asked for the end */
void control_ended(struct programs *programs, bool failed);

#endif /* LTTD_CONTROL_H */
