// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The buffers of a trace: finding them as they appear, and opening them.
 *
 * Layer: lttd.
 */
#include "discover.h"
#include "buffer-file.h"
#include "lttd/log.h"
#include "rotate.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/* How often and how long to wait for a dying lttd to release a buffer. */
#define BUSY_TRIES 100
#define BUSY_WAIT_US 10000

int consumer_watch_fd(struct consumer *consumer, int fd, void *what)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = what };

	/* EPERM: a regular file, which is always ready. */
	if (epoll_ctl(consumer->epoll, EPOLL_CTL_ADD, fd, &event) &&
	    errno != EPERM)
		return fail("cannot wait for data: %s", strerror(errno));
	return 0;
}

static int open_buffer(struct consumer *consumer, const char *name)
{
	int tries, fd;

	for (tries = 0; tries < BUSY_TRIES; tries++) {
		fd = lttctl_buffer_open(consumer->trace, name);
		if (fd != -EBUSY)
			break;
		usleep(BUSY_WAIT_US);
	}
	return fd;
}

/* End the walk over the buffers.  Return: @err, which is negative. */
static int refuse(struct consumer *consumer, int err)
{
	consumer->refused = true;
	return err;
}

/* Called for each buffer of the trace.  Return: 0; a negative errno with the failure logged. */
static int take_buffer(const char *name, void *arg)
{
	struct consumer *consumer = arg;
	struct buffer_file *file, **more;
	unsigned int i;
	int fd;

	for (i = 0; i < consumer->nr_files; i++)
		if (!strcmp(consumer->files[i]->name, name))
			return 0;
	fd = open_buffer(consumer, name);
	/* A buffer disappears only with its trace, possibly before the trace's name does. */
	if (fd == -ENOENT || (fd < 0 && !lttctl_trace_exists(consumer->trace))) {
		consumer->cut_short = true;
		return 0;
	}
	if (fd < 0) {
		fail("%s", lttctl_error(consumer->ctl));
		return refuse(consumer, fd);
	}
	more = reallocarray(consumer->files, consumer->nr_files + 1,
			    sizeof(*more));
	if (!more) {
		close(fd);
		fail("out of memory");
		return refuse(consumer, -ENOMEM);
	}
	consumer->files = more;
	file = buffer_file_open(name, fd, consumer->dir, consumer->pieces.options->cached);
	if (!file)
		return refuse(consumer, -EIO);
	consumer->files[consumer->nr_files++] = file;
	consumer_skip_known(consumer, file);
	if (consumer_watch_fd(consumer, fd, file) || buffer_file_peek(file))
		return refuse(consumer, -EIO);
	return 0;
}

/*
 * Report how many buffers are held, if the number has changed.  It only grows, so a pipe
 * without a reader has room for all lines.  Errors are ignored: the reader may be gone.
 */
static int publish(struct consumer *consumer)
{
	if (consumer->reported == consumer->nr_files)
		return 0;
	consumer->reported = consumer->nr_files;
	if (consumer->held >= 0)
		dprintf(consumer->held, "%8u\n", consumer->nr_files);
	if (consumer->claim >= 0 &&
	    lttctl_consumer_update(consumer->ctl, consumer->claim,
				   consumer->root, consumer->nr_files))
		return fail("%s", lttctl_error(consumer->ctl));
	return 0;
}

/* A trace that has been started has buffers, unless it is being removed: its files go one by one. */
static bool has_lost_buffers(struct consumer *consumer)
{
	enum lttctl_state state;

	return lttctl_trace_state(consumer->trace, &state) || state != LTTCTL_CONFIGURING;
}

int consumer_discover(struct consumer *consumer)
{
	bool first = consumer->reported == UINT_MAX;
	int ret;

	consumer->refused = false;
	ret = lttctl_for_each_buffer(consumer->trace, take_buffer, consumer);
	if (consumer->refused)
		return -1;
	/* The list disappears only with its trace, possibly before the trace's name does. */
	if (ret < 0 && ret != -ENOENT && lttctl_trace_exists(consumer->trace))
		return fail("%s", lttctl_error(consumer->ctl));
	/* A removed trace may still have a list, but an empty one. */
	if (first && !consumer->nr_files && (ret < 0 || has_lost_buffers(consumer)))
		consumer->cut_short = true;
	return publish(consumer);
}
