// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A known number of system calls: "syscalls-many THREADS CALLS" calls getppid() so often in each
 * thread, and close(-1) once in each.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long calls;

static void *run(void *unused)
{
	long i;

	(void)unused;
	for (i = 0; i < calls; i++)
		syscall(SYS_getppid);
	close(-1);
	return NULL;
}

int main(int argc, char **argv)
{
	long threads = argc == 3 ? atol(argv[1]) : 0, i;
	pthread_t *thread = calloc(threads + 1, sizeof(*thread));

	calls = argc == 3 ? atol(argv[2]) : 0;
	if (!thread || !threads)
		return 1;
	for (i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, run, NULL))
			return 1;
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	return 0;
}
