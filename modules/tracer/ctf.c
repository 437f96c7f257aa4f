// SPDX-License-Identifier: GPL-2.0-only
/*
 * core/'s metadata writer, compiled for the kernel.  Layer: tracer.
 */
#include "../../core/ctf.c"
