/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What the files of liblttctl share.
 *
 * Layer: liblttctl, private.  Operations go through lttctl_ask(), by the name that
 * the device has for them; face-debugfs.c has the file that does the same.
 */
#ifndef LTTCTL_INTERNAL_H
#define LTTCTL_INTERNAL_H

#include "lttctl.h"
#include "connection.h"

/**
 * struct lttctl - the handle
 * @via: the face that was asked for
 * @root: debugfs: the folder ltt, -1 when that is not the face
 * @stream: /dev/ltt, NULL when that is not the face
 * @mounts: debugfs is to be mounted, if it is the face
 * @private: the traces are those of @stream's session, not everybody's
 * @last_cookie: device: of the command that was sent last
 */
struct lttctl {
	enum lttctl_via via;
	int root;
	struct lttctl_stream *stream;
	bool mounts;
	bool private;
	unsigned long last_cookie;
	char error[1024];
};

/**
 * struct lttctl_trace - one very trace
 * @dir: debugfs: its folder; -1
 * @id: device: =UUID
 */
struct lttctl_trace {
	struct lttctl *ctl;
	char name[LTTCTL_NAME_SIZE];
	int dir;
	char id[LTTCTL_NAME_SIZE];
};

/* Set the error sentence; returns @err (a negative errno) for `return fail(…)`. */
__attribute__((format(printf, 3, 4)))
int lttctl_fail(struct lttctl *ctl, int err, const char *fmt, ...);

/* [A-Za-z0-9_.-]{1,63} with no leading dot: safe as one path component. */
bool lttctl_name_valid(const char *name);

int lttctl_mount_debugfs(struct lttctl *ctl);

/* ---- Operations (ask.c) ---- */

#define LTTCTL_ARGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/**
 * lttctl_ask() - have the tracer do something
 * @trace: what it is about; NULL when it is about no trace
 * @verb: the command of the device
 * @args: its arguments behind the trace, NULL at the end; NULL when there are none
 * @text: receives what it shows, to be freed; NULL when it shows nothing
 * @what: in words what is attempted ("start trace x"); the sentence is completed
 *	with the kernel's own reason
 *
 * Return: 0, or the descriptor of one that opens something; -errno.
 */
__attribute__((format(printf, 6, 7)))
int lttctl_ask(struct lttctl *ctl, const struct lttctl_trace *trace,
	       const char *verb, const char *const *args, char **text,
	       const char *what, ...);

/**
 * lttctl_check_pattern() - is it one pattern?
 *
 * The files of debugfs take several, and `!` before one for the opposite; a command
 * takes one.  What else is wrong with it the kernel says.
 */
int lttctl_check_pattern(struct lttctl *ctl, const char *pattern);

/**
 * lttctl_for_each_name() - ask for a list, and call @fn for the first word of each
 * line, in order ("cpu_10" after "cpu_9")
 */
int lttctl_for_each_name(struct lttctl *ctl, const struct lttctl_trace *trace,
			 const char *verb,
			 int (*fn)(const char *name, void *arg), void *arg);

/* ---- The two faces: each sets the error sentence to the bare reason ---- */

/* face-debugfs.c */
int lttctl_debugfs_connect(struct lttctl *ctl);
int lttctl_debugfs_open(struct lttctl *ctl, struct lttctl_trace *trace);
int lttctl_debugfs_watch(struct lttctl_trace *trace);
int lttctl_debugfs_ask(struct lttctl *ctl, const struct lttctl_trace *trace,
		       const char *verb, const char *const *args, char **text);

/* face-device.c */
int lttctl_device_connect(struct lttctl *ctl);
int lttctl_device_open(struct lttctl *ctl, struct lttctl_trace *trace);
int lttctl_device_watch(struct lttctl_trace *trace);
int lttctl_device_ask(struct lttctl *ctl, const struct lttctl_trace *trace,
		      const char *verb, const char *const *args, char **text);

#endif /* LTTCTL_INTERNAL_H */
