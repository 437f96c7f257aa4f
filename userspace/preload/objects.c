// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * libltt-objects.so: what the preloaded libraries share.
 *
 * It also has the vfork() and the dlclose() of libltt (vfork.S, dlclose.c): the C library comes
 * before libltt in programs that are not linked with that.
 */
#include "preload.h"

#include <dlfcn.h>

#include "libltt/objects.h"
#include "libltt/thread.h"

static struct dl_find_object libltt;

PRELOAD_API bool preload_is_own(const void *address)
{
	return address >= libltt.dlfo_map_start && address < libltt.dlfo_map_end;
}

PRELOAD_API bool preload_wants(const void *caller)
{
	if (preload_is_own(caller) || ltt_context == LTT_CONTEXT_OFF)
		return false;
	preload_see(caller);
	return true;
}

PRELOAD_API void preload_see(const void *address)
{
	ltt_objects_see((uintptr_t)address);
}

/* Before the constructors that register sites, which have priority 200. */
static __attribute__((constructor(199))) void begin(void)
{
	_dl_find_object(dlsym(RTLD_NEXT, "ltt_mark_0"), &libltt);
}
