/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What the files of liblttctl share.
 *
 * Layer: liblttctl, private.
 */
#ifndef LTTCTL_INTERNAL_H
#define LTTCTL_INTERNAL_H

#include "lttctl.h"

struct lttctl {
	int root;		/* the control face's folder, -1 before connect */
	char error[1024];
};

struct lttctl_trace {
	struct lttctl *ctl;
	int dir;
	char name[LTTCTL_NAME_SIZE];
};

/* Where the tree is: LTT_DEBUGFS, or the usual place. */
const char *lttctl_root_path(void);

/* Set the error sentence; returns @err (a negative errno) for `return fail(…)`. */
__attribute__((format(printf, 3, 4)))
int lttctl_fail(struct lttctl *ctl, int err, const char *fmt, ...);

/* [A-Za-z0-9_.-]{1,63} with no leading dot: safe as one path component. */
bool lttctl_name_valid(const char *name);

/*
 * Write @text to a control file.  @what says in words what is attempted ("start
 * trace x"); the sentence is completed with the kernel's own reason.
 */
__attribute__((format(printf, 5, 6)))
int lttctl_write(struct lttctl *ctl, int dir, const char *path,
		 const char *text, const char *what, ...);

/* Read a whole control file; *text is NUL-terminated, to be freed. */
int lttctl_read(struct lttctl *ctl, int dir, const char *path, char **text);
int lttctl_read_u64(struct lttctl *ctl, int dir, const char *path,
		    uint64_t *value);

/*
 * Call @fn for each entry of folder @path in alphabetical order ("cpu_10" after
 * "cpu_9").
 */
int lttctl_for_each_entry(struct lttctl *ctl, int dir, const char *path,
			  int (*fn)(const char *name, bool is_dir, void *arg),
			  void *arg);

#endif /* LTTCTL_INTERNAL_H */
