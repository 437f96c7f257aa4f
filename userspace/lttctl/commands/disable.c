// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl disable: no longer record events by default, or in one trace.
 *
 * Layer: lttctl.
 */
#include "pattern-change.h"

int cmd_disable(int argc, const char **argv)
{
	static const struct pattern_change change = {
		lttctl_event_disable, lttctl_marker_disable, false,
	};

	return change_patterns(argc, argv, &change);
}
