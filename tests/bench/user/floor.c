// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The floor of any tracer: the counter, and a store of header, thread id, process id
 * and fields to memory that the thread has for itself, in a buffer of the usual size.
 */
#include "timing.h"

#include <stdint.h>
#include <string.h>
#include <x86intrin.h>

static char ring[8 << 20];
static size_t at;

static inline __attribute__((always_inline)) void store(const void *fields, size_t size)
{
	uint32_t header = (uint32_t)__rdtsc() << 5;
	uint64_t ids = 1;

	memcpy(ring + at, &header, sizeof(header));
	memcpy(ring + at + 4, &ids, sizeof(ids));
	memcpy(ring + at + 12, fields, size);
	at = (at + 12 + size) & (sizeof(ring) / 2 - 1);
}

int main(void)
{
	int two[2] = { 0, 7 };
	struct { int a; char s[12]; } text = { 0, "hello world" };

	MEASURE("none", store("", 0));
	MEASURE("int2", (two[0] = i, store(two, sizeof(two))));
	MEASURE("intstr", (text.a = i, store(&text, sizeof(text))));
	MEASURE("disabled", );
	return 0;
}
