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

/* Those of libraries that are not loaded are NULL. */
extern const struct ltt_sites preload_sites_malloc __attribute__((weak));
extern const struct ltt_sites preload_sites_pthread __attribute__((weak));
extern const struct ltt_sites preload_sites_stdio __attribute__((weak));
extern const struct ltt_sites preload_sites_functions __attribute__((weak));

/* Register the sites of all preloaded libraries before their constructors run, each of which would
 * wait for lttds. */
static void add_sites(void)
{
	const struct ltt_sites *const all[] = {
		&preload_sites_malloc, &preload_sites_pthread, &preload_sites_stdio, &preload_sites_functions,
	};
	struct ltt_sites loaded[sizeof(all) / sizeof(all[0])];
	unsigned int i, nr = 0;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i])
			loaded[nr++] = *all[i];
	ltt_sites_add_all(loaded, nr);
}

/* The libraries depend on this one, so that its constructors run before theirs. */
static __attribute__((constructor)) void begin(void)
{
	_dl_find_object(dlsym(RTLD_NEXT, "ltt_mark_0"), &libltt);
	add_sites();
}
