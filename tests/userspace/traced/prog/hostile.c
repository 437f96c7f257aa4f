// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A program that writes over the buffers that lttd has mapped for it.
 */
#include "prog.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Find the buffers, which lttd has mapped for us.  Return: their size. */
static size_t find_buffers(char **start)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "memfd:ltt") && sscanf(line, "%lx-%lx", &from, &to) == 2) {
			fclose(maps);
			*start = (char *)from;
			return to - from;
		}
	return 0;
}

int prog_scribble(char **argv)
{
	unsigned int seed = number(argv, 0, 1);
	uint64_t *at;
	size_t size;
	char *from;
	long i;

	prog_count((char *[]){ "1000", NULL });
	size = find_buffers(&from);
	for (i = 0; size && i < 200000; i++) {
		at = (uint64_t *)(from + rand_r(&seed) % size / 8 * 8);
		/* Mostly where it hurts: the heads and what is around them. */
		if (i % 4)
			at = (uint64_t *)(from + rand_r(&seed) % 8192 / 8 * 8);
		*at = i % 3 ? (uint64_t)rand_r(&seed) << rand_r(&seed) % 64 : *at + rand_r(&seed) % 64;
		if (i % 100 == 0)
			trace_mark(test, count, "i %ld", i);
	}
	puts("scribbled");
	return 0;
}

/* All words of the second CPU's buffers have one value, before lttd has looked at them. */
int prog_fill_buffers(char **argv)
{
	/* The sizes of the test: 8 sub-buffers of 4 KiB. */
	const size_t stride = 4096 + 8 * 4096;
	char *from;
	size_t size = find_buffers(&from);

	(void)argv;
	if (size < 2 * stride)
		return 1;
	memset(from + stride, 0x11, stride);
	return 0;
}

/* damage-heads N M: N events, wrong values for the heads of four CPUs, M events. */
int prog_damage_heads(char **argv)
{
	long n = number(argv, 0, 1000), m = number(argv, 1, 1000), i;
	char *from;
	size_t size = find_buffers(&from);

	for (i = 0; i < n; i++)
		trace_mark(test, count, "i %ld", i);
	print_begun();
	/* The sizes of the test: 8 sub-buffers of 4 KiB. */
	for (i = 0; size && i < 4; i++)
		*(volatile uint64_t *)(from + i * (4096 + 8 * 4096)) += 0x123456789;
	for (i = 0; i < m; i++)
		trace_mark(test, count, "i %ld", n + i);
	return 0;
}

/* scribble-on WHERE N: events, and after each of them random words all over the buffers of four
 * CPUs, or in their headers only, or in their records only, N rounds of 1000. */
int prog_scribble_on(char **argv)
{
	size_t size, stride, header = 4096, at;
	long rounds = number(argv, 1, 100), i;
	char where = *argv[0], *from;
	unsigned int seed = 1;

	prog_count((char *[]){ "1000", NULL });
	size = find_buffers(&from);
	if (!size)
		return 1;
	print_begun();
	/* The sizes of the test: 8 sub-buffers of 64 KiB. */
	stride = header + 8 * 65536;
	for (i = 0; i < rounds * 1000; i++) {
		trace_mark(test, scribbled, "i %ld", i);
		at = rand_r(&seed) % 4 * stride;
		if (where == 'h')
			at += rand_r(&seed) % 512;
		else if (where == 'r')
			at += header + rand_r(&seed) % (stride - header);
		else
			at += rand_r(&seed) % stride;
		*(volatile uint64_t *)(from + at / 8 * 8) = (uint64_t)rand_r(&seed) << rand_r(&seed) % 64;
	}
	return 0;
}
