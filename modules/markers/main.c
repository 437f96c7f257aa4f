// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-markers: the registry of markers, and the trace_mark() sites of all modules.
 *
 * Layer: markers.  registry.c is the registry (modules/include/ltt/registry.h), sites.c
 * finds sites as modules come and go, mark.c turns sites into markers, format.c and label.c
 * parse their formats, pack.c packs events with text or arrays,
 * scratch.c has buffers in which providers pack theirs.
 */
#include <ltt/registry.h>

#include <linux/module.h>

#include "markers.h"

static int __init markers_init(void)
{
	return ltt_sites_init();
}

static void __exit markers_exit(void)
{
	ltt_sites_exit();
	/* An event may still be on its way past probes that were connected. */
	ltt_marker_synchronize();
	ltt_pack_exit();
	ltt_scratch_exit();
}

module_init(markers_init);
module_exit(markers_exit);

MODULE_DESCRIPTION("LTT: registry of instrumentation points, and trace_mark()");
MODULE_LICENSE("GPL");
