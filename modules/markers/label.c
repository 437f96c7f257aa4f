// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parser of labels from core/, compiled for the kernel.  Layer: markers.
 */
#include "../../core/label.c"

#include <linux/export.h>

EXPORT_SYMBOL_GPL(ltt_label_next);
