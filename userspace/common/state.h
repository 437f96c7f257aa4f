/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The state of the system in a recording: the parts that --state selects, and the directories
 * DIR/state, DIR/state-2, ... and DIR/clock, ... that lttd writes and lttctl reads.
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_STATE_H
#define LTT_COMMON_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* The parts of the state, as bits. */
#define STATE_PROCESSES	(1u << 0)	/* processes and their threads */
#define STATE_SYSTEM	(1u << 1)	/* kernel, CPUs, devices, modules, mounts, formats of events */
#define STATE_FILES	(1u << 2)	/* open files of each process */
#define STATE_MAPS	(1u << 3)	/* memory maps of each process, with build ids */
#define STATE_SYMBOLS	(1u << 4)	/* functions of the kernel and their addresses */

/* The parts that take microseconds for each process: those without --state. */
#define STATE_DEFAULT	(STATE_PROCESSES | STATE_SYSTEM)

#define STATE_FORM	"`default', `all', `none', or a list of processes, system, files, maps and symbols"

/**
 * state_parse() - parse the value of --state
 * @parts: receives the parts, STATE_...; 0 for "none"
 * @text: a list separated by commas, of which each word adds to @parts
 *
 * Return: false if @text is malformed.
 */
bool state_parse(uint32_t *parts, const char *text);

/* The name of the directory of the first state; those of others are STATE_TRACE-2 and so on. */
#define STATE_TRACE	"state"

/* Return: true if @name is that of a directory with the state. */
bool state_trace_is(const char *name);

/* Likewise of the directories with samples of the machine's clock, of which each piece has its own. */
#define CLOCK_TRACE	"clock"

bool clock_trace_is(const char *name);

#endif /* LTT_COMMON_STATE_H */
