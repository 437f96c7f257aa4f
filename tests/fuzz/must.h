/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* Shared by the fuzzers: MUST(), and taking bytes off the front of a case. */
#ifndef LTT_TESTS_MUST_H
#define LTT_TESTS_MUST_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(what)								\
	do {									\
		if (!(what)) {							\
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what); \
			abort();						\
		}								\
	} while (0)

/* In $TMPDIR, which who runs a fuzzer removes after it: libFuzzer ends without atexit(). */
static inline void make_folder(char *path, size_t size)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(path, size, "%s/fuzz-XXXXXX", tmp ? tmp : "/tmp");
	MUST(mkdtemp(path));
}

/* The bytes of a case that are not used yet. */
struct rest {
	const uint8_t *at;
	size_t left;
};

static inline uint8_t take_byte(struct rest *rest)
{
	if (!rest->left)
		return 0;
	rest->left--;
	return *rest->at++;
}

/* @len bytes at most, as a string in a heap block of just its size. */
static inline char *take_text(struct rest *rest, size_t len)
{
	char *text;

	if (len > rest->left)
		len = rest->left;
	text = malloc(len + 1);
	MUST(text);
	memcpy(text, rest->at, len);
	text[len] = '\0';
	rest->at += len;
	rest->left -= len;
	return text;
}

#endif /* LTT_TESTS_MUST_H */
