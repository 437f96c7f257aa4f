/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The pager through which a terminal gets the output.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_PAGER_H
#define LTTCTL_VIEW_PAGER_H

#include <stdbool.h>

/**
 * pager_start() - let the standard output go to $PAGER, or to less
 *
 * With an empty PAGER, or "cat", this does nothing.
 *
 * Return: true if there is a pager.  Writing fails with EPIPE after it has ended.
 */
bool pager_start(void);

/* Close the standard output and wait for the end of the pager. */
void pager_end(void);

#endif /* LTTCTL_VIEW_PAGER_H */
