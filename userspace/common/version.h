/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The version of LTT's programs and libraries: the Makefile puts it into ltt.pc, too.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_VERSION_H
#define LTT_COMMON_VERSION_H

#define LTT_VERSION "1.0"

#endif /* LTT_COMMON_VERSION_H */
