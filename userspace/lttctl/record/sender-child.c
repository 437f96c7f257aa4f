// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The `lttctl send` that sends a recording to a collector while it is recorded.
 *
 * Layer: lttctl.
 */
#include "sender-child.h"
#include "recording.h"
#include "common/pieces.h"
#include "lttctl/record/piece-options.h"
#include "lttctl/record/progress.h"
#include "relay/address.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* popt stores here. */
static char *url_text;

/**
 * struct sender - the sender
 * @url: the URL with the session, whose name has the time, so that no two recordings have the same
 * @spool: the directory that was made for the recording; empty: the user has chosen one
 * @pid: its process; 0: it does not run
 * @failed: it has failed
 */
static struct {
	char url[RELAY_HOST_SIZE + RELAY_NAME_SIZE + 64];
	char spool[2048];
	pid_t pid;
	bool failed;
} sender;

const struct poptOption sender_table[] = {
	{ "to", 0, POPT_ARG_STRING, &url_text, 0,
	  "send the recording to a collector: net://HOST[:CONTROL-PORT[:DATA-PORT]][/NAME]", "URL" },
	POPT_TABLEEND
};

static void make_url(const struct relay_address *address)
{
	const bool brackets = strchr(address->host, ':');

	snprintf(sender.url, sizeof(sender.url), "%s://%s%s%s:%s:%s/%s", address->ipv6 ? "net6" : "net", brackets ? "[" : "",
		 address->host, brackets ? "]" : "", address->control, address->data, address->name);
}

int sender_check(const char *dir)
{
	struct relay_address address;
	const char *why;

	if (!url_text)
		return 0;
	why = relay_address_parse(&address, url_text);
	if (why)
		return misused("--to %s: %s", url_text, why);
	if (!relay_address_stamp(&address))
		return misused("--to %s: the name is too long: the time of the recording is appended to it", url_text);
	make_url(&address);
	return pieces_for_sending(!dir);
}

bool sender_has_spool(void)
{
	return url_text && *sender.spool;
}

const char *sender_url(void)
{
	return url_text ? sender.url : NULL;
}

const char *sender_dir(const char *dir, int *status)
{
	const char *parent = getenv("TMPDIR");

	*status = 0;
	if (!url_text || dir)
		return dir;
	/* Unlike /tmp, this is a disk. */
	if (!parent || !*parent)
		parent = "/var/tmp";
	if (snprintf(sender.spool, sizeof(sender.spool), "%s/ltt-spool-XXXXXX", parent) >= (int)sizeof(sender.spool)) {
		*status = complain("TMPDIR %.40s...: the name is too long", parent);
	} else if (!mkdtemp(sender.spool)) {
		*status = complain("cannot create a directory in %s: %s", parent, strerror(errno));
		*sender.spool = '\0';
	}
	return sender.spool;
}

int sender_start(const struct recording *recording)
{
	struct command_line line = { .words = { "lttctl", "send", "--to", sender.url }, .nr = 4 };
	char first[16];

	if (!url_text)
		return 0;
	if (sender_has_spool())
		lttd_add(&line, "--remove");
	snprintf(first, sizeof(first), "%u", recording->outdir.first);
	lttd_add(&line, "--first");
	lttd_add(&line, first);
	lttd_add(&line, "--");
	lttd_add(&line, recording->outdir.path);
	sender.pid = program_spawn("/proc/self/exe", &line);
	sender.failed = sender.pid < 0;
	return sender.failed ? EXIT_FAILED : 0;
}

void sender_reap(void)
{
	int status;

	if (sender.pid <= 0 || !child_reap(sender.pid, WNOHANG, &status))
		return;
	sender.pid = 0;
	sender.failed = status != 0;
	/* It has reported a failure of its own. */
	if (WIFSIGNALED(status))
		complain("signal %d has killed the process that sends the recording to %s: nothing more is sent", WTERMSIG(status),
			 sender.url);
}

/* A further signal ends the wait. */
static void wait_for_end(struct recording *recording)
{
	const int signalled = recording->signalled;

	sender_reap();
	if (sender.pid > 0 && progress_wanted(recording->has_workload))
		fprintf(stderr, "sending the rest to %s; ^C ends it\n", sender.url);
	while (sender.pid > 0 && recording->signalled == signalled)
		recording_handle_signals(recording, -1);
}

int sender_wait(struct recording *recording)
{
	int status;

	if (!url_text)
		return 0;
	wait_for_end(recording);
	if (sender.pid > 0) {
		kill(sender.pid, SIGTERM);
		child_reap(sender.pid, 0, &status);
		sender.pid = 0;
		sender.failed = true;
	}
	if (!sender.failed)
		return 0;
	if (access(recording->outdir.path, F_OK))
		return complain("not everything is at the collector");
	return complain("not everything is at the collector; `lttctl send %s--to %s %s` sends what is left",
			sender_has_spool() ? "--remove " : "", sender.url, recording->outdir.path);
}

void sender_free(void)
{
	/* It is empty if the recording has not begun. */
	if (sender_has_spool())
		rmdir(sender.spool);
	free(url_text);
}
