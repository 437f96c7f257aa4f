// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The pager through which a terminal gets the output.
 *
 * Layer: lttctl view.
 */
#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t pager;

/* Without less, the output goes through cat. */
static void run(const char *command)
{
	/* -F: end at once if all fits on the screen; -R: colours; -X: leave the text on the screen */
	if (command) {
		setenv("LESS", "FRX", 0);
		execlp("sh", "sh", "-c", command, NULL);
	} else {
		execlp("less", "less", "-FRX", NULL);
	}
	execlp("cat", "cat", NULL);
	_exit(127);
}

bool pager_start(void)
{
	const char *command = getenv("PAGER");
	int ends[2];

	if (command && (!*command || !strcmp(command, "cat")))
		return false;
	if (pipe2(ends, O_CLOEXEC))
		return false;
	pager = fork();
	if (!pager && dup2(ends[0], STDIN_FILENO) >= 0)
		run(command);
	if (!pager)
		_exit(127);
	close(ends[0]);
	if (pager > 0) {
		dup2(ends[1], STDOUT_FILENO);
		/* ^C is for the pager; when it ends, writing fails. */
		signal(SIGINT, SIG_IGN);
		signal(SIGPIPE, SIG_IGN);
	}
	close(ends[1]);
	return pager > 0;
}

void pager_end(void)
{
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	/* Later output goes nowhere, not to a file that gets this number. */
	open("/dev/null", O_WRONLY);
	pager = 0;
}
