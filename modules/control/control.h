/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of ltt-control share.
 *
 * Layer: control.  ops.c is the one table of operations; debugfs-*.c are a face
 * of it.  No trace state is kept here.
 */
#ifndef LTT_CONTROL_INTERNAL_H
#define LTT_CONTROL_INTERNAL_H

#include <linux/list.h>
#include <linux/types.h>

struct dentry;
struct ltt_marker;
struct ltt_trace;
struct seq_file;

#define LTT_ARGS_MAX	4
#define LTT_ERROR_MAX	256

/**
 * struct ltt_face - a way in, and the name space of the traces made through it
 * @hidden: its address is the name space of @defaults (the address of @defaults
 *	itself would not do: that of the first member is the face's own)
 * @going: its address is the name space of traces on their way out
 * @defaults: a trace that never runs: its rules are those of every new trace of
 *	this face; guarded by the registry lock
 * @trace_added: a trace was created; registry lock held; after -errno, trace_going
 *	is called
 * @trace_started: its buffers exist; registry lock held
 * @trace_going: it is about to be destroyed; registry lock not held, may wait
 *	for users of what trace_added() and trace_started() made
 */
struct ltt_face {
	struct ltt_trace *defaults;
	char hidden;
	char going;
	int (*trace_added)(struct ltt_trace *trace);
	void (*trace_started)(struct ltt_trace *trace);
	void (*trace_going)(const char *name);
};

/**
 * struct ltt_call - one call of an operation
 * @face: who asks
 * @arg: strings, as many as the operation takes
 * @out: where an operation that shows something prints; else NULL
 * @error: on failure, one sentence: what was wrong, with what, what to do
 */
struct ltt_call {
	struct ltt_face *face;
	const char *arg[LTT_ARGS_MAX];
	struct seq_file *out;
	char error[LTT_ERROR_MAX];
};

/**
 * struct ltt_op - a row of the table
 * @name: of the operation
 * @run: does it; returns -errno with call->error set, or 0.  Called with the
 *	registry lock held, unless @unlocked
 * @unlocked: it takes the registry lock itself
 */
struct ltt_op {
	const char *name;
	int (*run)(struct ltt_call *call);
	bool unlocked;
};

/* ops.c */
int ltt_op_call(const char *name, struct ltt_call *call);
int ltt_ops_init(struct ltt_face *face);
void ltt_ops_exit(struct ltt_face *face);

/* debugfs.c: the root, and text files, each bound to an operation */

/**
 * struct ltt_text_kind - what a text file does
 * @name: of the file
 * @mode: of the file
 * @show: prints it; NULL when it cannot be read
 * @store: takes what was written, without its trailing newline; may change
 *	@text.  NULL when it cannot be written
 */
struct ltt_text;
struct ltt_text_kind {
	const char *name;
	umode_t mode;
	int (*show)(struct ltt_text *file, struct ltt_call *call);
	int (*store)(struct ltt_text *file, struct ltt_call *call, char *text);
};

/**
 * struct ltt_text - one text file
 * @kind: what it does
 * @a: the name of the trace, or the group of the marker, that it is about
 * @b: the name of the channel, or of the marker
 * @node: in its folder's list
 */
struct ltt_text {
	const struct ltt_text_kind *kind;
	char a[64];
	char b[64];
	struct list_head node;
};

int ltt_text_create(const struct ltt_text_kind *kinds, unsigned int nr, struct dentry *dir,
		    const char *a, const char *b, struct list_head *files);
void ltt_text_free(struct list_head *files);
int ltt_call_op(const char *op, struct ltt_call *call, const char *a, const char *b,
		const char *c, const char *d);
extern struct ltt_face ltt_debugfs_face;

/* debugfs-traces.c */
int ltt_debugfs_traces_init(struct dentry *root);
int ltt_store_wanted(struct ltt_call *call, char *text);
void ltt_debugfs_traces_exit(void);
int ltt_debugfs_trace_added(struct ltt_trace *trace);
void ltt_debugfs_trace_started(struct ltt_trace *trace);
void ltt_debugfs_trace_going(const char *name);

/* debugfs-markers.c */
int ltt_debugfs_markers_init(struct dentry *root);
void ltt_debugfs_markers_exit(void);

int ltt_debugfs_init(void);
void ltt_debugfs_exit(void);

#endif /* LTT_CONTROL_INTERNAL_H */
