/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Fields of the payload by name, for the records of a state, of which there are few.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_PAYLOAD_H
#define LTTCTL_VIEW_PAYLOAD_H

#include "ltt/ltttrace.h"

/* Find an integer of the payload.  Return: false if there is none of this name. */
bool payload_integer(const struct ltttrace_record *record, const char *name, int64_t *value);

/* Find a text of the payload.  Return: a copy for free(); NULL if there is none of this name, or without memory. */
char *payload_text(const struct ltttrace_record *record, const char *name);

#endif /* LTTCTL_VIEW_PAYLOAD_H */
