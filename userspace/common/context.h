/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Parse a list of context fields of programs' events.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_CONTEXT_H
#define LTT_COMMON_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#define CONTEXT_WORDS	"none, or a list of tid, pid, name and stack[:DEPTH] (DEPTH from 1 to 64), separated by commas"

/**
 * context_parse() - parse "none", or "tid", "pid", "name" and "stack[:DEPTH]" separated by commas
 * @text: the list; each word at most once
 * @context: receives the bits LTT_CONTEXT_*, and the depth of a stack at bit LTT_CONTEXT_DEPTH
 *
 * Return: true; false if @text is not such a list.
 */
bool context_parse(const char *text, uint32_t *context);

#endif /* LTT_COMMON_CONTEXT_H */
