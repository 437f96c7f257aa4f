/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The patterns of a command line that select events: -e of record and create, and the
 * arguments of enable and disable.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_EVENT_PATTERNS_H
#define LTTCTL_EVENT_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

struct descriptions;
struct lttctl;

/* The prefix of patterns for events of programs; a ":" or "@" follows. */
#define EVENT_PATTERNS_USER "user"

/* A pattern for the probes by which lttctl corrects the clocks of several hosts; lttctl/hosts/segments.h reads them. */
#define EVENT_PATTERNS_SEGMENTS "tcp-segments"

/**
 * struct event_patterns - patterns, split by where their events come from
 * @kernel: patterns for events of the kernel; NULL at the end
 * @programs: patterns for events of programs, as common/selection.h has them; NULL at the end
 * @nr_programs: number of @programs
 * @probes: definitions of dynamic probes, as probe/definition.h has them; NULL at the end
 * @nr_probes: number of @probes
 * @only_present: set by the caller: the command has no use for events that appear later
 */
struct event_patterns {
	char **kernel;
	char **programs;
	size_t nr_programs;
	char **probes;
	size_t nr_probes;
	bool only_present;
};

/**
 * event_patterns_parse() - take the patterns of a command line
 * @patterns: zeroed; receives copies, which event_patterns_free() frees, also on failure
 * @option: what stands before a pattern in messages: "-e " or ""
 * @lists: the texts; each is a pattern or several, separated by commas; NULL at the end.
 *	NULL if there are none
 *
 * Return: 0; EXIT_USAGE after a message that names a malformed pattern; EXIT_FAILED
 *	after a message if memory is out.
 */
int event_patterns_parse(struct event_patterns *patterns, const char *option,
			 const char *const *lists);

/**
 * event_patterns_add() - add a pattern for events of programs
 * @patterns: parsed
 * @pattern: the pattern, without "user:", which is copied
 *
 * Return: 0; EXIT_FAILED after a message if memory is out.
 */
int event_patterns_add(struct event_patterns *patterns, const char *pattern);

/**
 * event_patterns_check_known() - require that each pattern matches an event
 * @ctl: a connected handle
 * @option: as of event_patterns_parse()
 * @patterns: a pattern kprobe:NAME or kretprobe:NAME without an event becomes the definition of a
 *	probe
 * @file: a program that is about to run, or NULL
 *
 * The message for a pattern without an event says that @file or a running program has it, or
 * names the events nearest to it.
 *
 * Return: 0; EXIT_USAGE after a message if a pattern matches no event that the tracer
 *	knows; EXIT_FAILED after a message if the tracer does not answer.
 */
int event_patterns_check_known(struct lttctl *ctl, const char *option, struct event_patterns *patterns,
			       const char *file);

/**
 * event_patterns_describe() - look up what the dynamic probes name
 * @patterns: after event_patterns_check_known()
 * @option: as of event_patterns_parse()
 * @descriptions: zeroed; receives descriptions for lttctl_probe_create(), which
 *	descriptions_free() frees, also on failure
 *
 * Return: 0; EXIT_USAGE after a message if a probe is wrong, or names what is not there; EXIT_FAILED after
 *	a message if that could not be looked up.
 */
int event_patterns_describe(const struct event_patterns *patterns, const char *option,
			    struct descriptions *descriptions);

/**
 * event_patterns_free() - free what event_patterns_parse() has allocated
 * @patterns: parsed, or zeroed
 */
void event_patterns_free(struct event_patterns *patterns);

#endif /* LTTCTL_EVENT_PATTERNS_H */
