/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * From the definition of a dynamic probe to descriptions for the tracer.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PROBE_DESCRIBE_H
#define LTTCTL_PROBE_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>

#include "definition.h"

/**
 * struct descriptions - what is to be made for one definition
 * @text: the descriptions, each GROUP:NAME PLACE FIELD...
 * @nr: how many: a usdt probe has one for each of its places
 */
struct descriptions {
	char **text;
	size_t nr;
};

/**
 * probe_describe() - look up what a definition names
 * @text: the definition
 * @descriptions: zeroed; descriptions are added to it, also some before a fault
 * @why: receives, after a fault, one sentence
 *
 * Return: 0; -EINVAL if the definition is wrong, or names what is not there; another -errno if that could
 *	not be looked up.
 */
int probe_describe(const char *text, struct descriptions *descriptions, char why[PROBE_WHY_SIZE]);

struct lttctl;
struct lttctl_trace;

/**
 * probe_enable() - make a dynamic probe and record it
 * @ctl: a connected handle
 * @trace: record it there, and remove it with the trace; NULL: in every trace
 * @description: of the probe
 *
 * Return: 0; a negative errno, with the sentence of @ctl.
 */
int probe_enable(struct lttctl *ctl, struct lttctl_trace *trace, const char *description);

void descriptions_free(struct descriptions *descriptions);

#endif /* LTTCTL_PROBE_DESCRIBE_H */
