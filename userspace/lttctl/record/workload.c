// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The command that `record` runs.
 *
 * Layer: lttctl.  The child waits at the read end of a pipe, the gate: after a byte it
 * runs the command, at the end of the file it exits.  A successful exec closes another
 * pipe; after a failed one the child writes errno to it.
 */
#include "workload.h"
#include "lttctl/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define STATUS_CANNOT_RUN 126
#define STATUS_NOT_FOUND 127

static bool is_program(const char *path)
{
	struct stat st;

	return !access(path, X_OK) && !stat(path, &st) && S_ISREG(st.st_mode);
}

int workload_find(struct workload *workload, const char **argv)
{
	const char *dirs = getenv("PATH");
	const char *end;

	memset(workload, 0, sizeof(*workload));
	workload->argv = argv;
	if (strchr(argv[0], '/')) {
		snprintf(workload->file, sizeof(workload->file), "%s", argv[0]);
		if (is_program(argv[0]))
			return 0;
		complain("cannot run %s: %s", argv[0],
			 access(argv[0], X_OK) ? strerror(errno)
					       : "not an executable file");
		return access(argv[0], F_OK) ? STATUS_NOT_FOUND
					     : STATUS_CANNOT_RUN;
	}
	for (; dirs && *dirs; dirs = *end ? end + 1 : end) {
		end = strchrnul(dirs, ':');
		snprintf(workload->file, sizeof(workload->file), "%.*s/%s",
			 end > dirs ? (int)(end - dirs) : 1,
			 end > dirs ? dirs : ".", argv[0]);
		if (is_program(workload->file))
			return 0;
	}
	complain("%s: command not found", argv[0]);
	return STATUS_NOT_FOUND;
}

static void child(struct workload *workload, int gate, int failure)
{
	sigset_t none;
	char byte;

	if (read(gate, &byte, 1) != 1)
		_exit(STATUS_CANNOT_RUN);
	if (workload->ignores_int)
		signal(SIGINT, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (!workload->preload || !setenv("LD_PRELOAD", workload->preload, 1))
		execv(workload->file, (char **)workload->argv);
	if (write(failure, &errno, sizeof(errno)) < 0)
		_exit(STATUS_NOT_FOUND);
	_exit(STATUS_CANNOT_RUN);
}

int workload_prepare(struct workload *workload)
{
	int gate[2], failure[2];

	if (pipe2(gate, O_CLOEXEC))
		return complain("cannot create a pipe: %s", strerror(errno));
	if (pipe2(failure, O_CLOEXEC)) {
		complain("cannot create a pipe: %s", strerror(errno));
		goto err_gate;
	}
	workload->pid = fork();
	if (workload->pid < 0) {
		workload->pid = 0;
		complain("cannot fork: %s", strerror(errno));
		goto err_failure;
	}
	if (!workload->pid) {
		close(gate[1]);
		close(failure[0]);
		child(workload, gate[0], failure[1]);
	}
	close(gate[0]);
	close(failure[1]);
	workload->gate = gate[1];
	workload->failure = failure[0];
	return 0;

err_failure:
	close(failure[0]);
	close(failure[1]);
err_gate:
	close(gate[0]);
	close(gate[1]);
	return EXIT_FAILED;
}

void workload_release(struct workload *workload)
{
	ssize_t done;
	int err;

	do
		done = write(workload->gate, "", 1);
	while (done < 0 && errno == EINTR);
	if (done < 0)
		complain("cannot start %s: %s", workload->argv[0],
			 strerror(errno));
	/* Without the byte, the closed gate makes the child exit. */
	close(workload->gate);
	do
		done = read(workload->failure, &err, sizeof(err));
	while (done < 0 && errno == EINTR);
	if (done < 0)
		complain("cannot read whether %s runs: %s", workload->file, strerror(errno));
	else if (done == sizeof(err))
		complain("cannot run %s: %s", workload->file, strerror(err));
	close(workload->failure);
}

void workload_cancel(struct workload *workload)
{
	if (!workload->pid)
		return;
	close(workload->gate);
	close(workload->failure);
	waitpid(workload->pid, NULL, 0);
	workload->pid = 0;
}

bool workload_reap(struct workload *workload)
{
	int status;

	if (!workload->pid || !child_reap(workload->pid, WNOHANG, &status))
		return !workload->pid;
	workload->pid = 0;
	workload->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
					       : WEXITSTATUS(status);
	return true;
}
