/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The thread that closes pieces.
 *
 * Layer: lttd.
 */
#ifndef LTTD_CLOSER_H
#define LTTD_CLOSER_H

/** closer_run() - close pieces, and keep to the quota, until &pieces.ending.  @arg: the struct pieces */
void *closer_run(void *arg);

#endif /* LTTD_CLOSER_H */
