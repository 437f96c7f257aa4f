/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * How the native tests are run: CUnit assertions, and one line per test for the
 * test runner, "ok PROGRAM/TEST" or "not ok PROGRAM/TEST".
 */
#ifndef LTT_TESTS_UNIT_H
#define LTT_TESTS_UNIT_H

#include <CUnit/CUnit.h>

/**
 * struct unit_test - one test
 * @name: what it tests, one word
 * @run: makes CUnit assertions
 */
struct unit_test {
	const char *name;
	void (*run)(void);
};

#define UNIT_TEST(fn)	{ #fn, fn }

/**
 * unit_main() - run tests, in order
 * @program: argv[0]
 * @tests: the last has no name
 * Return: the exit status for main().
 */
int unit_main(const char *program, const struct unit_test *tests);

#endif /* LTT_TESTS_UNIT_H */
