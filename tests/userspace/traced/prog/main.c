// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The table of the words that the program knows, and functions that its parts share.
 */
#include "prog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile sig_atomic_t told_to_end;

long number(char **argv, int which, long otherwise)
{
	while (which && *argv)
		argv++, which--;
	return *argv ? atol(*argv) : otherwise;
}

void print_begun(void)
{
	puts("begun");
	fflush(stdout);
}

int wait_for_line(void)
{
	char line[16];

	print_begun();
	return !fgets(line, sizeof(line), stdin);
}

static void on_term(int signal)
{
	(void)signal;
	told_to_end = 1;
}

void end_on_sigterm(void)
{
	signal(SIGTERM, on_term);
}

static const struct {
	const char *name;
	int (*fn)(char **argv);
} what[] = {
	{ "count", prog_count },
	{ "forever", prog_forever },
	{ "until-told", prog_until_told },
	{ "count-and-wait", prog_count_and_wait },
	{ "values", prog_values },
	{ "usage", prog_usage },
	{ "counted", prog_counted },
	{ "threads", prog_threads },
	{ "many-threads", prog_many_threads },
	{ "count-in", prog_count_in },
	{ "exit-counting", prog_exit_counting },
	{ "exit-amid-threads", prog_exit_amid_threads },
	{ "storm", prog_storm },
	{ "forks", prog_forks },
	{ "orphan", prog_orphan },
	{ "leave-a-child", prog_leave_a_child },
	{ "vforks", prog_vforks },
	{ "enter-namespace", prog_enter_namespace },
	{ "forks-exit", prog_forks_exit },
	{ "fork-when-told", prog_fork_when_told },
	{ "exec", prog_exec },
	{ "daemonize", prog_daemonize },
	{ "act-for", prog_act_for },
	{ "names", prog_names },
	{ "names-without-pause", prog_names_without_pause },
	{ "texts", prog_texts },
	{ "many", prog_many },
	{ "refused", prog_refused },
	{ "later-header", prog_later_header },
	{ "probes", prog_probes },
	{ "plugin-until-told", prog_plugin_until_told },
	{ "plugin", prog_plugin },
	{ "plugin-when-told", prog_plugin_when_told },
	{ "plugin-amid-exit", prog_plugin_amid_exit },
	{ "scribble", prog_scribble },
	{ "damage-heads", prog_damage_heads },
	{ "scribble-on", prog_scribble_on },
	{ "fill-buffers", prog_fill_buffers },
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(what) / sizeof(what[0]); i++)
		if (!strcmp(argv[1], what[i].name))
			return what[i].fn(argv + 2);
	fprintf(stderr, "prog: what?\n");
	return 2;
}
