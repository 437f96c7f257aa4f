// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A library with a marker, which is loaded and unloaded.
 */
#include <ltt/marker.h>

void plugin_work(void);

static __attribute__((constructor)) void loaded(void)
{
	trace_mark(plugin, loaded, "");
}

void plugin_work(void)
{
	int i;

	for (i = 0; i < 100; i++)
		trace_mark(plugin, work, "i %d", i);
}
