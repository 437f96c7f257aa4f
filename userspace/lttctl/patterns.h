/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What enable and disable share: `[-t TRACE] PATTERN...`.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PATTERNS_H
#define LTTCTL_PATTERNS_H

#include "command.h"

/**
 * change_patterns() - apply each pattern of the command line
 * @in_trace: with -t
 * @by_default: without
 *
 * Stops at the first that is refused; those before it have been applied.
 */
int change_patterns(int argc, const char **argv,
		    int (*in_trace)(struct lttctl_trace *trace,
				    const char *pattern),
		    int (*by_default)(struct lttctl *ctl,
				      const char *pattern));

#endif /* LTTCTL_PATTERNS_H */
