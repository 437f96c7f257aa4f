/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The data of a trace: its buffers and metadata, and the consumers that write these to disk.
 *
 * Layer: liblttctl.  lttctl.h, which includes this file, has the conventions.
 */
#ifndef LIBLTTCTL_DATA_H
#define LIBLTTCTL_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lttctl;
struct lttctl_trace;

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

#endif /* LIBLTTCTL_DATA_H */
