// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl: the command line of LTT.
 *
 * Layer: user space, above liblttctl.  This file is the table of subcommands;
 * commands/ holds their files.
 */
#include "command.h"
#include "core/version.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#define TRACE_OPTIONS "[-e PATTERN [-f EXPRESSION]]... [--allow-missing] [-p PID] [--cgroup PATH] [--task GLOB] [--cpu LIST] [--context [PATTERN=]LIST] [--size SIZE] [--count N] [--overwrite | --lossless MS] [--state LIST]"

#define ASK_OPTIONS_TEXT "[-f EXPRESSION] [--by KEY,...] [-i TIME] [--duration TIME] [--top N] [--follow] [--json]"

static const struct command commands[] = {
	{ "record", "[--options FILE] [-o DIR] " TRACE_OPTIONS " [--follow] [--duration TIME] [--buffers process|shared] [--memory SIZE] [--preload LIST] [--piece-size SIZE] [--piece-time TIME] [--quota SIZE] [--compress] [--after-rotate COMMAND] [--flush MS] [--to URL] [--name NAME [--attach]] [--strict] [--json] [--] [COMMAND [ARG]...]",
	  "record to a directory while COMMAND runs, or until ^C", cmd_record },
	{ "view", "[-e PATTERN]... [-f EXPRESSION] [--from T] [--to T | --last TIME] [--fields LIST] [--time STYLE] [--json | --csv] [--raw] [--follow] [--color=WHEN] [--no-pager] DIR...",
	  "show recorded traces as text", cmd_view },
	{ "top", "[-i TIME] [-e PATTERN]... [--sort ORDER] [--once] [--json]", "show what the system does, once an interval",
	  cmd_top },
	{ "stat", "[--by GROUP] [--from TIME] [--to TIME] [--top N] [--json] DIR...",
	  "count the events of recorded traces, and those that are missing", cmd_stat },
	{ "report", "[--by GROUP] [--from TIME] [--to TIME] [--top N] [--chain TID] [--json] NAME [PID] DIR...",
	  "answer a question about recorded traces with tables", cmd_report },
	{ "export", "--FORMAT DIR... -o FILE", "write recordings in the formats of other programs", cmd_export },
	{ "html", "[-o FILE] [--from TIME] [--to TIME] DIR...", "write recordings as a page for a browser", cmd_html },
	{ "diff", "[--top N] [--json] DIR DIR", "show what changed between two recordings", cmd_diff },
	{ "create", "[-o DIR] " TRACE_OPTIONS " TRACE",
	  "create a trace, to be started later", cmd_create },
	{ "start", "TRACE", "start a trace, or resume a stopped one", cmd_switch_trace },
	{ "stop", "TRACE", "stop a trace", cmd_switch_trace },
	{ "destroy", "TRACE", "remove a trace after its data is on disk",
	  cmd_destroy },
	{ "rotate", "{DIR | TRACE}", "close the open pieces of a recording, and go on in the next ones", cmd_rotate },
	{ "snapshot", "[-o DIR] [--state LIST] TRACE",
	  "write out what a flight recorder holds", cmd_snapshot },
	{ "send", "--to URL [--remove] [--first N] [--timeout TIME] DIR", "send a recording to a collector, an lttng-relayd", cmd_send },
	{ "state", "[--state LIST] TRACE",
	  "write the state of the system into a recording", cmd_state },
	{ "list", "[--json]", "list the traces", cmd_list },
	{ "status", "[--json] [TRACE]...", "show the state and the counts of traces",
	  cmd_status },
	{ "markers", "[--json] [--info] [--no-load] [PATTERN]...",
	  "list the markers", cmd_markers },
	{ "mark", "TEXT", "write a text into traces, as the event mark:text", cmd_mark },
	{ "check", "[--json] FILE...", "list the markers of programs that do not run, and their problems",
	  cmd_check },
	{ "filter", "TRACE PATTERN EXPRESSION", "record events of a trace only if an expression is true",
	  cmd_filter },
	{ "unfilter", "TRACE PATTERN", "remove the filter of a pattern", cmd_unfilter },
	{ "filters", "[--json] TRACE", "show the filters of a trace", cmd_filters },
	{ "enable", "[-t TRACE [-c CHANNEL] [-f EXPRESSION]] [--allow-missing] PATTERN...",
	  "record events by default, or in one trace", cmd_switch_events },
	{ "disable", "[-t TRACE] PATTERN...", "no longer record these events", cmd_switch_events },
	{ "set", "[-p PID] [--cgroup PATH] [--task GLOB] [--cpu LIST] [--all] [-c CHANNEL] [--context [PATTERN=]LIST] TRACE",
	  "change the limits and contexts of a trace", cmd_set },
	{ "channel", "[--size SIZE] [--count N] [--overwrite | --lossless MS] [--context LIST] TRACE CHANNEL",
	  "add a channel to a trace", cmd_channel },
	{ "probe", "-p PID {load FILE | connect PATTERN FUNCTION [DATA] | disconnect PATTERN FUNCTION [DATA]}",
	  "run a function of a library at markers of a program", cmd_probe },
	{ "count", "-e PATTERN... " ASK_OPTIONS_TEXT " [--] [COMMAND [ARG]...]",
	  "count events by their fields, in the kernel", cmd_count },
	{ "hist", "-e PATTERN... -v EXPRESSION [--linear MIN,MAX,STEP] " ASK_OPTIONS_TEXT " [--] [COMMAND [ARG]...]",
	  "show how the values of a field are distributed", cmd_hist },
	{ "latency", "-e EVENT -e EVENT --key FIELD[=FIELD] [--linear MIN,MAX,STEP] " ASK_OPTIONS_TEXT " [--] [COMMAND [ARG]...]",
	  "show how the time between two events is distributed", cmd_latency },
	{ "recipe", "[--show] [NAME [OPTION]... [--] [COMMAND [ARG]...]]",
	  "list everyday questions, or ask one of them", cmd_recipe },
	{ "stream", "[--json] [--share] [COMMAND [ARG]...]",
	  "send commands to /dev/ltt and print the replies", cmd_stream },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

const char program[] = "lttctl";
const struct command *command;

static int help(FILE *to)
{
	size_t i;

	fputs("Usage: lttctl [--via debugfs|device] COMMAND [OPTION]... [ARGUMENT]...\n\n",
	      to);
	for (i = 0; i < NR_COMMANDS; i++)
		fprintf(to, "  %-9s %s\n", commands[i].name, commands[i].summary);
	fputs("\n`lttctl COMMAND --help` lists the options of a command, `lttctl --version` prints the version.\n", to);
	return to == stdout ? output_status() : EXIT_USAGE;
}

/* `--via FACE` or `--via=FACE` before the command.  Return: words taken, or -1. */
static int take_via(int argc, char **argv)
{
	static const char option[] = "--via";
	size_t len = strlen(option);

	if (argc < 2 || strncmp(argv[1], option, len))
		return 0;
	if (argv[1][len] == '=' && set_via(argv[1] + len + 1))
		return 1;
	if (!argv[1][len] && argc > 2 && set_via(argv[2]))
		return 2;
	fputs("lttctl: --via: must be debugfs or device; see lttctl --help\n",
	      stderr);
	return -1;
}

int command_run(int argc, const char **argv)
{
	char title[64];
	int status;
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++) {
		if (strcmp(argv[0], commands[i].name))
			continue;
		command = &commands[i];
		snprintf(title, sizeof(title), "lttctl %s", command->name);
		argv[0] = title;	/* for "Usage:" in the help of the command */
		status = command->run(argc, argv);
		return status ? status : output_status();
	}
	fprintf(stderr, "lttctl: %s: not a command; see lttctl --help\n", argv[0]);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	int taken;

	lttctl_keep_standard();
	signal(SIGCHLD, SIG_DFL);	/* we need the exit status of children */
	taken = take_via(argc, argv);
	if (taken < 0)
		return EXIT_USAGE;
	argc -= taken;
	argv += taken;
	if (argc < 2)
		return help(stderr);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help"))
		return help(stdout);
	if (!strcmp(argv[1], "--version")) {
		puts("lttctl " LTT_VERSION);
		return output_status();
	}
	return command_run(argc - 1, (const char **)argv + 1);
}
