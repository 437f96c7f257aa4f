// SPDX-License-Identifier: GPL-2.0-only
/* What probes read with that are made of BTF; ltt-tracepoints keeps it to itself. */
#include "../../../modules/instrument/nofault.c"
