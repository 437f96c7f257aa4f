/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * One time for the recordings of several hosts.
 *
 * Layer: lttctl hosts.
 *
 * A recording has times by the clock of its host and by one offset, taken when it began.  Where the kernel of a host took its
 * time of day for right, samples give the times instead (samples.h).  Else TCP segments between hosts do: none was received
 * before it was sent (segments.h, hull.h).  For each host the way and the bound of the error are printed.
 */
#ifndef LTTCTL_HOSTS_HOSTS_H
#define LTTCTL_HOSTS_HOSTS_H

#include "ltt/ltttrace.h"

/**
 * enum hosts_sync - by what the times of hosts are corrected
 * @HOSTS_AUTO: samples where the clock was synchronised, else TCP segments, else nothing
 * @HOSTS_SAMPLES: samples, of clocks that were not synchronised, too
 * @HOSTS_TCP: TCP segments
 * @HOSTS_NONE: nothing
 */
enum hosts_sync { HOSTS_AUTO, HOSTS_SAMPLES, HOSTS_TCP, HOSTS_NONE };

#define HOSTS_SYNCS "auto, samples, tcp or none"

/* Find a value by its name.  Return: false if there is none. */
bool hosts_sync(const char *name, enum hosts_sync *sync);

/**
 * hosts_correct() - correct the times of recordings of several hosts
 * @trace: the recordings, opened with LTTTRACE_WITH_STATES, without cursors
 * @sync: by what
 *
 * Nothing is done to recordings of one boot of one host, and with HOSTS_AUTO to those of several boots of one host.
 *
 * Return: 0; EXIT_FAILED after a message.
 */
int hosts_correct(struct ltttrace *trace, enum hosts_sync sync);

#endif /* LTTCTL_HOSTS_HOSTS_H */
