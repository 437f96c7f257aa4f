/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The operations of ltt-control, and what the rooms of this folder share.
 *
 * Layer: control.  ops/ has each operation once, as a row of a table.  debugfs/ and
 * device/ are two faces of these tables.  No file here keeps the state of a trace.
 */
#ifndef LTT_CONTROL_H
#define LTT_CONTROL_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include <ltt/tasks.h>

struct file;
struct file_operations;
struct ltt_budget;
struct ltt_channel;
struct ltt_stream;
struct ltt_trace;
struct seq_file;

#define LTT_ARGS_MAX	6	/* arguments of an operation */
#define LTT_ERROR_MAX	256	/* bytes of a sentence about an error, with its NUL */

/**
 * struct ltt_face - a way to control traces, and the name space of these traces
 * @hidden: the address of this member is the name space of @defaults.  (The address
 *	of the face itself is that of the traces that the face shows.)
 * @going: the address of this member is the name space of traces that are being
 *	destroyed
 * @defaults: a trace that never runs; a new trace of the face copies its rules.
 *	Guarded by the registry lock
 * @max_traces: how many traces the face may have; 0 for no limit
 * @budget: the account that pays for traces and groups, see user.c; NULL for no limit
 * @groups: the groups of the face, see ops/group.c; guarded by the registry lock
 * @trace_added: called with the registry lock held when the face gets a trace, new or
 *	from another face.  Returns 0 or -errno; after -errno, trace_going is called
 *	while the trace is in neither name space
 * @channel_coming: called with the registry lock held before a trace gets another
 *	channel.  Returns 0 or -errno
 * @channel_failed: called without the registry lock when the channel could not be
 *	made or channel_coming() failed.  May wait for users of what that made
 * @trace_going: called without the registry lock before a trace is destroyed, and
 *	after trace_added() failed, which may have made nothing.  May wait for users
 *	of what trace_added() made
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
 * struct ltt_arg - an argument that an operation takes
 * @name: shown to users
 * @kind: LTT_ARG_TEXT; LTT_ARG_NUMBER; or LTT_ARG_SIZE, a number of bytes that text may
 *	end with K, M or G
 * @max: largest value of a number
 */
struct ltt_arg {
	const char *name;
	enum {
		LTT_ARG_TEXT = 1,
		LTT_ARG_NUMBER,
		LTT_ARG_SIZE,
	} kind;
	u64 max;
};

#define LTT_TEXT(arg)		{ .name = arg, .kind = LTT_ARG_TEXT }
#define LTT_NUMBER(arg, most)	{ .name = arg, .kind = LTT_ARG_NUMBER, .max = most }
#define LTT_SIZE(arg, most)	{ .name = arg, .kind = LTT_ARG_SIZE, .max = most }

/**
 * struct ltt_call - one call of an operation
 * @face: the face whose traces the operation is about
 * @stream: the command stream that the call came from; NULL from debugfs
 * @opener: the file of /dev/ltt whose opener's capabilities count; NULL from debugfs,
 *	where the permission to write the file decides
 * @cookie: the caller's number for notifications that the operation starts
 * @arg: as many as the operation takes
 * @out: what an operation with LTT_OP_SHOWS prints to
 * @value: a descriptor that an operation with LTT_OP_OPENS returns
 * @error: after an error, one sentence: what failed, on what, why, and what to do
 */
struct ltt_call {
	struct ltt_face *face;
	struct ltt_stream *stream;
	const struct file *opener;
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
#define LTT_OP_SHOWS	2	/* prints to call->out, and changes nothing */
#define LTT_OP_OPENS	4	/* call->value is a new descriptor */
#define LTT_OP_STREAM	8	/* about call->stream */

/**
 * struct ltt_op - a row of a table of operations
 * @name: name of the operation
 * @run: does it; returns -errno with call->error set, or 0.  Called with the
 *	registry lock held, unless LTT_OP_UNLOCKED
 * @help: one line for users
 * @args: the first one without a name ends them
 * @flags: LTT_OP_*
 */
struct ltt_op {
	const char *name;
	int (*run)(struct ltt_call *call);
	const char *help;
	struct ltt_arg args[LTT_ARGS_MAX];
	unsigned int flags;
};

/* The tables; a row without a name ends each. */
extern const struct ltt_op ltt_vocabulary_ops[];	/* ops/vocabulary.c */
extern const struct ltt_op ltt_trace_ops[];		/* ops/trace.c */
extern const struct ltt_op ltt_channel_ops[];		/* ops/channel.c */
extern const struct ltt_op ltt_context_ops[];		/* ops/context.c */
extern const struct ltt_op ltt_event_ops[];		/* ops/event.c */
extern const struct ltt_op ltt_filter_ops[];		/* ops/filter.c */
extern const struct ltt_op ltt_group_ops[];		/* ops/group.c */
extern const struct ltt_op ltt_mark_ops[];		/* ops/mark.c */
extern const struct ltt_op ltt_probe_ops[];		/* ops/probe.c */

/* ops/common.c */
__printf(3, 4) int ltt_fail(struct ltt_call *call, int err, const char *format, ...);
__printf(3, 4) int ltt_fail_with(struct ltt_call *call, int err, const char *format, ...);
int ltt_fail_buffers(struct ltt_call *call, int err);
struct ltt_trace *ltt_find(struct ltt_call *call);
int ltt_check_pattern(struct ltt_call *call, const char *pattern);
bool ltt_call_capable(const struct ltt_call *call, int cap);
int ltt_check_perfmon(struct ltt_call *call, const char *what);

/* ops/channel.c */
struct ltt_channel *ltt_find_channel(struct ltt_call *call, struct ltt_trace *trace);

/* ops/group.c */
void ltt_groups_free(struct ltt_face *face);
const char *ltt_group_patterns(struct ltt_call *call, const char *text);
int ltt_fail_tasks(struct ltt_call *call, int err, const char *what);

/* ops/trace.c */
void ltt_face_destroy_traces(struct ltt_face *face);

/* ops/metadata.c */
extern const struct file_operations ltt_metadata_fops;
int ltt_metadata_fd(struct ltt_trace *trace);

/* ops/face.c */
int ltt_face_init(struct ltt_face *face);
void ltt_face_exit(struct ltt_face *face);
void ltt_face_reset(struct ltt_face *face);

/* ops/vocabulary.c */
void ltt_op_add_table(const struct ltt_op *table);
const struct ltt_op *ltt_op_by_number(u64 number);
unsigned int ltt_op_nr_args(const struct ltt_op *op);
int ltt_op_call(const struct ltt_op *op, struct ltt_call *call);
const struct ltt_op *ltt_op_find(const char *name);
int ltt_op_parse(const struct ltt_op *op, struct ltt_call *call, const char *const *text);
int ltt_op_call_text(const char *name, struct ltt_call *call, const char *const *text);

/* ---- Accounts of users: user.c ---- */

/* Members of groups of tasks that all users without CAP_SYS_RESOURCE have together. */
#define LTT_USERS_MEMBERS_MAX	(LTT_TASKS_FOLLOWED_MAX / 2)

struct ltt_budget *ltt_user_begin(kuid_t uid, bool limited);
void ltt_user_end(struct ltt_budget *budget);
u64 ltt_user_max_bytes(void);
unsigned int ltt_user_max_members(void);
void ltt_users_show(struct seq_file *s, const kuid_t *only);

/* ---- The two faces ---- */

extern struct ltt_face ltt_debugfs_face;		/* debugfs/text.c */
int ltt_debugfs_init(void);
int ltt_debugfs_open(void);
void ltt_debugfs_close(void);
void ltt_debugfs_exit(void);

int ltt_device_init(void);
void ltt_device_ready(void);
void ltt_device_exit(void);

/* ---- The parameter "boot": boot.c ---- */

void ltt_boot(void);

#endif /* LTT_CONTROL_H */
