// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A library with a probe, which programs are told to load.
 */
#include <ltt/probe.h>

ltt_probe_fn test_probe;

/* Its own marker matches as well: that calls no probe. */
void test_probe(void *data, const struct ltt_site *site, const unsigned long long *args, unsigned int nr)
{
	trace_mark(probe, called, "by %s data %s nr %u first %lld", site->name, (const char *)data, nr,
		   (long long)(nr ? args[0] : 0));
}
