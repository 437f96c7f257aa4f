// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * core/mark-format.c, for lttd.
 */
#include "../../core/mark-format.c"
