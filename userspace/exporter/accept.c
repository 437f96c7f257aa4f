// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The format that a client prefers.
 *
 * Layer: ltt-exporter.
 */
#include "metrics.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Cut @*rest at the first @separator.  Return: what was before it, without blanks around; NULL at the end. */
static char *next_part(char **rest, const char *separator)
{
	char *part = strsep(rest, separator), *end;

	if (!part)
		return NULL;
	part += strspn(part, " \t");
	for (end = part + strlen(part); end > part && (end[-1] == ' ' || end[-1] == '\t'); end--)
		;
	*end = '\0';
	return part;
}

/* Return: the value of @parameter if it is @name; NULL otherwise. */
static const char *value_of(const char *parameter, const char *name)
{
	size_t len = strlen(name);

	return !strncasecmp(parameter, name, len) && parameter[len] == '=' ? parameter + len + 1 : NULL;
}

/**
 * struct range - an element of Accept
 * @format: what it stands for
 * @is_known: it stands for one of the formats
 * @quality: how much it is wanted
 */
struct range {
	enum metrics_format format;
	bool is_known;
	double quality;
};

static struct range parse_range(char *text)
{
	static const char *const types[] = {
		[METRICS_TEXT] = "text/plain", [METRICS_OPENMETRICS] = "application/openmetrics-text",
		[METRICS_PROTOBUF] = "application/vnd.google.protobuf",
	};
	static const char *const versions[] = {
		[METRICS_TEXT] = "0.0.4", [METRICS_OPENMETRICS] = "1.0.0", [METRICS_PROTOBUF] = "",
	};
	const char *type = next_part(&text, ";"), *parameter, *value;
	struct range range = { METRICS_TEXT, !strcmp(type, "*/*") || !strcmp(type, "text/*"), 1 };
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcasecmp(type, types[i]))
			range = (struct range){ i, true, 1 };
	while ((parameter = next_part(&text, ";"))) {
		value = value_of(parameter, "q");
		if (value)
			range.quality = strtod(value, NULL);
		value = value_of(parameter, "version");
		range.is_known &= !value || !strcmp(value, versions[range.format]);
		value = value_of(parameter, "proto");
		range.is_known &= !value || !strcmp(value, "io.prometheus.client.MetricFamily");
		value = value_of(parameter, "encoding");
		range.is_known &= !value || !strcmp(value, "delimited");
	}
	return range;
}

enum metrics_format metrics_accepted(const char *accept)
{
	char *copy = accept ? strdup(accept) : NULL, *rest = copy, *text;
	struct range best = { METRICS_TEXT, true, 0 }, range;

	while ((text = next_part(&rest, ","))) {
		range = parse_range(text);
		if (range.is_known && (range.quality > best.quality ||
				       (range.quality == best.quality && range.quality && range.format > best.format)))
			best = range;
	}
	free(copy);
	return best.format;
}
