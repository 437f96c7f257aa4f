/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The values of recording options, which lttctl and lttd share.
 *
 * Layer: common.  Each function returns the reason why it rejects a text, in the
 * words of the man pages, for a message such as "--size 3k: must be a power of two
 * from 4k to 256M (for example 1M)".
 */
#ifndef LTT_COMMON_OPTIONS_H
#define LTT_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/shm.h"

#define OPTIONS_SIZE_MIN	((uint64_t)LTT_SHM_PAGE)
#define OPTIONS_SIZE_MAX	(1ULL << LTT_SHM_SB_ORDER_MAX)
#define OPTIONS_SIZE_DEFAULT	(1ULL << 20)
#define OPTIONS_COUNT_MIN	2ULL
#define OPTIONS_COUNT_MAX	(1ULL << 20)
#define OPTIONS_COUNT_PROGRAMS	((uint64_t)LTT_SHM_NR_SB_MAX)
#define OPTIONS_LOSSLESS_MAX	((uint64_t)LTT_LOSSLESS_MS_MAX)
#define OPTIONS_FLUSH_MAX	3600000ULL
#define OPTIONS_DURATION_MAX	(365 * 24 * 3600000ULL)
#define OPTIONS_MEMORY_MIN	(1ULL << 20)

/* Patterns for events of programs that one recording takes, and filters for such events. */
#define OPTIONS_PATTERNS_MAX	72
#define OPTIONS_FILTERS_MAX	64

/**
 * struct options_buffers - the options about the buffers and context fields of a recording
 * @size_text: the argument of --size; this and the following texts are NULL without the
 *	option, and freed by options_free()
 * @count_text: the argument of --count
 * @lossless_text: the argument of --lossless
 * @context_text: the argument of --context
 * @whose_text: the argument of --buffers
 * @memory_text: the argument of --memory
 * @overwrite: not 0 with --overwrite
 * @size: size of a sub-buffer in bytes
 * @count: number of sub-buffers of each buffer
 * @lossless_ms: longest wait for room in milliseconds; 0 to lose events instead
 * @context: LTT_CONTEXT_TID and so on
 * @shared: processes share buffers
 * @memory: limit for the memory of a user's buffers in bytes
 */
struct options_buffers {
	char *size_text;
	char *count_text;
	char *lossless_text;
	char *context_text;
	char *whose_text;
	char *memory_text;
	int overwrite;
	uint64_t size;
	uint64_t count;
	uint64_t lossless_ms;
	uint32_t context;
	bool shared;
	uint64_t memory;
};

/**
 * struct options_fault - an option that is rejected, for a message "OPTION TEXT: WHY"
 * @option: the option
 * @text: its argument; "" if the option itself is at fault
 * @why: the reason
 */
struct options_fault {
	const char *option;
	const char *text;
	const char *why;
};

/**
 * options_check() - parse the texts of options, and check that the options go together
 * @options: the texts, and the defaults of the values; receives the values of the texts
 * @programs: the buffers are those of programs, see options_count()
 * @fault: receives the first fault; its texts belong to @options
 *
 * Return: true if @options are right.
 */
bool options_check(struct options_buffers *options, bool programs, struct options_fault *fault);

/** options_free() - free the texts of @options */
void options_free(struct options_buffers *options);

/**
 * options_number() - parse a number
 * @text: digits without a suffix
 * @min: the smallest number, 0 or more
 * @max: the largest number
 * @number: set to the number
 *
 * Return: false if @text is rejected.
 */
bool options_number(const char *text, int min, int max, int *number);

/**
 * options_bytes() - parse a size
 * @text: digits, with k, M or G behind them for 2^10, 2^20 or 2^30
 * @min: the smallest size
 * @size: set to the size in bytes
 *
 * Return: false if @text is rejected.
 */
bool options_bytes(const char *text, uint64_t min, uint64_t *size);

/**
 * options_size() - parse the size of a sub-buffer
 * @text: digits, with k, M or G behind them for 2^10, 2^20 or 2^30
 * @size: set to the size in bytes, OPTIONS_SIZE_MIN to OPTIONS_SIZE_MAX
 *
 * Return: NULL, or the reason why @text is rejected.
 */
const char *options_size(const char *text, uint64_t *size);

/**
 * options_count() - parse the number of sub-buffers of a buffer
 * @text: digits, with a suffix as options_size() takes it
 * @programs: the buffers are those of programs, which have a lower limit
 * @count: set to the number, from OPTIONS_COUNT_MIN on
 *
 * Return: NULL, or the reason why @text is rejected.
 */
const char *options_count(const char *text, bool programs, uint64_t *count);

/**
 * options_lossless() - parse the time that a thread may wait for room
 * @text: digits
 * @ms: set to the time in milliseconds, 1 to OPTIONS_LOSSLESS_MAX
 *
 * Return: NULL, or the reason why @text is rejected.
 */
const char *options_lossless(const char *text, uint64_t *ms);

/**
 * options_flush() - parse the time between two flushes
 * @text: digits
 * @ms: set to the time in milliseconds, at most OPTIONS_FLUSH_MAX; 0: never flush
 *
 * Return: NULL, or the reason why @text is rejected.
 */
const char *options_flush(const char *text, uint64_t *ms);

/**
 * options_duration() - parse a time
 * @text: digits, with ms, s (the default), m or h behind them
 * @ms: set to the time in milliseconds, 1 to OPTIONS_DURATION_MAX
 *
 * Return: NULL, or the reason why @text is rejected.
 */
const char *options_duration(const char *text, uint64_t *ms);

/**
 * options_whose() - parse whose buffers those of programs are
 * @text: "process" or "shared"
 * @shared: set to true if processes share buffers
 *
 * Return: NULL, or the reason why @text is rejected.
 */
const char *options_whose(const char *text, bool *shared);

/**
 * options_memory() - parse the limit for the memory of a user's buffers
 * @text: digits, with a suffix as options_size() takes it
 * @size: set to the size in bytes, from OPTIONS_MEMORY_MIN on
 *
 * Return: NULL, or the reason why @text is rejected.
 */
const char *options_memory(const char *text, uint64_t *size);

/**
 * options_pid() - parse a process id
 * @text: digits without a suffix
 * @pid: set to the id, from 1 on
 *
 * Return: NULL, or the reason why @text is rejected.
 */
const char *options_pid(const char *text, pid_t *pid);

#endif /* LTT_COMMON_OPTIONS_H */
