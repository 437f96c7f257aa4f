/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The machines of several recordings: threads and processes of two machines, or of two boots of one, may have the same
 * numbers.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_MACHINE_H
#define LTTCTL_VIEW_MACHINE_H

#include "ltt/ltttrace.h"

/* Return: a number of the machine and boot that a part was recorded on, from 0 on; 0 also without memory. */
unsigned int machine_of(const struct ltttrace_part *part);

/* Return: true if the parts of a recording name more than one host. */
bool machines_differ(const struct ltttrace *trace);

void machines_forget(void);

#endif /* LTTCTL_VIEW_MACHINE_H */
