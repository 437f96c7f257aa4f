/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The markers of the programs that run.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_CENSUS_H
#define LTTCTL_CENSUS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct census_site - a marker in a program
 * @event: group:name
 * @fields: lines that describe them, or why the marker is refused
 * @place: "FILE:LINE"
 * @program: "NAME PID"
 * @recorded: somebody listens to it
 */
struct census_site {
	char *event;
	char *fields;
	char *place;
	char *program;
	bool recorded;
};

/**
 * struct census - all of them
 * @site: by event, fields, place and program
 * @nr: how many
 * @cut: some have more than is listed
 * @silent: programs that have not answered, or not in time
 */
struct census {
	struct census_site *site;
	size_t nr;
	bool cut;
	unsigned int silent;
};

/**
 * census_take() - ask all programs, for two seconds at most
 * @census: told what they say; for census_free(), whatever is returned
 *
 * Return: 0, or a status after having said what is wrong.
 */
int census_take(struct census *census);

void census_free(struct census *census);

#endif /* LTTCTL_CENSUS_H */
