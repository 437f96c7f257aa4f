/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The connections of programs, from the first word until it is known how they ended.
 *
 * Layer: lttd.  All return 0, or -1 after having said why the recording cannot go on.
 */
#ifndef LTTD_CONNECTIONS_H
#define LTTD_CONNECTIONS_H

#include "recording.h"

/** connections_accept() - take those that wait */
int connections_accept(struct programs *programs);

/** connections_hear() - a program has said something, or has ended */
int connections_hear(struct programs *programs, struct program *program);

/** connections_look_after() - those whose time has come */
int connections_look_after(struct programs *programs);

/** connections_end() - hear what was said, and end all */
int connections_end(struct programs *programs);

#endif /* LTTD_CONNECTIONS_H */
