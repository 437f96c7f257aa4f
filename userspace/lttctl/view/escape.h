/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Texts in JSON and CSV.  Bytes that are not UTF-8 become U+FFFD, the replacement character.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_ESCAPE_H
#define LTTCTL_VIEW_ESCAPE_H

#include "out.h"

/* Write a string of JSON, with its quotation marks (RFC 8259). */
void escape_json(struct out *out, const char *text, size_t len);

/* Write a field of CSV, between quotation marks where it needs them (RFC 4180). */
void escape_csv(struct out *out, const char *text, size_t len);

#endif /* LTTCTL_VIEW_ESCAPE_H */
