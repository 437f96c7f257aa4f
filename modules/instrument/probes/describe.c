// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the description of a dynamic probe to its fields and steps.
 *
 * Layer: instrument.  Context: task.
 *
 *   GROUP:NAME PLACE [FIELD ...]
 *   FIELD is NAME=TYPE:STEP[,STEP ...]
 *
 * doc/probes.md has the whole grammar.  All limits are checked here, so that what runs when
 * the probe is hit need not check any.
 */
#include "probe.h"

#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#define ARRAY_BYTES_MAX	1024

/* Those that this kernel has. */
static const struct ltt_probe_kind *const kinds[] = {
#ifdef CONFIG_KRETPROBES
	&ltt_kprobe_kind, &ltt_kretprobe_kind,
#endif
#ifdef CONFIG_UPROBES
	&ltt_uprobe_kind, &ltt_uretprobe_kind, &ltt_usdt_kind,
#endif
#ifdef CONFIG_DYNAMIC_FTRACE
	&ltt_function_kind, &ltt_function_graph_kind,
#endif
#ifdef CONFIG_PERF_EVENTS
	&ltt_sample_kind,
#endif
};

/**
 * struct parsing - a description that is being parsed
 * @probe: what is made of it
 * @names: where the next name goes
 * @steps: where the next step goes
 * @bytes: of the payload so far
 * @file: see ltt_probe_create()
 * @why: see ltt_probe_create()
 * @size: bytes of @why
 */
struct parsing {
	struct ltt_probe *probe;
	char *names;
	struct ltt_step *steps;
	unsigned int bytes;
	const struct path *file;
	char *why;
	size_t size;
};

#define fail(parsing, ...)	ltt_probe_fail((parsing)->why, (parsing)->size, -EINVAL, __VA_ARGS__)

/**
 * ltt_probe_next_word() - cut the next word off
 * @text: moved behind the word and the spaces that follow
 *
 * Return: the word; "" when there is none.
 */
const char *ltt_probe_next_word(char **text)
{
	char *word = skip_spaces(*text), *end = word;

	while (*end && !isspace(*end))
		end++;
	*text = skip_spaces(end);
	*end = '\0';
	return word;
}

static char *add_name(struct parsing *parsing, const char *name)
{
	char *to = parsing->names;

	parsing->names += strlen(name) + 1;
	return strcpy(to, name);	/* there is room for twice the description */
}

/* ---- Steps ---- */

static int parse_number(const char *text, s64 *value)
{
	u64 magnitude;
	bool minus = *text == '-';
	int err = kstrtou64(text + minus, 0, &magnitude);

	*value = minus ? -magnitude : magnitude;
	return err;
}

/* A load: k1 to k8 and u1 to u8. */
static bool parse_load(const char *text, struct ltt_step *step)
{
	if ((*text != 'k' && *text != 'u') || !text[1] || !strchr("1248", text[1]) || text[2])
		return false;
	step->op = *text == 'k' ? LTT_STEP_LOAD_KERNEL : LTT_STEP_LOAD_USER;
	step->size = text[1] - '0';
	return true;
}

/* Bits: bFROM.NUMBER */
static bool parse_bits(const char *text, struct ltt_step *step)
{
	unsigned int from, size;
	char end;

	if (sscanf(text, "b%u.%u%c", &from, &size, &end) != 2 || !size || size > 64 || from > 64 - size)
		return false;
	step->op = LTT_STEP_BITS;
	step->from = from;
	step->size = size;
	return true;
}

static bool parse_register(const char *text, struct ltt_step *step)
{
	unsigned int nr;
	int offset = -EINVAL;
	char end;

	if (*text == '%')
		offset = ltt_register_offset(text + 1);
	else if (sscanf(text, "arg%u%c", &nr, &end) == 1)
		offset = ltt_argument_offset(nr);
	step->op = LTT_STEP_REGISTER;
	step->offset = offset;
	return offset >= 0;
}

/* A step that sets the word. */
static bool parse_first(const char *text, struct ltt_step *step)
{
	if (!strcmp(text, "ret")) {
		step->op = LTT_STEP_RETURNED;
		return true;
	}
	if (*text == '=') {
		step->op = LTT_STEP_VALUE;
		return !parse_number(text + 1, &step->value);
	}
	return parse_register(text, step);
}

/* A step that changes it. */
static bool parse_next(const char *text, struct ltt_step *step)
{
	switch (*text) {
	case '+':
		if (text[1] == '%') {
			bool known = parse_register(text + 1, step);

			step->op = LTT_STEP_ADD_REGISTER;
			return known;
		}
		step->op = LTT_STEP_ADD;
		return isdigit(text[1]) && !parse_number(text + 1, &step->value);
	case '-':
		step->op = LTT_STEP_ADD;
		return isdigit(text[1]) && !parse_number(text, &step->value);
	case '*':
		step->op = LTT_STEP_MULTIPLY;
		return isdigit(text[1]) && !parse_number(text + 1, &step->value);
	default:
		return parse_load(text, step) || parse_bits(text, step);
	}
}

/* The hit is at the entry or at the return of a function: check that the first step has its value then. */
static int check_time(struct parsing *parsing, const struct ltt_field *field,
		      struct ltt_fetch *fetch)
{
	const struct ltt_probe_kind *kind = parsing->probe->kind;

	fetch->at_return = kind->at_return;
	if (fetch->steps->op == LTT_STEP_RETURNED) {
		if (!kind->at_return)
			return fail(parsing, "%s: only a %s has a return value", field->name,
				    kind->in_kernel ? "kretprobe" : "uretprobe");
	} else if (kind->keeps_entry) {
		fetch->at_return = false;
		fetch->slot = parsing->probe->nr_slots++;
	}
	return 0;
}

/* @text: STEP[,STEP ...]; k or u at the end: the word is an address. */
static int parse_steps(struct parsing *parsing, char *text, const struct ltt_field *field,
		       struct ltt_fetch *fetch)
{
	const bool in_kernel = parsing->probe->kind->in_kernel;
	const char *word;

	fetch->steps = parsing->steps;
	while ((word = strsep(&text, ","))) {
		struct ltt_step *step = parsing->steps;
		bool is_first = !fetch->nr_steps;

		if (!is_first && !text && (!strcmp(word, "k") || !strcmp(word, "u"))) {
			fetch->how = *word == 'k' ? LTT_FETCH_KERNEL : LTT_FETCH_USER;
			break;
		}
		if (fetch->nr_steps == LTT_PROBE_STEPS_MAX)
			return fail(parsing, "%s: a field has at most %u steps", field->name,
				    LTT_PROBE_STEPS_MAX);
		if (!(is_first ? parse_first(word, step) : parse_next(word, step)))
			return fail(parsing, "%s: \"%.40s\" is not a step%s", field->name, word,
				    is_first ? " to begin with: use %REGISTER, argN, ret or =NUMBER" : "");
		step->is_signed = field->is_signed;
		if (!in_kernel && step->op == LTT_STEP_LOAD_KERNEL)
			return fail(parsing, "%s: a probe of a program reads the memory of the program: use u in place of k",
				    field->name);
		fetch->nr_steps++;
		parsing->steps++;
	}
	if (!in_kernel && fetch->how == LTT_FETCH_KERNEL)
		return fail(parsing, "%s: a probe of a program reads the memory of the program: use u in place of k",
			    field->name);
	return check_time(parsing, field, fetch);
}

/* ---- Fields ---- */

/* The type of an integer: u, s or x, and its bits. */
static bool parse_integer(const char *text, struct ltt_field *field)
{
	unsigned int bits;
	char sign, end;

	if (sscanf(text, "%c%u%c", &sign, &bits, &end) != 2 || !strchr("usx", sign) ||
	    (bits != 8 && bits != 16 && bits != 32 && bits != 64))
		return false;
	field->is_signed = sign == 's';
	field->base = sign == 'x' ? 16 : 10;
	field->size = bits / 8;
	return true;
}

/* @text: u8, s32, x64 and so on, text or string, with [COUNT] behind it. */
static int parse_type(struct parsing *parsing, char *text, struct ltt_field *field,
		      struct ltt_fetch *fetch)
{
	char *bracket = strchr(text, '['), *end = bracket ? strchr(bracket, ']') : NULL;
	unsigned int count = 0;

	field->type = add_name(parsing, text);
	if (bracket) {
		if (!end || end[1])
			return fail(parsing, "%s: the type \"%.40s\" is not TYPE[COUNT]", field->name, text);
		*end = *bracket = '\0';
		if (kstrtouint(bracket + 1, 10, &count) || !count || count > ARRAY_BYTES_MAX)
			return fail(parsing, "%s: the number of elements is 1 to %u", field->name,
				    ARRAY_BYTES_MAX);
	}
	field->size = 1;
	field->base = 10;
	if (!strcmp(text, "string")) {
		field->kind = LTT_FIELD_STRING;
		fetch->is_string = true;
		fetch->size = bracket ? count : LTT_PROBE_STRING;
		return 0;
	}
	if (!strcmp(text, "text") && bracket) {
		field->kind = LTT_FIELD_TEXT;
	} else if (parse_integer(text, field)) {
		field->kind = bracket ? LTT_FIELD_ARRAY : LTT_FIELD_INT;
	} else {
		return fail(parsing, "%s: \"%.40s\" is not a type: use u8 to u64, s8 to s64, x8 to x64, text[N] or string",
			    field->name, text);
	}
	field->count = count;
	if (count * field->size > ARRAY_BYTES_MAX)
		return fail(parsing, "%s: an array has at most %u bytes", field->name, ARRAY_BYTES_MAX);
	fetch->size = field->size * (bracket ? count : 1);
	return 0;
}

static bool is_identifier(const char *name)
{
	size_t len;

	for (len = 0; name[len]; len++)
		if (!isalpha(name[len]) && name[len] != '_' && !(len && isdigit(name[len])))
			return false;
	return len && len < LTT_NAME_MAX;
}

static int parse_field(struct parsing *parsing, char *text)
{
	struct ltt_probe *probe = parsing->probe;
	struct ltt_field *field = &probe->fields[probe->marker.nr_fields];
	struct ltt_fetch *fetch = &probe->fetches[probe->marker.nr_fields];
	char *name = strsep(&text, "="), *type = strsep(&text, ":");
	unsigned int i;
	int err;

	if (!text)
		return fail(parsing, "\"%.60s\" is not a field: use NAME=TYPE:STEP,...", name);
	if (!is_identifier(name))
		return fail(parsing, "\"%.70s\" cannot name a field: use letters, digits and _", name);
	for (i = 0; i < probe->marker.nr_fields; i++)
		if (!strcmp(probe->fields[i].name, name))
			return fail(parsing, "two fields have the name %s", name);
	field->name = add_name(parsing, name);
	err = parse_type(parsing, type, field, fetch);
	if (!err)
		err = parse_steps(parsing, text, field, fetch);
	if (err)
		return err;
	if ((fetch->how == LTT_FETCH_WORD) != (field->kind == LTT_FIELD_INT))
		return fail(parsing, field->kind == LTT_FIELD_INT ?
			    "%s: an integer is a word: k and u alone are for arrays and strings" :
			    "%s: the last step of an array or a string is k or u: where its memory is",
			    field->name);
	parsing->bytes += fetch->size;
	if (parsing->bytes > LTT_PROBE_PAYLOAD_MAX)
		return fail(parsing, "the fields have more than %u bytes: use fewer, or string[N] with a smaller N",
			    LTT_PROBE_PAYLOAD_MAX);
	probe->marker.nr_fields++;
	return 0;
}

/* ---- Descriptions ---- */

static int parse_name(struct parsing *parsing, char *text)
{
	struct ltt_probe *probe = parsing->probe;
	char *group = strsep(&text, ":");
	unsigned int i;

	for (i = 0; text && i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i]->group, group))
			probe->kind = kinds[i];
	if (!probe->kind)
		return fail(parsing, "\"%.40s\": a description begins with%s%s%s%s and a name", group,
			    IS_ENABLED(CONFIG_KRETPROBES) ? " kprobe: kretprobe:" : "",
			    IS_ENABLED(CONFIG_UPROBES) ? " uprobe: uretprobe: usdt:" : "",
			    IS_ENABLED(CONFIG_DYNAMIC_FTRACE) ? " function: function_graph:" : "",
			    IS_ENABLED(CONFIG_PERF_EVENTS) ? " sample:" : "");
	if (!ltt_name_valid(text))
		return fail(parsing, "\"%.70s\" cannot name a probe: use 1 to 63 of A-Z a-z 0-9 _ . - with no leading dot",
			    text);
	strscpy(probe->name, text, sizeof(probe->name));
	probe->marker.group = probe->kind->group;
	probe->marker.name = probe->name;
	return 0;
}

/* White space is a blank or a tab.  Everything else that a place has is written as \NNN. */
static int check_text(struct parsing *parsing, const char *text)
{
	for (; *text; text++)
		if (!isascii(*text) || (!isprint(*text) && *text != '\t'))
			return fail(parsing, "the description has the byte \\%03o, which is not a printable character of ASCII: write it in this form",
				    (unsigned char)*text);
	return 0;
}

static unsigned int count_words(const char *text, const char *separators)
{
	unsigned int nr = 1;

	for (; *text; text++)
		nr += !!strchr(separators, *text);
	return nr;
}

static int allocate(struct parsing *parsing, const char *text)
{
	struct ltt_probe *probe = parsing->probe;

	INIT_LIST_HEAD(&probe->owners);
	probe->text = kstrdup(text, GFP_KERNEL_ACCOUNT);
	/* Each field has its name and its type in there. */
	probe->names = kzalloc(2 * strlen(text) + 2, GFP_KERNEL_ACCOUNT);
	/* Each step ends with one of these, or with the text: see check_text(). */
	probe->steps = kcalloc(count_words(text, " \t,"), sizeof(*probe->steps), GFP_KERNEL_ACCOUNT);
	probe->fields = kcalloc(LTT_PROBE_FIELDS_MAX, sizeof(*probe->fields), GFP_KERNEL_ACCOUNT);
	probe->fetches = kcalloc(LTT_PROBE_FIELDS_MAX, sizeof(*probe->fetches), GFP_KERNEL_ACCOUNT);
	parsing->names = probe->names;
	parsing->steps = probe->steps;
	probe->marker.fields = probe->fields;
	if (probe->text && probe->names && probe->steps && probe->fields && probe->fetches)
		return 0;
	return ltt_probe_fail(parsing->why, parsing->size, -ENOMEM, "there is not enough memory");
}

static int parse(struct parsing *parsing, char *text)
{
	struct ltt_probe *probe = parsing->probe;
	char *place;
	int err = parse_name(parsing, (char *)ltt_probe_next_word(&text));

	if (err)
		return err;
	place = (char *)ltt_probe_next_word(&text);
	if (probe->kind->fields) {
		if (*text)
			return fail(parsing, "\"%.40s\": the fields of %s events are fixed, leave them out", text,
				    probe->kind->group);
		probe->marker.fields = probe->kind->fields;
		probe->marker.nr_fields = probe->kind->nr_fields;
	}
	while (!err && *text) {
		if (probe->marker.nr_fields == LTT_PROBE_FIELDS_MAX)
			return fail(parsing, "a probe has at most %u fields", LTT_PROBE_FIELDS_MAX);
		err = parse_field(parsing, (char *)ltt_probe_next_word(&text));
	}
	/* Last, because the kernel makes room for the slots there. */
	return err ? err : probe->kind->place(probe, place, parsing->file, parsing->why, parsing->size);
}

/**
 * ltt_probe_describe() - make a dynamic probe, disarmed and in no list
 * @text: its description
 * @file: see ltt_probe_create()
 * @why: see ltt_probe_create()
 * @size: bytes of @why
 *
 * Context: may sleep; registry lock held.
 * Return: the probe, for ltt_probe_free() after its kind's release(); ERR_PTR.
 */
struct ltt_probe *ltt_probe_describe(const char *text, const struct path *file, char *why, size_t size)
{
	struct ltt_probe *probe = kzalloc(sizeof(*probe), GFP_KERNEL_ACCOUNT);
	struct parsing parsing = { .probe = probe, .file = file, .why = why, .size = size };
	char *copy = kstrdup(text, GFP_KERNEL);
	int err;

	if (!probe || !copy) {
		err = ltt_probe_fail(why, size, -ENOMEM, "there is not enough memory");
		goto err_free;
	}
	err = check_text(&parsing, text);
	if (!err)
		err = allocate(&parsing, text);
	if (!err)
		err = parse(&parsing, copy);
	if (err)
		goto err_probe;
	kfree(copy);
	return probe;

err_probe:
	ltt_probe_free(probe);
	probe = NULL;
err_free:
	kfree(copy);
	kfree(probe);
	return ERR_PTR(err);
}

/**
 * ltt_probe_free() - free a probe that is placed nowhere
 * @probe: the probe
 */
void ltt_probe_free(struct ltt_probe *probe)
{
	if (probe->kind && probe->kind->is_kept && probe->kind->is_kept(probe))
		return;
	kfree(probe->text);
	kfree(probe->names);
	kfree(probe->steps);
	kfree(probe->fields);
	kfree(probe->fetches);
	kfree(probe);
}
