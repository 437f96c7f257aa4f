// SPDX-License-Identifier: GPL-2.0-only
/* Event headers with the events of several sources, see headers.h. */
#include "headers.h"

#include <string.h>

/* Modules can have types of one name that differ; they need headers of their own. */
static bool clashes(const struct header *h, const struct scope *s)
{
	const struct declaration *d;

	for (d = s->declarations; d; d = d->next)
		if (set_has(&h->types, d->name) && strcmp(set_value(&h->types, d->name), d->text))
			return true;
	return false;
}

static void add_source(struct header *h, const struct source *src)
{
	const struct declaration *d;

	for (d = src->scope.declarations; d; d = d->next)
		if (!set_has(&h->types, d->name)) {
			*set_add(&h->types, d->name) = (void *)d->text;
			append(&h->declarations, "%s", d->text);
		}
	append(&h->events, "#undef LTT_UNIT\n#define LTT_UNIT btf_%s\n", *src->module ? src->module : "kernel");
	append(&h->events, "#undef LTT_MODULE\n#define LTT_MODULE \"%s\"\n", src->module);
	append(&h->events, "%s", text_of(&src->classes));
	append(&h->list, "%s", text_of(&src->list));
}

/* The shortest header that has no other types of the names of a source; NULL if there is none. */
static struct header *header_for(struct header *headers, unsigned int nr, const struct source *src)
{
	struct header *best = NULL;
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (!clashes(&headers[i], &src->scope) && (!best || headers[i].events.len < best->events.len))
			best = &headers[i];
	return best;
}

bool headers_add(struct header *headers, unsigned int nr, const struct source *src)
{
	struct header *h = header_for(headers, nr, src);

	if (h)
		add_source(h, src);
	return h;
}

const struct text *header_text(const struct header *h)
{
	struct text *all = keep(sizeof(*all));

	append(all, "/* Made by modules/instrument/btf: events by the prototypes of tracepoints. */\n");
	append(all, "#ifndef TRACE_HEADER_MULTI_READ\n%s#else\n%s#endif\n", text_of(&h->declarations),
	       text_of(&h->events));
	return all;
}
