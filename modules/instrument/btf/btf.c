// SPDX-License-Identifier: GPL-2.0-only
/* Reading BTF, see btf.h.  Whatever the bytes are, nothing outside of them is read. */
#include "btf.h"

#include <stdlib.h>
#include <string.h>

/* The bytes that follow the struct btf_type, -1 for a kind that is not known. */
static long bytes_behind(const struct btf_type *t)
{
	const long n = btf_count(t);

	switch (btf_kind(t)) {
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return n * sizeof(struct btf_var_secinfo);
	default:
		return -1;
	}
}

/* The layout of a kind of types, as Linux 7 describes it: the bytes behind the type, and those of each of btf_count() behind these. */
struct layout {
	uint8_t bytes;
	uint8_t bytes_of_each;
	uint16_t flags;
};

/* Linux 7 can have a table of layouts, by kind; the last members of its header are the place of it, and its length. */
struct layouts {
	const char *first;
	size_t nr;
};

static struct layouts find_layouts(const struct btf_header *h, const char *body, size_t room)
{
	struct { uint32_t off, len; } table;

	if (h->hdr_len < BTF_HEADER_MIN + sizeof(table))
		return (struct layouts) { .nr = 0 };
	memcpy(&table, (const char *)h + BTF_HEADER_MIN, sizeof(table));
	if (table.off > room || table.len > room - table.off)
		return (struct layouts) { .nr = 0 };
	return (struct layouts) { body + table.off, table.len / sizeof(struct layout) };
}

/* The bytes behind a type of a kind that is not known here; -1 if the kernel does not say, or the next type would not be aligned. */
static int64_t bytes_by_layout(const struct layouts *layouts, const struct btf_type *t)
{
	struct layout layout;
	int64_t bytes;

	if (btf_kind(t) >= layouts->nr)
		return -1;
	memcpy(&layout, layouts->first + btf_kind(t) * sizeof(layout), sizeof(layout));
	bytes = layout.bytes + (int64_t)btf_count(t) * layout.bytes_of_each;
	return bytes % 4 ? -1 : bytes;
}

static const char *read_types(struct btf *b, const char *from, uint32_t size, const struct layouts *layouts)
{
	const char *end = from + size;

	b->types = calloc(size / sizeof(struct btf_type) + 1, sizeof(*b->types));
	if (!b->types)
		return "out of memory";
	b->end = b->first;
	while (from < end) {
		const struct btf_type *t = (const void *)from;
		int64_t behind;

		if (end - from < (long)sizeof(*t))
			return "it ends within a type";
		behind = bytes_behind(t);
		if (behind < 0)
			behind = bytes_by_layout(layouts, t);
		if (behind < 0)
			return "it has a kind of types that is not known";
		if (end - from - (long)sizeof(*t) < behind)
			return "it ends within a type";
		b->types[b->end++ - b->first] = t;
		from += sizeof(*t) + behind;
	}
	return NULL;
}

const char *btf_read(struct btf *b, const void *data, size_t size, const struct btf *base)
{
	const struct btf_header *h = data;
	struct layouts layouts;
	const char *body;
	size_t room;

	*b = (struct btf) { .base = base };
	if (size < BTF_HEADER_MIN || h->magic != BTF_MAGIC)
		return "it is not BTF of this byte order";
	if (h->hdr_len < BTF_HEADER_MIN || h->hdr_len > size)
		return "its header is wrong";
	body = (const char *)data + h->hdr_len;
	room = size - h->hdr_len;
	if (h->type_off > room || h->type_len > room - h->type_off || h->type_off % 4 ||
	    h->str_off > room || h->str_len > room - h->str_off)
		return "its header is wrong";
	b->strings = body + h->str_off;
	b->strings_len = h->str_len;
	if (!h->str_len || b->strings[h->str_len - 1])
		return "its strings have no end";
	b->strings_first = base ? base->strings_first + base->strings_len : 0;
	b->first = base ? base->end : 1;
	layouts = find_layouts(h, body, room);
	return read_types(b, body + h->type_off, h->type_len, &layouts);
}

const struct btf_type *btf_type(const struct btf *b, uint32_t id)
{
	static const struct btf_type nothing;

	while (b->base && id < b->first)
		b = b->base;
	return id >= b->first && id < b->end ? b->types[id - b->first] : &nothing;
}

const char *btf_string(const struct btf *b, uint32_t offset)
{
	while (b->base && offset < b->strings_first)
		b = b->base;
	offset -= b->strings_first;
	return offset < b->strings_len ? b->strings + offset : "";
}

uint32_t btf_find(const struct btf *b, unsigned int kind, const char *name)
{
	uint32_t id;

	for (; b; b = b->base)
		for (id = b->first; id < b->end; id++) {
			const struct btf_type *t = b->types[id - b->first];

			if (btf_kind(t) == kind && !strcmp(btf_string(b, t->name_off), name))
				return id;
		}
	return 0;
}

uint32_t btf_find_only(const struct btf *b, unsigned int kind, const char *name)
{
	uint32_t id, found = 0;

	for (; b; b = b->base)
		for (id = b->first; id < b->end; id++) {
			const struct btf_type *t = b->types[id - b->first];

			if (btf_kind(t) != kind || strcmp(btf_string(b, t->name_off), name))
				continue;
			if (found)
				return 0;
			found = id;
		}
	return found;
}

/* Types can only be nested this deep before they count as a circle. */
#define DEEP	64

uint32_t btf_strip(const struct btf *b, uint32_t id, bool typedefs)
{
	unsigned int i;

	for (i = 0; i < DEEP; i++) {
		const struct btf_type *t = btf_type(b, id);

		switch (btf_kind(t)) {
		case BTF_KIND_TYPEDEF:
			if (!typedefs)
				return id;
			/* fallthrough */
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = t->type;
			break;
		default:
			return id;
		}
	}
	return 0;
}

static const struct btf_member *find_member(const struct btf *b, const struct btf_type *t,
					    const char *name, size_t len, uint32_t *offset,
					    unsigned int depth)
{
	const struct btf_member *m = btf_members(t);
	unsigned int i;

	if (!btf_is_composite(t) || depth == DEEP)
		return NULL;
	for (i = 0; i < btf_count(t); i++) {
		const char *has = btf_string(b, m[i].name_off);
		uint32_t at = *offset + btf_member_bit(t, &m[i]) / 8;
		const struct btf_member *found;

		if (strlen(has) == len && !strncmp(has, name, len)) {
			*offset = at;
			return btf_member_bits(t, &m[i]) ? NULL : &m[i];
		}
		if (*has)
			continue;
		found = find_member(b, btf_type(b, btf_strip(b, m[i].type, false)), name, len, &at, depth + 1);
		if (found) {
			*offset = at;
			return found;
		}
	}
	return NULL;
}

const struct btf_member *btf_find_member(const struct btf *b, const struct btf_type *t,
					 const char *name, size_t len, uint32_t *offset)
{
	return find_member(b, t, name, len, offset, 0);
}

struct btf_range btf_enum_range(const struct btf_type *t)
{
	const struct btf_enum64 *wide = (const void *)(t + 1);
	const struct btf_enum *narrow = (const void *)(t + 1);
	const bool is_signed = BTF_INFO_KFLAG(t->info);
	struct btf_range r = { 0 };
	unsigned int i;

	for (i = 0; i < btf_count(t); i++) {
		uint64_t value;

		if (btf_kind(t) == BTF_KIND_ENUM64)
			value = (uint64_t)wide[i].val_hi32 << 32 | wide[i].val_lo32;
		else if (is_signed)
			value = (int64_t)narrow[i].val;
		else
			value = (uint32_t)narrow[i].val;
		if (is_signed && (int64_t)value < 0) {
			if ((int64_t)value < r.least)
				r.least = value;
		} else if (value > r.greatest) {
			r.greatest = value;
		}
	}
	return r;
}
