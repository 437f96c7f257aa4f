// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * ltt-exporter: the state of LTT, and answers that the kernel counts, as metrics for Prometheus.
 *
 * Layer: user space, beside lttctl, with which it shares all but the commands.  http.c answers a scrape, traces.c,
 * recordings.c, process.c and questions.c collect it, metrics.c with text.c and protobuf.c write it.
 */
#include "collect.h"
#include "core/version.h"
#include "http.h"
#include "lttctl/command.h"
#include "lttctl/options-file.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define LISTEN "127.0.0.1:10588"

const char program[] = "ltt-exporter";
const struct command *command;

struct options {
	char *listen;
	int is_public;
	char **questions;
	int version;
};

static int serve(const struct options *options)
{
	struct listening listening;
	int status = listen_at(&listening, options->listen ?: LISTEN, options->is_public);

	if (status)
		return status;
	questions_begin();
	fprintf(stderr, "%s: listening at %s\n", program, listening.name);
	status = http_serve(listening.fd);
	listening_end(&listening);
	return status;
}

static void block_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int run(int argc, const char **argv)
{
	struct options options = { .listen = NULL };
	const struct poptOption table[] = {
		{ "listen", 'l', POPT_ARG_STRING, &options.listen, 0,
		  "where to listen: HOST:PORT or unix:PATH (default " LISTEN ")", "WHERE" },
		{ "public", 0, POPT_ARG_NONE, &options.is_public, 0, "HOST may be one that other machines reach", NULL },
		{ "question", 'q', POPT_ARG_ARGV, &options.questions, 0,
		  "a metric that the kernel counts: NAME, then count, hist or latency with options (may be repeated)", "TEXT" },
		{ "options", 0, POPT_ARG_STRING, NULL, OPTIONS_FILE_VAL, "take options from FILE, a line for each", "FILE" },
		{ "version", 0, POPT_ARG_NONE, &options.version, 0, "print the version", NULL },
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	int status = options_parse(argc, argv, table, 0, &context);
	size_t i;

	if (!status && poptPeekArg(context))
		status = misused("%s: there are options only", poptPeekArg(context));
	if (!status && options.version)
		printf("%s " LTT_VERSION "\n", program);
	for (i = 0; !status && options.questions && options.questions[i]; i++)
		status = questions_add(options.questions[i]);
	if (!status && !options.version)
		status = serve(&options);
	questions_end();
	for (i = 0; options.questions && options.questions[i]; i++)
		free(options.questions[i]);
	free(options.questions);
	free(options.listen);
	poptFreeContext(context);
	return status;
}

int main(int argc, char **argv)
{
	static const struct command exporter = {
		.name = "",
		.args = "[--listen WHERE] [--public] [--question TEXT]... [--options FILE]",
		.summary = "the state of LTT, and what the kernel counts, as metrics for Prometheus",
		.run = run,
	};
	int status;

	lttctl_keep_standard();
	block_signals();
	command = &exporter;
	status = run(argc, (const char **)argv);
	return status ?: output_status();
}
