/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The markers of running programs.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_CENSUS_H
#define LTTCTL_CENSUS_H

#include <stdbool.h>
#include <stddef.h>

struct marker;

/**
 * struct census_site - a marker in a program
 * @event: group:name
 * @fields: a line for each field, or "refused: REASON"
 * @place: "FILE:LINE"
 * @program: "NAME PID"
 * @recorded: an lttd records it
 */
struct census_site {
	char *event;
	char *fields;
	char *place;
	char *program;
	bool recorded;
};

/**
 * struct census - the markers of all running programs
 * @site: the sites, sorted by event, fields, place and program
 * @nr: number of @site
 * @cut: a program has more markers than @site contains
 * @silent: number of programs that did not answer in time
 */
struct census {
	struct census_site *site;
	size_t nr;
	bool cut;
	unsigned int silent;
};

/**
 * census_fields() - describe a marker as &census_site.fields does
 * @marker: the marker
 *
 * Return: a text that the caller frees; NULL without memory.
 */
char *census_fields(const struct marker *marker);

/**
 * census_take() - collect the markers of all running programs, for two seconds at most
 * @census: receives the sites; to be freed by census_free() also after an error
 *
 * Return: 0, or a status after an error message.
 */
int census_take(struct census *census);

/**
 * census_free() - free the sites
 * @census: of census_take()
 */
void census_free(struct census *census);

#endif /* LTTCTL_CENSUS_H */
