// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The check of filters, before any of their code runs, and the filters of the program.
 *
 * The check replaces the numbers of fields by those of arguments, so that the machine looks nothing up.
 */
#include "filter.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "glob.h"

#define BYTES_MAX	(8U << 20)	/* of all filters of the program */

/* ---- The check ---- */

/**
 * struct checker - code that is being checked
 * @code: the code
 * @fields: the fields of the marker
 * @at: number of the instruction
 * @depth: values on the stack before it
 * @target: for each instruction and the end, 1 more than the depth that a jump to it has; 0: there is none
 */
struct checker {
	const struct ltt_filter_code *code;
	const struct ltt_mark_fields *fields;
	unsigned int at;
	unsigned int depth;
	uint8_t target[LTT_FILTER_INSNS_MAX + 1];
};

/* Return: NULL if the marker has no such field. */
static const struct ltt_field *find_field(const struct checker *checker, unsigned int number)
{
	return number < checker->fields->nr ? &checker->fields->field[number] : NULL;
}

/* Return: the number of the argument that holds a field; a length has no field of its own. */
static unsigned int argument_of(const struct ltt_mark_fields *fields, unsigned int field)
{
	unsigned int argument = 0;

	while (fields->step[argument].how == LTT_MARK_LENGTH || field--)
		argument++;
	return argument;
}

static bool check_field(const struct checker *checker, struct ltt_filter_insn *insn)
{
	const struct ltt_field *field = find_field(checker, insn->which);

	if (!field || field->kind != LTT_FIELD_INT)
		return false;
	insn->which = argument_of(checker->fields, insn->which);
	insn->to = 64 - 8 * field->size;
	insn->unused = field->is_signed;
	return true;
}

static bool check_source(const struct checker *checker, struct ltt_filter_insn *insn)
{
	const struct ltt_field *field = find_field(checker, insn->which);

	if (insn->which == LTT_FILTER_COMM) {
		insn->unused = LTT_TEXT_COMM;
		return true;
	}
	if (!field || (field->kind != LTT_FIELD_STRING && field->kind != LTT_FIELD_TEXT))
		return false;
	insn->which = argument_of(checker->fields, insn->which);
	/* The only text of fixed size in a marker is a character. */
	insn->unused = field->kind == LTT_FIELD_TEXT ? LTT_TEXT_CHARACTER : LTT_TEXT_POINTER;
	return true;
}

static bool has_text(const struct checker *checker, const struct ltt_filter_insn *insn)
{
	return insn->to <= LTT_FILTER_TEXT_MAX && insn->number <= checker->code->size &&
	       insn->to <= checker->code->size - insn->number;
}

/* A text with a NUL would be compared beyond the NUL of the value. */
static bool check_text(const struct checker *checker, struct ltt_filter_insn *insn)
{
	const char *text = checker->code->text;

	if (!has_text(checker, insn) || memchr(text + insn->number, '\0', insn->to))
		return false;
	if (insn->op == LTT_FILTER_LIKE && !ltt_glob_is_valid(text + insn->number, insn->to))
		return false;
	return check_source(checker, insn);
}

/* All ways to an instruction have the same depth. */
static bool check_jump(struct checker *checker, const struct ltt_filter_insn *insn)
{
	uint8_t *target;

	if (insn->to <= checker->at || insn->to > checker->code->nr)
		return false;
	target = &checker->target[insn->to];
	if (*target && *target != checker->depth + 1)
		return false;
	*target = checker->depth + 1;
	return true;
}

static bool check_operation(struct checker *checker, const struct ltt_filter_insn *insn)
{
	if (insn->op >= LTT_FILTER_OPS || insn->which > 1)
		return false;
	if (insn->which)
		return true;
	return checker->depth-- > 0;
}

static bool check_insn(struct checker *checker, struct ltt_filter_insn *insn)
{
	switch (insn->op) {
	case LTT_FILTER_FIELD:
		return check_field(checker, insn);
	case LTT_FILTER_CONTEXT:
		return insn->which < LTT_FILTER_CONTEXTS;
	case LTT_FILTER_NUMBER:
	case LTT_FILTER_NEGATE:
	case LTT_FILTER_COMPLEMENT:
		return true;
	case LTT_FILTER_IS:
	case LTT_FILTER_LIKE:
		return check_text(checker, insn);
	case LTT_FILTER_PUSH:
		return checker->depth++ < LTT_FILTER_STACK_MAX;
	case LTT_FILTER_JUMP_IF:
	case LTT_FILTER_JUMP_UNLESS:
	case LTT_FILTER_JUMP_IF_EQUAL:
		return check_jump(checker, insn);
	default:
		return check_operation(checker, insn);
	}
}

static bool arrives(const struct checker *checker, unsigned int at)
{
	return !checker->target[at] || checker->target[at] == checker->depth + 1;
}

/* Each instruction can be reached from the one before it, so one pass sees all. */
static bool check(const struct ltt_filter_code *code, const struct ltt_mark_fields *fields,
		  struct ltt_filter_insn *insn)
{
	struct checker checker = { .code = code, .fields = fields };

	for (; checker.at < code->nr; checker.at++)
		if (!arrives(&checker, checker.at) || !check_insn(&checker, &insn[checker.at]))
			return false;
	return arrives(&checker, code->nr);
}

static struct ltt_filter *copy(const struct ltt_filter_code *code)
{
	struct ltt_filter *filter = malloc(sizeof(*filter) + code->nr * sizeof(code->insn[0]) + code->size);

	if (!filter)
		return NULL;
	filter->nr = code->nr;
	filter->size = code->size;
	memcpy(filter->insn, code->insn, code->nr * sizeof(code->insn[0]));
	memcpy(&filter->insn[code->nr], code->text, code->size);
	return filter;
}

struct ltt_filter *ltt_filter_new(const struct ltt_filter_code *code, const struct ltt_mark_fields *fields, int *err)
{
	struct ltt_filter *filter;

	*err = -EBADMSG;
	if (code->nr > LTT_FILTER_INSNS_MAX || code->size > LTT_FILTER_TEXTS_MAX)
		return NULL;
	filter = copy(code);
	if (!filter) {
		*err = -ENOMEM;
	} else if (check(code, fields, filter->insn)) {
		*err = 0;
		return filter;
	}
	free(filter);
	return NULL;
}

/* ---- All filters ---- */

static void *filters;		/* a tree of tsearch(), guarded by ltt_lock, as is the next */
static size_t bytes;

static size_t size_of(const struct ltt_filter *filter)
{
	return sizeof(*filter) + filter->nr * sizeof(filter->insn[0]) + filter->size;
}

static int compare(const void *one, const void *other)
{
	const struct ltt_filter *a = one, *b = other;

	if (a->nr != b->nr)
		return a->nr < b->nr ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return memcmp(a, b, size_of(a));
}

/* Find the equal of @filter, which is freed then, or add it. */
static const struct ltt_filter *intern(struct ltt_filter *filter, int *err)
{
	void *const *known = tfind(filter, &filters, compare);

	if (known) {
		free(filter);
		return *known;
	}
	*err = bytes > BYTES_MAX - size_of(filter) ? -ENOSPC : tsearch(filter, &filters, compare) ? 0 : -ENOMEM;
	if (*err) {
		free(filter);
		return NULL;
	}
	bytes += size_of(filter);
	return filter;
}

const struct ltt_filter *ltt_filter_get(const struct ltt_filter_code *code, const struct ltt_mark_fields *fields,
					int *err)
{
	struct ltt_filter *filter = ltt_filter_new(code, fields, err);

	return filter ? intern(filter, err) : NULL;
}
