// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The cost of a system call in counts of the TSC: instructions, in a VM with -icount.
 *
 *	syscalls-cost CALL	dup2: with two bad descriptors; openat: of an absent file
 *
 * Prints the median of batches, in tenths.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#define BATCHES	101
#define BATCH	50

static int compare(const void *a, const void *b)
{
	long long difference = *(const long long *)a - *(const long long *)b;

	return difference < 0 ? -1 : difference > 0;
}

int main(int argc, char **argv)
{
	bool is_openat = argc == 2 && !strcmp(argv[1], "openat");
	static long long took[BATCHES];
	int batch, i;

	for (batch = 0; batch < BATCHES; batch++) {
		long long start = __rdtsc();

		for (i = 0; i < BATCH; i++) {
			if (is_openat)
				syscall(SYS_openat, AT_FDCWD, "/absent/file", O_RDONLY, 0);
			else
				syscall(SYS_dup2, -1, -1);
		}
		took[batch] = __rdtsc() - start;
	}
	qsort(took, BATCHES, sizeof(took[0]), compare);
	printf("%lld\n", took[BATCHES / 2] * 10 / BATCH);
	return 0;
}
