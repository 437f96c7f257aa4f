// SPDX-License-Identifier: GPL-2.0-only
/* Definitions of types by their names, see types.h. */
#include "types.h"

#include <string.h>

bool types_has_tracepoint(const struct btf *b, const char *event)
{
	const char *name = print("btf_trace_%s", event);
	const uint32_t id = btf_find(b, BTF_KIND_TYPEDEF, name);

	return id >= b->first;
}

/* The types in the order in which they are reached. */
struct queue {
	uint32_t *ids;
	uint32_t nr;
	bool *seen;
};

static void reach(struct queue *q, uint32_t id)
{
	if (q->seen[id])
		return;
	q->seen[id] = true;
	q->ids[q->nr++] = id;
}

/* All types that a type refers to. */
static void reach_from(const struct btf *b, struct queue *q, uint32_t id)
{
	const struct btf_type *t = btf_type(b, id);
	unsigned int i;

	switch (btf_kind(t)) {
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		reach(q, t->type < b->end ? t->type : 0);
		break;
	case BTF_KIND_ARRAY:
		reach(q, btf_array(t)->type < b->end ? btf_array(t)->type : 0);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		for (i = 0; i < btf_count(t); i++)
			reach(q, btf_members(t)[i].type < b->end ? btf_members(t)[i].type : 0);
		break;
	case BTF_KIND_FUNC_PROTO:
		for (i = 0; i < btf_count(t); i++)
			reach(q, btf_params(t)[i].type < b->end ? btf_params(t)[i].type : 0);
		break;
	}
}

/* The name that asks for a type; NULL for types that nothing asks for. */
static const char *key_of(const struct btf *b, const struct btf_type *t)
{
	const char *name = btf_string(b, t->name_off);

	if (!*name)
		return NULL;
	switch (btf_kind(t)) {
	case BTF_KIND_STRUCT:
		return print("struct %s", name);
	case BTF_KIND_UNION:
		return print("union %s", name);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return print("enum %s", name);
	case BTF_KIND_TYPEDEF:
		return name;
	default:
		return NULL;
	}
}

/* Note the id of a type by each name that may ask for it, unless there is one already. */
static void note(struct set *wanted, const char *key, uint32_t id)
{
	if (set_has(wanted, key) && !set_value(wanted, key))
		*set_add(wanted, key) = (void *)(uintptr_t)id;
}

static void note_type(const struct btf *b, struct set *wanted, uint32_t id)
{
	const struct btf_type *t = btf_type(b, id);
	const struct btf_enum64 *wide = (const void *)(t + 1);
	const struct btf_enum *narrow = (const void *)(t + 1);
	const char *key = key_of(b, t);
	unsigned int i;

	if (key)
		note(wanted, key, id);
	for (i = 0; btf_is_enum(t) && i < btf_count(t); i++)
		note(wanted, btf_string(b, btf_kind(t) == BTF_KIND_ENUM64 ? wide[i].name_off :
					narrow[i].name_off), id);
}

static void find_near(const struct btf *b, char *const *events, struct set *wanted)
{
	struct queue q = {
		.ids = keep(b->end * sizeof(*q.ids)),
		.seen = keep(b->end * sizeof(*q.seen)),
	};
	uint32_t i;

	q.seen[0] = true;
	for (; *events; events++) {
		const uint32_t id = btf_find(b, BTF_KIND_TYPEDEF, print("btf_trace_%s", *events));

		if (id >= b->first)
			reach(&q, id);
	}
	for (i = 0; i < q.nr; i++) {
		note_type(b, wanted, q.ids[i]);
		reach_from(b, &q, q.ids[i]);
	}
}

/* Of the types that are wanted and not reached, those that are the only ones of their names. */
static void find_single(const struct btf *b, struct set *wanted)
{
	struct set found = { 0 }, several = { 0 };
	const struct btf *in;
	uint32_t id;

	for (in = b; in; in = in->base)
		for (id = in->first; id < in->end; id++) {
			const char *key = key_of(b, btf_type(b, id));

			if (!key || !set_has(wanted, key) || set_value(wanted, key))
				continue;
			if (set_has(&found, key))
				set_add(&several, key);
			else
				*set_add(&found, key) = (void *)(uintptr_t)id;
		}
	for (in = b; in; in = in->base)
		for (id = in->first; id < in->end; id++) {
			const char *key = key_of(b, btf_type(b, id));

			if (key && set_has(&found, key) && !set_has(&several, key))
				note(wanted, key, id);
		}
}

void types_define(struct scope *s, char *const *events, char *const *names)
{
	struct set wanted = { 0 };
	char *const *name;

	for (name = names; *name; name++)
		set_add(&wanted, *name);
	find_near(s->b, events, &wanted);
	find_single(s->b, &wanted);
	for (name = names; *name; name++) {
		const uint32_t id = (uintptr_t)set_value(&wanted, *name);

		if (id)
			define(s, id);
	}
}
