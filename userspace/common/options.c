// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The values of recording options, which lttctl and lttd share.
 *
 * Layer: common.
 */
#include "options.h"
#include "context.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The options' arguments are decimal numbers.  Return: the character behind it; NULL if
 * there is no digit, or the number does not fit. */
static const char *parse_number(const char *text, uint64_t *value)
{
	const char *at = text;

	for (*value = 0; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, *at - '0', value))
			return NULL;
	return at == text ? NULL : at;
}

bool options_number(const char *text, int min, int max, int *number)
{
	uint64_t value;
	const char *end = parse_number(text, &value);

	if (!end || *end || value < (uint64_t)min || value > (uint64_t)max)
		return false;
	*number = value;
	return true;
}

/* A number with k, M or G behind it. */
static bool parse_scaled(const char *text, uint64_t *value)
{
	static const char units[] = "kMG";
	const char *end = parse_number(text, value), *unit;

	if (!end)
		return false;
	if (!*end)
		return true;
	unit = strchr(units, *end == 'K' ? 'k' : *end);
	if (!unit || end[1])
		return false;
	return !__builtin_mul_overflow(*value, 1ULL << 10 * (unit - units + 1), value);
}

static bool is_power_of_two(uint64_t value, uint64_t min, uint64_t max)
{
	return value >= min && value <= max && !(value & (value - 1));
}

bool options_bytes(const char *text, uint64_t min, uint64_t *size)
{
	return parse_scaled(text, size) && *size >= min;
}

const char *options_size(const char *text, uint64_t *size)
{
	if (parse_scaled(text, size) && is_power_of_two(*size, OPTIONS_SIZE_MIN, OPTIONS_SIZE_MAX))
		return NULL;
	return "must be a power of two from 4k to 256M (for example 1M)";
}

const char *options_count(const char *text, bool programs, uint64_t *count)
{
	uint64_t max = programs ? OPTIONS_COUNT_PROGRAMS : OPTIONS_COUNT_MAX;

	if (parse_scaled(text, count) && is_power_of_two(*count, OPTIONS_COUNT_MIN, max))
		return NULL;
	return programs ? "must be a power of two from 2 to 65536 (for example 8)" :
			  "must be a power of two from 2 to 1048576 (for example 8)";
}

const char *options_lossless(const char *text, uint64_t *ms)
{
	const char *end = parse_number(text, ms);

	if (end && !*end && *ms && *ms <= OPTIONS_LOSSLESS_MAX)
		return NULL;
	return "must be a number of milliseconds from 1 to 10000";
}

const char *options_flush(const char *text, uint64_t *ms)
{
	const char *end = parse_number(text, ms);

	if (end && !*end && *ms <= OPTIONS_FLUSH_MAX)
		return NULL;
	return "must be a number of milliseconds from 0 (never) to 3600000";
}

const char *options_duration(const char *text, uint64_t *ms)
{
	static const struct {
		const char *suffix;
		uint64_t ms;
	} units[] = {
		{ "", 1000 }, { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 },
	};
	const char *end = parse_number(text, ms);
	size_t i;

	for (i = 0; end && i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].suffix) && *ms && *ms <= OPTIONS_DURATION_MAX / units[i].ms) {
			*ms *= units[i].ms;
			return NULL;
		}
	return "must be a number with ms, s, m or h (for example 10s), up to a year";
}

const char *options_whose(const char *text, bool *shared)
{
	*shared = !strcmp(text, "shared");
	return *shared || !strcmp(text, "process") ? NULL : "must be process or shared";
}

const char *options_memory(const char *text, uint64_t *size)
{
	return parse_scaled(text, size) && *size >= OPTIONS_MEMORY_MIN
	       ? NULL : "must be a size of at least 1M (for example 4G)";
}

const char *options_pid(const char *text, pid_t *pid)
{
	uint64_t value;
	const char *end = parse_number(text, &value);

	*pid = value;
	if (end && !*end && value && value <= INT_MAX)
		return NULL;
	return "must be a process id, a number without a suffix";
}

static const char *options_context(const char *text, uint32_t *context)
{
	return context_parse(text, context) ? NULL : "must be " CONTEXT_WORDS;
}

static bool is_fault(struct options_fault *fault, const char *option, const char *text,
		     const char *why)
{
	*fault = (struct options_fault){ option, text, why };
	return why;
}

bool options_check(struct options_buffers *options, bool programs, struct options_fault *fault)
{
	const char *size = options->size_text, *count = options->count_text;
	const char *lossless = options->lossless_text, *context = options->context_text;
	const char *whose = options->whose_text, *memory = options->memory_text;

	if (size && is_fault(fault, "--size", size, options_size(size, &options->size)))
		return false;
	if (count && is_fault(fault, "--count", count,
			      options_count(count, programs, &options->count)))
		return false;
	if (lossless && is_fault(fault, "--lossless", lossless,
				 options_lossless(lossless, &options->lossless_ms)))
		return false;
	if (lossless && options->overwrite)
		return !is_fault(fault, "--lossless", "",
				 "cannot be combined with --overwrite, which never waits for room");
	if (context && is_fault(fault, "--context", context, options_context(context, &options->context)))
		return false;
	if (whose && is_fault(fault, "--buffers", whose, options_whose(whose, &options->shared)))
		return false;
	return !memory || !is_fault(fault, "--memory", memory, options_memory(memory, &options->memory));
}

void options_free(struct options_buffers *options)
{
	free(options->size_text);
	free(options->count_text);
	free(options->lossless_text);
	free(options->context_text);
	free(options->whose_text);
	free(options->memory_text);
}
