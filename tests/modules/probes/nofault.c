// SPDX-License-Identifier: GPL-2.0-only
/* Probes that are made of BTF read memory with this; ltt-tracepoints does not export it. */
#include "../../../modules/instrument/nofault.c"
