// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Shows the recordings that need no tracer, for list and status.
 *
 * Layer: lttctl.
 */
#include "show-recordings.h"
#include "lttctl/programs/recordings.h"
#include "lttctl/record/announce.h"

int show_recordings(bool counts, struct json_object *to, bool required, struct lttctl **ctl)
{
	unsigned int of_programs, private;
	int status;

	*ctl = NULL;
	status = recordings_show(NULL, counts, to, &of_programs);
	announced_show(NULL, counts, to, &private);
	if (of_programs || private) {
		*ctl = tracer_connect_if_there();
	} else if (required || tracer_is_loaded()) {
		*ctl = tracer_connect(false);
		if (!*ctl)
			return EXIT_FAILED;
	}
	return status;
}
