/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Traces, their channels and their events.
 *
 * Layer: liblttctl.  lttctl.h, which includes this file, has the conventions.
 */
#ifndef LIBLTTCTL_TRACE_H
#define LIBLTTCTL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lttctl;
struct lttctl_trace;

/* --- Traces ------------------------------------------------------------- */

/**
 * enum lttctl_state - the state of a trace
 * @LTTCTL_CONFIGURING: not started yet: channels can be changed
 * @LTTCTL_RUNNING: it records
 * @LTTCTL_STOPPED: it was started and does not record now
 */
enum lttctl_state {
	LTTCTL_CONFIGURING,
	LTTCTL_RUNNING,
	LTTCTL_STOPPED,
};

/**
 * lttctl_state_name() - the name of a state
 * @state: one of enum lttctl_state
 *
 * Return: "configuring", "running" or "stopped".
 */
const char *lttctl_state_name(enum lttctl_state state);

/**
 * lttctl_for_each_trace() - call a function for the name of each trace, in version order
 * @ctl: a connected handle
 * @fn: the function
 * @arg: its last argument
 *
 * Return: 0, or the first non-zero value of @fn.
 */
int lttctl_for_each_trace(struct lttctl *ctl, int (*fn)(const char *name, void *arg), void *arg);

/**
 * lttctl_trace_create() - create a trace
 * @ctl: a connected handle
 * @name: 1 to 63 of A-Z a-z 0-9 _ . - without a leading dot
 * @trace: receives a handle, as from lttctl_trace_open()
 *
 * Return: 0; -EINVAL for an invalid name; -EEXIST; -EBUSY when a trace of this name is
 * still being removed; -EDQUOT when there are as many private traces as there may be;
 * -ENOENT when another user has destroyed the trace at once.
 */
int lttctl_trace_create(struct lttctl *ctl, const char *name, struct lttctl_trace **trace);

/**
 * lttctl_trace_open() - make a handle of one very trace
 * @ctl: a connected handle
 * @name: the name of the trace
 * @trace: receives the handle, to be closed by lttctl_trace_close()
 *
 * After a destroy the handle never means another trace that got the same name: requests
 * then fail with -ENOENT.
 *
 * Return: 0; -EINVAL for an invalid name; -ENOENT when there is no such trace.
 */
int lttctl_trace_open(struct lttctl *ctl, const char *name, struct lttctl_trace **trace);

/**
 * lttctl_trace_named() - make a handle of the trace that has a name, without a request
 * @ctl: a connected handle
 * @name: the name of the trace, which need not exist
 * @trace: receives the handle, to be closed by lttctl_trace_close()
 *
 * For a caller that makes one request about the trace.  Over the device each request is
 * about the trace that has the name at that time; over debugfs, about the one that had
 * it at the first.  Requests fail with -ENOENT when there is no such trace.
 *
 * Return: 0; -EINVAL for an invalid name; -ENOMEM.
 */
int lttctl_trace_named(struct lttctl *ctl, const char *name, struct lttctl_trace **trace);

/**
 * lttctl_trace_bind() - make a handle of lttctl_trace_named() mean one very trace
 * @trace: the handle
 *
 * From then on it is as a handle of lttctl_trace_open().
 *
 * Return: 0; -ENOENT when there is no such trace.
 */
int lttctl_trace_bind(struct lttctl_trace *trace);

/**
 * lttctl_trace_close() - free a handle of a trace; the trace stays as it is
 * @trace: the handle, or NULL
 */
void lttctl_trace_close(struct lttctl_trace *trace);

/**
 * lttctl_trace_name() - the name of a trace
 * @trace: its handle
 *
 * Return: the name, owned by @trace.
 */
const char *lttctl_trace_name(const struct lttctl_trace *trace);

/**
 * lttctl_trace_exists() - check that a trace has not been destroyed
 * @trace: its handle
 *
 * Return: false when the trace is gone; true otherwise, also when the request fails.
 */
bool lttctl_trace_exists(struct lttctl_trace *trace);

/**
 * lttctl_trace_start() - start a trace, or continue one that was stopped
 * @trace: its handle
 *
 * The first start allocates the buffers.
 *
 * Return: 0; -EALREADY when it runs; -ENOMEM when the buffers need more memory than is
 * free; -EDQUOT when they need more than the user may have; -ENOENT.
 */
int lttctl_trace_start(struct lttctl_trace *trace);

/**
 * lttctl_trace_stop() - stop a trace and make all that it recorded readable
 * @trace: its handle
 *
 * Return: 0; -EALREADY when it does not run; -ENOENT.
 */
int lttctl_trace_stop(struct lttctl_trace *trace);

/**
 * lttctl_trace_flush() - make readable what a trace has recorded so far, but for channels
 * that overwrite
 * @trace: its handle
 *
 * Ends the sub-buffers that hold data.  The tracer does so at most every 10 ms; a call
 * that comes earlier waits.
 *
 * Return: 0, also for a trace that has not been started; -ENOENT.
 */
int lttctl_trace_flush(struct lttctl_trace *trace);

/**
 * lttctl_trace_set_nameless() - do without the names of tasks
 * @trace: its handle, over the device; never started
 *
 * The events that name tasks are as others then.
 *
 * Return: 0; -EBUSY after the first start; -ENOENT.
 */
int lttctl_trace_set_nameless(struct lttctl_trace *trace);

/**
 * lttctl_trace_list_tasks() - record the names of all threads again, in channel "state"
 * @trace: its handle
 *
 * Return: 0; -EINVAL when it does not run; -ENOENT.
 */
int lttctl_trace_list_tasks(struct lttctl_trace *trace);

/**
 * lttctl_trace_state() - request the state of a trace
 * @trace: its handle
 * @state: receives the state
 *
 * Return: 0; -ENOENT.
 */
int lttctl_trace_state(struct lttctl_trace *trace, enum lttctl_state *state);

/**
 * lttctl_trace_clock() - request the clock of a trace
 * @trace: its handle
 * @clock: receives "NAME UUID FREQ OFFSET_S OFFSET", to be freed: the clock's name, the UUID
 *	of the boot, counts per second, and the clock's value 0 in seconds since the Unix
 *	epoch plus counts
 *
 * Return: 0; -ENOENT; -ENOMEM.
 */
int lttctl_trace_clock(struct lttctl_trace *trace, char **clock);

/**
 * lttctl_trace_destroy() - stop a trace if need be, and end it
 * @trace: its handle, which the caller still has to close
 *
 * A process that holds a buffer or the metadata open can read it to its end.
 *
 * Return: 0; -ENOENT.
 */
int lttctl_trace_destroy(struct lttctl_trace *trace);

/**
 * lttctl_trace_set_pid() - record only one process and its descendants
 * @trace: its handle
 * @pid: the process id in the initial pid namespace; 0 for all processes
 *
 * Return: 0; -ESRCH when there is no such process; -EINVAL for a number out of range;
 * -EUSERS when there are too many limits; -EDQUOT; -ENOENT.
 */
int lttctl_trace_set_pid(struct lttctl_trace *trace, pid_t pid);

/**
 * lttctl_trace_limit_tasks() - record only what happens in the context of some tasks
 * @trace: its handle; in any state
 * @members: pid:N, pid:N+children, tid:N, comm:GLOB or cgroup:/PATH, separated by blanks
 *
 * This and the following replace the former limit of the same kind, also while the trace
 * runs.
 *
 * Return: 0; -EINVAL for another member; -ESRCH, -ENOENT when there is no such task or
 * cgroup, or no such trace; -E2BIG, -EUSERS, -EDQUOT when there are too many.
 */
int lttctl_trace_limit_tasks(struct lttctl_trace *trace, const char *members);

/**
 * lttctl_trace_limit_cpus() - record only what happens on some CPUs
 * @trace: its handle; in any state
 * @list: numbers and ranges, such as 0-3,7
 *
 * Return: 0; -EINVAL for another list; -ENOENT.
 */
int lttctl_trace_limit_cpus(struct lttctl_trace *trace, const char *list);

/**
 * lttctl_trace_unlimit() - record all tasks, on all CPUs
 * @trace: its handle; in any state
 *
 * Return: 0; -ENOENT.
 */
int lttctl_trace_unlimit(struct lttctl_trace *trace);

/**
 * lttctl_channel_set_context() - set the contexts of the events of a channel
 * @trace: the handle of its trace; in any state
 * @channel: its name
 * @list: names separated by commas, or "none"
 *
 * Return: 0; -EINVAL for an invalid name or a context that there is not; -EEXIST for one that
 * is in the list twice; -EOPNOTSUPP for a counter that this machine does not have; -EBUSY when
 * others have it; -ENOENT.
 */
int lttctl_channel_set_context(struct lttctl_trace *trace, const char *channel, const char *list);

/**
 * lttctl_trace_set_context() - set the contexts of the events that a pattern matches
 * @trace: its handle; in any state
 * @pattern: group:name or name; it enables no event
 * @list: as for lttctl_channel_set_context(), or "default" for those of the channels
 *
 * The last pattern that matches an event decides.
 *
 * Return: as lttctl_channel_set_context(); -ENOENT also for "default" when the pattern had no
 * contexts.
 */
int lttctl_trace_set_context(struct lttctl_trace *trace, const char *pattern, const char *list);

/* --- Channels ----------------------------------------------------------- */

/**
 * struct lttctl_channel - a channel and its options, which are those of each CPU's buffer
 * @name: its name
 * @subbuf_size: bytes of a sub-buffer, a power of two from the page size to 256 MiB
 * @subbuf_count: sub-buffers, a power of two from 2 to 1048576
 * @overwrite: a flight recorder, which drops the oldest records rather than the newest
 * @lossless_ms: milliseconds that a thread waits for room each time, 0 to 10000; 0:
 *	threads do not wait
 */
struct lttctl_channel {
	char name[LTTCTL_NAME_SIZE];
	uint64_t subbuf_size;
	uint64_t subbuf_count;
	bool overwrite;
	uint64_t lossless_ms;
};

/**
 * enum lttctl_channel_option - an option of a channel: see struct lttctl_channel
 * @LTTCTL_SUBBUF_SIZE: @subbuf_size
 * @LTTCTL_SUBBUF_COUNT: @subbuf_count
 * @LTTCTL_OVERWRITE: @overwrite, 0 or 1
 * @LTTCTL_LOSSLESS_MS: @lossless_ms
 */
enum lttctl_channel_option {
	LTTCTL_SUBBUF_SIZE,
	LTTCTL_SUBBUF_COUNT,
	LTTCTL_OVERWRITE,
	LTTCTL_LOSSLESS_MS,
};

/**
 * lttctl_channel_get() - request the options of one channel
 * @trace: the handle of its trace
 * @name: its name
 * @channel: receives the options
 *
 * Return: 0; -EINVAL for an invalid name; -ENOENT when there is no such trace or channel.
 */
int lttctl_channel_get(struct lttctl_trace *trace, const char *name,
		       struct lttctl_channel *channel);

/**
 * lttctl_channel_add() - add a channel to a trace, with the options of channel "events"
 * @trace: the handle of the trace; in any state
 * @name: its name
 *
 * Its options can be set until it has buffers: until the first start, or if the trace has been
 * started, until its first pattern.
 *
 * Return: 0; -EINVAL for an invalid name; -EEXIST; -ENOSPC when there are too many; -ENOENT.
 */
int lttctl_channel_add(struct lttctl_trace *trace, const char *name);

/**
 * lttctl_event_enable_in() - record the events that match a pattern in a channel
 * @trace: the handle of the trace
 * @channel: the name of the channel
 * @pattern: see lttctl_event_enable()
 *
 * Return: as lttctl_event_enable(); -ENOENT also when there is no such channel; -ENOMEM,
 * -EDQUOT also for the buffers of a channel that was added after the first start.
 */
int lttctl_event_enable_in(struct lttctl_trace *trace, const char *channel, const char *pattern);

/**
 * lttctl_channel_set() - set an option of a channel, before it has buffers
 * @trace: the handle of its trace
 * @name: its name
 * @option: the option
 * @value: its value, in the unit and range that struct lttctl_channel gives
 *
 * Return: 0; -EINVAL for an invalid name, or a value that the channel cannot have; -EBUSY
 * when it has buffers; -EPERM for LTTCTL_LOSSLESS_MS without CAP_SYS_ADMIN; -ENOENT.
 */
int lttctl_channel_set(struct lttctl_trace *trace, const char *name,
		       enum lttctl_channel_option option, uint64_t value);

/**
 * lttctl_for_each_channel() - call a function for each channel, in the order of the names
 * @trace: the handle of the trace
 * @fn: the function; @channel is valid during the call
 * @arg: its last argument
 *
 * Return: 0, the first non-zero value of @fn; -ENOENT.
 */
int lttctl_for_each_channel(struct lttctl_trace *trace,
			    int (*fn)(const struct lttctl_channel *channel, void *arg), void *arg);

/* --- Events of a trace -------------------------------------------------- */

/**
 * struct lttctl_event - an event that a trace records, or a pattern that waits for one
 * @name: group:name; the pattern when @waiting
 * @channel: the channel that records it; "" when @waiting
 * @waiting: no event matches the pattern yet
 */
struct lttctl_event {
	const char *name;
	const char *channel;
	bool waiting;
};

/**
 * lttctl_event_enable() - record the events that match a pattern, now and later
 * @trace: the handle of the trace, in any state
 * @pattern: group:name, or a name in any group, with * ? [] wildcards
 *
 * The last pattern that matches an event decides.
 *
 * Return: 0; -EINVAL for text that is not a pattern; -EDQUOT when the trace has 4096
 * patterns; -ENOSPC when it has no event number left; -ENOENT.
 */
int lttctl_event_enable(struct lttctl_trace *trace, const char *pattern);

/**
 * lttctl_event_disable() - record the events that match a pattern no longer
 * @trace: the handle of the trace, in any state
 * @pattern: see lttctl_event_enable()
 *
 * Return: as lttctl_event_enable(); also -ENOENT when there is nothing to disable.
 */
int lttctl_event_disable(struct lttctl_trace *trace, const char *pattern);

/**
 * lttctl_probe_create() - make a dynamic probe, which is a marker then
 * @ctl: a connected handle
 * @trace: the probe lives as long as this trace; NULL: as long as the face's connection, over
 *	debugfs until it is removed
 * @description: GROUP:NAME PLACE FIELD..., see doc/probes.md
 *
 * Return: 0, also if the very probe is there already; -EINVAL the description is malformed, or
 * the kernel does not let the place be probed; -ENOENT there is no such function or file; -EEXIST
 * another probe has the name; -EPERM without CAP_PERFMON, or the kernel is locked down; another
 * errno of the kernel.
 */
int lttctl_probe_create(struct lttctl *ctl, struct lttctl_trace *trace, const char *description);

/**
 * lttctl_for_each_event() - call a function for each event and each waiting pattern
 * @trace: the handle of the trace
 * @fn: the function; @event is valid during the call
 * @arg: its last argument
 *
 * Return: 0, the first non-zero value of @fn; -ENOENT.
 */
int lttctl_for_each_event(struct lttctl_trace *trace,
			  int (*fn)(const struct lttctl_event *event, void *arg), void *arg);

#endif /* LIBLTTCTL_TRACE_H */
