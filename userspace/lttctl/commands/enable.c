// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl enable: record events by default, or in one trace.
 *
 * Layer: lttctl.
 */
#include "pattern-change.h"

int cmd_enable(int argc, const char **argv)
{
	static const struct pattern_change change = {
		lttctl_event_enable, lttctl_marker_enable, true,
	};

	return change_patterns(argc, argv, &change);
}
