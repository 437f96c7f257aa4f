// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Signals, the ends of children, and questions of other processes, while a recording runs.
 *
 * Layer: lttctl record.
 */
#include "recording.h"
#include "lttctl/command.h"
#include "lttctl/record/sender-child.h"
#include "lttctl/record/triggers.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* timeout(1) sends its signal twice: to the process, and then to its group. */
#define ONE_SIGNAL_SECONDS 0.05

double recording_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* SIGINT ends a recording also where a script's shell ignores it; SIGHUP does not. */
int recording_open_signals(struct recording *recording)
{
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigaction(SIGHUP, NULL, &old);
	if (old.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGINT, NULL, &old);
	recording->workload.ignores_int = old.sa_handler == SIG_IGN;
	signal(SIGINT, SIG_DFL);
	recording->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (recording->signals < 0)
		return complain("cannot receive signals: %s", strerror(errno));
	return 0;
}

void recording_reap_lttd(struct recording *recording)
{
	int status;

	if (!recording->lttd.pid || !child_reap(recording->lttd.pid, WNOHANG, &status))
		return;
	recording->lttd.pid = 0;
	recording->lttd_failed |= lttd_ended(status);
}

static void handle_signal(struct recording *recording,
			  const struct signalfd_siginfo *info)
{
	int signo = info->ssi_signo;

	if (signo == SIGCHLD) {
		recording_reap_lttd(recording);
		recording->programs_failed |= programs_reap(&recording->programs);
		sender_reap();
		workload_reap(&recording->workload);
		triggers_reap();
		return;
	}
	if (recording->workload.pid) {
		/* The terminal has sent its ^C to the command as well, which decides. */
		if (signo == SIGINT && info->ssi_code == SI_KERNEL)
			return;
		kill(recording->workload.pid, signo);
	}
	/* The same holds for commands of triggers. */
	if (signo != SIGINT || info->ssi_code != SI_KERNEL)
		triggers_signal(signo);
	if (signo == recording->last_signal && recording_now() - recording->signalled_at < ONE_SIGNAL_SECONDS)
		return;
	recording->signalled++;
	recording->last_signal = signo;
	recording->signalled_at = recording_now();
}

/* The command line in one line, which fits a description. */
static struct json_object *command_line(const struct recording *recording)
{
	const char **argv = recording->has_workload ? recording->workload.argv : NULL;
	char text[1000] = "";
	size_t len = 0;

	for (; argv && *argv && len < sizeof(text); argv++)
		len += snprintf(text + len, sizeof(text) - len, "%s%s", len ? " " : "", *argv);
	return json_object_new_string(text);
}

struct channels {
	const struct lttctl_stats *stats;
	struct json_object *list;
};

/* The counts of a channel, and the bytes of its buffers, on all CPUs. */
static int describe_channel(const struct lttctl_channel *channel, void *arg)
{
	struct channels *channels = arg;
	struct lttctl_counts sum = { 0 };
	struct json_object *object;
	uint64_t size = 0;
	size_t i;

	for (i = 0; i < channels->stats->nr_buffers; i++) {
		if (strcmp(channels->stats->buffers[i].channel, channel->name))
			continue;
		add_counts(&sum, &channels->stats->buffers[i].counts);
		size += channel->subbuf_size * channel->subbuf_count;
	}
	object = json_counts(&sum);
	json_object_object_add(object, "name", json_object_new_string(channel->name));
	json_object_object_add(object, "size", json_object_new_uint64(size));
	json_object_array_add(channels->list, object);
	return 0;
}

/* The description that list and status show of a recording that no other process sees. */
static void describe(struct recording *recording)
{
	struct json_object *description = json_object_new_object();
	char *path = realpath(recording->outdir.path, NULL);
	struct lttctl_stats stats = { 0 };
	struct channels channels = { &stats, json_object_new_array() };

	lttctl_trace_stats(recording->trace, &stats);
	lttctl_for_each_channel(recording->trace, describe_channel, &channels);
	json_object_object_add(description, "name", json_object_new_string(recording->name));
	json_object_object_add(description, "state", json_object_new_string("running"));
	json_object_object_add(description, "private", json_object_new_boolean(true));
	json_object_object_add(description, "pid", json_object_new_int(getpid()));
	json_object_object_add(description, "lttd", json_object_new_int(recording->lttd.pid));
	json_object_object_add(description, "uid", json_object_new_int64(getuid()));
	json_object_object_add(description, "output",
			       json_object_new_string(path ?: recording->outdir.path));
	json_object_object_add(description, "command", command_line(recording));
	json_object_object_add(description, "seconds",
			       json_object_new_double(recording_now() - recording->started));
	json_object_object_add(description, "total", json_counts(&stats.total));
	json_object_object_add(description, "channels", channels.list);
	announce_reply(&recording->announcement, description);
	json_object_put(description);
	lttctl_stats_free(&stats);
	free(path);
}

/* Wait up to @ms (-1: any time) for signals, for those who ask for a description, and for @other, which may be -1. */
void recording_handle_signals_or(struct recording *recording, int ms, int other)
{
	struct pollfd pollfds[] = {
		{ .fd = recording->signals, .events = POLLIN },
		{ .fd = recording->announcement.fd, .events = POLLIN },
		{ .fd = other, .events = POLLIN },
	};
	struct signalfd_siginfo info;

	poll(pollfds, 3, ms);
	if (pollfds[1].revents)
		describe(recording);
	while (read(recording->signals, &info, sizeof(info)) == sizeof(info))
		handle_signal(recording, &info);
}

void recording_handle_signals(struct recording *recording, int ms)
{
	recording_handle_signals_or(recording, ms, -1);
}
