/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event headers with the events of several sources, that is of the kernel and of modules.
 *
 * Layer: none; part of ltt-btf.
 */
#ifndef LTT_BTF_HEADERS_H
#define LTT_BTF_HEADERS_H

#include "events.h"

/**
 * struct header - an event header that is being written; zeroed at first
 * @types: what has been declared: the text, by name
 * @declarations: of them
 * @events: the classes and events
 * @list: "EVENT SYMBOL" lines
 */
struct header {
	struct set types;
	struct text declarations;
	struct text events;
	struct text list;
};

/**
 * headers_add() - add the events of a source to one of several headers
 * @headers: the headers
 * @nr: their number
 * @src: the source, after events_write()
 *
 * Modules can have types of one name that differ; their events go to different headers.
 *
 * Return: false if its types clash with those of each header.
 */
bool headers_add(struct header *headers, unsigned int nr, const struct source *src);

/* The whole of a header. */
const struct text *header_text(const struct header *h);

#endif /* LTT_BTF_HEADERS_H */
