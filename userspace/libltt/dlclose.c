// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * dlclose(), which lets lttds note where a library was before another can take its place.
 *
 * dlopen() is not replaced: it looks at its caller, to find where to search for the library.
 * This file is in libltt.so, and in libltt-objects.so, as the C library comes before libltt in
 * programs that are not linked with that; not in libltt.a.
 */
#include "register.h"

#include <dlfcn.h>

int dlclose(void *handle);

/**
 * dlclose() - as of the C library
 * @handle: as of dlopen()
 *
 * Return: as of the C library.
 */
__attribute__((visibility("default"))) int dlclose(void *handle)
{
	int (*real)(void *handle) = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
	int result;

	ltt_objects_note();
	result = real(handle);
	ltt_objects_note();
	return result;
}
