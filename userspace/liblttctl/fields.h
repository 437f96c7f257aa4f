/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The fields of a marker, from the text of the command info.
 *
 * Layer: liblttctl, private.
 */
#ifndef LTTCTL_FIELDS_H
#define LTTCTL_FIELDS_H

#include "core/field.h"
#include "lttctl.h"

/**
 * lttctl_fields_parse() - parse the text of a marker
 * @fields: receives the fields, to be freed by lttctl_fields_free()
 * @text: from lttctl_marker_info(); belongs to @fields from now on, also after an error
 *
 * Return: 0; -ENOMEM; -EPROTO: the tracer is another version.
 */
int lttctl_fields_parse(struct lttctl_fields *fields, char *text);

#endif /* LTTCTL_FIELDS_H */
