/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * An event with all that its line needs.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_ROW_H
#define LTTCTL_VIEW_ROW_H

#include "class.h"
#include "mapped.h"

/**
 * struct row - an event
 * @record: its record
 * @class: its class
 * @tid: its thread; -1 if not @has_tid, as events of programs may have none
 * @has_tid: its thread is recorded
 * @comm: the name of the thread
 * @where: its process and time
 * @end: whether it ends a slice
 * @duration: of SLICE_DURATION: nanoseconds
 */
struct row {
	const struct ltttrace_record *record;
	const struct class *class;
	int64_t tid;
	bool has_tid;
	const struct comm *comm;
	struct mapped_where where;
	enum slice_end end;
	int64_t duration;
};

#endif /* LTTCTL_VIEW_ROW_H */
