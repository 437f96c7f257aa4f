// SPDX-License-Identifier: GPL-2.0-only
/*
 * core/'s parser of marker formats, compiled for the kernel.  Layer: markers.
 */
#include "../../core/mark-format.c"
