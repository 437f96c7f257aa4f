// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of patterns, each with a value for the events that it matches.  The last pattern that
 * matches an event decides.
 *
 * Layer: tracer.  Context: task, registry lock held.
 *
 * A change is applied to all events at once.  If it cannot be, the list is as it was.
 */
#include "settings.h"
#include "tracer.h"

#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>

/**
 * ltt_setting_for() - find the setting that decides about an event
 * @settings: the list
 * @marker: the marker of the event
 *
 * Return: the setting; NULL if no pattern matches.
 */
const struct ltt_setting *ltt_setting_for(const struct list_head *settings,
					  const struct ltt_marker *marker)
{
	const struct ltt_setting *setting;

	list_for_each_entry_reverse(setting, settings, node)
		if (ltt_marker_matches(marker, setting->group, setting->name))
			return setting;
	return NULL;
}

/**
 * ltt_setting_named() - find the setting of a pattern
 * @settings: the list
 * @group: glob of groups of the pattern
 * @name: glob of names
 *
 * Return: the setting, or NULL.
 */
struct ltt_setting *ltt_setting_named(const struct list_head *settings, const char *group,
				      const char *name)
{
	struct ltt_setting *setting;

	list_for_each_entry(setting, settings, node)
		if (!strcmp(setting->group, group) && !strcmp(setting->name, name))
			return setting;
	return NULL;
}

static bool is_full(const struct list_head *settings)
{
	const struct list_head *node;
	unsigned int nr = 0;

	list_for_each(node, settings)
		nr++;
	return nr >= LTT_SETTINGS_MAX;
}

/**
 * ltt_setting_set() - set the value for a pattern; it becomes the last one
 * @trace: the trace
 * @settings: its list
 * @pattern: see ltt_pattern_split()
 * @value: the value, with a reference that the list takes over if this succeeds
 * @old: receives the value that the pattern had, with its reference; NULL if it had none
 *
 * Return: 0; -EINVAL bad pattern; -EDQUOT (LTT_SETTINGS_MAX); -ENOMEM, -ENOSPC, or an error of a
 * marker: nothing has changed.
 */
int ltt_setting_set(struct ltt_trace *trace, struct list_head *settings, const char *pattern,
		    void *value, void **old)
{
	struct ltt_setting *setting, *same;
	int err = -EINVAL;

	setting = kzalloc(sizeof(*setting), GFP_KERNEL_ACCOUNT);
	if (!setting)
		return -ENOMEM;
	if (!ltt_pattern_split(pattern, setting->group, setting->name))
		goto err_free;
	same = ltt_setting_named(settings, setting->group, setting->name);
	err = -EDQUOT;
	if (!same && is_full(settings))
		goto err_free;
	setting->value = value;
	list_add_tail(&setting->node, settings);
	err = ltt_rules_apply(trace);
	if (err)
		goto err_apply;
	*old = NULL;
	if (same) {
		*old = same->value;
		list_del(&same->node);
		kfree(same);
	}
	return 0;

err_apply:
	list_del(&setting->node);
	ltt_rules_apply(trace);
err_free:
	kfree(setting);
	return err;
}

/**
 * ltt_setting_unset() - undo ltt_setting_set()
 * @trace: the trace
 * @settings: its list
 * @pattern: the same pattern
 * @old: receives the value that the pattern had, with its reference
 *
 * Return: 0; -EINVAL bad pattern; -ENOENT it was not set; -ENOMEM, -ENOSPC, or an error of a
 * marker: nothing has changed.
 */
int ltt_setting_unset(struct ltt_trace *trace, struct list_head *settings, const char *pattern,
		      void **old)
{
	char group[LTT_PATTERN_MAX], name[LTT_PATTERN_MAX];
	struct ltt_setting *setting;
	struct list_head *before;
	int err;

	if (!ltt_pattern_split(pattern, group, name))
		return -EINVAL;
	setting = ltt_setting_named(settings, group, name);
	if (!setting)
		return -ENOENT;
	before = setting->node.prev;
	list_del(&setting->node);
	err = ltt_rules_apply(trace);
	if (err) {
		list_add(&setting->node, before);
		ltt_rules_apply(trace);
		return err;
	}
	*old = setting->value;
	kfree(setting);
	return 0;
}

/**
 * ltt_settings_free() - free a list at the end of a trace
 * @settings: the list
 * @put: drops the reference of a value
 */
void ltt_settings_free(struct list_head *settings, void (*put)(void *value))
{
	struct ltt_setting *setting, *next;

	list_for_each_entry_safe(setting, next, settings, node) {
		put(setting->value);
		kfree(setting);
	}
}
