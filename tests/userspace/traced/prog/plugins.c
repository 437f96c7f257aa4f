// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A library with markers that is loaded while the program runs.
 */
#include "prog.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int prog_plugin_until_told(char **argv)
{
	return !dlopen(argv[0], RTLD_NOW) || wait_for_line();
}

int prog_plugin(char **argv)
{
	long rounds = number(argv, 1, 10);

	while (rounds--) {
		void *handle = dlopen(argv[0], RTLD_NOW);
		void (*work)(void) = handle ? (void (*)(void))dlsym(handle, "plugin_work") : NULL;

		if (!work) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		work();
		dlclose(handle);
	}
	return 0;
}

int prog_plugin_when_told(char **argv)
{
	return wait_for_line() || prog_plugin(argv);
}

/* ---- Amid exit() ---- */

static char *plugin_at_exit;

static void load_in_a_child(void)
{
	pid_t pid;

	if (!plugin_at_exit)
		return;
	pid = fork();
	if (!pid)
		_exit(prog_plugin((char *[]){ plugin_at_exit, "1", NULL }));
	waitpid(pid, NULL, 0);
}

/* Before libltt's own constructor, so that it is called after libltt's handler of exit(). */
static __attribute__((constructor(101))) void begin(void)
{
	atexit(load_in_a_child);
}

int prog_plugin_amid_exit(char **argv)
{
	plugin_at_exit = argv[0];
	return 0;
}
