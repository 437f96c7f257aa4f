// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Events of the sources that a program reaches, and what each takes in counts of the TSC:
 * instructions, in a VM with -icount.
 *
 *	fire syscall	dup2() with two bad descriptors
 *	fire uprobe	a call of fire_function()
 *	fire usdt	the probe bench:fired
 *	fire printk	a line into the kernel's log, which no console prints
 *	fire sample	a loop that samples interrupt
 *
 * Prints tenths of an instruction, the median of batches of ten, or of interrupts.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#define BATCHES	500
#define BATCH	10
#define ROUND	64	/* more than the loop itself takes between two reads of the counter */
#define APART	2000	/* what comes sooner after an interrupt belongs to it */

unsigned int fire_function(unsigned int value);

static int kmsg;

static void fire_syscall(unsigned int i)
{
	(void)i;
	syscall(SYS_dup2, -1, -1);
}

/* Not static: uprobes find it by its name. */
__attribute__((noipa)) unsigned int fire_function(unsigned int value)
{
	return value + 1;
}

static void fire_uprobe(unsigned int i)
{
	fire_function(i);
}

static void fire_usdt(unsigned int i)
{
	DTRACE_PROBE1(bench, fired, i);
}

static void fire_printk(unsigned int i)
{
	static const char line[] = "<7>a line of the kernel's log";

	(void)i;
	if (write(kmsg, line, sizeof(line) - 1) < 0)
		err(1, "/dev/kmsg");
}

static const struct {
	const char *name;
	void (*fire)(unsigned int i);
} sources[] = {
	{ "syscall", fire_syscall },
	{ "uprobe", fire_uprobe },
	{ "usdt", fire_usdt },
	{ "printk", fire_printk },
};

static int compare(const void *a, const void *b)
{
	long long difference = *(const long long *)a - *(const long long *)b;

	return difference < 0 ? -1 : difference > 0;
}

static long long median(void (*fire)(unsigned int i))
{
	static long long took[BATCHES];

	for (unsigned int batch = 0; batch < BATCHES; batch++) {
		long long start = __rdtsc();

		for (unsigned int i = 0; i < BATCH; i++)
			fire(i);
		took[batch] = __rdtsc() - start;
	}
	qsort(took, BATCHES, sizeof(took[0]), compare);
	return took[BATCHES / 2];
}

/* A tool that wakes its consumer does so by a second interrupt, which follows the first. */
static long long median_interrupt(void)
{
	static long long took[BATCHES + 1];
	long long last = __rdtsc(), ended = last;
	unsigned int seen = 0;

	while (seen <= BATCHES) {
		long long now = __rdtsc(), gap = now - last;

		if (gap > ROUND) {
			if (last - ended > APART)
				seen++;
			if (seen <= BATCHES)
				took[seen] += gap;
			ended = now;
		}
		last = now;
	}
	/* The first may have begun before the loop. */
	qsort(took + 1, BATCHES, sizeof(took[0]), compare);
	return took[1 + BATCHES / 2];
}

int main(int argc, char **argv)
{
	if (argc != 2)
		errx(2, "usage: fire SOURCE");
	kmsg = open("/dev/kmsg", O_WRONLY);
	if (kmsg < 0)
		err(1, "/dev/kmsg");
	if (!strcmp(argv[1], "sample")) {
		printf("%lld\n", 10 * median_interrupt());
		return 0;
	}
	for (unsigned int s = 0; s < sizeof(sources) / sizeof(sources[0]); s++) {
		if (!strcmp(sources[s].name, argv[1])) {
			printf("%lld\n", median(sources[s].fire));
			return 0;
		}
	}
	errx(2, "there is no source %s", argv[1]);
}
