// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a face.
 *
 * Layer: control.  Context: task.
 */
#include "../control.h"

#include <linux/err.h>
#include <linux/list.h>

#include <ltt/probes.h>
#include <ltt/registry.h>
#include <ltt/rules.h>
#include <ltt/trace.h>

/**
 * ltt_face_init() - make the default rules of a face, and no groups
 * @face: the face; its callbacks are not needed yet
 *
 * Context: sleeps; registry lock not held.
 * Return: 0; -ENOMEM.
 */
int ltt_face_init(struct ltt_face *face)
{
	INIT_LIST_HEAD(&face->groups);
	/* In a name space of its own, where no command finds it. */
	ltt_markers_lock();
	face->defaults = ltt_trace_create("defaults", &face->hidden);
	ltt_markers_unlock();
	return PTR_ERR_OR_ZERO(face->defaults);
}

/**
 * ltt_face_reset() - destroy the traces, patterns, groups and probes of a face
 * @face: the face; no program can reach it yet
 *
 * Context: sleeps; registry lock not held.
 */
void ltt_face_reset(struct ltt_face *face)
{
	ltt_face_destroy_traces(face);
	ltt_markers_lock();
	ltt_probes_remove_all(face);
	/* They stay if there is no memory for a copy of them. */
	ltt_trace_add_rule_everywhere(face->defaults, face, "*", false);
	ltt_groups_free(face);
	INIT_LIST_HEAD(&face->groups);
	ltt_markers_unlock();
}

/**
 * ltt_face_exit() - free the default rules, the groups and the probes of a face
 * @face: the face; its traces are destroyed
 *
 * Context: sleeps; registry lock not held.
 */
void ltt_face_exit(struct ltt_face *face)
{
	ltt_markers_lock();
	ltt_probes_remove_all(face);
	ltt_trace_destroy(face->defaults);
	ltt_groups_free(face);
	ltt_markers_unlock();
}
