// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Reading a trace's data: its buffers, its metadata, and hearing of new ones.
 *
 * Layer: liblttctl.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

/* <channel>_<cpu>; no other file of a trace ends in a number. */
int lttctl_buffer_channel(const char *name, char channel[LTTCTL_NAME_SIZE])
{
	const char *cpu = strrchr(name, '_');
	size_t len = cpu ? cpu - name : 0;

	if (!len || len >= LTTCTL_NAME_SIZE || !cpu[1] ||
	    cpu[1 + strspn(cpu + 1, "0123456789")])
		return -EINVAL;
	memcpy(channel, name, len);
	channel[len] = '\0';
	return lttctl_name_valid(channel) ? 0 : -EINVAL;
}

struct visit {
	int (*fn)(const char *name, void *arg);
	void *arg;
};

static int visit_buffer(const char *name, bool is_dir, void *arg)
{
	char channel[LTTCTL_NAME_SIZE];
	struct visit *visit = arg;

	if (is_dir || lttctl_buffer_channel(name, channel))
		return 0;
	return visit->fn(name, visit->arg);
}

int lttctl_for_each_buffer(struct lttctl_trace *trace,
			   int (*fn)(const char *name, void *arg), void *arg)
{
	struct visit visit = { fn, arg };

	return lttctl_for_each_entry(trace->ctl, trace->dir, ".", visit_buffer,
				     &visit);
}

int lttctl_buffer_open(struct lttctl_trace *trace, const char *name)
{
	char channel[LTTCTL_NAME_SIZE];
	int fd;

	if (lttctl_buffer_channel(name, channel))
		return lttctl_fail(trace->ctl, -EINVAL,
				   "`%s` is no buffer of trace %s", name,
				   trace->name);
	fd = openat(trace->dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	return lttctl_fail(trace->ctl, -errno,
			   "cannot open buffer %s of trace %s: %s", name,
			   trace->name,
			   errno == EBUSY ? "it has a reader already"
					  : strerror(errno));
}

int lttctl_metadata_open(struct lttctl_trace *trace)
{
	int fd = openat(trace->dir, "metadata", O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	return lttctl_fail(trace->ctl, -errno,
			   "cannot open the metadata of trace %s: %s",
			   trace->name, strerror(errno));
}

int lttctl_trace_watch(struct lttctl_trace *trace)
{
	char path[32];
	int fd, err;

	fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (fd < 0)
		return lttctl_fail(trace->ctl, -errno,
				   "cannot make an inotify instance: %s",
				   strerror(errno));
	/* By descriptor: the name may belong to another trace by now. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", trace->dir);
	if (inotify_add_watch(fd, path, IN_CREATE | IN_DELETE | IN_MOVED_TO |
			      IN_DELETE_SELF) < 0) {
		err = -errno;
		close(fd);
		return lttctl_fail(trace->ctl, err,
				   "cannot watch trace %s: %s", trace->name,
				   strerror(-err));
	}
	return fd;
}
