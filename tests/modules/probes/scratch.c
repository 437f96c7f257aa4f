// SPDX-License-Identifier: GPL-2.0-only
/* The scratch buffers of ltt-tracepoints, which it keeps to itself. */
#include "../../../modules/instrument/scratch.c"
