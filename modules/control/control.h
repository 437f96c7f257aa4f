/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of ltt-control share.
 *
 * Layer: control.  The operations are in ops/, each once, in tables; debugfs/
 * and device.c are faces of them.  No trace state is kept here.
 */
#ifndef LTT_CONTROL_INTERNAL_H
#define LTT_CONTROL_INTERNAL_H

#include <linux/list.h>
#include <linux/types.h>

struct dentry;
struct file_operations;
struct ltt_budget;
struct ltt_channel;
struct ltt_marker;
struct ltt_stream;
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
 * @max_traces: as many it may have; 0 for any number
 * @budget: who answers for the memory of its traces and groups, see user.c; NULL for
 *	nobody
 * @groups: see ops/group.c; guarded by the registry lock
 * @trace_added: a trace was created, or comes from another face; registry lock
 *	held; after -errno, trace_going is called while it is in neither
 * @channel_coming: a trace gets another channel; registry lock held
 * @channel_failed: it did not, or channel_coming() failed; registry lock not held, may
 *	wait for users of what that made
 * @trace_going: it is about to be destroyed, or trace_added() failed, which may have
 *	done nothing; registry lock not held, may wait
 *	for users of what trace_added() made
 */
struct ltt_face {
	struct ltt_trace *defaults;
	struct ltt_budget *budget;
	struct list_head groups;
	char hidden;
	char going;
	unsigned int max_traces;
	int (*trace_added)(struct ltt_face *face, struct ltt_trace *trace);
	int (*channel_coming)(struct ltt_face *face, struct ltt_trace *trace, const char *name);
	void (*channel_failed)(struct ltt_face *face, const char *trace, const char *name);
	void (*trace_going)(struct ltt_face *face, struct ltt_trace *trace);
};

/* ---- Operations ---- */

/**
 * struct ltt_arg - what an operation takes
 * @name: for people
 * @kind: see below
 * @max: of a number
 */
struct ltt_arg {
	const char *name;
	enum {
		LTT_ARG_TEXT = 1,
		LTT_ARG_NUMBER,
		LTT_ARG_SIZE,	/* a number; in text it may end in K, M or G */
	} kind;
	u64 max;
};

#define LTT_TEXT(arg)		{ .name = arg, .kind = LTT_ARG_TEXT }
#define LTT_NUMBER(arg, most)	{ .name = arg, .kind = LTT_ARG_NUMBER, .max = most }
#define LTT_SIZE(arg, most)	{ .name = arg, .kind = LTT_ARG_SIZE, .max = most }

/**
 * struct ltt_call - one call of an operation
 * @face: whose traces it is about
 * @stream: where the call came from, when that was the device; else NULL
 * @cookie: of the caller, if he is to be told things later
 * @arg: as many as the operation takes
 * @out: where an operation that shows something prints
 * @value: what an operation gives back beside text: a descriptor
 * @error: on failure, one sentence: what was wrong, with what, what to do
 */
struct ltt_call {
	struct ltt_face *face;
	struct ltt_stream *stream;
	u64 cookie;
	union {
		const char *text;
		u64 number;
	} arg[LTT_ARGS_MAX];
	struct seq_file *out;
	u64 value;
	char error[LTT_ERROR_MAX];
};

/* struct ltt_op.flags */
#define LTT_OP_UNLOCKED	1	/* takes the registry lock itself */
#define LTT_OP_SHOWS	2	/* prints to call->out; calling it changes nothing */
#define LTT_OP_OPENS	4	/* call->value is a new descriptor */
#define LTT_OP_STREAM	8	/* is about the device's stream: call->stream is set */

/**
 * struct ltt_op - a row of a table of operations
 * @name: of the operation
 * @run: does it; returns -errno with call->error set, or 0.  Called with the
 *	registry lock held, unless LTT_OP_UNLOCKED
 * @help: one line for people
 * @args: the first without a name ends them
 * @flags: LTT_OP_*
 */
struct ltt_op {
	const char *name;
	int (*run)(struct ltt_call *call);
	const char *help;
	struct ltt_arg args[LTT_ARGS_MAX];
	unsigned int flags;
};

/* The tables, each ended by a row without a name. */
extern const struct ltt_op ltt_vocabulary_ops[];	/* ops/ops.c */
extern const struct ltt_op ltt_trace_ops[];		/* ops/trace.c */
extern const struct ltt_op ltt_channel_ops[];		/* ops/channel.c */
extern const struct ltt_op ltt_event_ops[];		/* ops/event.c */
extern const struct ltt_op ltt_group_ops[];		/* ops/group.c */
extern const struct ltt_op ltt_session_ops[];		/* device/ops.c */

/* ops/ops.c */
const struct ltt_op *ltt_op_find(const char *name);
const struct ltt_op *ltt_op_by_number(u64 number);
unsigned int ltt_op_nr_args(const struct ltt_op *op);
int ltt_op_call(const struct ltt_op *op, struct ltt_call *call);
int ltt_op_call_text(const char *name, struct ltt_call *call, const char *const *text);
__printf(3, 4) int ltt_fail(struct ltt_call *call, int err, const char *format, ...);
struct ltt_trace *ltt_find(struct ltt_call *call);
int ltt_face_init(struct ltt_face *face);
void ltt_face_exit(struct ltt_face *face);

/* ops/group.c */
void ltt_groups_free(struct ltt_face *face);
const char *ltt_group_patterns(struct ltt_call *call, const char *text);

/* ops/trace.c */
void ltt_face_destroy_traces(struct ltt_face *face);

/* user.c */
u64 ltt_user_max_bytes(void);

/* ops/metadata.c */
extern const struct file_operations ltt_metadata_fops;
int ltt_metadata_fd(struct ltt_trace *trace);

/* ---- The face debugfs ---- */

/* debugfs/debugfs.c: the root, and text files, each bound to an operation */

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
void ltt_text_take(struct list_head *files, const char *b, struct list_head *to);
void ltt_text_free(struct list_head *files);
int ltt_call_op(const char *op, struct ltt_call *call, const char *a, const char *b,
		const char *c, const char *d);
extern struct ltt_face ltt_debugfs_face;

/* debugfs/traces.c */
int ltt_debugfs_traces_init(struct dentry *root);
int ltt_store_wanted(struct ltt_call *call, char *text);
void ltt_debugfs_traces_exit(void);
int ltt_debugfs_trace_added(struct ltt_face *face, struct ltt_trace *trace);
int ltt_debugfs_channel_coming(struct ltt_face *face, struct ltt_trace *trace, const char *name);
void ltt_debugfs_channel_failed(struct ltt_face *face, const char *trace, const char *name);
void ltt_debugfs_trace_going(struct ltt_face *face, struct ltt_trace *trace);

/* debugfs/markers.c */
int ltt_debugfs_markers_init(struct dentry *root);
void ltt_debugfs_markers_exit(void);

int ltt_debugfs_init(void);
void ltt_debugfs_exit(void);

/* ---- The face /dev/ltt ---- */

int ltt_device_init(void);
void ltt_device_ready(void);
void ltt_device_exit(void);

#endif /* LTT_CONTROL_INTERNAL_H */
