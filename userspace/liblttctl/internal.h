/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Shared by the files of liblttctl.
 *
 * Layer: liblttctl, private.  Files call only those to their right:
 *
 *   trigger, since, filter -> fields, markers, events
 *   trace, channel, events, buffer, markers, stats, filter -> ask -> error
 *   lttctl -> face-device -> connection -> message -> error
 *   lttctl -> face-debugfs -> error
 *   modules -> load-error -> error
 *   consumer -> error
 *
 * lttctl.c chooses a face and stores it in the handle; ask.c calls it from there.
 */
#ifndef LTTCTL_INTERNAL_H
#define LTTCTL_INTERNAL_H

#include "core/name.h"
#include "lttctl.h"

_Static_assert(LTTCTL_NAME_SIZE == LTT_NAME_MAX, "the longest name, as in the rules for names");

struct lttctl_connection;
struct lttctl_trace;

/**
 * struct lttctl_face - one way to the tracer: the device or debugfs
 * @connect: open it; sets @root or @connection of the handle
 * @bind: make @trace mean the very trace that has its name now
 * @watch: see lttctl_trace_watch(); with the kinds of notifications of the device (doc/device.md)
 * @ask: see lttctl_ask(); on failure the error sentence is the bare reason
 *
 * All return 0 or a descriptor, or -errno with the error sentence set.
 */
struct lttctl_face {
	int (*connect)(struct lttctl *ctl);
	int (*bind)(struct lttctl_trace *trace);
	int (*watch)(struct lttctl_trace *trace, const char *kinds, bool *all);
	int (*ask)(struct lttctl *ctl, struct lttctl_trace *trace, const char *verb,
		   const char *const *args, char **text);
};

extern const struct lttctl_face lttctl_face_device;
extern const struct lttctl_face lttctl_face_debugfs;

/**
 * struct lttctl - the handle
 * @via: the face that the caller asked for
 * @face: the face in use; NULL until the handle is connected
 * @root: debugfs: the directory ltt, else -1
 * @connection: device: the control connection, else NULL
 * @mounts: mount debugfs before use, because this handle loaded the tracer
 * @private: requests are about the traces of @connection, not about those that
 *	every user of the tracer sees
 * @last_cookie: device: cookie of the last request
 * @error: see lttctl_error()
 */
struct lttctl {
	enum lttctl_via via;
	const struct lttctl_face *face;
	int root;
	struct lttctl_connection *connection;
	bool mounts;
	bool private;
	unsigned long last_cookie;
	char error[4096];
};

/**
 * struct lttctl_trace - a handle of one trace
 * @ctl: the handle that it was made from
 * @name: its name
 * @dir: debugfs: its directory; -1 before the first request, and over the device
 * @id: device: its name, or "=UUID" once it is bound
 * @maps: see since.c
 * @nr_maps: number of @maps
 */
struct lttctl_trace {
	struct lttctl *ctl;
	char name[LTTCTL_NAME_SIZE];
	int dir;
	char id[LTTCTL_NAME_SIZE];
	struct lttctl_map {
		char name[16];
		int fd;
	} *maps;
	size_t nr_maps;
};

/* ---- error.c ---- */

/**
 * lttctl_fail() - set the error sentence of a handle
 * @ctl: the handle
 * @err: a negative errno
 * @fmt: printf() format of the sentence
 *
 * Return: @err, so that callers write `return lttctl_fail(...)`.
 */
__attribute__((format(printf, 3, 4)))
int lttctl_fail(struct lttctl *ctl, int err, const char *fmt, ...);

/* ---- load-error.c ---- */

/**
 * lttctl_fail_load() - set the error sentence about a module that the kernel rejects
 * @ctl: the handle
 * @err: a negative errno
 * @module: the name or path of the module
 * @is_signed: it has a signature
 *
 * Return: @err.
 */
int lttctl_fail_load(struct lttctl *ctl, int err, const char *module, bool is_signed);

/**
 * lttctl_fail_not_installed() - set the error sentence about a module that is not there
 * @ctl: the handle
 * @module: the name of the module
 *
 * Return: -ENOENT.
 */
int lttctl_fail_not_installed(struct lttctl *ctl, const char *module);

/* ---- since.c ---- */

struct expression;
struct expression_error;

/* See &struct expression_maps; @data is a trace. */
int lttctl_since_map(const char *name, void *data, struct expression_error *error);

/* Return: true if a filter has a since(). */
bool lttctl_since_any(const struct expression *expression);

/* Close the maps of a handle. */
void lttctl_since_free(struct lttctl_trace *trace);

/* ---- trigger.c ---- */

/**
 * lttctl_action_add() - add an action to the filter of an event, which is enabled if it is not
 * @trace: the trace
 * @event: group:name
 * @action: the action
 * @condition: its condition, checked; "" for none
 *
 * Return: as lttctl_trigger_add().
 */
int lttctl_action_add(struct lttctl_trace *trace, const char *event, const char *action, const char *condition);

/* ---- filter.c ---- */

/**
 * lttctl_condition_check() - check an expression without actions
 * @ctl: a connected handle
 * @event: group:name
 * @condition: the expression; "" is none
 *
 * Return: 0, also if there is no such event yet; -EINVAL, -E2BIG: it does not fit the event.
 */
int lttctl_condition_check(struct lttctl *ctl, const char *event, const char *condition);

/* ---- ask.c ---- */

#define LTTCTL_ARGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/**
 * lttctl_ask() - send one request to the tracer and wait for its reply
 * @ctl: a connected handle
 * @trace: the trace that the request is about; NULL for none
 * @verb: the command of the device, see doc/device.md
 * @args: its arguments after the trace, ended by NULL; NULL for none
 * @text: receives the text of the reply, to be freed by the caller; NULL for a
 *	command that shows nothing
 * @what: printf() format of what is attempted ("start trace x"); on failure the
 *	error sentence is "cannot", this, and the reason that the tracer gives
 *
 * Return: 0, or the descriptor that a command opens; -errno with the error sentence
 * set.
 */
__attribute__((format(printf, 6, 7)))
int lttctl_ask(struct lttctl *ctl, struct lttctl_trace *trace, const char *verb,
	       const char *const *args, char **text, const char *what, ...);

/**
 * lttctl_check_name() - reject an invalid name before a request is made
 * @ctl: the handle
 * @what: the kind of object, for the sentence: "trace"
 * @name: its name
 *
 * Return: 0, or -EINVAL with the error sentence set.
 */
int lttctl_check_name(struct lttctl *ctl, const char *what, const char *name);

/**
 * lttctl_check_pattern() - reject text that is not exactly one pattern
 * @ctl: the handle
 * @pattern: the text
 *
 * The files of debugfs take several patterns, and `!` in front of one to remove it;
 * a command takes one.
 *
 * Return: 0, or -EINVAL with the error sentence set.
 */
int lttctl_check_pattern(struct lttctl *ctl, const char *pattern);

/**
 * lttctl_pattern_matches() - compare a marker with a pattern
 * @pattern: group:glob, or a glob for the name in any group; NULL matches all
 * @group: the marker's group
 * @name: the marker's name
 */
bool lttctl_pattern_matches(const char *pattern, const char *group, const char *name);

/**
 * lttctl_for_each_name() - request a list and call a function for each line's first word
 * @ctl: a connected handle
 * @trace: the trace that the request is about; NULL for none
 * @verb: the command that lists
 * @fn: the function; words come in version order ("cpu_9" before "cpu_10")
 * @arg: its last argument
 *
 * Return: 0, the first non-zero value of @fn, or as lttctl_ask().
 */
int lttctl_for_each_name(struct lttctl *ctl, struct lttctl_trace *trace, const char *verb,
			 int (*fn)(const char *name, void *arg), void *arg);

#endif /* LTTCTL_INTERNAL_H */
