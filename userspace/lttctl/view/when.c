// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The column of the time.
 *
 * Layer: lttctl view.
 */
#include "when.h"

#include <time.h>

#define NS_PER_S	INT64_C(1000000000)

bool when_style(const char *name, enum when_style *style)
{
	static const char *const names[] = {
		[WHEN_CLOCK] = "clock", [WHEN_DATE] = "date", [WHEN_DELTA] = "delta", [WHEN_RELATIVE] = "relative",
		[WHEN_NS] = "ns",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]))
			continue;
		*style = i;
		return true;
	}
	return false;
}

void when_init(struct when *when, enum when_style style, int64_t begin)
{
	*when = (struct when){ .style = style, .begin = begin, .last = INT64_MIN };
}

/* Local time; localtime_r() once for each second of the trace. */
static void set_second(struct when *when, int64_t second)
{
	const time_t time = second;
	struct tm tm;

	when->len = strftime(when->text, sizeof(when->text),
			     when->style == WHEN_DATE ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", localtime_r(&time, &tm));
	when->second = second;
}

static void put_local(struct when *when, struct out *out, int64_t ns)
{
	int64_t second = ns / NS_PER_S, rest = ns % NS_PER_S;

	if (rest < 0) {
		rest += NS_PER_S;
		second--;
	}
	if (second != when->second || !when->len)
		set_second(when, second);
	out_bytes(out, when->text, when->len);
	out_char(out, '.');
	out_digits(out, rest, 9);
}

static void put_difference(struct out *out, int64_t ns, unsigned int width)
{
	char text[OUT_SHORT];
	struct out number = { .data = text, .room = sizeof(text), .fd = -1 };

	if (ns < 0)
		out_char(&number, '-');
	out_unsigned(&number, (ns < 0 ? -(uint64_t)ns : (uint64_t)ns) / NS_PER_S);
	for (; width > number.len; width--)
		out_char(out, ' ');
	out_bytes(out, text, number.len);
	out_char(out, '.');
	out_digits(out, (ns < 0 ? -(uint64_t)ns : (uint64_t)ns) % NS_PER_S, 9);
}

void when_put(struct when *when, struct out *out, int64_t ns, unsigned int width)
{
	switch (when->style) {
	case WHEN_CLOCK:
	case WHEN_DATE:
		put_local(when, out, ns);
		break;
	case WHEN_DELTA:
		put_difference(out, when->last == INT64_MIN ? 0 : ns - when->last, width);
		break;
	case WHEN_RELATIVE:
		put_difference(out, ns - when->begin, width);
		break;
	case WHEN_NS:
		out_signed(out, ns);
		break;
	}
	when->last = ns;
}
