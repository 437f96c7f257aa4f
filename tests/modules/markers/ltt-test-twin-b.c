// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver that shares markers with another; see twin.h.
 */
#define TWIN		'b'
#define TWIN_FORMAT	"n %u"
#define TWIN_TYPE	short

#include "twin.h"
