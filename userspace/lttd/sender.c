// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The process of lttd that sends the recording to a collector.
 *
 * Layer: lttd.
 */
#include "sender.h"
#include "log.h"
#include "relay/sender.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SEE_HELP "; see lttd --help"

/* How long to wait for a collector that cannot be reached, after the end of the recording. */
#define TIMEOUT_MS	60000

int sender_check(const char *url, struct options_pieces *pieces)
{
	struct relay_address address;
	const char *why;

	if (!url)
		return 0;
	why = relay_address_parse(&address, url);
	if (why)
		return fail("--to %s: %s" SEE_HELP, url, why);
	if (!relay_address_stamp(&address))
		return fail("--to %s: the name is too long: the time of the recording is appended to it" SEE_HELP, url);
	if (pieces->compress)
		return fail("--compress: cannot be combined with --to: the collector takes no compressed files" SEE_HELP);
	if (pieces->after_rotate)
		return fail("--after-rotate: cannot be combined with --to, which removes the pieces that it has sent" SEE_HELP);
	return piece_options_for_sending(pieces, true) ? 0 : fail("out of memory");
}

static void say(const char *sentence)
{
	notice("%s", sentence);
}

/* Only what it needs: a descriptor of a trace would keep this in the tracer. */
static void keep_only(int until)
{
	if (until != STDERR_FILENO + 1) {
		dup2(until, STDERR_FILENO + 1);
		fcntl(STDERR_FILENO + 1, F_SETFD, FD_CLOEXEC);
	}
	close_range(STDERR_FILENO + 2, ~0U, 0);
}

static void leave_terminal(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), fd;

	for (fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	close(null);
	log_to_syslog();
}

__attribute__((noreturn))
static void run(const char *url, const char *dir, int until, bool daemon)
{
	struct relay_options options = {
		.dir = dir, .first = 1, .remove = true, .until = STDERR_FILENO + 1, .timeout_ms = TIMEOUT_MS, .notice = say,
	};
	struct relay_result result;

	relay_address_parse(&options.address, url);
	relay_address_stamp(&options.address);
	keep_only(until);
	if (daemon)
		leave_terminal();
	if (relay_send(&options, &result))
		_exit(1);
	notice("sent to %s port %s, session %s: %" PRIu64 " packets, %" PRIu64 " bytes", options.address.host,
	       options.address.control, options.address.name, result.packets, result.bytes);
	if (result.dropped)
		notice("%" PRIu64 " pieces with %" PRIu64 " bytes were removed before they were sent", result.dropped,
		       result.dropped_bytes);
	_exit(result.dropped ? 1 : 0);
}

int sender_begin(struct sender *sender, const char *url, const char *dir, bool daemon)
{
	int ends[2];

	*sender = (struct sender){ .goes_on = -1 };
	if (!url)
		return 0;
	/* It may not exist yet; others must not read what is to be sent. */
	if (mkdir(dir, 0700) && errno != EEXIST)
		return fail("cannot create directory %s: %s", dir, strerror(errno));
	if (pipe2(ends, O_CLOEXEC))
		return fail("cannot create a pipe: %s", strerror(errno));
	sender->pid = fork();
	if (!sender->pid) {
		close(ends[1]);
		run(url, dir, ends[0], daemon);
	}
	close(ends[0]);
	sender->goes_on = ends[1];
	if (sender->pid > 0)
		return 0;
	sender->pid = 0;
	return fail("cannot create a process: %s", strerror(errno));
}

/* Return: false if a signal came first. */
static bool wait_for_exit(const struct sender *sender, int signals)
{
	struct pollfd pollfds[] = {
		{ .fd = syscall(SYS_pidfd_open, sender->pid, 0), .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	int ready;

	/* Without a descriptor, wait however long it takes. */
	if (pollfds[0].fd < 0)
		return true;
	do
		ready = poll(pollfds, 2, -1);
	while (ready < 0 && errno == EINTR);
	close(pollfds[0].fd);
	return pollfds[0].revents;
}

int sender_end(struct sender *sender, int signals)
{
	int status = -1;

	if (sender->goes_on >= 0)
		close(sender->goes_on);
	if (!sender->pid)
		return 0;
	if (!wait_for_exit(sender, signals))
		kill(sender->pid, SIGKILL);
	while (waitpid(sender->pid, &status, 0) < 0 && errno == EINTR)
		;
	return status ? fail("not everything is at the collector: `lttctl send --remove` sends what is left") : 0;
}
