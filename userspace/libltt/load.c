// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The libraries of a program, and libraries that `lttctl probe` has it load.
 *
 * This file is in libltt.so only: in a statically linked program dlopen() requires the very
 * C library that the program was linked with.
 */
#include "load.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <sys/auxv.h>

const char *ltt_load_object(const void *address)
{
	Dl_info here, program;

	if (!dladdr(address, &here) || !here.dli_fname)
		return NULL;
	/* AT_ENTRY is an address in the program. */
	if (dladdr((const void *)getauxval(AT_ENTRY), &program) && program.dli_fbase == here.dli_fbase)
		return NULL;
	return here.dli_fname;
}

int ltt_load(const char *path, char *answer, size_t size)
{
	if (dlopen(path, RTLD_NOW | RTLD_GLOBAL))
		return 0;
	snprintf(answer, size, "%s", dlerror());
	return -ENOENT;
}

void *ltt_load_find(const char *name, char *answer, size_t size)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	if (!found)
		snprintf(answer, size, "it has no function %.100s; is its library loaded?", name);
	return found;
}
