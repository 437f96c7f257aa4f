/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A recording that a collector, lttng-relayd, receives.
 *
 * Layer: lttctl view, on mirror.h.
 */
#ifndef LTTCTL_LIVE_H
#define LTTCTL_LIVE_H

#include "mirror.h"

#define LIVE_FORM	"net://HOST[:PORT]/host/HOSTNAME/SESSION, net://HOST[:PORT]/SESSION, or net://HOST[:PORT], which lists the sessions"

/**
 * struct live - a recording at a collector
 * @mirror: a copy of it
 * @host: the collector
 * @port: its port for viewers
 * @machine: the machine that records; "": any
 * @session: the name of the session; "": list them
 * @closed: when the session was closed, in milliseconds of the monotonic clock; 0: it was not
 */
struct live {
	struct mirror mirror;
	char host[256];
	char port[16];
	char machine[VIEWER_HOST];
	char session[VIEWER_NAME];
	int64_t closed;
};

/* Return: false if it has not LIVE_FORM. */
bool live_parse(struct live *live, const char *url);

/* Print the sessions of the collector.  Return: 0, or EXIT_FAILED after a message. */
int live_list(struct live *live);

/**
 * live_begin() - connect, and copy what there is
 * @live: from live_parse(); to be ended with live_end(), also on failure
 * @is_interrupted: returns true when the user has had enough
 *
 * Returns when there is something to see, or the session has ended.
 *
 * Return: 0, or EXIT_FAILED after a message.
 */
int live_begin(struct live *live, bool (*is_interrupted)(void));

/* Copy what has been added.  Return: 0, or EXIT_FAILED after a message. */
int live_look(struct live *live);

/* Return: true if nothing more will come. */
bool live_is_over(const struct live *live);

void live_end(struct live *live);

#endif /* LTTCTL_LIVE_H */
