// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events from the prototypes of tracepoints, for tracepoints whose event header is not public.
 *
 * Layer: none; part of ltt-btf.
 *
 * For a tracepoint x the kernel has the typedef btf_trace_x, a pointer to a function with
 * its prototype, and the function __traceiter_x (or __probestub_x), from which the names of
 * the arguments are.  A tracepoint of DECLARE_TRACE_CONDITION(), to which no eBPF program can attach, has the
 * functions only.  The output looks like an event header, and probes.h makes
 * probes of it as it does of the kernel's own.  Events of one source with the same
 * arguments share a class, that is a probe.
 *
 * An argument becomes a field of its name: integers and enumerations with their values,
 * pointers to characters as strings, other pointers as addresses, followed by what the
 * table "members" has for the structure they point to.
 */
#include "events.h"

#include <stdlib.h>
#include <string.h>

#define TYPEDEF_PREFIX	"btf_trace_"
#define FUNCTION_PREFIX	"__traceiter_"

struct member {
	struct member *next;
	const char *field;
	const char *path;
};

void members_read(struct set *members, char *text)
{
	char *line, *rest = text;

	while ((line = strtok_r(rest, "\n", &rest))) {
		const char *type = strtok_r(line, " \t", &line);
		const char *field = strtok_r(line, " \t", &line);
		const char *path = strtok_r(line, " \t", &line);
		struct member *m, **end;

		if (!path || *type == '#')
			continue;
		m = keep(sizeof(*m));
		*m = (struct member) { .field = field, .path = path };
		for (end = (struct member **)set_add(members, type); *end; end = &(*end)->next)
			;
		*end = m;
	}
}

/* The fields of a class, and the code that fills them in. */
struct fields {
	struct text fixed;
	struct text strings;
	struct text assign;
	struct set names;
};

/* A name that is neither a macro nor taken. */
static const char *field_name(const struct source *src, struct fields *f, const char *name)
{
	while (set_has(src->scope.known, print("macro %s", name)) || set_has(&f->names, name))
		name = print("%s_", name);
	set_add(&f->names, name);
	return name;
}

static const struct btf_type *stripped(const struct source *src, uint32_t id)
{
	return btf_type(src->scope.b, btf_strip(src->scope.b, id, true));
}

static const char *name_of(const struct source *src, const struct btf_type *t)
{
	return btf_string(src->scope.b, t->name_off);
}

static bool is_character(const struct source *src, uint32_t id)
{
	const struct btf_type *t = stripped(src, id);

	return btf_kind(t) == BTF_KIND_INT && t->size == 1 && !strcmp(name_of(src, t), "char");
}

static bool is_byte(const struct source *src, uint32_t id)
{
	const struct btf_type *t = stripped(src, id);

	return btf_kind(t) == BTF_KIND_INT && t->size == 1 && strcmp(name_of(src, t), "_Bool");
}

/* Can it be recorded as an integer?  (Some machines have integers of 16 bytes.) */
static bool is_integer(const struct btf_type *t)
{
	return (btf_kind(t) == BTF_KIND_INT || btf_is_enum(t)) && t->size <= 8;
}

/* The structure that @t is, or declares.  If several have the name, none is: the members of another one would
 * be read. */
static const struct btf_type *definition(const struct source *src, const struct btf_type *t)
{
	if (btf_kind(t) != BTF_KIND_FWD)
		return t;
	return btf_type(src->scope.b, btf_find_only(src->scope.b, BTF_INFO_KFLAG(t->info) ? BTF_KIND_UNION :
						    BTF_KIND_STRUCT, name_of(src, t)));
}

/*
 * follow() - find the place of a path
 * @from: expression for the address of an object of type @t; receives that of the object which
 *	has the last member
 * @offset: receives its place in there
 *
 * Return: the type of the last member, 0 if there is no such path.
 */
static uint32_t follow(const struct source *src, const struct btf_type *t, const char *path,
		       const char **from, uint32_t *offset)
{
	*offset = 0;
	for (;;) {
		const size_t len = strcspn(path, ".");
		const struct btf_member *m = btf_find_member(src->scope.b, definition(src, t), path, len, offset);

		if (!m)
			return 0;
		if (!path[len])
			return m->type;
		path += len + 1;
		t = stripped(src, m->type);
		if (btf_kind(t) == BTF_KIND_PTR) {
			*from = print("ltt_nofault_pointer(%s, %u)", *from, *offset);
			*offset = 0;
			t = stripped(src, t->type);
		}
	}
}

static void add_integer(struct source *src, struct fields *f, uint32_t id, const char *name)
{
	const char *type = declare(&src->scope, btf_strip(src->scope.b, id, false), "", true);

	append(&f->fixed, "\t\t__field(%s, %s)\n", type, name);
}

static void add_peek(struct fields *f, const char *name, const char *from, uint32_t offset)
{
	append(&f->assign, "\t\tltt_nofault_read(&__entry->%s, sizeof(__entry->%s), %s, %u);\n", name, name,
	       from, offset);
}

/* A member of what the argument @arg points to. */
static void add_member(struct source *src, struct fields *f, const struct btf_type *object,
		       const char *arg, const struct member *m)
{
	const char *from = print("arg_%s", arg);
	const struct btf_type *t;
	const char *name;
	uint32_t offset, id;

	name = print("%s_%s", arg, m->field);
	if (set_has(&f->names, name))
		return;		/* another spelling of the path was there */
	if (!strcmp(m->path, "@pfn")) {
		name = field_name(src, f, name);
		append(&f->fixed, "\t\t__field(unsigned long, %s)\n", name);
		append(&f->assign, "\t\t__entry->%s = ltt_pfn(%s);\n", name, from);
		return;
	}
	id = follow(src, object, m->path, &from, &offset);
	t = stripped(src, id);
	if (!id)
		return;
	if (is_integer(t)) {
		name = field_name(src, f, name);
		add_integer(src, f, id, name);
		add_peek(f, name, from, offset);
	} else if (btf_kind(t) == BTF_KIND_PTR && is_byte(src, t->type)) {
		name = field_name(src, f, name);
		append(&f->strings, "\t\tltt_nofault_string(%s, ltt_nofault_pointer(%s, %u))\n", name, from,
		       offset);
	} else if (btf_kind(t) == BTF_KIND_PTR) {
		name = field_name(src, f, name);
		append(&f->fixed, "\t\t__field(const void *, %s)\n", name);
		add_peek(f, name, from, offset);
	} else if (btf_kind(t) == BTF_KIND_ARRAY && is_byte(src, btf_array(t)->type) &&
		   btf_array(t)->nelems) {
		name = field_name(src, f, name);
		append(&f->fixed, "\t\t__array(%s, %s, %u)\n",
		       is_character(src, btf_array(t)->type) ? "char" : "unsigned char", name,
		       btf_array(t)->nelems);
		add_peek(f, name, from, offset);
	}
}

static void add_pointer(struct source *src, struct fields *f, const struct btf_type *t, const char *arg)
{
	const struct btf_type *object = stripped(src, t->type);
	const char *name = field_name(src, f, arg);
	const struct member *m;

	if (is_character(src, t->type)) {
		append(&f->strings, "\t\tltt_nofault_string(%s, arg_%s)\n", name, arg);
		return;
	}
	append(&f->fixed, "\t\t__field(const void *, %s)\n", name);
	append(&f->assign, "\t\t__entry->%s = arg_%s;\n", name, arg);
	for (m = set_value(src->members, name_of(src, object)); m; m = m->next)
		add_member(src, f, object, arg, m);
}

/* A structure that is passed by value, if it is as large as an integer. */
static void add_structure(struct source *src, struct fields *f, const struct btf_type *t, uint32_t id,
			  const char *arg)
{
	static const char *const types[9] = { [1] = "u8", [2] = "u16", [4] = "u32", [8] = "u64" };
	const char *name;

	if (t->size > 8 || !types[t->size]) {
		src->scope.problem = print("passes %s by value", declare(&src->scope, id, "", false));
		return;
	}
	name = field_name(src, f, arg);
	append(&f->fixed, "\t\t__field(%s, %s)\n", types[t->size], name);
	append(&f->assign, "\t\tmemcpy(&__entry->%s, &arg_%s, sizeof(arg_%s));\n", name, arg, arg);
}

static void add_argument(struct source *src, struct fields *f, uint32_t id, const char *arg)
{
	const struct btf_type *t = stripped(src, id);

	if (is_integer(t)) {
		const char *name = field_name(src, f, arg);

		add_integer(src, f, id, name);
		append(&f->assign, "\t\t__entry->%s = arg_%s;\n", name, arg);
	} else if (btf_kind(t) == BTF_KIND_PTR) {
		add_pointer(src, f, t, arg);
	} else if (btf_is_composite(t)) {
		add_structure(src, f, t, id, arg);
	}
	/* Numbers of 16 bytes have no field; no tracepoint has one. */
}

/* The name of an argument: its own, else that of its place. */
static const char *argument_name(const struct source *src, const struct btf_type *named, unsigned int i)
{
	const char *name = named ? btf_string(src->scope.b, btf_params(named)[i].name_off) : "";

	return *name ? name : print("arg%u", i);
}

/* The function of the tracepoint that BTF has with the names of its arguments. */
static const struct btf_type *named_prototype(const struct source *src, const struct set *functions,
					      const char *event, unsigned int count)
{
	static const char *const prefixes[] = { FUNCTION_PREFIX, "__probestub_" };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		const struct btf_type *function = set_value(functions, print("%s%s", prefixes[i], event));
		const struct btf_type *t;

		if (!function)
			continue;
		t = btf_type(src->scope.b, function->type);
		if (btf_kind(t) == BTF_KIND_FUNC_PROTO && btf_count(t) == count)
			return t;
	}
	return NULL;
}

static void write_event(struct source *src, const struct set *functions, struct set *classes,
			const char *event, const struct btf_type *proto)
{
	const struct btf_type *named = named_prototype(src, functions, event, btf_count(proto));
	struct text args = { 0 }, params = { 0 }, class = { 0 };
	const char *system, *module = *src->module ? src->module : "kernel";
	struct fields f = { 0 };
	void **name;
	unsigned int i;

	/* The first argument is the data of the probe. */
	src->scope.problem = btf_count(proto) > 1 ? NULL : "it has no arguments";
	for (i = 1; i < btf_count(proto); i++) {
		const char *arg = argument_name(src, named, i);

		append(&params, "%s%s", i > 1 ? ", " : "",
		       declare(&src->scope, btf_params(proto)[i].type, print("arg_%s", arg), true));
		append(&args, "%sarg_%s", i > 1 ? ", " : "", arg);
		add_argument(src, &f, btf_params(proto)[i].type, arg);
	}
	if (src->scope.problem) {
		append(&src->refused, "%s %s\n", event, src->scope.problem);
		return;
	}
	append(&class, "\tTP_PROTO(%s),\n\tTP_ARGS(%s),\n\tTP_STRUCT__entry(\n%s%s\t),\n"
	       "\tTP_fast_assign(\n%s\t),\n\tTP_printk())\n", text_of(&params),
	       text_of(&args), text_of(&f.fixed), text_of(&f.strings), text_of(&f.assign));
	name = set_add(classes, text_of(&class));
	if (!*name) {
		*name = print("%s__%s", module, event);
		append(&src->classes, "DECLARE_EVENT_CLASS(%s,\n%s", (char *)*name, text_of(&class));
	}
	system = set_value(src->systems, event);
	append(&src->classes, "#undef TRACE_SYSTEM\n#define TRACE_SYSTEM %s\n", system ? system : "");
	append(&src->classes, "DEFINE_EVENT(%s, %s, TP_PROTO(%s), TP_ARGS(%s))\n", (char *)*name, event,
	       text_of(&params), text_of(&args));
	append(&src->list, "%s ltt_tp__btf_%s__%s\n", event, module, event);
}

/* The text after the prefix; NULL: it begins with another. */
static const char *after(const char *text, const char *prefix)
{
	const size_t len = strlen(prefix);

	return strncmp(text, prefix, len) ? NULL : text + len;
}

const char *events_tracepoint(const struct btf *b, uint32_t id)
{
	const struct btf_type *t = btf_type(b, id);
	const char *name = btf_string(b, t->name_off);

	if (btf_kind(t) == BTF_KIND_TYPEDEF)
		return after(name, TYPEDEF_PREFIX);
	/* BTF of a compiler also has functions that are only declared. */
	if (btf_kind(t) == BTF_KIND_FUNC && btf_count(t) != BTF_FUNC_EXTERN)
		return after(name, FUNCTION_PREFIX);
	return NULL;
}

/* The tracepoint that a type has the prototype of, or NULL.  @typedefs: names of those tracepoints whose
 * functions are not needed.  @proto: receives the prototype */
static const char *tracepoint_of(const struct source *src, uint32_t id, const struct set *typedefs,
				 const struct btf_type **proto)
{
	const struct btf_type *t = btf_type(src->scope.b, id);
	const char *event = events_tracepoint(src->scope.b, id);

	if (!event)
		return NULL;
	if (btf_kind(t) == BTF_KIND_TYPEDEF)
		*proto = stripped(src, stripped(src, id)->type);
	else if (!set_has(typedefs, event))
		*proto = btf_type(src->scope.b, t->type);
	else
		return NULL;
	return btf_kind(*proto) == BTF_KIND_FUNC_PROTO ? event : NULL;
}

unsigned int events_write(struct source *src)
{
	const struct btf *b = src->scope.b;
	struct set functions = { 0 }, typedefs = { 0 }, classes = { 0 };
	unsigned int count = 0;
	uint32_t id;

	for (id = b->first; id < b->end; id++) {
		const struct btf_type *t = btf_type(b, id);
		const char *name = btf_string(b, t->name_off);

		if (btf_kind(t) == BTF_KIND_FUNC && !strncmp(name, "__", 2))
			*set_add(&functions, name) = (void *)t;
		else if (btf_kind(t) == BTF_KIND_TYPEDEF && after(name, TYPEDEF_PREFIX))
			set_add(&typedefs, after(name, TYPEDEF_PREFIX));
	}
	for (id = b->first; id < b->end; id++) {
		const struct btf_type *proto;
		const char *event = tracepoint_of(src, id, &typedefs, &proto);

		if (!event || set_has(src->have, event))
			continue;
		write_event(src, &functions, &classes, event, proto);
		count++;
	}
	return count;
}
