/* SPDX-License-Identifier: GPL-2.0-only */
/* Layer: none; part of ltt-btf. */
#ifndef LTT_BTF_EVENTS_H
#define LTT_BTF_EVENTS_H

#include "declare.h"

/**
 * struct source - the events of the kernel or of one module that are to be recorded by BTF
 * @scope: the types; @before collects what the prototypes need
 * @module: the module's name, "" for the kernel
 * @have: events that others record: left out
 * @systems: the group of an event, by its name; without one it is found when the module
 *	is loaded
 * @members: what is recorded of a structure, see members_read()
 * @classes: the event classes and events, as an event header has them
 * @list: "EVENT SYMBOL" lines, one an event
 * @refused: "EVENT REASON" lines, of events that cannot be recorded
 */
struct source {
	struct scope scope;
	const char *module;
	struct set *have;
	struct set *systems;
	struct set *members;
	struct text classes;
	struct text list;
	struct text refused;
};

/**
 * members_read() - read the table of members
 * @members: filled in
 * @text: the table; cut into pieces
 */
void members_read(struct set *members, char *text);

/**
 * events_tracepoint() - find out whether a type describes a tracepoint
 * @b: where
 * @id: of the type
 *
 * Return: the name of the tracepoint, which two types may describe; NULL if there is none.
 */
const char *events_tracepoint(const struct btf *b, uint32_t id);

/**
 * events_write() - write the events of a source
 * @src: the source
 *
 * Return: their number.
 */
unsigned int events_write(struct source *src);

#endif /* LTT_BTF_EVENTS_H */
