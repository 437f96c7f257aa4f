/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The version of LTT: of its programs and libraries, and of the tracer that a trace names.
 * The Makefile puts it into ltt.pc, too.
 *
 * Layer: core.
 */
#ifndef LTT_CORE_VERSION_H
#define LTT_CORE_VERSION_H

#define LTT_VERSION_MAJOR "1"
#define LTT_VERSION_MINOR "0"
#define LTT_VERSION LTT_VERSION_MAJOR "." LTT_VERSION_MINOR

/* The entries of the block env of a trace that name its tracer. */
#define LTT_VERSION_ENV \
	{ "tracer_name", "ltt" }, { "tracer_major", LTT_VERSION_MAJOR }, { "tracer_minor", LTT_VERSION_MINOR }

#endif /* LTT_CORE_VERSION_H */
