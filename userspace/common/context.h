/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What events of programs have besides their fields, in the words of a user.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_CONTEXT_H
#define LTT_COMMON_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#define CONTEXT_WORDS	"none, or of tid, pid and name some, separated by commas"

/**
 * context_parse() - "tid,pid", "name", "none"
 * @context: told it, as &ltt_shm.context has it
 * Return: is it one?
 */
bool context_parse(const char *text, uint32_t *context);

#endif /* LTT_COMMON_CONTEXT_H */
