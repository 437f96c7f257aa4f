// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Libraries that a program is told to load.
 *
 * Of libltt.so only: in programs that are linked statically the C library's dlopen()
 * works with the very C library that they were linked with, if at all.
 */
#include "load.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

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
