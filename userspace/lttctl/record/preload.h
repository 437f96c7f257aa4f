/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The libraries that `record --preload` loads into the command, in front of the C library.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PRELOAD_H
#define LTTCTL_PRELOAD_H

#include "event-patterns.h"

#include <stdbool.h>

/**
 * struct preload - the libraries that were asked for
 * @wanted: a bit for each, by its place in the table of preload.c
 */
struct preload {
	unsigned int wanted;
};

/**
 * preload_parse() - take the value of --preload
 * @preload: zeroed; receives the libraries
 * @list: names, separated by commas
 *
 * Return: 0; EXIT_USAGE after a message that lists the names.
 */
int preload_parse(struct preload *preload, const char *list);

/**
 * preload_has_addresses() - find out if their events have code addresses
 * @preload: of preload_parse()
 */
bool preload_has_addresses(const struct preload *preload);

/**
 * preload_add_patterns() - have the events of the libraries recorded
 * @preload: of preload_parse()
 * @patterns: of the command line.  Receives group:* for each library whose group no pattern
 *	of them names, and the event that viewers need for the names of functions
 *
 * Return: 0; EXIT_FAILED after a message if memory is out.
 */
int preload_add_patterns(const struct preload *preload, struct event_patterns *patterns);

/**
 * preload_make() - make the value that LD_PRELOAD must have for a command
 * @preload: of preload_parse(); with none wanted, this does nothing
 * @file: the program of the command
 * @value: receives the value, with that of the environment at its end; the caller frees it
 *
 * Return: 0; EXIT_USAGE after a message if libraries cannot be loaded into this program;
 *	EXIT_FAILED after a message.
 */
int preload_make(const struct preload *preload, const char *file, char **value);

#endif /* LTTCTL_PRELOAD_H */
