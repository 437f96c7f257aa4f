// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * core/ctf.c, for lttd.
 */
#include "../../core/ctf.c"
