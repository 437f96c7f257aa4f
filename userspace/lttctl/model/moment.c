// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Times on the command line, and as text: see moment.h.
 *
 * Layer: lttctl model.
 */
#include "moment.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_S	1000000000LL
#define DAY_S		86400
#define MAX_S		9000000000LL	/* in the year 2255; more does not fit in nanoseconds */

static const char bad_moment[] =
	"must be HH:MM:SS[.FRACTION], +TIME after the begin, -TIME before the end, or seconds since the Epoch (for example 14:03:59.25 or +500ms)";
static const char bad_duration[] = "must be a number with ns, us, ms, s, m or h (for example 100ms)";

/* Parse digits and a fraction of up to nine digits, in billionths.  Return: what follows; NULL if there are no digits, or
 * too many. */
static const char *parse_decimal(const char *text, int64_t *whole, int64_t *billionths)
{
	int64_t scale = NS_PER_S / 10;

	if (!isdigit((unsigned char)*text))
		return NULL;
	*whole = *billionths = 0;
	for (; isdigit((unsigned char)*text); text++) {
		*whole = *whole * 10 + (*text - '0');
		if (*whole > INT64_MAX / 20)
			return NULL;
	}
	if (*text != '.')
		return text;
	for (text++; isdigit((unsigned char)*text); text++, scale /= 10)
		*billionths += (*text - '0') * scale;
	return text;
}

const char *moment_duration(const char *text, int64_t *ns)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = {
		{ "", NS_PER_S }, { "s", NS_PER_S }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 },
		{ "m", 60 * NS_PER_S }, { "h", 3600 * NS_PER_S },
	};
	int64_t whole, billionths;
	const char *unit = parse_decimal(text, &whole, &billionths);
	size_t i;

	for (i = 0; unit && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(unit, units[i].name))
			continue;
		if (whole > MAX_S * NS_PER_S / units[i].ns)
			return bad_duration;
		/* The fraction of the unit in two parts, neither of which overflows. */
		*ns = whole * units[i].ns + billionths * (units[i].ns / NS_PER_S) +
		      billionths * (units[i].ns % NS_PER_S) / NS_PER_S;
		return NULL;
	}
	return bad_duration;
}

/* Parse two digits and an end.  Return: what follows; NULL if they are not there, or exceed @max. */
static const char *parse_two(const char *text, int max, int *value)
{
	if (!isdigit((unsigned char)text[0]) || !isdigit((unsigned char)text[1]))
		return NULL;
	*value = (text[0] - '0') * 10 + text[1] - '0';
	return *value > max ? NULL : text + 2;
}

/* Parse HH:MM[:SS[.FRACTION]] to the end of the text. */
static bool parse_clock(const char *text, struct tm *tm, int64_t *billionths)
{
	int64_t seconds = 0;

	*billionths = 0;
	text = parse_two(text, 23, &tm->tm_hour);
	if (!text || *text++ != ':')
		return false;
	text = parse_two(text, 59, &tm->tm_min);
	tm->tm_sec = 0;
	if (!text || !*text)
		return text;
	if (*text++ != ':')
		return false;
	if (!parse_two(text, 60, &tm->tm_sec))
		return false;
	text = parse_decimal(text, &seconds, billionths);
	tm->tm_sec = seconds;
	return text && !*text && seconds <= 60;
}

static int64_t ns_of(const struct tm *tm, int64_t billionths)
{
	struct tm copy = *tm;

	copy.tm_isdst = -1;
	return (int64_t)mktime(&copy) * NS_PER_S + billionths;
}

/* The moment of a day, of the days that the recording touches: in the recording if one is. */
static int64_t on_a_day(struct tm *tm, int64_t billionths, int64_t first_ns, int64_t last_ns)
{
	time_t second = first_ns / NS_PER_S;
	int64_t ns, days;
	struct tm day;

	localtime_r(&second, &day);
	tm->tm_year = day.tm_year;
	tm->tm_mon = day.tm_mon;
	for (days = 0; days <= (last_ns - first_ns) / NS_PER_S / DAY_S + 1; days++) {
		tm->tm_mday = day.tm_mday + days;
		ns = ns_of(tm, billionths);
		if (ns >= first_ns && ns <= last_ns)
			return ns;
	}
	tm->tm_mday = day.tm_mday;
	return ns_of(tm, billionths);
}

static bool parse_date(const char *text, struct tm *tm, int64_t *billionths)
{
	int length = 0;

	if (sscanf(text, "%4d-%2d-%2d%n", &tm->tm_year, &tm->tm_mon, &tm->tm_mday, &length) != 3 || length != 10 ||
	    (text[length] != ' ' && text[length] != 'T'))
		return false;
	tm->tm_year -= 1900;
	tm->tm_mon -= 1;
	return tm->tm_mon >= 0 && tm->tm_mon < 12 && tm->tm_mday >= 1 && tm->tm_mday <= 31 && tm->tm_year >= 70 &&
	       tm->tm_year < 300 && parse_clock(text + length + 1, tm, billionths);
}

const char *moment_parse(const char *text, int64_t first_ns, int64_t last_ns, int64_t *ns)
{
	int64_t whole, billionths, duration;
	struct tm tm = { 0 };
	const char *why;

	if (*text == '+' || *text == '-') {
		why = moment_duration(text + 1, &duration);
		if (why)
			return bad_moment;
		*ns = *text == '+' ? first_ns + duration : last_ns - duration;
		return NULL;
	}
	if (parse_clock(text, &tm, &billionths)) {
		*ns = on_a_day(&tm, billionths, first_ns, last_ns);
		return NULL;
	}
	if (parse_date(text, &tm, &billionths)) {
		*ns = ns_of(&tm, billionths);
		return NULL;
	}
	text = parse_decimal(text, &whole, &billionths);
	if (!text || *text || whole > MAX_S)
		return bad_moment;
	*ns = whole * NS_PER_S + billionths;
	return NULL;
}

/* Times before the epoch have a fraction that counts forward, too. */
static int64_t split(int64_t ns, struct tm *tm)
{
	int64_t rest = ns % NS_PER_S;
	time_t second = ns / NS_PER_S;

	if (rest < 0) {
		rest += NS_PER_S;
		second--;
	}
	localtime_r(&second, tm);
	return rest;
}

const char *moment_text(int64_t ns, char text[MOMENT_TEXT])
{
	struct tm tm;
	int64_t rest = split(ns, &tm);

	snprintf(text, MOMENT_TEXT, "%02d:%02d:%02d.%09" PRId64, tm.tm_hour, tm.tm_min, tm.tm_sec, rest);
	return text;
}

const char *moment_date_text(int64_t ns, char text[MOMENT_TEXT])
{
	struct tm tm;
	int64_t rest = split(ns, &tm);
	size_t length = strftime(text, MOMENT_TEXT, "%Y-%m-%d %H:%M:%S", &tm);

	snprintf(text + length, MOMENT_TEXT - length, ".%09" PRId64, rest);
	return text;
}

const char *moment_duration_text(int64_t ns, char text[MOMENT_TEXT])
{
	static const struct {
		double ns;
		const char *name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" } };
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		double value = ns / units[i].ns;

		if (value < 1 && value > -1)
			continue;
		snprintf(text, MOMENT_TEXT, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, units[i].name);
		return text;
	}
	snprintf(text, MOMENT_TEXT, "%" PRId64 " ns", ns);
	return text;
}
