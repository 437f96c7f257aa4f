/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The column of the time.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_WHEN_H
#define LTTCTL_VIEW_WHEN_H

#include "out.h"

/**
 * enum when_style - how a time is shown
 * @WHEN_CLOCK: as the time of the day
 * @WHEN_DATE: as date and time of the day
 * @WHEN_DELTA: as the seconds since the event that was shown before
 * @WHEN_RELATIVE: as the seconds since the begin of the recording
 * @WHEN_NS: as nanoseconds since the Unix epoch
 */
enum when_style {
	WHEN_CLOCK,
	WHEN_DATE,
	WHEN_DELTA,
	WHEN_RELATIVE,
	WHEN_NS,
};

#define WHEN_STYLES "clock, date, delta, relative or ns"

/**
 * struct when - the column
 * @style: how a time is shown
 * @begin: the begin of the recording, nanoseconds since the Unix epoch
 * @last: the time that was shown last; INT64_MIN: none yet
 * @second: the second whose text is @text
 * @text: its date and time of the day, or the time alone
 * @len: bytes of @text; 0: there is none yet
 */
struct when {
	enum when_style style;
	int64_t begin;
	int64_t last;
	int64_t second;
	char text[40];
	size_t len;
};

/* Find a style by its name.  Return: false if there is none. */
bool when_style(const char *name, enum when_style *style);

void when_init(struct when *when, enum when_style style, int64_t begin);

/* Write a time.  The seconds of a difference have blanks before them up to @width characters. */
void when_put(struct when *when, struct out *out, int64_t ns, unsigned int width);

#endif /* LTTCTL_VIEW_WHEN_H */
