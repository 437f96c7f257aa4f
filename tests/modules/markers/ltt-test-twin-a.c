// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver that shares markers with another; see twin.h.
 */
#define TWIN		'a'
#define TWIN_FORMAT	"n %d"
#define TWIN_TYPE	int

#include "twin.h"
