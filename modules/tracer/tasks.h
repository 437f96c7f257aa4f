/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * References to sets of tasks, inside ltt-tracer; ltt/tasks.h is the API.
 *
 * Layer: tracer.
 */
#ifndef LTT_TRACER_TASKS_H
#define LTT_TRACER_TASKS_H

#include "follow.h"

struct ltt_tasks *ltt_tasks_get(struct ltt_tasks *tasks);

#endif /* LTT_TRACER_TASKS_H */
