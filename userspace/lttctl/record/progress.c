// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The progress line of `record` on the terminal of the user.
 *
 * Layer: lttctl.
 */
#include "lttctl/record/progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool progress_wanted(bool has_command)
{
	return !has_command && isatty(STDERR_FILENO);
}

/* Characters that fit a line without moving the cursor to the next one. */
static int width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2)
		return 79;
	return size.ws_col - 1;
}

void progress_draw(double seconds, const struct lttctl_counts *total)
{
	char line[160], emitted[32], bytes[32], refused[32];

	if (total)
		snprintf(line, sizeof(line), "%.1f s  %s events  %s  %s lost", seconds,
			 with_commas(total->emitted, emitted), as_bytes(total->bytes, bytes),
			 with_commas(total->refused, refused));
	else
		snprintf(line, sizeof(line), "%.1f s", seconds);
	fprintf(stderr, "\r%.*s\033[K", width(), line);
}

void progress_clear(void)
{
	fputs("\r\033[K", stderr);
}
