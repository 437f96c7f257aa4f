// SPDX-License-Identifier: GPL-2.0-only
/* The scratch buffers of ltt-probes: each module has its own. */
#include "../scratch.c"
