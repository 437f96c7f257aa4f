/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of patterns with values, see settings.c.
 *
 * Layer: tracer.
 */
#ifndef LTT_TRACER_SETTINGS_H
#define LTT_TRACER_SETTINGS_H

#include <linux/types.h>

#include "../../core/name.h"

struct ltt_marker;
struct ltt_trace;

/**
 * struct ltt_setting - a value for the events that a pattern matches
 * @node: in the trace's list, in the order of the commands
 * @value: the value, with a reference; NULL is a value, too
 * @group: glob of groups
 * @name: glob of names
 */
struct ltt_setting {
	struct list_head node;
	void *value;
	char group[LTT_PATTERN_MAX];
	char name[LTT_PATTERN_MAX];
};

const struct ltt_setting *ltt_setting_for(const struct list_head *settings,
					  const struct ltt_marker *marker);
struct ltt_setting *ltt_setting_named(const struct list_head *settings, const char *group,
				      const char *name);
int ltt_setting_set(struct ltt_trace *trace, struct list_head *settings, const char *pattern,
		    void *value, void **old);
int ltt_setting_unset(struct ltt_trace *trace, struct list_head *settings, const char *pattern,
		      void **old);
void ltt_settings_free(struct list_head *settings, void (*put)(void *value));

#endif /* LTT_TRACER_SETTINGS_H */
