/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A recording, read once from begin to end, with a model of the system.
 *
 *	recording_open(&recording, dirs, from, to)
 *	dispatch_on(recording.dispatch, DISPATCH_REPORT, ...), sched_listen(recording_sched(&recording), ...), ...
 *	recording_read(&recording)
 *	recording_close(&recording)
 *
 * recording_open() reads the states of the system and the lists of threads.  recording_read() passes all other records to the
 * handlers, in the order of time.  The part that is wanted, --from and --to, is the window.
 * The model also gets the records of the last LEAD before the window, because states begin before it.
 *
 * Layer: lttctl model.  Functions that return int return an exit status, after a message.
 */
#ifndef LTTCTL_MODEL_RECORDING_H
#define LTTCTL_MODEL_RECORDING_H

#include "calls.h"
#include "sched.h"

#define RECORDING_LEAD_NS	2000000000LL

/**
 * struct recording - an open recording
 * @trace: what libltttrace says about it
 * @dispatch: the handlers
 * @tasks: the threads
 * @sched: NULL until recording_sched()
 * @calls: NULL until recording_calls()
 * @first_ns: the begin of the recording
 * @last_ns: the end of the recording
 * @from_ns: the begin of the window, inclusive
 * @to_ns: the end of the window, inclusive
 * @now_ns: the time of the last record
 * @nr_lost_events: events in the window that the tracer lost
 * @nr_lost_packets: packets in the window that were overwritten
 * @nr_damages: places in the window that cannot be read
 */
struct recording {
	struct ltttrace *trace;
	struct dispatch *dispatch;
	struct tasks *tasks;
	struct sched *sched;
	struct calls *calls;
	int64_t first_ns;
	int64_t last_ns;
	int64_t from_ns;
	int64_t to_ns;
	int64_t now_ns;
	uint64_t nr_lost_events;
	uint64_t nr_lost_packets;
	uint64_t nr_damages;
};

/**
 * recording_open() - open recordings
 * @recording: describes them afterwards; it need not be initialised, and must stay where it is
 * @dirs: directories, and NULL after the last
 * @from: NULL, or the begin of the window, see moment.h
 * @to: NULL, or its end
 *
 * Return: 0; EXIT_USAGE: @from or @to is wrong; EXIT_FAILED.  After a failure, there is nothing to close.
 */
int recording_open(struct recording *recording, const char *const *dirs, const char *from, const char *to);

/* As recording_open() of a recording that may be without events: then *@has_events is false, and there is nothing to close. */
int recording_open_some(struct recording *recording, const char *const *dirs, const char *from, const char *to, bool *has_events);

/* Use the model of the scheduler.  Return: it; NULL after a message if memory is out. */
struct sched *recording_sched(struct recording *recording);

/* Use the model of system calls.  Return: it; NULL after a message if memory is out. */
struct calls *recording_calls(struct recording *recording);

/**
 * recording_need() - require that an event was recorded, with fields
 * @recording: the recording
 * @event: the name, or "GROUP:*", see dispatch_on()
 * @fields: the fields, see dispatch_on()
 * @pattern: what `lttctl record -e` needs for it: "sched:sched_switch"
 *
 * Return: 0; EXIT_FAILED after a message that names the pattern, or the field.
 */
int recording_need(const struct recording *recording, const char *event, const char *const *fields,
		   const char *pattern);

/* Call all handlers.  Return: 0; EXIT_FAILED after a message. */
int recording_read(struct recording *recording);

/* As recording_read(), only with the records of streams for which @want returns true. */
int recording_read_streams(struct recording *recording, bool (*want)(const struct ltttrace_stream *stream, void *data),
			   void *data);

/* Print a line on stderr if records are missing in the window and, if @processes, if threads whose process is not known were
 * seen. */
void recording_warn(const struct recording *recording, bool processes);

void recording_close(struct recording *recording);

/**
 * recording_clip() - cut a time to the window
 * @recording: the recording
 * @from_ns: the begin, which is changed
 * @to_ns: the end, which is changed
 *
 * Return: false if nothing of it is in the window.
 */
bool recording_clip(const struct recording *recording, int64_t *from_ns, int64_t *to_ns);

#endif /* LTTCTL_MODEL_RECORDING_H */
