/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Times on the command line, --from and --to, and as text.
 *
 *	HH:MM[:SS[.FRACTION]]              a time of the day of the recording, as `lttctl view` prints it
 *	YYYY-MM-DD HH:MM[:SS[.FRACTION]]   a time of another day; also with a T in between
 *	+TIME                              after the begin of the recording
 *	-TIME                              before its end
 *	SECONDS[.FRACTION]                 since the Unix epoch
 *
 * TIME is a number, perhaps with a fraction, and ns, us, ms, s (the default), m or h.  Times of the day are those of the time
 * zone of the environment, TZ.  A recording that goes over midnight has two days: a time of the day is
 * that which lies in the recording.
 *
 * Layer: lttctl model.  Each function that parses returns NULL, or the reason why it rejects a text, as common/options.h.
 */
#ifndef LTTCTL_MODEL_MOMENT_H
#define LTTCTL_MODEL_MOMENT_H

#include <stdint.h>

#define MOMENT_TEXT	64	/* room for any text of this file */

/**
 * moment_parse() - parse a time
 * @text: the text
 * @first_ns: the begin of the recording, nanoseconds since the Unix epoch
 * @last_ns: its end
 * @ns: set to the time
 */
const char *moment_parse(const char *text, int64_t first_ns, int64_t last_ns, int64_t *ns);

/**
 * moment_duration() - parse a TIME
 * @text: the text, without a sign
 * @ns: set to the time in nanoseconds
 */
const char *moment_duration(const char *text, int64_t *ns);

/* Format "HH:MM:SS.NNNNNNNNN".  Return: @text. */
const char *moment_text(int64_t ns, char text[MOMENT_TEXT]);

/* Format "YYYY-MM-DD HH:MM:SS.NNNNNNNNN".  Return: @text. */
const char *moment_date_text(int64_t ns, char text[MOMENT_TEXT]);

/* Format a duration for people, with three or four digits and its unit: "12.3 us".  Return: @text. */
const char *moment_duration_text(int64_t ns, char text[MOMENT_TEXT]);

#endif /* LTTCTL_MODEL_MOMENT_H */
