/* SPDX-License-Identifier: GPL-2.0-only */
/* Layer: none; part of ltt-btf. */
#ifndef LTT_BTF_TYPES_H
#define LTT_BTF_TYPES_H

#include "declare.h"

/* Is a tracepoint of this name in the own types of @b? */
bool types_has_tracepoint(const struct btf *b, const char *event);

/**
 * types_define() - define types by their names
 * @s: the scope; its types are those of the code that has the tracepoints
 * @events: names of tracepoints, NULL at the end
 * @names: "struct file", "enum x" or "loff_t", NULL at the end.  A name alone is that of a typedef
 *	or of an enumerator
 *
 * There may be several types of one name, in the sources of different subsystems.  The type
 * meant is the one that is nearest to the arguments of the tracepoints.  A type that is not
 * reached from there is defined if it is the only one of its name.  Names that are not
 * found are left out.
 */
void types_define(struct scope *s, char *const *events, char *const *names);

#endif /* LTT_BTF_TYPES_H */
