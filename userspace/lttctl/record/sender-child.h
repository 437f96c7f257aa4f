/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The `lttctl send` that sends a recording to a collector while it is recorded.
 *
 * Layer: lttctl.  A process of its own: whatever happens to the network, the recording goes on.  The
 * pieces of the recording are its spool.
 */
#ifndef LTTCTL_SENDER_CHILD_H
#define LTTCTL_SENDER_CHILD_H

#include "lttctl/command.h"

struct recording;

/* For POPT_ARG_INCLUDE_TABLE. */
extern const struct poptOption sender_table[];
#define OPTIONS_SENDER { NULL, 0, POPT_ARG_INCLUDE_TABLE, (void *)sender_table, 0, NULL, NULL }

/**
 * sender_check() - check --to, and have the recording be in pieces
 * @dir: the value of -o; NULL without: then the recording is in a spool, which has a quota
 *
 * Context: before pieces_check().
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int sender_check(const char *dir);

/**
 * sender_dir() - choose the directory of the recording
 * @dir: the value of -o, or NULL
 * @status: receives 0, or EXIT_FAILED after a message
 *
 * Return: @dir, or a new spool that no other user can read.
 */
const char *sender_dir(const char *dir, int *status);

/* Return: true if the directory of the recording is a spool. */
bool sender_has_spool(void);

/* Start to send the recording, whose pieces are there.  Return: 0, or EXIT_FAILED after a message. */
int sender_start(const struct recording *recording);

/* Note that the sender has ended, if it has. */
void sender_reap(void);

/**
 * sender_wait() - wait until the collector has everything
 * @recording: the recording, which has ended; a further signal ends the wait
 *
 * Return: 0; EXIT_FAILED after a message that names the command that sends the rest.
 */
int sender_wait(struct recording *recording);

/* Return: the URL with the session, NULL if the recording is not sent. */
const char *sender_url(void);

/* Remove an empty spool, and free the options' values. */
void sender_free(void);

#endif /* LTTCTL_SENDER_CHILD_H */
