// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Run the command of --after-rotate for closed pieces, one after the other.
 *
 * Layer: lttd.  A shared lock on the piece (flock) keeps the quotas of all lttds from removing it meanwhile.  A command that takes
 * long delays only those of later pieces, which the quota may remove before.
 */
#include "commander.h"
#include "common/folders.h"
#include "common/pieces.h"
#include "lttd/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The queue ---- */

struct rotated *commander_piece(const struct pieces *pieces, unsigned int number)
{
	struct rotated *rotated;

	if (!pieces->options->after_rotate)
		return NULL;
	rotated = malloc(sizeof(*rotated));
	if (rotated)
		*rotated = (struct rotated){ .number = number };
	else
		fail("piece %04u: the command of --after-rotate does not run: out of memory", number);
	return rotated;
}

void commander_add(struct pieces *pieces, struct rotated *rotated)
{
	struct rotated **last;

	rotated->changed = pieces->changed;
	for (last = &pieces->rotated; *last; last = &(*last)->next)
		;
	*last = rotated;
}

static bool is_ready(const struct pieces *pieces)
{
	return pieces->rotated && (!pieces->has_compressor || pieces->compressed >= pieces->rotated->changed);
}

/* Wait for a piece that is closed and, with --compress, compressed.  Return: it, to be freed; NULL at the end. */
static struct rotated *next(struct pieces *pieces)
{
	struct rotated *rotated;

	pthread_mutex_lock(&pieces->lock);
	while (!is_ready(pieces) && (pieces->rotated || !pieces->closed))
		pthread_cond_wait(&pieces->wake, &pieces->lock);
	rotated = pieces->rotated;
	if (rotated)
		pieces->rotated = rotated->next;
	pthread_mutex_unlock(&pieces->lock);
	return rotated;
}

/* ---- The command ---- */

/* Return: the environment of lttd with these two; NULL if memory is out. */
static char **make_environment(char *recording, char *piece)
{
	char **words, **word;
	size_t nr = 0;

	for (word = environ; *word; word++)
		nr++;
	words = calloc(nr + 3, sizeof(*words));
	if (!words)
		return NULL;
	/* The first one of a name counts. */
	words[0] = recording;
	words[1] = piece;
	memcpy(words + 2, environ, nr * sizeof(*words));
	return words;
}

/* Its output goes to the log of an lttd in the foreground.  Return: 0 or an errno; the caller destroys @files in either case. */
static int prepare_files(posix_spawn_file_actions_t *files)
{
	int err = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);

	if (!err)
		err = posix_spawn_file_actions_adddup2(files, STDERR_FILENO, STDOUT_FILENO);
	/* lttctl reads from pipes, and a private trace lives as long as its connection is open. */
	return err ?: posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1);
}

/* As a shell would: a process group of its own, and no signal blocked or ignored.  Return: 0 or an errno. */
static int spawn(const char *command, char **environment, pid_t *pid)
{
	const char *const words[] = { "sh", "-c", command, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int err;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	err = posix_spawn_file_actions_init(&files);
	if (!err) {
		err = prepare_files(&files);
		if (!err)
			err = posix_spawn(pid, "/bin/sh", &files, &attr, (char **)words, environment);
		posix_spawn_file_actions_destroy(&files);
	}
	posix_spawnattr_destroy(&attr);
	return err;
}

static void run(const struct pieces *pieces, const char *name)
{
	char recording[PATH_MAX + sizeof("LTT_RECORDING=")], piece[PATH_MAX + sizeof("LTT_PIECE=/") + PIECE_NAME_SIZE];
	char **environment;
	int err, status;
	pid_t pid, got;

	snprintf(recording, sizeof(recording), "LTT_RECORDING=%s", pieces->recording);
	snprintf(piece, sizeof(piece), "LTT_PIECE=%s/%s", pieces->recording, name);
	environment = make_environment(recording, piece);
	err = environment ? spawn(pieces->options->after_rotate, environment, &pid) : ENOMEM;
	free(environment);
	if (err) {
		fail("piece %s: cannot run the command of --after-rotate: %s", name, strerror(err));
		return;
	}
	do
		got = waitpid(pid, &status, 0);
	while (got < 0 && errno == EINTR);
	if (got == pid && WIFSIGNALED(status))
		fail("piece %s: the command of --after-rotate was killed by signal %d", name, WTERMSIG(status));
	else if (got == pid && WEXITSTATUS(status))
		fail("piece %s: the command of --after-rotate failed with exit status %d", name, WEXITSTATUS(status));
}

/* Return: true if the directory still has its name: no quota has removed it. */
static bool is_there(const struct pieces *pieces, const char *name, int dir)
{
	struct stat named, opened;

	return !fstatat(pieces->root, name, &named, AT_SYMLINK_NOFOLLOW) && !fstat(dir, &opened) &&
	       named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

static void take(const struct pieces *pieces, unsigned int number)
{
	char name[PIECE_NAME_SIZE];
	int dir;

	piece_name(number, name);
	dir = folder_open(pieces->root, name);
	/* The compressor of another lttd may have the piece. */
	if (dir >= 0 && !flock(dir, LOCK_SH) && is_there(pieces, name, dir))
		run(pieces, name);
	else
		notice("piece %s: the command of --after-rotate did not run: the piece was removed before", name);
	if (dir >= 0)
		close(dir);
}

/* Commands are less urgent than lttd, which may have raised its priority. */
static void lower_priority(void)
{
	const int self = gettid();

	if (getpriority(PRIO_PROCESS, self) < 0)
		setpriority(PRIO_PROCESS, self, 0);
}

void *commander_run(void *arg)
{
	struct pieces *pieces = arg;
	struct rotated *rotated;

	lower_priority();
	while ((rotated = next(pieces))) {
		take(pieces, rotated->number);
		free(rotated);
	}
	return NULL;
}
