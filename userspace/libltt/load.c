// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The libraries of a program, and those that it is told to load.
 *
 * Of libltt.so only: in programs that are linked statically the C library's dlopen()
 * works with the very C library that they were linked with, if at all.
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
	/* Where the kernel says that the program is. */
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
