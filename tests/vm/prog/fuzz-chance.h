/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Reproducible random numbers for device-fuzz and debugfs-fuzz.
 */
#ifndef FUZZ_CHANCE_H
#define FUZZ_CHANCE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* LTT_SEED, or the time; and the number of this process. */
static unsigned long seed;
static unsigned int process;

static unsigned int below(unsigned int limit)
{
	return limit ? (unsigned long)random() % limit : 0;
}

static bool one_in(unsigned int n)
{
	return !below(n);
}

/* Tell what was wrong, and how to have it again. */
__attribute__((format(printf, 1, 2), noreturn))
static void wrong(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("not ok seed %lu, process %u: ", seed, process);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	_exit(1);
}

/* To be called first. */
static void choose_seed(void)
{
	const char *text = getenv("LTT_SEED");

	seed = text ? strtoul(text, NULL, 10) : (unsigned long)time(NULL);
	printf("# LTT_SEED=%lu\n", seed);
	fflush(stdout);
}

/* Run that many processes; each ends itself, with 0 if nothing was wrong. */
static bool all_end_well(int processes, void (*run)(int seconds), int seconds)
{
	bool well = true;
	int status;

	for (process = 0; process < (unsigned int)processes; process++)
		if (!fork())
			run(seconds);
	while (processes--)
		well &= wait(&status) >= 0 && !status;
	return well;
}

#endif /* FUZZ_CHANCE_H */
