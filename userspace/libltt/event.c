// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Events that the program describes while it runs (<ltt/event.h>).
 *
 * Such an event is a site like that of a trace_mark(), in memory that is never freed: a
 * thread may be in the event at any time, and lttd counts the sites of a program.  Equal
 * descriptions share a site, so programs that describe an event again and again need no more
 * memory.
 *
 * Above register.c: it registers the site as a constructor does those of a library.
 */
#include "include/ltt/event.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/protocol.h"
#include "core/mark-format.h"
#include "core/name.h"
#include "listener.h"
#include "mark.h"
#include "recorder.h"
#include "register.h"
#include "sites.h"

#define EVENTS_MAX	16384
#define FORMAT_SIZE	8192	/* one of this size fits into a message to lttd */
#define FILE_SIZE	4096	/* and so does a file's name */
#define KINDS		(LTT_EVENT_HEX - 1)

/**
 * struct field - how a value becomes a word
 * @shift: 64 less the bits of the integer
 * @is_signed: it is sign-extended
 * @is_bool: it becomes 0 or 1
 * @is_pointer: it is the address of a text, or of bytes or integers
 * @has_length: its length is an argument before it
 */
struct field {
	unsigned char shift;
	bool is_signed;
	bool is_bool;
	bool is_pointer;
	bool has_length;
};

/**
 * struct event - an event
 * @site: its site, whose first member is that of struct ltt_event
 * @nr: number of @field
 * @field: its fields
 * @texts: group, name, file and format, each with a NUL
 */
struct event {
	struct ltt_site site;
	unsigned int nr;
	struct field field[LTT_MARK_MAX_ARGS];
	char texts[];
};

_Static_assert(offsetof(struct event, site.enabled) == offsetof(struct ltt_event, enabled),
	       "programs read the byte that the library writes");
_Static_assert(sizeof(struct ltt_event_value) >= 8 + sizeof(size_t) &&
	       sizeof(struct ltt_event_value) <= 16 &&
	       sizeof(struct ltt_event_field) == 2 * sizeof(char *) + 8, "programs have arrays of these");

static void *events;		/* a tree of tsearch(), guarded by ltt_lock, as is the next */
static unsigned int nr_events;

/* ---- Types ---- */

/**
 * struct kind - a type of fields
 * @type: an enum ltt_mark_type; of text and blobs, that of the pointer
 * @size: bytes of the value
 * @is_signed: its sign
 * @conversion: in the format of the site
 * @sequence: in the format, for a sequence; NULL if there are none of this type
 */
struct kind {
	unsigned char type;
	unsigned char size;
	bool is_signed;
	const char *conversion;
	const char *sequence;
};

static const struct kind kinds[] = {
	[LTT_EVENT_BOOL] = { LTT_MARK_BOOL, 1, false, "%d", "%*pA" },
	[LTT_EVENT_S8] = { LTT_MARK_SCHAR, 1, true, "%d", "%*pA" },
	[LTT_EVENT_U8] = { LTT_MARK_UCHAR, 1, false, "%u", "%*pA" },
	[LTT_EVENT_S16] = { LTT_MARK_SHORT, 2, true, "%d", "%*pA" },
	[LTT_EVENT_U16] = { LTT_MARK_USHORT, 2, false, "%u", "%*pA" },
	[LTT_EVENT_S32] = { LTT_MARK_INT, 4, true, "%d", "%*pA" },
	[LTT_EVENT_U32] = { LTT_MARK_UINT, 4, false, "%u", "%*pA" },
	[LTT_EVENT_S64] = { LTT_MARK_LLONG, 8, true, "%lld", "%*pA" },
	[LTT_EVENT_U64] = { LTT_MARK_ULLONG, 8, false, "%llu", "%*pA" },
	[LTT_EVENT_FLOAT] = { LTT_MARK_FLOAT, 4, false, "%f", NULL },
	[LTT_EVENT_DOUBLE] = { LTT_MARK_DOUBLE, 8, false, "%f", NULL },
	[LTT_EVENT_STRING] = { LTT_MARK_STRING, 8, false, "%s", NULL },
	[LTT_EVENT_TEXT] = { LTT_MARK_STRING, 8, false, "%.*s", NULL },
	[LTT_EVENT_BLOB] = { LTT_MARK_POINTER, 8, false, "%*ph", NULL },
};

#define IS_INTEGER(kind)	((kind)->sequence)

/* Return: NULL if there is no such type. */
static const struct kind *find_kind(const struct ltt_event_field *field)
{
	unsigned int number = field->type & KINDS, flags = field->type & ~KINDS;
	const struct kind *kind = &kinds[number];

	if (!number || number >= sizeof(kinds) / sizeof(kinds[0]))
		return NULL;
	if (flags && !(IS_INTEGER(kind) && (flags == LTT_EVENT_HEX || flags == LTT_EVENT_SEQUENCE)))
		return NULL;
	return kind;
}

static bool is_sequence(const struct ltt_event_field *field)
{
	return field->type & LTT_EVENT_SEQUENCE;
}

static bool has_length(const struct ltt_event_field *field)
{
	return is_sequence(field) || field->type == LTT_EVENT_TEXT || field->type == LTT_EVENT_BLOB;
}

/* ---- A site from fields ---- */

/**
 * struct draft - an event that is being described
 * @event: its site and fields; without texts
 * @format: its format
 * @len: of @format
 * @options: with each member that the caller does not give as 0
 */
struct draft {
	struct event event;
	char format[FORMAT_SIZE];
	size_t len;
	struct ltt_event_options options;
};

/* Return: -@err. */
static int refuse(const struct draft *draft, int err, const char *what, const char *why)
{
	if (draft->options.message && draft->options.message_size)
		snprintf(draft->options.message, draft->options.message_size, "%s: %s", what, why);
	return -err;
}

static void add_arg(struct ltt_site *site, unsigned int type, unsigned int size, bool is_signed,
		    unsigned int element)
{
	site->args[site->nr_args++] = type | size << 8 | is_signed << 16 | element << 24;
}

/* Return: 0, or -E2BIG. */
static int add_format(struct draft *draft, const struct ltt_event_field *field, const struct kind *kind)
{
	const char *conversion = is_sequence(field) ? kind->sequence :
				 field->type & LTT_EVENT_HEX ? "%llx" : kind->conversion;
	size_t room = sizeof(draft->format) - draft->len;
	int len;

	if (field->labels)
		len = snprintf(draft->format + draft->len, room, "%s %s{%s} ", field->name, conversion,
			       field->labels);
	else
		len = snprintf(draft->format + draft->len, room, "%s %s ", field->name, conversion);
	if (len < 0 || (size_t)len >= room)
		return refuse(draft, E2BIG, field->name, "the names and labels of the fields are too long");
	draft->len += len;
	return 0;
}

static int add_field(struct draft *draft, const struct ltt_event_field *field)
{
	struct event *event = &draft->event;
	const struct kind *kind = find_kind(field);

	if (!field->name)
		return refuse(draft, EINVAL, "field", "it has no name");
	if (!kind || field->reserved)
		return refuse(draft, EINVAL, field->name, "the field has no type that this version of libltt knows");
	if (field->labels && (!IS_INTEGER(kind) || is_sequence(field) || strchr(field->labels, '}')))
		return refuse(draft, EINVAL, field->name, "labels are NAME=NUMBER,... of an integer");
	if (event->site.nr_args + 1 + has_length(field) > LTT_MARK_MAX_ARGS)
		return refuse(draft, E2BIG, field->name,
			      "an event has at most 12 arguments; texts with a length, blobs and sequences are two");
	if (has_length(field))
		add_arg(&event->site, LTT_MARK_ULLONG, sizeof(uint64_t), false, 0);
	if (is_sequence(field))
		add_arg(&event->site, LTT_MARK_POINTER, sizeof(void *), false, kind->type);
	else
		add_arg(&event->site, kind->type, kind->size, kind->is_signed, 0);
	event->field[event->nr++] = (struct field){
		.shift = 64 - 8 * kind->size,
		.is_signed = kind->is_signed,
		.is_bool = kind->type == LTT_MARK_BOOL,
		.is_pointer = has_length(field) || field->type == LTT_EVENT_STRING,
		.has_length = has_length(field),
	};
	return add_format(draft, field, kind);
}

/* The format is text: have the parser find in it the fields that the caller gave. */
static int check_fields(const struct draft *draft, const struct ltt_event_field *fields, unsigned int nr)
{
	struct ltt_mark_arg args[LTT_MARK_MAX_ARGS];
	struct ltt_mark_fields parsed;
	const char *where, *why;
	unsigned int i;

	ltt_site_args(&draft->event.site, args);
	why = ltt_mark_parse(draft->format, args, draft->event.site.nr_args, &parsed, &where);
	if (why)
		return refuse(draft, EINVAL, *where ? where : draft->format, why);
	for (i = 0; i < nr; i++)
		if (i >= parsed.nr || strcmp(fields[i].name, parsed.field[i].name))
			return refuse(draft, EINVAL, fields[i].name,
				      "a field's name is a letter or _, then letters, digits and _");
	return 0;
}

static int check_names(const struct draft *draft, const char *group, const char *name)
{
	const char *why = "a name is 1 to 63 characters of A-Z a-z 0-9 _ . -, the first not a dot";

	if (!group || !ltt_name_valid(group))
		return refuse(draft, EINVAL, group ? group : "group", why);
	if (!strcmp(group, LTT_PROGRAM_OWN_GROUP))
		return refuse(draft, EINVAL, group, "this group is for the events of lttd");
	if (!name || !ltt_name_valid(name))
		return refuse(draft, EINVAL, name ? name : "name", why);
	return 0;
}

static int describe(struct draft *draft, const char *group, const char *name,
		    const struct ltt_event_field *fields, unsigned int nr)
{
	unsigned int i;
	int err = check_names(draft, group, name);

	for (i = 0; !err && i < nr; i++)
		err = add_field(draft, &fields[i]);
	if (!err)
		err = check_fields(draft, fields, nr);
	draft->event.site.version = LTT_SITE_VERSION;
	draft->event.site.group = group;
	draft->event.site.name = name;
	draft->event.site.file = draft->options.file ? draft->options.file : "";
	draft->event.site.line = draft->options.line;
	draft->event.site.format = draft->format;
	return err;
}

/* A program that was built with a later header may have more options. */
static int take_options(struct draft *draft, const struct ltt_event_options *options)
{
	const char *bytes = (const char *)options;
	size_t i;

	if (!options)
		return 0;
	memcpy(&draft->options, options,
	       options->size < sizeof(*options) ? options->size : sizeof(*options));
	for (i = sizeof(*options); i < options->size; i++)
		if (bytes[i])
			return refuse(draft, E2BIG, "options", "this version of libltt does not know all of them");
	if (draft->options.file && strnlen(draft->options.file, FILE_SIZE) == FILE_SIZE)
		return refuse(draft, ENAMETOOLONG, "file", "the name of the source file has more than 4095 bytes");
	return 0;
}

/* ---- The events of the program ---- */

static int compare(const void *one, const void *other)
{
	const struct ltt_site *a = one, *b = other;
	int differs = strcmp(a->group, b->group);

	if (!differs)
		differs = strcmp(a->name, b->name);
	if (!differs)
		differs = strcmp(a->format, b->format);
	if (!differs)
		differs = strcmp(a->file, b->file);
	if (!differs && a->line != b->line)
		differs = a->line < b->line ? -1 : 1;
	return differs ? differs : memcmp(a->args, b->args, sizeof(a->args));
}

static const char *copy_text(char **to, const char *text)
{
	char *copy = *to;

	*to = stpcpy(copy, text) + 1;
	return copy;
}

/* Return: NULL if memory is out. */
static struct event *copy(const struct event *draft)
{
	const struct ltt_site *site = &draft->site;
	struct event *event = malloc(sizeof(*event) + strlen(site->group) + strlen(site->name) +
				     strlen(site->file) + strlen(site->format) + 4);
	char *to;

	if (!event)
		return NULL;
	*event = *draft;
	to = event->texts;
	event->site.group = copy_text(&to, site->group);
	event->site.name = copy_text(&to, site->name);
	event->site.file = copy_text(&to, site->file);
	event->site.format = copy_text(&to, site->format);
	return event;
}

/* Find the event, or add it.  Return: 0, -ENOSPC or -ENOMEM. */
static int intern(const struct draft *draft, struct event **event)
{
	void *const *known = tfind(&draft->event, &events, compare);

	if (known) {
		*event = *known;
		return 0;
	}
	if (nr_events == EVENTS_MAX)
		return refuse(draft, ENOSPC, draft->event.site.name, "the program has too many events");
	*event = copy(&draft->event);
	if (!*event || !tsearch(*event, &events, compare)) {
		free(*event);
		return refuse(draft, ENOMEM, draft->event.site.name, "memory is out");
	}
	nr_events++;
	return 0;
}

struct ltt_event *ltt_event_create_with(const char *group, const char *name,
					const struct ltt_event_field *fields, unsigned int nr,
					const struct ltt_event_options *options)
{
	struct draft draft = { .len = 0 };
	struct event *event = NULL;
	struct ltt_section before;
	int err = take_options(&draft, options);

	if (!err)
		err = describe(&draft, group, name, fields, nr);
	if (!err) {
		ltt_sites_lock(&before);
		err = intern(&draft, &event);
		/* The caller may go on without the event: recordings are not complete. */
		if (err && ltt_recorders_set_error_for_good(-err))
			ltt_listener_announce();
		ltt_sites_unlock(&before);
	}
	if (err) {
		errno = -err;
		return NULL;
	}
	/* Another thread may have created the event, and may still wait for lttds. */
	ltt_sites_add_described(&event->site);
	ltt_listener_wait();
	return (struct ltt_event *)event;
}

struct ltt_event *ltt_event_create(const char *group, const char *name,
				   const struct ltt_event_field *fields, unsigned int nr)
{
	return ltt_event_create_with(group, name, fields, nr, NULL);
}

/* ---- Writing ---- */

static uint64_t word_of(const struct field *field, const struct ltt_event_value *value)
{
	/* Where addresses have 32 bits, the other half of the value is whatever the caller left there. */
	if (field->is_pointer)
		return (uintptr_t)value->p;
	if (field->is_bool)
		return value->u != 0;
	if (field->is_signed)
		return (int64_t)(value->u << field->shift) >> field->shift;
	return value->u << field->shift >> field->shift;
}

void ltt_event_write(struct ltt_event *public_event, const struct ltt_event_value *values)
{
	const struct event *event = (const struct event *)public_event;
	uint64_t words[LTT_MARK_MAX_ARGS];
	unsigned int i, nr = 0;

	if (!ltt_event_enabled(public_event))
		return;
	for (i = 0; i < event->nr; i++) {
		if (event->field[i].has_length)
			words[nr++] = values[i].length;
		words[nr++] = word_of(&event->field[i], &values[i]);
	}
	ltt_mark_words(&event->site, words, nr, LTT_ORIGIN());
}
