// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a face.
 *
 * Layer: control.  Context: task.
 */
#include "../control.h"

#include <linux/err.h>
#include <linux/list.h>

#include <ltt/registry.h>
#include <ltt/trace.h>

/**
 * ltt_face_init() - make a face's defaults, with no groups
 * Return: 0 or -ENOMEM.
 */
int ltt_face_init(struct ltt_face *face)
{
	INIT_LIST_HEAD(&face->groups);
	/* A name space of its own: nobody finds it. */
	ltt_markers_lock();
	face->defaults = ltt_trace_create("defaults", &face->hidden);
	ltt_markers_unlock();
	return PTR_ERR_OR_ZERO(face->defaults);
}

/**
 * ltt_face_exit() - free them; the face has no traces any more
 */
void ltt_face_exit(struct ltt_face *face)
{
	ltt_markers_lock();
	ltt_trace_destroy(face->defaults);
	ltt_groups_free(face);
	ltt_markers_unlock();
}
