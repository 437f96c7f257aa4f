/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The connections of programs, from accept() until the end of the process is recorded.
 *
 * Layer: lttd.  All functions return 0, or -1 with the failure logged, which ends the
 * recording.
 */
#ifndef LTTD_CONNECTIONS_H
#define LTTD_CONNECTIONS_H

#include "state.h"

/** connections_accept() - accept programs that wait at the socket; 1: there may be more */
int connections_accept(struct programs *programs);

/** connections_hear() - process a program's messages, or its end */
int connections_hear(struct programs *programs, struct program *program);

/** connections_look_after() - process timeouts */
int connections_look_after(struct programs *programs);

/** connections_have() - find out if a program of process @pid is recorded, or was until it closed its connection */
bool connections_have(struct programs *programs, pid_t pid);

/** connections_free_removed() - free the programs that were removed, to which no event points any more */
void connections_free_removed(struct programs *programs);

/** connections_end() - process the pending messages, and close all connections */
int connections_end(struct programs *programs);

#endif /* LTTD_CONNECTIONS_H */
