/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The option --context: contexts of events of the kernel and of programs.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_CONTEXTS_H
#define LTTCTL_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>

struct lttctl_trace;

/**
 * struct contexts - what --context selects
 * @args: the arguments, [PATTERN=]LIST; popt stores them.  NULL at the end, or NULL
 * @kernel: the list for all events of the kernel; NULL without one
 * @programs: the list for events of programs; NULL without one
 */
struct contexts {
	char **args;
	char *kernel;
	char *programs;
};

/**
 * contexts_parse() - find out which contexts are for what
 * @contexts: has @args; receives the rest
 * @kernel: events of the kernel are recorded
 * @programs: events of programs are recorded
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int contexts_parse(struct contexts *contexts, bool kernel, bool programs);

/**
 * contexts_apply() - set the contexts of the kernel's events
 * @contexts: from contexts_parse()
 * @trace: the trace
 * @channel: name of the channel for which lists without a pattern are
 *
 * Return: 0; -errno of liblttctl.
 */
int contexts_apply(const struct contexts *contexts, struct lttctl_trace *trace,
		   const char *channel);

/** contexts_free() - free what popt and contexts_parse() have stored */
void contexts_free(struct contexts *contexts);

#endif /* LTTCTL_CONTEXTS_H */
