// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A program for uprobes, uretprobes and usdt: calls probed_add() ROUNDS times.
 *
 *	probed ROUNDS [FILE]	with FILE, each round first reads a byte from it, which may have to come
 */
#include <stdio.h>
#include <stdlib.h>

#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

/* The kernel raises this while someone listens. */
__extension__ unsigned short probed_counted_semaphore __attribute__((unused, section(".probes")));
__extension__ unsigned short probed_twice_semaphore __attribute__((unused, section(".probes")));

static volatile int shown;

long probed_add(int a, const char *text, long b);
void probed_two_places(short value);

__attribute__((noipa)) long probed_add(int a, const char *text, long b)
{
	if (probed_counted_semaphore)
		STAP_PROBE3(probed, counted, a, text, b);
	return a + b;
}

__attribute__((noipa)) void probed_two_places(short value)
{
	if (value & 1) {
		STAP_PROBE1(probed, twice, value);
		shown = 1;
	} else {
		STAP_PROBE1(probed, twice, value);
		shown = 2;
	}
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 0, i, sum = 0;
	const char *text = "a text";
	FILE *file = argc > 2 ? fopen(argv[2], "r") : NULL;

	/* A probe reads only pages that are in memory. */
	shown = *(const volatile char *)text;
	for (i = 0; i < rounds; i++) {
		if (file && getc(file) == EOF)
			break;
		sum += probed_add(i, text, -2 * i);
		probed_two_places(-i);
	}
	printf("%ld\n", sum);
	return 0;
}
