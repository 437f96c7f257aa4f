// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Compress closed pieces, the oldest first.
 *
 * Layer: lttd.  The thread looks for uncompressed files in closed pieces, so it also finds the
 * files that a killed lttd left uncompressed.  A lock on the piece (flock) keeps other lttds away.
 *
 * At the end a process waits for lttd, and a thread of this priority might not run for minutes on a busy
 * machine.  No user but root can raise it again, so the thread gives up, and its creator does the rest.
 */
#include "compressor.h"
#include "compress.h"
#include "pieces.h"
#include "quota.h"
#include "common/folders.h"
#include "common/pieces.h"

#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of <linux/ioprio.h>, which old systems lack. */
#define IOPRIO_WHO_PROCESS	1
#define IOPRIO_IDLE		(3 << 13)

/* Only when no other thread has something to do.  Linux knows priorities of threads. */
static void lower_priority(void)
{
	pid_t self = syscall(SYS_gettid);

	setpriority(PRIO_PROCESS, self, 19);
	syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, self, IOPRIO_IDLE);
}

static int compress_one(int piece, const char *name, void *arg)
{
	int dir = folder_open(piece, name);

	if (dir < 0)
		return 0;
	compress_trace(dir, arg);
	close(dir);
	return 0;
}

static void compress_piece(struct pieces *pieces, unsigned int number, bool *stop)
{
	char name[PIECE_NAME_SIZE];
	int dir;

	piece_name(number, name);
	dir = folder_open(pieces->root, name);
	if (dir < 0)
		return;
	if (!flock(dir, LOCK_EX | LOCK_NB))
		folders_walk(dir, compress_one, stop);
	close(dir);
}

/* Compress the closed pieces above number @done, until @stop.  Return: all pieces up to this number are done. */
static unsigned int compress_closed(struct pieces *pieces, unsigned int done, bool *stop)
{
	bool in_a_row = true;
	unsigned int *numbers;
	ssize_t nr = pieces_list(pieces->root, &numbers), i;

	for (i = 0; i < nr && !(stop && __atomic_load_n(stop, __ATOMIC_RELAXED)); i++) {
		if (numbers[i] <= done)
			continue;
		if (piece_is_open(pieces->root, numbers[i]))
			in_a_row = false;
		else if (piece_is_ours(pieces->root, numbers[i]))
			compress_piece(pieces, numbers[i], stop);
		if (in_a_row)
			done = numbers[i];
	}
	free(numbers);
	return done;
}

/* Pieces that were closed until @seen are compressed: wait until others have been closed.  Return: false at the end. */
static bool wait(struct pieces *pieces, unsigned int *seen)
{
	bool more;

	pthread_mutex_lock(&pieces->lock);
	/* A piece at which it was stopped is compressed by compressor_finish(). */
	if (!pieces->ending)
		pieces->compressed = *seen;
	pthread_cond_broadcast(&pieces->wake);
	while (pieces->changed == *seen && !pieces->ending)
		pthread_cond_wait(&pieces->wake, &pieces->lock);
	more = !pieces->ending;
	*seen = pieces->changed;
	pthread_mutex_unlock(&pieces->lock);
	return more;
}

void *compressor_run(void *arg)
{
	struct pieces *pieces = arg;
	unsigned int done = 0, seen = 0;

	lower_priority();
	do
		done = compress_closed(pieces, done, &pieces->ending);
	while (wait(pieces, &seen));
	return NULL;
}

/* Pieces of earlier recordings can wait for the next lttd. */
void compressor_finish(struct pieces *pieces)
{
	compress_closed(pieces, pieces->first - 1, NULL);
}
