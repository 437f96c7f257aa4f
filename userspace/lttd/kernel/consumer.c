// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Consume all buffers of a trace in one loop.
 *
 * Layer: lttd.  The loop copies one packet of the fullest buffer, as the times in the
 * packets show, then checks for events.  The tracer reports buffers that appear later (at
 * the first start, with a new CPU), and markers, which may wait for their filter.  Where it may miss
 * one, a timer also looks for them.
 */
#include "consumer.h"
#include "beacon.h"
#include "common/folders.h"
#include "lttd/log.h"
#include "buffer-file.h"
#include "discover.h"
#include "rotate.h"
#include "lttd/state/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define RESCAN_SECONDS 1

/* The usual size of a sub-buffer, so that one splice writes it, in one request. */
#define PIPE_SIZE (1 << 20)

#define VANISH_TRIES 10
#define VANISH_MS 20

static void unwatch_fd(struct consumer *consumer, int fd)
{
	epoll_ctl(consumer->epoll, EPOLL_CTL_DEL, fd, NULL);
}

/* No option sets the size of those of the channel "state". */
static int larger_subbuf(const struct lttctl_channel *channel, void *largest)
{
	if (strcmp(channel->name, "state") && *(uint64_t *)largest < channel->subbuf_size)
		*(uint64_t *)largest = channel->subbuf_size;
	return 0;
}

static int open_output(struct consumer *consumer, const struct consumer_options *options)
{
	uint64_t subbuf = 0;

	if (options->pieces->quota && lttctl_for_each_channel(consumer->trace, larger_subbuf, &subbuf))
		return fail("%s", lttctl_error(consumer->ctl));
	if (mkdir(options->root, RECORDING_MODE) && errno != EEXIST)
		return fail("cannot create directory %s: %s", options->root,
			    strerror(errno));
	consumer->root = realpath(options->root, NULL);
	if (!consumer->root)
		return fail("cannot resolve %s: %s", options->root, strerror(errno));
	if (pieces_begin(&consumer->pieces, options->pieces, consumer->root, subbuf))
		return -1;
	return consumer_open_folder(consumer);
}

int consumer_open_folder(struct consumer *consumer)
{
	consumer->dir = -1;
	if (asprintf(&consumer->path, "%s/kernel", consumer->pieces.path) < 0) {
		consumer->path = NULL;
		return fail("out of memory");
	}
	if (mkdir(consumer->path, 0755) && errno != EEXIST)
		return fail("cannot create directory %s: %s", consumer->path,
			    strerror(errno));
	consumer->dir = open(consumer->path,
			     O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (consumer->dir < 0)
		return fail("cannot open %s: %s", consumer->path,
			    strerror(errno));
	return 0;
}

/*
 * Compile the filters of events whose module has come.  An event that its filter does not fit is not
 * recorded; that is logged once.
 */
static void attach_filters(struct consumer *consumer)
{
	int err = lttctl_filters_attach(consumer->trace);
	const char *why = lttctl_error(consumer->ctl);

	/* A trace that is being removed may have lost the list before the rest. */
	if (!err || err == -ENOENT || !lttctl_trace_exists(consumer->trace))
		return;
	if (consumer->filters && !strcmp(consumer->filters, why))
		return;
	notice("events that wait for their filter are not recorded: %s", why);
	free(consumer->filters);
	consumer->filters = strdup(why);
}

/* Have the timer expire every @ms milliseconds; 0: never. */
static int set_timer(int timer, unsigned int ms)
{
	const struct timespec time = {
		.tv_sec = ms / 1000,
		.tv_nsec = ms % 1000 * 1000000,
	};
	const struct itimerspec period = { time, time };

	return timerfd_settime(timer, 0, &period, NULL) ?
	       fail("cannot set a timer: %s", strerror(errno)) : 0;
}

static int open_events(struct consumer *consumer, int signals,
		       unsigned int flush_ms)
{
	bool all;

	consumer->epoll = epoll_create1(EPOLL_CLOEXEC);
	consumer->timer = timerfd_create(CLOCK_MONOTONIC,
					 TFD_NONBLOCK | TFD_CLOEXEC);
	consumer->flush_timer = timerfd_create(CLOCK_MONOTONIC,
					       TFD_NONBLOCK | TFD_CLOEXEC);
	if (consumer->epoll < 0 || consumer->timer < 0 ||
	    consumer->flush_timer < 0 || pipe2(consumer->pipe, O_CLOEXEC))
		return fail("cannot prepare to wait for data: %s",
			    strerror(errno));
	/* Best effort: a smaller pipe works, too. */
	fcntl(consumer->pipe[1], F_SETPIPE_SZ, PIPE_SIZE);
	consumer->watch = lttctl_trace_watch(consumer->trace, &all);
	if (consumer->watch < 0)
		return fail("%s", lttctl_error(consumer->ctl));
	if ((!all && set_timer(consumer->timer, 1000 * RESCAN_SECONDS)) ||
	    set_timer(consumer->flush_timer, flush_ms))
		return -1;
	consumer->signals = signals;
	if (consumer_watch_fd(consumer, consumer->timer, &consumer->timer) ||
	    consumer_watch_fd(consumer, consumer->flush_timer, &consumer->flush_timer) ||
	    consumer_watch_fd(consumer, consumer->watch, &consumer->watch) ||
	    consumer_watch_fd(consumer, signals, &consumer->signals))
		return -1;
	return 0;
}

int consumer_open(struct consumer *consumer, struct lttctl *ctl,
		  struct lttctl_trace *trace, const struct consumer_options *options)
{
	*consumer = (struct consumer) {
		.ctl = ctl,
		.trace = trace,
		.metadata = { .in = -1, .out = -1 },
		.pieces.root = -1,
		.dir = -1,
		.claim = -1,
		.held = options->held,
		.reported = UINT_MAX,
		.epoll = -1,
		.watch = -1,
		.timer = -1,
		.flush_timer = -1,
		.pipe = { -1, -1 },
	};
	if (open_output(consumer, options))
		return -1;
	if (!lttctl_is_private(ctl)) {
		consumer->claim = lttctl_consumer_claim(ctl,
							lttctl_trace_name(trace),
							consumer->root);
		if (consumer->claim < 0)
			return fail("%s", lttctl_error(ctl));
	}
	if (metadata_open(&consumer->metadata, ctl, trace, consumer->dir,
			  consumer->path) ||
	    metadata_drain(&consumer->metadata) ||
	    open_events(consumer, options->signals, options->flush_ms) || consumer_discover(consumer))
		return -1;
	/* From here on, no buffer has a packet that they have. */
	pieces_close_orphans(&consumer->pieces);
	beacon_begin(consumer);
	pieces_sync(&consumer->pieces);
	return 0;
}

int consumer_close(struct consumer *consumer)
{
	int fds[] = {
		consumer->dir, consumer->epoll, consumer->watch,
		consumer->timer, consumer->flush_timer, consumer->pipe[0],
		consumer->pipe[1],
	};
	unsigned int i;
	int ret;

	sampler_end(consumer->sampler);
	for (i = 0; i < consumer->nr_files; i++)
		buffer_file_free(consumer->files[i]);
	free(consumer->files);
	metadata_close(&consumer->metadata);
	for (i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	ret = pieces_end(&consumer->pieces);
	/* Last: when the claim ends, the files are complete. */
	if (consumer->claim >= 0)
		lttctl_consumer_release(consumer->ctl, consumer->claim,
					lttctl_trace_name(consumer->trace));
	pieces_end_commands(&consumer->pieces);
	free(consumer->filters);
	free(consumer->path);
	free(consumer->root);
	return ret;
}

/* The ready file with the most packets waiting; NULL when none is ready. */
static struct buffer_file *fullest(struct consumer *consumer)
{
	struct buffer_file *file, *best = NULL;
	double backlog, most = 0;
	unsigned int i;

	for (i = 0; i < consumer->nr_files; i++) {
		file = consumer->files[i];
		if (!file->ready)
			continue;
		if (consumer->now < file->header.timestamp_end)
			consumer->now = file->header.timestamp_end;
		backlog = buffer_file_backlog(file, consumer->now);
		if (!best || backlog > most) {
			best = file;
			most = backlog;
		}
	}
	return best;
}

static bool all_ended(const struct consumer *consumer)
{
	unsigned int i;

	for (i = 0; i < consumer->nr_files; i++)
		if (consumer->files[i]->in >= 0)
			return false;
	return true;
}

/* Write the metadata even after a failure: it makes the packets on disk readable. */
static int finish(struct consumer *consumer)
{
	int ret = metadata_finish(&consumer->metadata);
	unsigned int i;

	for (i = 0; i < consumer->nr_files; i++)
		if (buffer_file_sync(consumer->files[i]))
			ret = -1;
	if (consumer->cut_short)
		ret = fail("trace %s was removed before all its buffers were opened: the data of the others is lost",
			   lttctl_trace_name(consumer->trace));
	return ret;
}

/* Return: true if a signal asks to end. */
static bool take_signals(struct consumer *consumer)
{
	struct signalfd_siginfo info;
	bool ends = false;

	while (read(consumer->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGUSR1)
			consumer->rotate = pieces_are_used(&consumer->pieces);
		else
			ends = true;
	}
	return ends;
}

/* Wait for something to do.  Return: 1: a signal asks to end; 0; -1. */
static int look_around(struct consumer *consumer, bool wait)
{
	struct epoll_event events[64];
	bool rescan = false, signalled = false;
	int count, i;
	char buf[4096];

	count = epoll_wait(consumer->epoll, events, 64, wait ? pieces_wait_ms(&consumer->pieces) : 0);
	if (count < 0 && errno != EINTR)
		return fail("cannot wait for data: %s", strerror(errno));
	for (i = 0; i < count; i++) {
		void *what = events[i].data.ptr;
		struct buffer_file *file = what;

		if (what == &consumer->signals) {
			signalled = take_signals(consumer);
		} else if (what == &consumer->flush_timer) {
			if (read(consumer->flush_timer, buf, sizeof(buf)) > 0)
				consumer->flush_due = true;
		} else if (what == &consumer->watch ||
			   what == &consumer->timer) {
			ssize_t got;

			while ((got = read(*(int *)what, buf, sizeof(buf))) > 0)
				;
			/* The trace has ended: from now on, epoll would always report it. */
			if (!got)
				unwatch_fd(consumer, *(int *)what);
			rescan = true;
		} else if (!file->ready && buffer_file_peek(file)) {
			return -1;
		}
	}
	if (rescan && consumer_discover(consumer))
		return -1;
	if (rescan)
		attach_filters(consumer);
	return signalled;
}

/* Find out if a command has failed because its trace is gone: the folder of a trace of debugfs may be there for a moment more. */
static bool vanishes(struct lttctl_trace *trace)
{
	unsigned int tries = VANISH_TRIES;

	while (lttctl_trace_exists(trace))
		if (!--tries || poll(NULL, 0, VANISH_MS))
			return false;
	return true;
}

/*
 * Have the tracer end the sub-buffers that hold data, so that they can be read.
 * Return: 0, also when the trace is gone; -errno with @consumer's error sentence set.
 */
static int flush(struct consumer *consumer)
{
	int ret = lttctl_trace_flush(consumer->trace);

	return ret && vanishes(consumer->trace) ? 0 : ret;
}

/* Without this flush, the recording only lags behind: go on. */
static int flush_in_time(struct consumer *consumer)
{
	consumer->flush_due = false;
	beacon_look(consumer);
	if (!flush(consumer))
		return 0;
	notice("%s; data is written when a sub-buffer is full",
	       lttctl_error(consumer->ctl));
	return set_timer(consumer->flush_timer, 0);
}

/* A signal arrived: write what has been recorded so far. */
static int leave(struct consumer *consumer)
{
	bool flushed;

	consumer->left = lttctl_trace_exists(consumer->trace);
	flushed = !flush(consumer);
	if (!flushed)
		fail("%s; the last events are not written",
		     lttctl_error(consumer->ctl));
	return consumer_drain(consumer) || !flushed ? -1 : 0;
}

static int copy_packet(struct consumer *consumer, struct buffer_file *file)
{
	uint64_t bytes = packet_bytes(&file->header);
	off_t known = consumer->metadata.size;
	int ret;

	if (pieces_are_full(&consumer->pieces, bytes) && consumer_rotate(consumer))
		return -1;
	pieces_add(&consumer->pieces, bytes);
	ret = buffer_file_copy(file, consumer->pipe, &consumer->metadata);
	if (consumer->metadata.size > known)
		pieces_sync(&consumer->pieces);
	return ret;
}

static int drain(struct consumer *consumer);

/* Events that were recorded before the time was over, or before the request, belong into the old piece. */
static int rotate_in_time(struct consumer *consumer)
{
	if (!consumer->rotate && !pieces_are_due(&consumer->pieces))
		return 0;
	consumer->rotate = false;
	if (flush(consumer))
		notice("%s; the last events are in the next piece", lttctl_error(consumer->ctl));
	return drain(consumer) ? -1 : consumer_rotate(consumer);
}

void consumer_sample(struct consumer *consumer)
{
	if (consumer->sampler)
		sampler_look(consumer->sampler);
	else if (consumer->metadata.size != consumer->sampled)
		consumer->sampler = sampler_begin(consumer->pieces.path, NULL);
	consumer->sampled = consumer->metadata.size;
}

static int run(struct consumer *consumer)
{
	struct buffer_file *file;
	int ret;

	for (;;) {
		file = fullest(consumer);
		if (file && copy_packet(consumer, file))
			return -1;
		consumer_sample(consumer);
		if (!file && all_ended(consumer) &&
		    !lttctl_trace_exists(consumer->trace))
			return finish(consumer);
		/* Not while packets wait: buffers that fill need no flush, but room. */
		if (!file && consumer->flush_due && flush_in_time(consumer))
			return -1;
		ret = look_around(consumer, !file);
		if (!ret)
			ret = rotate_in_time(consumer);
		if (ret < 0)
			return ret;
		if (ret)
			return leave(consumer);
	}
}

int consumer_run(struct consumer *consumer)
{
	int ret = run(consumer);

	/* A short recording has its metadata only now. */
	consumer_sample(consumer);
	return ret;
}

/*
 * A running trace may fill a buffer as fast as lttd empties it, so limit the packets to
 * the number that the buffer can hold.
 */
static int set_quota(struct consumer *consumer, struct buffer_file *file)
{
	char name[LTTCTL_NAME_SIZE];
	struct lttctl_channel channel;

	file->quota = UINT64_MAX;
	if (lttctl_buffer_channel(file->name, name) ||
	    lttctl_channel_get(consumer->trace, name, &channel)) {
		if (!lttctl_trace_exists(consumer->trace))
			return 0;	/* no thread writes to it any more */
		return fail("%s", lttctl_error(consumer->ctl));
	}
	file->quota = channel.subbuf_count + 1;
	return 0;
}

/* Copy the packets that are ready, once. */
static int drain(struct consumer *consumer)
{
	struct buffer_file *file;
	unsigned int i;

	if (consumer_discover(consumer))
		return -1;
	for (i = 0; i < consumer->nr_files; i++) {
		file = consumer->files[i];
		if (file->in < 0)
			continue;
		if (set_quota(consumer, file))
			return -1;
		if (!file->ready && buffer_file_peek(file))
			return -1;
		while (file->ready && file->quota--)
			if (copy_packet(consumer, file))
				return -1;
	}
	return 0;
}

int consumer_drain(struct consumer *consumer)
{
	return drain(consumer) ? -1 : finish(consumer);
}

void consumer_report(const struct consumer *consumer)
{
	unsigned long long packets = 0, bytes = 0;
	unsigned int i;

	for (i = 0; i < consumer->nr_files; i++) {
		packets += consumer->files[i]->packets;
		bytes += consumer->files[i]->bytes;
	}
	report("trace %s: %llu packets, %llu bytes written to %s",
	       lttctl_trace_name(consumer->trace), packets, bytes,
	       consumer->root);
}
