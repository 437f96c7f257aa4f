// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * How the native tests are run; see unit.h.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_failures(void)
{
	CU_pFailureRecord failure;

	for (failure = CU_get_failure_list(); failure; failure = failure->pNext)
		printf("# %s:%u: %s\n", failure->strFileName, failure->uiLineNumber,
		       failure->strCondition);
}

int unit_main(const char *program, const struct unit_test *tests)
{
	const char *slash = strrchr(program, '/');
	const char *name = slash ? slash + 1 : program;
	unsigned int failed = 0;
	CU_pSuite suite;
	CU_pTest test;

	/* A sanitizer that ends the program must not take results with it. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strncmp(name, "test-", 5))
		name += 5;
	if (CU_initialize_registry() != CUE_SUCCESS)
		return EXIT_FAILURE;
	suite = CU_add_suite(name, NULL, NULL);
	for (; suite && tests->name; tests++) {
		test = CU_add_test(suite, tests->name, tests->run);
		/* Each run forgets the failures of the one before. */
		if (test && CU_run_test(suite, test) == CUE_SUCCESS &&
		    !CU_get_number_of_failure_records()) {
			printf("ok %s/%s\n", name, tests->name);
			continue;
		}
		failed++;
		print_failures();
		printf("not ok %s/%s\n", name, tests->name);
	}
	CU_cleanup_registry();
	return suite && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
