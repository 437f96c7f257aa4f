// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A process of many threads that sleep.
 *
 *	many-threads N	makes N threads beside the first, prints a line when all of them
 *			exist, and ends when its standard input does
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define STACK 4096

static int run(void *threads)
{
	while (threads)
		pause();
	return 0;
}

int main(int argc, char **argv)
{
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			  CLONE_SYSVSEM;
	long i, n = argc > 1 ? atol(argv[1]) : 0;
	char *stacks, end;

	stacks = mmap(NULL, (n + 1) * STACK, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (n < 1 || stacks == MAP_FAILED) {
		fprintf(stderr, "many-threads: N must be a number of threads that fit into memory\n");
		return 2;
	}
	for (i = 1; i <= n; i++) {
		if (clone(run, stacks + i * STACK, flags, stacks) < 0) {
			perror("many-threads: clone");
			return 1;
		}
	}
	puts("ready");
	fflush(stdout);
	return read(STDIN_FILENO, &end, 1) < 0;
}
