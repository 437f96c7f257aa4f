// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parser of marker formats from core/, compiled for the kernel.  Layer: markers.
 */
#include "../../core/mark-format.c"
