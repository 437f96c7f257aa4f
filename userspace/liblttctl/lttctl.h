/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * liblttctl: the client of the tracer's two faces, /dev/ltt and debugfs.
 *
 * Layer: user space, below lttctl and lttd.  Callers see traces, channels, buffers and
 * markers.  The face is chosen when a handle is connected; the functions are the same
 * for both.
 *
 * Conventions, which hold for every function unless its description differs:
 *   - A function that returns int returns 0, or a file descriptor where "Return:" has one, on
 *     success and a negative errno on failure; lttctl_error() then returns one sentence
 *     that says what failed, on what, and why.
 *   - Besides the errors that a function lists, a function that makes a request returns
 *     -ENOMEM; -EACCES or -EPERM when the caller lacks a right; -EPROTO for a reply
 *     that cannot be parsed; over the device -ENOSYS when the kernel's tracer is older
 *     and lacks a command, -EPIPE or -ESHUTDOWN when the control connection has ended;
 *     over debugfs an errno of open(), read() or write().
 *   - A for_each function requests the whole list first and then calls the function
 *     that it is given.  It stops at the first non-zero value of that function and
 *     returns it.  The function may use the same handle.
 *   - Strings that a function is given are copied; strings that it passes to a function
 *     of the caller are valid during that call.
 *   - A request blocks until the tracer has replied.  Nothing else blocks.
 *   - The library never prints, never exits and changes no signal handling.
 *   - Context, unless a description differs: any thread, but not a signal handler.  A
 *     struct lttctl and everything made from it are used by one thread at a time;
 *     different handles are independent of each other.
 *
 * Environment:
 *   LTT_VIA          the face, "debugfs" or "device", where the program names none
 *   LTT_DEVICE       the device in place of /dev/ltt; it is the face then
 *   LTT_DEBUGFS      the directory in place of /sys/kernel/debug/ltt, which is the face
 *                    then; lttctl_load() does nothing
 *   LTT_MODULES_DIR  the build tree or flat directory with the kernel modules; by
 *                    default those that are installed
 *   LTT_RUN_DIR      the directory in place of /run/ltt, where consumers are registered
 */
#ifndef LTTCTL_H
#define LTTCTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lttctl;
struct lttctl_trace;
struct ltt_field;

/* Size of the longest name of a trace, channel, group or marker, with its NUL. */
#define LTTCTL_NAME_SIZE 64

/**
 * lttctl_keep_standard() - open /dev/null as each standard descriptor that is closed
 *
 * Call it first in main().  Without it a descriptor of the tracer could get the number
 * of a standard descriptor, and what the program prints would go there.
 */
void lttctl_keep_standard(void);

/**
 * lttctl_raise_files() - raise the limit of open files to its maximum
 *
 * A consumer needs two descriptors for each buffer, more than the usual 1024 on a large
 * machine.  A failure is ignored.
 */
void lttctl_raise_files(void);

/**
 * lttctl_new() - make a handle, which is not connected yet
 *
 * Return: the handle, to be freed by lttctl_free(); NULL without memory.
 */
struct lttctl *lttctl_new(void);

/**
 * lttctl_free() - disconnect and free a handle
 * @ctl: the handle, or NULL; every trace made from it must have been closed
 *
 * Private traces of the handle end.
 */
void lttctl_free(struct lttctl *ctl);

/**
 * lttctl_error() - the sentence about the last failure on a handle
 * @ctl: the handle
 *
 * Return: one sentence without a full stop, "" before the first failure; owned by @ctl
 * and valid until the next failure.
 */
const char *lttctl_error(const struct lttctl *ctl);

/**
 * lttctl_load() - load the kernel modules of the tracer that are not loaded yet
 * @ctl: the handle, not connected yet
 *
 * When debugfs is the face, the function that connects also mounts it.
 *
 * Context: blocks while modules are loaded.
 * Return: 0; -ENOENT when a module is not installed for this kernel; -EPERM without the right
 * to load modules, or when the kernel is locked down and the module has no signature;
 * -EKEYREJECTED when the kernel does not trust the signature; -ENOEXEC when the module was
 * built for another kernel; another errno of the kernel or of libkmod.
 */
int lttctl_load(struct lttctl *ctl);

/* --- The face ----------------------------------------------------------- */

/**
 * enum lttctl_via - the face of the tracer to use
 * @LTTCTL_VIA_ANY: the one that the environment names; else the device if it can be
 *	opened, else debugfs
 * @LTTCTL_VIA_DEBUGFS: the tree in debugfs
 * @LTTCTL_VIA_DEVICE: /dev/ltt
 */
enum lttctl_via {
	LTTCTL_VIA_ANY,
	LTTCTL_VIA_DEBUGFS,
	LTTCTL_VIA_DEVICE,
};

/**
 * lttctl_parse_via() - parse the name of a face
 * @name: "debugfs" or "device"
 * @via: receives the face
 *
 * Return: 0, or -EINVAL for another name; no error sentence is set.
 */
int lttctl_parse_via(const char *name, enum lttctl_via *via);

/**
 * lttctl_set_via() - choose the face of a handle
 * @ctl: the handle, not connected yet
 * @via: the face
 */
void lttctl_set_via(struct lttctl *ctl, enum lttctl_via via);

/**
 * lttctl_connect() - connect a handle to the traces that every user of the tracer sees
 * @ctl: the handle; nothing is done when it is connected
 *
 * Over the device this needs CAP_SYS_ADMIN; requests fail with -EPERM without it.
 *
 * Return: 0; -ENODEV when the tracer is not loaded; -EACCES when the caller may not use
 * it; -EMFILE when the user has too many control connections or the process too many
 * descriptors; -EINVAL when LTT_VIA is not a face; -ENOTTY when LTT_DEVICE is not a
 * device.
 */
int lttctl_connect(struct lttctl *ctl);

/**
 * lttctl_connect_private() - connect a handle to traces of its own, where the face has such
 * @ctl: the handle; nothing is done when it is connected
 *
 * Over the device the traces made from @ctl are private: no other handle sees them, and
 * they end with the handle or its process, however that ends.  They record by default
 * what all other traces do.  Debugfs has no private traces: see lttctl_is_private().
 *
 * Return: as lttctl_connect(); an error of a request.
 */
int lttctl_connect_private(struct lttctl *ctl);

/**
 * lttctl_is_private() - check whether the traces of a handle are private
 * @ctl: a connected handle
 *
 * Return: true for a handle of lttctl_connect_private() over the device, and for one of
 * lttctl_connect_fd().
 */
bool lttctl_is_private(const struct lttctl *ctl);

/**
 * lttctl_private_fd() - make a descriptor that gives another process the private traces
 * @ctl: a handle whose traces are private
 *
 * The descriptor does not keep the traces alive; it hangs up when they end.
 *
 * Return: a descriptor for lttctl_connect_fd(), closed by exec and owned by the caller;
 * -EDQUOT when the control connection has 16 of them; -EMFILE.
 */
int lttctl_private_fd(struct lttctl *ctl);

/**
 * lttctl_connect_fd() - connect a handle to the private traces of another process
 * @ctl: the handle, not connected yet
 * @fd: a descriptor of lttctl_private_fd(), owned by @ctl if this succeeds
 *
 * Return: 0; -ENOTTY when @fd is another kind of descriptor; -ENOMEM; an errno of
 * fcntl().
 */
int lttctl_connect_fd(struct lttctl *ctl, int fd);

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

/* --- Filters ------------------------------------------------------------ */

/**
 * lttctl_filter_check() - check whether an expression can be the filter of events
 * @trace: a handle of their trace
 * @pattern: group:name or name
 * @expression: see doc/expressions.md
 *
 * An event that lacks a field of the expression is dropped.
 *
 * Return: 0 if it is an expression, and its types fit each event that the trace records and @pattern
 * matches, of which one at least has all names; -EINVAL, -E2BIG: the error sentence names the event and the column.
 */
int lttctl_filter_check(struct lttctl_trace *trace, const char *pattern, const char *expression);

/**
 * lttctl_trace_filter() - set the filter of the events that a pattern matches
 * @trace: its handle; in any state
 * @pattern: group:name or name; it enables no event
 * @expression: see doc/expressions.md
 *
 * The last pattern that matches an event decides.  In a running trace, what happens while an event
 * gets another filter is not recorded.  An event that comes later waits for
 * lttctl_filters_attach(), which the lttd of the trace calls.
 *
 * Return: 0; an error of lttctl_filter_check(); -EPERM without the right to load programs;
 * -EOPNOTSUPP the kernel has no eBPF; -EDQUOT; -ENOENT.  After an error nothing has changed.
 */
int lttctl_trace_filter(struct lttctl_trace *trace, const char *pattern, const char *expression);

/**
 * lttctl_filter_note() - have other events note what a filter asks of them
 * @trace: its handle; in any state
 * @pattern: of the filter
 * @expression: the filter
 *
 * lttctl_trace_filter() does so.  Do it again if a later filter replaces that of the other events.
 *
 * Return: 0, also without since() and between(); as lttctl_trigger_add().
 */
int lttctl_filter_note(struct lttctl_trace *trace, const char *pattern, const char *expression);

/**
 * lttctl_event_enable_filtered() - enable events, with a filter from the first one on
 * @trace: its handle; in any state
 * @channel: as for lttctl_event_enable_in(); NULL for the channel "events"
 * @pattern: group:name or name
 * @expression: see doc/expressions.md; checked as by lttctl_filter_check() for the events that @pattern
 *	matches now
 *
 * Return: as lttctl_event_enable_in() and lttctl_trace_filter().  If only the kernel refuses the
 * program, @pattern is disabled.
 */
int lttctl_event_enable_filtered(struct lttctl_trace *trace, const char *channel,
				 const char *pattern, const char *expression);

/**
 * lttctl_trace_unfilter() - remove the filter of a pattern
 * @trace: its handle; in any state
 * @pattern: the same pattern
 *
 * Return: 0; -EINVAL for an invalid pattern; -ENOENT when it has no filter.
 */
int lttctl_trace_unfilter(struct lttctl_trace *trace, const char *pattern);

/**
 * lttctl_filters_attach() - compile the filters of all events that wait for it
 * @trace: its handle; in any state
 *
 * Return: 0; the first error, as of lttctl_trace_filter(): then the events that it does not concern
 * have their filters.
 */
int lttctl_filters_attach(struct lttctl_trace *trace);

/**
 * lttctl_filter_set() - set a filter whose programs are the caller's own
 * @trace: its handle; in any state
 * @pattern: group:name or name
 * @text: any line; the tracer shows it
 *
 * The events that @pattern matches are not recorded until lttctl_filter_attach() gives them a program.
 *
 * Return: 0; -EINVAL, -E2BIG, -EDQUOT; -ENOENT.
 */
int lttctl_filter_set(struct lttctl_trace *trace, const char *pattern, const char *text);

/**
 * lttctl_filter_attach() - give an event a program
 * @trace: its handle; over the device, as debugfs takes no descriptors
 * @event: group:name
 * @layout: from &struct lttctl_fields, which the program was made for
 * @program: descriptor of a program of the type BPF_PROG_TYPE_RAW_TRACEPOINT
 * @text: of the filter of the event
 *
 * Return: 0; -ESTALE when the event has other fields or another filter; -EINVAL for a program that cannot
 * run there; -EOPNOTSUPP the kernel has no eBPF; -ENOENT.
 */
int lttctl_filter_attach(struct lttctl_trace *trace, const char *event, const char *layout, int program,
			 const char *text);

/**
 * struct lttctl_filter - the filter of a pattern or of an event
 * @pattern: group:name with wildcards; NULL for an event
 * @event: group:name; NULL for a pattern
 * @expression: the filter of the pattern, or that for which the event waits: it is not recorded.
 *	NULL for an event that has its program
 * @program: number of the program in the kernel, as of the others, of an event that has one
 * @runs: how often it was run
 * @filtered: how many events it dropped
 * @unjudged: how many events were recorded while it was running already
 */
struct lttctl_filter {
	const char *pattern;
	const char *event;
	const char *expression;
	uint64_t program;
	uint64_t runs;
	uint64_t filtered;
	uint64_t unjudged;
};

/**
 * lttctl_for_each_filter() - call a function for the filter of each pattern, then of each event
 * @trace: its handle
 * @fn: the function; @filter is valid during the call
 * @arg: its last argument
 *
 * Return: 0, the first non-zero value of @fn; -ENOENT.
 */
int lttctl_for_each_filter(struct lttctl_trace *trace,
			   int (*fn)(const struct lttctl_filter *filter, void *arg), void *arg);

/* --- Triggers ----------------------------------------------------------- */

#define LTTCTL_SLOTS 8

/**
 * lttctl_trigger_add() - have an event do something besides being recorded
 * @trace: its handle; in any state
 * @event: group:name
 * @action: "stop", "begin" or "report N", with a slot N below LTTCTL_SLOTS: see doc/expressions.md
 * @condition: an expression; "" for each event
 *
 * The event is recorded when its trigger fires, also if the trace does not record it else.  A later filter
 * for a pattern that matches the event replaces its triggers.
 *
 * Return: 0; -EINVAL, -E2BIG: the error sentence names the column in @condition; as lttctl_trace_filter()
 * and lttctl_event_enable().
 */
int lttctl_trigger_add(struct lttctl_trace *trace, const char *event, const char *action, const char *condition);

/**
 * lttctl_trace_arm() - start a trace that begins to record with an event
 * @trace: its handle; not running
 * @event: group:name of an event with a trigger "begin"
 * @condition: of the trigger: the events that it asks about pass, too, and are not recorded
 *
 * Until then the trace records the names of threads alone.
 *
 * Return: as lttctl_trace_start().
 */
int lttctl_trace_arm(struct lttctl_trace *trace, const char *event, const char *condition);

/**
 * struct lttctl_triggers - what triggers have done so far
 * @armed: the trace waits for the event that it begins with
 * @reports: how often a trigger "report N" has fired, for each slot
 */
struct lttctl_triggers {
	bool armed;
	unsigned int reports[LTTCTL_SLOTS];
};

/**
 * lttctl_trace_triggers() - ask what triggers have done
 * @trace: its handle
 * @triggers: receives it
 *
 * Return: 0; -ENOENT.
 */
int lttctl_trace_triggers(struct lttctl_trace *trace, struct lttctl_triggers *triggers);

/**
 * lttctl_trigger_watch() - wait for triggers, and for the stop of a trace, with poll()
 * @trace: its handle
 * @all: as for lttctl_trace_watch(): over debugfs, the caller has to look from time to time
 *
 * Return: as lttctl_trace_watch().
 */
int lttctl_trigger_watch(struct lttctl_trace *trace, bool *all);

/* --- Statistics --------------------------------------------------------- */

/**
 * struct lttctl_counts - what became of records
 * @emitted: @stored + @refused + @overwritten + @filtered
 * @stored: in the buffers, or read from there
 * @refused: lost: @full + @big + @nested
 * @overwritten: dropped by a flight recorder before they were read
 * @filtered: dropped by filters
 * @unjudged: of a trace: recorded without asking their filter, whose program was running on the CPU
 * @bytes: of all packets
 * @full: refused because the reader had not freed a sub-buffer
 * @big: refused because they are larger than a sub-buffer
 * @nested: refused because interrupts nested too deep
 * @missed: lost before they reached a buffer, and not emitted: the kernel did not report hits of
 *	dynamic probes
 * @waits: how often a thread waited for room in a lossless channel
 * @timeouts: how many of these waits ended without room
 */
struct lttctl_counts {
	uint64_t emitted;
	uint64_t stored;
	uint64_t refused;
	uint64_t overwritten;
	uint64_t filtered;
	uint64_t unjudged;
	uint64_t bytes;
	uint64_t full;
	uint64_t big;
	uint64_t nested;
	uint64_t missed;
	uint64_t waits;
	uint64_t timeouts;
};

/**
 * struct lttctl_buffer_stats - the counts of one buffer
 * @channel: its channel
 * @cpu: its CPU
 * @counts: its counts
 */
struct lttctl_buffer_stats {
	char channel[LTTCTL_NAME_SIZE];
	unsigned int cpu;
	struct lttctl_counts counts;
};

/**
 * struct lttctl_event_stats - the counts of an event of which at least one record was lost
 * @name: group:name
 * @counts: only @refused, the causes and @missed are set
 */
struct lttctl_event_stats {
	char name[2 * LTTCTL_NAME_SIZE];
	struct lttctl_counts counts;
};

/**
 * struct lttctl_stats - the counts of a trace
 * @halted: the reason for which the tracer itself stopped the trace; else ""
 * @triggered: the event, group:name, whose trigger stopped the trace; else ""
 * @total: the sums of all buffers
 * @buffers: the buffers
 * @nr_buffers: their number
 * @events: the events that were refused
 * @nr_events: their number
 */
struct lttctl_stats {
	char halted[128];
	char triggered[128];
	struct lttctl_counts total;
	struct lttctl_buffer_stats *buffers;
	size_t nr_buffers;
	struct lttctl_event_stats *events;
	size_t nr_events;
};

/**
 * lttctl_trace_stats() - request the counts of a trace
 * @trace: its handle
 * @stats: receives the counts, to be freed by lttctl_stats_free(); after an error it is
 *	empty
 *
 * Return: 0; -ENOENT.
 */
int lttctl_trace_stats(struct lttctl_trace *trace, struct lttctl_stats *stats);

/**
 * lttctl_stats_free() - free the arrays of the counts, and clear the counts
 * @stats: the counts, or zeros
 */
void lttctl_stats_free(struct lttctl_stats *stats);

/* --- Reading a trace's data --------------------------------------------- */

/**
 * lttctl_for_each_buffer() - call a function for the name of each buffer
 * @trace: the handle of the trace
 * @fn: the function; names are <channel>_<cpu>, in version order
 * @arg: its last argument
 *
 * Before the first start a trace has no buffers.
 *
 * Return: 0, the first non-zero value of @fn; -ENOENT.
 */
int lttctl_for_each_buffer(struct lttctl_trace *trace, int (*fn)(const char *name, void *arg),
			   void *arg);

/**
 * lttctl_buffer_open() - open a buffer for reading
 * @trace: the handle of its trace
 * @name: <channel>_<cpu>
 *
 * The descriptor keeps the memory of the buffer, also after the end of the trace.
 * doc/format.md says how to read it.
 *
 * Return: a non-blocking descriptor, closed by exec and owned by the caller; -EINVAL when
 * @name cannot name a buffer; -ENOENT when there is no such buffer; -EBUSY when it has a
 * reader; -EMFILE.
 */
int lttctl_buffer_open(struct lttctl_trace *trace, const char *name);

/**
 * lttctl_snapshot_open() - open a snapshot of a buffer for reading
 * @trace: the handle of its trace
 * @name: <channel>_<cpu>
 *
 * The descriptor returns the packets that the buffer holds now, oldest first, without
 * those that the tracer overwrites before they are read, then end of file.  Nothing is
 * taken from the buffer, which may have a reader.
 *
 * Return: a descriptor, closed by exec and owned by the caller; -EINVAL when @name cannot
 * name a buffer; -ENOENT when there is no such buffer; -EMFILE.
 */
int lttctl_snapshot_open(struct lttctl_trace *trace, const char *name);

/**
 * lttctl_buffer_channel() - the channel that a buffer belongs to
 * @name: the name of the buffer
 * @channel: receives the name of the channel
 *
 * Return: 0; -EINVAL when @name cannot name a buffer; no error sentence is set.
 */
int lttctl_buffer_channel(const char *name, char channel[LTTCTL_NAME_SIZE]);

/**
 * lttctl_metadata_open() - open the CTF metadata of a trace
 * @trace: its handle
 *
 * The metadata grows while events are enabled.
 *
 * Return: a descriptor that can be read at any offset, closed by exec and owned by the
 * caller; -ENOENT; -EMFILE.
 */
int lttctl_metadata_open(struct lttctl_trace *trace);

/**
 * lttctl_trace_watch() - wait for new buffers, new markers, and for the end of a trace with poll()
 * @trace: its handle
 * @all: receives whether the descriptor reports every change; if not, the caller has to
 *	look for changes from time to time as well
 *
 * The bytes that can be read from the descriptor have no meaning.
 *
 * Return: a non-blocking descriptor that becomes readable at each change, and is at end
 * of file when private traces have ended; closed by exec and owned by the caller; -EDQUOT
 * when the control connection has 16 of them; -EMFILE; -ENOENT.
 */
int lttctl_trace_watch(struct lttctl_trace *trace, bool *all);

/* --- Consumers ---------------------------------------------------------- */

/**
 * struct lttctl_consumer - the process that moves a trace's data to disk
 * @pid: its process id
 * @buffers: the number of buffers that it holds open
 * @dir: the absolute path of the directory that it writes to
 */
struct lttctl_consumer {
	pid_t pid;
	unsigned int buffers;
	char dir[4096];
};

/**
 * lttctl_consumer_claim() - become the consumer of a trace
 * @ctl: any handle
 * @trace: the name of the trace
 * @dir: the absolute path of the directory to write to
 *
 * Return: a descriptor for lttctl_consumer_release(), whose lifetime is that of the
 * claim; -EBUSY when another process is the consumer; -EINVAL for an invalid name;
 * -ENAMETOOLONG; -EIO when the claim cannot be written; an errno of mkdir(), open() or
 * fcntl().
 */
int lttctl_consumer_claim(struct lttctl *ctl, const char *trace, const char *dir);

/**
 * lttctl_consumer_update() - publish how many buffers the consumer holds open
 * @ctl: any handle
 * @claim: the descriptor of the claim
 * @dir: see lttctl_consumer_claim()
 * @buffers: the number of buffers
 *
 * Return: 0; -ENAMETOOLONG; -EIO.
 */
int lttctl_consumer_update(struct lttctl *ctl, int claim, const char *dir, unsigned int buffers);

/**
 * lttctl_consumer_release() - end a claim and close its descriptor
 * @ctl: any handle
 * @claim: the descriptor of the claim
 * @trace: the name of the trace
 */
void lttctl_consumer_release(struct lttctl *ctl, int claim, const char *trace);

/**
 * lttctl_consumer_find() - find the consumer of a trace
 * @ctl: any handle
 * @trace: the name of the trace
 * @consumer: receives what the consumer published
 *
 * Return: 0; -ENOENT when the trace has no consumer; -EINVAL for an invalid name; an
 * errno of open(), read() or fcntl() when this cannot be found out.
 */
int lttctl_consumer_find(struct lttctl *ctl, const char *trace, struct lttctl_consumer *consumer);

/* --- Markers ------------------------------------------------------------ */

/**
 * struct lttctl_marker - an instrumentation point
 * @group: its group
 * @name: its name in the group
 * @enabled: every trace made through this face records it by default
 */
struct lttctl_marker {
	const char *group;
	const char *name;
	bool enabled;
};

/**
 * lttctl_for_each_marker() - call a function for each marker, in the order of the names
 * @ctl: a connected handle
 * @pattern: group:name, or a name in any group, with * ? [] wildcards; NULL for all
 * @fn: the function; @marker is valid during the call
 * @arg: its last argument
 *
 * Return: 0, or the first non-zero value of @fn.
 */
int lttctl_for_each_marker(struct lttctl *ctl, const char *pattern,
			   int (*fn)(const struct lttctl_marker *marker, void *arg), void *arg);

/**
 * lttctl_marker_info() - request the description of a marker
 * @ctl: a connected handle
 * @group: its group
 * @name: its name
 * @text: receives the text, see doc/debugfs.md; the caller frees it
 *
 * Return: 0; -EINVAL for an invalid name; -ENOENT when there is no such marker.
 */
int lttctl_marker_info(struct lttctl *ctl, const char *group, const char *name, char **text);

/**
 * struct lttctl_fields - the fields of a marker
 * @field: the fields, in the order of the payload; their texts are in @text
 * @nr: number of @field
 * @layout: stands for these fields in requests to the tracer
 * @text: memory of the texts
 */
struct lttctl_fields {
	struct ltt_field *field;
	size_t nr;
	char layout[17];
	char *text;
};

/**
 * lttctl_marker_fields() - request the fields of a marker
 * @ctl: a connected handle
 * @event: group:name
 * @fields: receives the fields, to be freed by lttctl_fields_free()
 *
 * Return: 0; -EINVAL for an invalid name; -ENOENT when there is no such marker.
 */
int lttctl_marker_fields(struct lttctl *ctl, const char *event, struct lttctl_fields *fields);

void lttctl_fields_free(struct lttctl_fields *fields);

/**
 * lttctl_mark() - send a text as the event mark:text
 * @ctl: a connected handle
 * @text: the text, not empty.  Traces that record mark:text get it, cut to 4 KiB
 *
 * Return: 0; -EINVAL for an empty text; -ENOSYS from a tracer without the command.
 */
int lttctl_mark(struct lttctl *ctl, const char *text);

/**
 * lttctl_marker_enable() - record the events that match a pattern by default
 * @ctl: a connected handle
 * @pattern: see lttctl_event_enable(); no event need match it yet
 *
 * It takes effect in every trace, present and future, made through this face.
 *
 * Return: as lttctl_event_enable().
 */
int lttctl_marker_enable(struct lttctl *ctl, const char *pattern);

/**
 * lttctl_marker_disable() - record the events that match a pattern no longer by default
 * @ctl: a connected handle
 * @pattern: see lttctl_event_enable()
 *
 * It takes effect in every trace, present and future, made through this face.
 *
 * Return: as lttctl_event_enable().
 */
int lttctl_marker_disable(struct lttctl *ctl, const char *pattern);

/**
 * lttctl_for_each_wanted() - call a function for each pattern that decides the default
 * @ctl: a connected handle
 * @fn: the function; a pattern that begins with `!` removes what it matches, and the last
 *	pattern that matches an event decides
 * @arg: its last argument
 *
 * Return: 0, or the first non-zero value of @fn.
 */
int lttctl_for_each_wanted(struct lttctl *ctl, int (*fn)(const char *pattern, void *arg),
			   void *arg);

#endif /* LTTCTL_H */
