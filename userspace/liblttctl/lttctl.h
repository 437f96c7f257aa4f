/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * liblttctl: the one client of the tracer's control faces, /dev/ltt and debugfs.
 *
 * Layer: user space, below lttctl and lttd.  Callers see traces, channels,
 * buffers and markers; which face they are reached by is chosen when they
 * connect, and makes no difference from then on.
 *
 * Conventions:
 *   - A function that returns int returns 0 (or a file descriptor, where said)
 *     on success and -errno otherwise; lttctl_error() then holds one sentence
 *     that says what was refused, with what, and why.
 *   - The for_each functions stop at the first non-zero value of the callback
 *     and return it.
 *   - The library never prints, never exits and changes no signal handling.
 *   - A struct lttctl and everything made from it belong to one thread at a
 *     time.
 *
 * Environment:
 *   LTT_VIA          face to be used where the program names none: debugfs or
 *                    device
 *   LTT_DEVICE       device used in place of /dev/ltt; it is the face then
 *   LTT_DEBUGFS      directory used in place of /sys/kernel/debug/ltt, which is
 *                    the face then; nothing is loaded or mounted
 *   LTT_MODULES_DIR  build tree or flat folder to load the kernel modules from,
 *                    instead of asking modprobe(8)
 *   LTT_RUN_DIR      where consumers are registered, instead of /run/ltt
 */
#ifndef LTTCTL_H
#define LTTCTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lttctl;
struct lttctl_trace;

/* Longest name of a trace, channel, group or marker, with its NUL. */
#define LTTCTL_NAME_SIZE 64

/**
 * lttctl_keep_standard() - let /dev/null stand for standard files that are closed
 *
 * For the beginning of main(): otherwise a descriptor of the tracer gets their
 * number, and what is printed goes there.
 */
void lttctl_keep_standard(void);

/**
 * lttctl_raise_files() - have as many descriptors as this process may have
 *
 * A buffer takes two and a program one: many need more than the usual 1024.
 */
void lttctl_raise_files(void);

/**
 * lttctl_new() - make a handle; it reaches nothing yet
 * Return: the handle, or NULL when memory is out.
 */
struct lttctl *lttctl_new(void);
void lttctl_free(struct lttctl *ctl);

/**
 * lttctl_error() - why the last function on this handle failed
 * Return: one sentence without a full stop; "" before the first failure.
 */
const char *lttctl_error(const struct lttctl *ctl);

/**
 * lttctl_load() - bring the tracer into the kernel
 *
 * Loads the modules that are missing.  What is there already is left as it is.
 * Debugfs is mounted by the function that connects, should it be the face.
 */
int lttctl_load(struct lttctl *ctl);

/* --- The face ----------------------------------------------------------- */

/**
 * enum lttctl_via - the way to the tracer
 * @LTTCTL_VIA_ANY: what the environment says; else the device, if it can be
 *	opened, else debugfs
 */
enum lttctl_via {
	LTTCTL_VIA_ANY,
	LTTCTL_VIA_DEBUGFS,
	LTTCTL_VIA_DEVICE,
};

/** lttctl_parse_via() - "debugfs" or "device"; else -EINVAL */
int lttctl_parse_via(const char *name, enum lttctl_via *via);

/** lttctl_set_via() - ask for a face, before loading and connecting */
void lttctl_set_via(struct lttctl *ctl, enum lttctl_via via);

/**
 * lttctl_connect() - reach the tracer, and the traces that everybody sees
 * Return: 0; -ENODEV when the tracer is not loaded; -EACCES when the caller
 * may not control it.
 */
int lttctl_connect(struct lttctl *ctl);

/**
 * lttctl_connect_private() - the same, with traces of one's own if the face has
 *	such: lttctl_is_private() tells
 *
 * They are seen by this handle only, and end with it or its process, however that
 * comes.
 */
int lttctl_connect_private(struct lttctl *ctl);
bool lttctl_is_private(const struct lttctl *ctl);

/**
 * lttctl_session_fd() - let another process have the private traces, too
 *
 * They do not live by it.  It hangs up when they end.
 *
 * Return: a descriptor, closed by exec, for the other's
 * lttctl_connect_session().
 */
int lttctl_session_fd(struct lttctl *ctl);

/**
 * lttctl_connect_session() - reach the private traces of another process
 * @fd: what it has from lttctl_session_fd(); the handle's, if this succeeds
 */
int lttctl_connect_session(struct lttctl *ctl, int fd);

/* --- Traces ------------------------------------------------------------- */

enum lttctl_state {
	LTTCTL_CONFIGURING,
	LTTCTL_RUNNING,
	LTTCTL_STOPPED,
};

const char *lttctl_state_name(enum lttctl_state state);

int lttctl_for_each_trace(struct lttctl *ctl,
			  int (*fn)(const char *name, void *arg), void *arg);

/**
 * lttctl_trace_create() - make a trace
 * @trace: receives a handle, as from lttctl_trace_open()
 */
int lttctl_trace_create(struct lttctl *ctl, const char *name,
			struct lttctl_trace **trace);

/**
 * lttctl_trace_open() - take hold of a trace
 *
 * The handle stays with this very trace: after a destroy it never means
 * another one that has been given the same name.
 */
int lttctl_trace_open(struct lttctl *ctl, const char *name,
		      struct lttctl_trace **trace);
void lttctl_trace_close(struct lttctl_trace *trace);

const char *lttctl_trace_name(const struct lttctl_trace *trace);

/** lttctl_trace_exists() - has the trace not been destroyed? */
bool lttctl_trace_exists(const struct lttctl_trace *trace);

int lttctl_trace_start(struct lttctl_trace *trace);
int lttctl_trace_stop(struct lttctl_trace *trace);
int lttctl_trace_snapshot(struct lttctl_trace *trace);
int lttctl_trace_state(struct lttctl_trace *trace, enum lttctl_state *state);

/**
 * lttctl_trace_destroy() - end the trace; the handle is to be closed still
 *
 * Readers that hold a buffer or the metadata open can drain it.
 */
int lttctl_trace_destroy(struct lttctl_trace *trace);

/** lttctl_trace_set_pid() - record only this process and its descendants */
int lttctl_trace_set_pid(struct lttctl_trace *trace, pid_t pid);

/**
 * struct lttctl_channel - how a channel's per-CPU buffers are made
 * @overwrite: a flight recorder, which drops the oldest data instead of the
 *	newest
 * @lossless_ms: not 0: threads that fill a buffer faster than it is read wait for
 *	room, up to so many milliseconds each time, at most 10000
 */
struct lttctl_channel {
	char name[LTTCTL_NAME_SIZE];
	uint64_t subbuf_size;
	uint64_t subbuf_count;
	bool overwrite;
	uint64_t lossless_ms;
};

enum lttctl_channel_option {
	LTTCTL_SUBBUF_SIZE,
	LTTCTL_SUBBUF_COUNT,
	LTTCTL_OVERWRITE,
	LTTCTL_LOSSLESS_MS,
};

int lttctl_channel_get(struct lttctl_trace *trace, const char *name,
		       struct lttctl_channel *channel);
int lttctl_channel_set(struct lttctl_trace *trace, const char *name,
		       enum lttctl_channel_option option, uint64_t value);
int lttctl_for_each_channel(struct lttctl_trace *trace,
			    int (*fn)(const struct lttctl_channel *channel,
				      void *arg), void *arg);

/* --- Events of a trace -------------------------------------------------- */

/**
 * struct lttctl_event - one line of what a trace records
 * @name: group:name, or a pattern when @waiting
 * @channel: where it is recorded; "" when @waiting
 * @waiting: nothing matches the pattern yet
 */
struct lttctl_event {
	const char *name;
	const char *channel;
	bool waiting;
};

int lttctl_event_enable(struct lttctl_trace *trace, const char *pattern);
int lttctl_event_disable(struct lttctl_trace *trace, const char *pattern);
int lttctl_for_each_event(struct lttctl_trace *trace,
			  int (*fn)(const struct lttctl_event *event,
				    void *arg), void *arg);

/* --- Statistics --------------------------------------------------------- */

/**
 * struct lttctl_counts - what became of events
 *
 * emitted = stored + refused + overwritten; refused = full + big + nested.
 * Of a lossless channel's buffer: @waits of threads for room, @timeouts of them in
 * vain.
 */
struct lttctl_counts {
	uint64_t emitted;
	uint64_t stored;
	uint64_t refused;
	uint64_t overwritten;
	uint64_t bytes;
	uint64_t full;
	uint64_t big;
	uint64_t nested;
	uint64_t waits;
	uint64_t timeouts;
};

struct lttctl_buffer_stats {
	char channel[LTTCTL_NAME_SIZE];
	unsigned int cpu;
	struct lttctl_counts counts;
};

/* An event that was refused at least once. */
struct lttctl_event_stats {
	char name[2 * LTTCTL_NAME_SIZE];
	struct lttctl_counts counts;
};

/* @halted: why the tracer itself stopped the trace, in a sentence; else empty. */
struct lttctl_stats {
	char halted[128];
	struct lttctl_counts total;
	struct lttctl_buffer_stats *buffers;
	size_t nr_buffers;
	struct lttctl_event_stats *events;
	size_t nr_events;
};

int lttctl_trace_stats(struct lttctl_trace *trace, struct lttctl_stats *stats);
void lttctl_stats_free(struct lttctl_stats *stats);

/* --- Reading a trace's data --------------------------------------------- */

int lttctl_for_each_buffer(struct lttctl_trace *trace,
			   int (*fn)(const char *name, void *arg), void *arg);

/**
 * lttctl_buffer_open() - open one CPU's buffer of one channel for reading
 * @name: as lttctl_for_each_buffer() gives it, <channel>_<cpu>
 *
 * Return: a non-blocking file descriptor; -EBUSY when it has a reader.
 */
int lttctl_buffer_open(struct lttctl_trace *trace, const char *name);

/**
 * lttctl_buffer_channel() - the channel a buffer belongs to
 * Return: 0, or -EINVAL when @name is not a buffer's name.
 */
int lttctl_buffer_channel(const char *name, char channel[LTTCTL_NAME_SIZE]);

/** lttctl_metadata_open() - Return: a file descriptor, readable anywhere. */
int lttctl_metadata_open(struct lttctl_trace *trace);

/**
 * lttctl_trace_watch() - hear of buffers that appear and of the trace's end
 * @all: told whether every change is told, so that there is no need to look now
 *	and then; a look may have to wait for what others change
 *
 * Return: a non-blocking file descriptor that becomes readable at each change;
 * what is read from it has no meaning, and there is no end of it but that of the
 * trace.
 */
int lttctl_trace_watch(struct lttctl_trace *trace, bool *all);

/* --- Consumers ---------------------------------------------------------- */

/**
 * struct lttctl_consumer - who moves a trace's data to disk
 * @pid: its process
 * @buffers: how many buffers it holds open
 * @dir: where it writes
 */
struct lttctl_consumer {
	pid_t pid;
	unsigned int buffers;
	char dir[4096];
};

/**
 * lttctl_consumer_claim() - become the consumer of a trace
 * @dir: an absolute path
 *
 * Return: a file descriptor whose lifetime is that of the claim; -EBUSY when
 * another process is the consumer.
 */
int lttctl_consumer_claim(struct lttctl *ctl, const char *trace,
			  const char *dir);

/** lttctl_consumer_update() - publish how many buffers the claimer holds */
int lttctl_consumer_update(struct lttctl *ctl, int claim, const char *dir,
			   unsigned int buffers);

/** lttctl_consumer_release() - end a claim and close its descriptor */
void lttctl_consumer_release(struct lttctl *ctl, int claim, const char *trace);

/**
 * lttctl_consumer_find() - who consumes a trace?
 * Return: 0; -ENOENT when nobody does; another error when that cannot be told.
 */
int lttctl_consumer_find(struct lttctl *ctl, const char *trace,
			 struct lttctl_consumer *consumer);

/* --- Markers ------------------------------------------------------------ */

/**
 * struct lttctl_marker - an instrumentation point
 * @enabled: recorded by default, in every trace made through this face
 */
struct lttctl_marker {
	const char *group;
	const char *name;
	bool enabled;
};

/**
 * lttctl_for_each_marker() - by group and name, in order
 * @pattern: group:name with globs, or a glob for any group; NULL for all
 */
int lttctl_for_each_marker(struct lttctl *ctl, const char *pattern,
			   int (*fn)(const struct lttctl_marker *marker,
				     void *arg), void *arg);

/**
 * lttctl_marker_info() - what is known of a marker, as text
 * @text: receives the text, to be freed
 */
int lttctl_marker_info(struct lttctl *ctl, const char *group, const char *name,
		       char **text);

/**
 * lttctl_marker_enable() - record markers by default
 * @pattern: as for lttctl_for_each_marker(); need not match anything yet
 */
int lttctl_marker_enable(struct lttctl *ctl, const char *pattern);

/** lttctl_marker_disable() - undo it, in all traces made through this face, too */
int lttctl_marker_disable(struct lttctl *ctl, const char *pattern);

/**
 * lttctl_for_each_wanted() - the patterns that decide what is recorded by default
 *
 * A pattern that begins with ! leaves out what it matches; the last that matches
 * decides.
 */
int lttctl_for_each_wanted(struct lttctl *ctl,
			   int (*fn)(const char *pattern, void *arg),
			   void *arg);

#endif /* LTTCTL_H */
