/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The disk space that a recording in pieces may take.
 *
 * Layer: lttd.
 */
#ifndef LTTD_QUOTA_H
#define LTTD_QUOTA_H

#include "pieces.h"

/**
 * quota_keep() - remove the oldest closed pieces until the others keep to the quota
 * @pieces: the pieces
 *
 * An open piece counts as full, and there is room left for two more, because the next one is opened
 * before the last one is closed, and another lttd may do the same.  So the quota holds at all times.  A piece that a command of
 * --after-rotate reads is not removed: younger ones are, and options leave room for one of each lttd.
 * A failure is logged.
 */
void quota_keep(struct pieces *pieces);

/** piece_remove() - remove piece @number of the directory @root.  A failure is logged */
void piece_remove(int root, unsigned int number);

#endif /* LTTD_QUOTA_H */
