// SPDX-License-Identifier: GPL-2.0-only
/* C declarations of types in BTF, see declare.h. */
#include "declare.h"

#include <inttypes.h>
#include <string.h>

/* Types of a kernel are nested less deep; types that are nested deeper are a circle, that is wrong. */
#define MAX_DEPTH	100

static const char *tag_of(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_UNION:
		return "union";
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return "enum";
	case BTF_KIND_FWD:
		return BTF_INFO_KFLAG(t->info) ? "union" : "struct";
	default:
		return "struct";
	}
}

static const char *name_of(const struct scope *s, const struct btf_type *t)
{
	return btf_string(s->b, t->name_off);
}

static bool is_known(const struct scope *s, const char *name)
{
	return set_has(s->known, name) || set_has(&s->done, name);
}

static void add(struct scope *s, const char *name, const char *text)
{
	struct declaration *d = keep(sizeof(*d));

	*d = (struct declaration) { .name = name, .text = text };
	if (!s->last)
		s->last = &s->declarations;
	*s->last = d;
	s->last = &d->next;
}

static void forward(struct scope *s, const char *name)
{
	const char *key = print("declared %s", name);

	if (is_known(s, name) || set_has(&s->done, key))
		return;
	set_add(&s->done, key);
	add(s, key, print("%s;\n", name));
}

static char *join(const char *type, const char *name)
{
	return *name ? print("%s %s", type, name) : print("%s", type);
}

/* The integer that an enumeration without a tag is. */
static const char *integer_of(const struct btf_type *t)
{
	const bool is_signed = btf_enum_range(t).least < 0;

	switch (t->size) {
	case 1:
		return is_signed ? "signed char" : "unsigned char";
	case 2:
		return is_signed ? "short" : "unsigned short";
	case 8:
		return is_signed ? "long long" : "unsigned long long";
	default:
		return is_signed ? "int" : "unsigned int";
	}
}

static char *enumerators(const struct scope *s, const struct btf_type *t)
{
	const struct btf_enum64 *wide = (const void *)(t + 1);
	const struct btf_enum *narrow = (const void *)(t + 1);
	struct text list = { 0 };
	unsigned int i;

	for (i = 0; i < btf_count(t); i++) {
		if (btf_kind(t) == BTF_KIND_ENUM64)
			append(&list, "%s = (long long)0x%x%08xULL, ", btf_string(s->b, wide[i].name_off),
			       wide[i].val_hi32, wide[i].val_lo32);
		else
			append(&list, BTF_INFO_KFLAG(t->info) ? "%s = %d, " : "%s = %uU, ",
			       btf_string(s->b, narrow[i].name_off), narrow[i].val);
	}
	return print("%s", text_of(&list));
}

/* The enumerators that make the type what it is; @name makes them unique. */
static char *range(const struct btf_type *t, const char *name)
{
	const struct btf_range r = btf_enum_range(t);

	return print("ltt_least_%s = %" PRId64 ", ltt_greatest_%s = %" PRIu64 "U", name, r.least, name,
		     r.greatest);
}

static char *members(struct scope *s, uint32_t id);

static char *tagged(struct scope *s, const struct btf_type *t, uint32_t id, const char *name, bool by_value)
{
	const char *type;

	if (!*name_of(s, t)) {
		if (btf_is_enum(t))
			return join(integer_of(t), name);
		return join(print("%s {\n%s}", tag_of(t), members(s, id)), name);
	}
	type = print("%s %s", tag_of(t), name_of(s, t));
	if (btf_is_enum(t) || by_value)
		define(s, id);
	else
		forward(s, type);
	return join(type, name);
}

/* A typedef whose type has no name of its own. */
static char *of_typedef(struct scope *s, uint32_t id, const char *name, bool by_value)
{
	const struct btf_type *t = btf_type(s->b, id);
	const uint32_t of_id = btf_strip(s->b, id, true);
	const struct btf_type *of = btf_type(s->b, of_id);

	if (!strcmp(name_of(s, t), "__builtin_va_list") || !strcmp(name_of(s, t), "va_list"))
		return join("__builtin_va_list", name);
	if ((!btf_is_composite(of) && !btf_is_enum(of)) || *name_of(s, of))
		return declare(s, t->type, name, by_value);
	/* The innermost of several typedefs. */
	if (btf_kind(btf_type(s->b, t->type)) == BTF_KIND_TYPEDEF)
		return of_typedef(s, t->type, name, by_value);
	define(s, id);
	return join(name_of(s, t), name);
}

static char *parameters(struct scope *s, const struct btf_type *t)
{
	const struct btf_param *p = btf_params(t);
	struct text list = { 0 };
	unsigned int i;

	for (i = 0; i < btf_count(t); i++)
		append(&list, "%s%s", i ? ", " : "",
		       p[i].type ? declare(s, p[i].type, "", false) : "...");
	return print("%s", i ? text_of(&list) : "void");
}

static bool needs_brackets(const struct scope *s, uint32_t id)
{
	const unsigned int kind = btf_kind(btf_type(s->b, btf_strip(s->b, id, true)));

	return kind == BTF_KIND_ARRAY || kind == BTF_KIND_FUNC_PROTO;
}

static char *qualified(struct scope *s, const struct btf_type *t, const char *word, const char *name,
		       bool by_value)
{
	/* "int *const p", but "const int p". */
	if (btf_kind(btf_type(s->b, btf_strip(s->b, t->type, true))) == BTF_KIND_PTR)
		return declare(s, t->type, join(word, name), by_value);
	return print("%s %s", word, declare(s, t->type, name, by_value));
}

static char *any(struct scope *s, uint32_t id, const char *name, bool by_value)
{
	const struct btf_type *t = btf_type(s->b, id);

	switch (btf_kind(t)) {
	case BTF_KIND_UNKN:
		return join("void", name);
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
		return join(name_of(s, t), name);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return tagged(s, t, id, name, by_value);
	case BTF_KIND_FWD:
		if (by_value)
			s->problem = print("%s %s is not defined", tag_of(t), name_of(s, t));
		forward(s, print("%s %s", tag_of(t), name_of(s, t)));
		return join(print("%s %s", tag_of(t), name_of(s, t)), name);
	case BTF_KIND_TYPEDEF:
		return of_typedef(s, id, name, by_value);
	case BTF_KIND_CONST:
		return qualified(s, t, "const", name, by_value);
	case BTF_KIND_VOLATILE:
		return qualified(s, t, "volatile", name, by_value);
	case BTF_KIND_RESTRICT:
		return qualified(s, t, "restrict", name, by_value);
	case BTF_KIND_TYPE_TAG:
		return declare(s, t->type, name, by_value);
	case BTF_KIND_PTR:
		return declare(s, t->type, print(needs_brackets(s, t->type) ? "(*%s)" : "*%s", name), false);
	case BTF_KIND_ARRAY:
		return declare(s, btf_array(t)->type, print("%s[%u]", name, btf_array(t)->nelems), true);
	case BTF_KIND_FUNC_PROTO:
		return declare(s, t->type, print("%s(%s)", name, parameters(s, t)), false);
	default:
		s->problem = print("it has a type of kind %u", btf_kind(t));
		return join("void", name);
	}
}

char *declare(struct scope *s, uint32_t id, const char *name, bool by_value)
{
	char *text;

	if (s->depth == MAX_DEPTH) {
		s->problem = "its types are a circle";
		return join("void", name);
	}
	s->depth++;
	text = any(s, id, name, by_value);
	s->depth--;
	return text;
}

/* One member, at its place whatever the others are. */
static void one_member(struct scope *s, struct text *list, const struct btf_type *t,
		       const struct btf_member *m, uint32_t base)
{
	const uint32_t bit = base + btf_member_bit(t, m), bits = btf_member_bits(t, m);
	const uint32_t inner = btf_strip(s->b, m->type, false);
	const char *name = btf_string(s->b, m->name_off), *outer_problem = s->problem, *type;
	unsigned int i;

	if (!*name && btf_is_composite(btf_type(s->b, inner)) && s->depth < MAX_DEPTH) {
		const struct btf_type *in = btf_type(s->b, inner);

		s->depth++;
		for (i = 0; i < btf_count(in); i++)
			one_member(s, list, in, &btf_members(in)[i], bit);
		s->depth--;
		return;
	}
	if (!*name)
		return;
	s->problem = NULL;
	type = declare(s, m->type, name, true);
	if (!s->problem) {
		append(list, "struct {");
		if (bit / 8)
			append(list, " unsigned char ltt_%u_%u[%u];", bit, (unsigned int)list->len, bit / 8);
		if (bits && bit % 8)
			append(list, " unsigned char : %u;", bit % 8);
		append(list, " %s", type);
		if (bits)
			append(list, " : %u", bits);
		append(list, "; } __attribute__((packed));\n");
	}
	s->problem = outer_problem;
}

/* The members of a structure or union, inside of it. */
static char *members(struct scope *s, uint32_t id)
{
	const struct btf_type *t = btf_type(s->b, id);
	struct text list = { 0 };
	unsigned int align = 8, i;

	while (t->size % align)
		align /= 2;
	append(&list, "union {\nunsigned char ltt_all_%u[%u];\n", id, t->size);
	for (i = 0; i < btf_count(t); i++)
		one_member(s, &list, t, &btf_members(t)[i], 0);
	append(&list, "} __attribute__((aligned(%u)));\n", align);
	return print("%s", text_of(&list));
}

static char *definition(struct scope *s, uint32_t id, const char *name)
{
	const struct btf_type *t = btf_type(s->b, id);

	if (!btf_is_enum(t))
		return print("{\n%s}", members(s, id));
	return print("{ %s }%s", s->enumerators ? enumerators(s, t) : range(t, name),
		     t->size < 4 ? " __attribute__((packed))" : "");
}

static char *checked(const char *definition, const char *type, const struct btf_type *t)
{
	return print("%s;\n_Static_assert(sizeof(%s) == %u, \"the size of %s is not that of BTF\");\n",
		     definition, type, t->size, type);
}

void define(struct scope *s, uint32_t id)
{
	const struct btf_type *t = btf_type(s->b, id);
	const char *name = name_of(s, t), *key, *text;

	key = btf_kind(t) == BTF_KIND_TYPEDEF ? print("typedef %s", name) : print("%s %s", tag_of(t), name);
	if (is_known(s, key))
		return;
	set_add(&s->done, key);
	if (btf_kind(t) != BTF_KIND_TYPEDEF) {
		text = checked(print("%s %s", key, definition(s, id, name)), key, t);
	} else {
		const uint32_t of_id = btf_strip(s->b, id, true);
		const struct btf_type *of = btf_type(s->b, of_id);

		if ((btf_is_composite(of) || btf_is_enum(of)) && !*name_of(s, of))
			text = checked(print("typedef %s %s %s", tag_of(of), definition(s, of_id, name), name),
				       name, of);
		else
			text = print("typedef %s;\n", declare(s, t->type, name, false));
	}
	/* Behind those that it needed itself. */
	add(s, key, text);
}
