/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What enable and disable share: `[-t TRACE] PATTERN...`.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PATTERN_CHANGE_H
#define LTTCTL_PATTERN_CHANGE_H

#include "lttctl/command.h"

/**
 * struct pattern_change - what is done with a pattern
 * @in_trace: with -t
 * @by_default: without
 * @on: of events of programs
 */
struct pattern_change {
	int (*in_trace)(struct lttctl_trace *trace, const char *pattern);
	int (*by_default)(struct lttctl *ctl, const char *pattern);
	bool on;
};

/**
 * change_patterns() - do it with each pattern of the command line
 *
 * Stops at the first that is refused; those before it have been applied.  Those of the
 * kernel come first.
 */
int change_patterns(int argc, const char **argv, const struct pattern_change *change);

#endif /* LTTCTL_PATTERN_CHANGE_H */
