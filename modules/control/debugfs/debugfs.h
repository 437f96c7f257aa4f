/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of the debugfs face.
 *
 * Layer: control.  From the bottom up: last-error.c, text.c (text files), pattern-file.c,
 * trace-files.c, traces.c and markers.c (a folder each), debugfs.c (the root).
 */
#ifndef LTT_CONTROL_DEBUGFS_H
#define LTT_CONTROL_DEBUGFS_H

#include <linux/list.h>
#include <linux/types.h>

#include "../../../core/name.h"
#include "../control.h"

struct cred;
struct dentry;
struct ltt_text;

/**
 * struct ltt_text_kind - how a text file is read and written
 * @name: name of the file
 * @mode: mode of the file
 * @show: prints the contents to call->out; NULL if the file cannot be read
 * @store: takes what was written, without white space at its ends; may change @text.
 *	NULL if the file cannot be written
 */
struct ltt_text_kind {
	const char *name;
	umode_t mode;
	int (*show)(struct ltt_text *file, struct ltt_call *call);
	int (*store)(struct ltt_text *file, struct ltt_call *call, char *text);
};

/**
 * struct ltt_text - one text file
 * @kind: how it is read and written
 * @a: the name of its trace, or the group of its marker
 * @b: the name of its channel or marker
 * @node: in the list of its folder's files
 */
struct ltt_text {
	const struct ltt_text_kind *kind;
	char a[LTT_NAME_MAX];
	char b[LTT_NAME_MAX];
	struct list_head node;
};

/* last-error.c */
void ltt_last_error_set(const struct cred *cred, const char *sentence);
int ltt_last_error_show(struct ltt_text *file, struct ltt_call *call);
void ltt_last_error_exit(void);

/* text.c */
int ltt_text_create(const struct ltt_text_kind *kinds, unsigned int nr, struct dentry *dir,
		    const char *a, const char *b, struct list_head *files);
void ltt_text_take(struct list_head *files, const char *b, struct list_head *to);
void ltt_text_free(struct list_head *files);
int ltt_call_op(const char *op, struct ltt_call *call, const char *a, const char *b,
		const char *c, const char *d);

/* pattern-file.c */
int ltt_change_patterns(struct ltt_call *call, char *text, const char *add, const char *remove,
			const char *trace);

/* trace-files.c */
int ltt_trace_files_create(struct dentry *dir, struct dentry *channels, const char *trace,
			   struct list_head *files);
int ltt_channel_files_create(struct dentry *dir, const char *trace, const char *channel,
			     struct list_head *files);
int ltt_traces_files_create(struct dentry *dir, struct list_head *files);

/* traces.c */
int ltt_debugfs_traces_init(struct dentry *root);
int ltt_debugfs_traces_open(void);
void ltt_debugfs_traces_exit(void);
int ltt_debugfs_trace_added(struct ltt_face *face, struct ltt_trace *trace);
int ltt_debugfs_channel_coming(struct ltt_face *face, struct ltt_trace *trace, const char *name);
void ltt_debugfs_channel_failed(struct ltt_face *face, const char *trace, const char *name);
void ltt_debugfs_trace_going(struct ltt_face *face, struct ltt_trace *trace);

/* markers.c */
int ltt_debugfs_markers_init(struct dentry *root);
void ltt_debugfs_markers_exit(void);

#endif /* LTT_CONTROL_DEBUGFS_H */
