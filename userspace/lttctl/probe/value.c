// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Resolves values: names, registers, members and elements.
 *
 * Layer: lttctl.
 */
#include "value.h"
#include "lttctl/nearest.h"
#include "registers.h"
#include "types.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ARRAY_BYTES_MAX 1024	/* as in ltt-probes */

/**
 * struct state - a value that is being resolved
 * @scene: the place
 * @argument: the value
 * @why: receives the fault
 * @steps: what computes the word
 * @type: the type of the value; 0 if it is unknown
 * @in_memory: the word, plus the offset of @steps, is the address of the value
 * @user: that address is in the memory of the program
 * @bit: in memory: the lowest bit of a bit-field, from the address on
 * @bits: in memory: the width of a bit-field, or 0
 * @sign: of a value of unknown type
 * @width: bits of a value of unknown type
 * @column: what is being resolved stands there
 */
struct state {
	const struct scene *scene;
	const struct probe_argument *argument;
	char *why;
	struct steps *steps;
	uint32_t type;
	bool in_memory;
	bool user;
	int bit;
	int bits;
	char sign;
	int width;
	int column;
};

__attribute__((format(printf, 2, 3)))
static bool fault(struct state *state, const char *fmt, ...)
{
	va_list list;
	int len;

	len = snprintf(state->why, PROBE_WHY_SIZE, "column %d: ", state->column);
	va_start(list, fmt);
	vsnprintf(state->why + len, PROBE_WHY_SIZE - len, fmt, list);
	va_end(list);
	return false;
}

static bool in_kernel(const struct scene *scene)
{
	return scene->kind == PROBE_KPROBE || scene->kind == PROBE_KRETPROBE;
}

static struct shape shape_of(const struct state *state)
{
	if (state->type)
		return types_shape(state->scene->types, state->type);
	return (struct shape){ .what = SHAPE_INTEGER, .bits = state->width, .is_signed = state->sign == 's' };
}

/* ---- What a value begins with ---- */

static bool begin_name(struct state *state)
{
	const struct scene *scene = state->scene;
	struct probe_word name = state->argument->word;
	char names[512];
	int where, stack;

	if (scene->kind == PROBE_USDT)
		return fault(state, "the arguments of a usdt probe have no names: use arg1 to arg%d", scene->nr_operands);
	if (!in_kernel(scene))
		return fault(state, "the names of a program's variables are not known: use argN, %%register or OFFSET(VALUE)");
	if (!scene->at_entry)
		return fault(state, "arguments have their places only at the entry of a function: use %%register here");
	if (!scene->prototype)
		return fault(state, "the kernel's BTF does not describe %s: use argN or %%register", scene->function);
	if (!types_argument(scene->types, scene->prototype, name, &state->type, &where, &stack, names, sizeof(names)))
		return fault(state, "%s has no argument %.*s; it has %s", scene->function, name.len, name.at,
			     *names ? names : "none");
	if (where && shape_of(state).what == SHAPE_STRUCTURE)
		return fault(state, "%.*s is a structure in registers, or a register has its address: use %%register", name.len, name.at);
	if (where) {
		steps_add(state->steps, "arg%d", where);
	} else {
		steps_add(state->steps, "%%sp");
		state->steps->offset = stack;
		state->in_memory = true;
	}
	return true;
}

static bool begin_register(struct state *state)
{
	struct probe_register reg = probe_register(state->argument->word);
	char list[PROBE_REGISTERS_SIZE];

	if (!reg.name) {
		probe_registers_list(list);
		return fault(state, "there is no register %%%.*s; there are %s", state->argument->word.len,
			     state->argument->word.at, list);
	}
	steps_add(state->steps, "%%%s", reg.name);
	if (reg.bits < 64)
		steps_add(state->steps, "b%d.%d", reg.from, reg.bits);
	state->width = reg.bits;
	return true;
}

static bool begin_argument(struct state *state)
{
	const struct scene *scene = state->scene;
	int64_t nr = state->argument->number;

	if (scene->kind == PROBE_USDT) {
		const struct operand *operand;

		if (nr > scene->nr_operands)
			return fault(state, "the probe %s has %d arguments", scene->function, scene->nr_operands);
		operand = &scene->operands[nr - 1];
		if (!operand->bits)
			return fault(state, "arg%" PRId64 " of %s is where probes cannot read it", nr, scene->function);
		*state->steps = operand->steps;
		state->sign = operand->sign;
		state->width = operand->bits;
		return true;
	}
	if (!scene->at_entry)
		return fault(state, "arguments have their places only at the entry of a function: use %%register here");
	if (nr > probe_convention.registers)
		return fault(state, "only arg1 to arg%d are in registers: use %d(%%sp) and so on", probe_convention.registers,
			     probe_convention.stack);
	steps_add(state->steps, "arg%" PRId64, nr);
	return true;
}

static bool begin_return(struct state *state)
{
	const struct scene *scene = state->scene;

	if (scene->kind != PROBE_KRETPROBE && scene->kind != PROBE_URETPROBE)
		return fault(state, "only kretprobe and uretprobe have the value that a function returns");
	steps_add(state->steps, "ret");
	state->sign = 's';
	if (scene->prototype)
		state->type = types_returned(scene->types, scene->prototype);
	return true;
}

static bool begin(struct state *state)
{
	switch (state->argument->base) {
	case PROBE_NAME:
		return begin_name(state);
	case PROBE_REGISTER:
		return begin_register(state);
	case PROBE_ARGUMENT:
		return begin_argument(state);
	case PROBE_RETURN:
		return begin_return(state);
	default:
		steps_add(state->steps, "=%" PRId64, state->argument->number);
		state->sign = 's';
		return true;
	}
}

/* ---- Members and loads ---- */

/* Make the word the value, which is an integer or a pointer. */
static bool load(struct state *state, int bits)
{
	int bytes = bits / 8;

	if (!state->in_memory)
		return true;
	if (state->bits) {
		for (bytes = 1; bytes * 8 < state->bit + state->bits; bytes *= 2)
			;
		if (bytes > 8)
			return fault(state, "the bit-field spans more than 8 bytes");
	}
	steps_load(state->steps, state->user, bytes);
	if (state->bits)
		steps_add(state->steps, "b%d.%d", state->bit, state->bits);
	state->in_memory = false;
	state->bits = 0;
	return true;
}

static bool need_types(struct state *state)
{
	if (state->type)
		return true;
	return fault(state, in_kernel(state->scene) ?
		     "the type of the value is not known: begin with an argument of the function" :
		     "the types of programs are not known: use OFFSET(VALUE)");
}

static bool access_member(struct state *state, const struct probe_access *access)
{
	const struct types *types = state->scene->types;
	struct nearest nearest = { .nr = 0 };
	char name[128], near[NEAREST_TEXT];
	uint32_t structure = state->type;
	struct member member;

	if (!need_types(state))
		return false;
	types_name(types, state->type, name, sizeof(name));
	if (access->how == PROBE_ARROW) {
		if (shape_of(state).what != SHAPE_POINTER)
			return fault(state, "what is before -> is not a pointer%s",
				     shape_of(state).what == SHAPE_STRUCTURE ? ": use . for a structure" : "");
		structure = types_target(types, state->type);
		if (!structure || !load(state, 64))
			return fault(state, "what is before -> points to no structure");
	}
	if (types_shape(types, structure).what != SHAPE_STRUCTURE)
		return fault(state, "what is before %s is not a structure%s", access->how == PROBE_ARROW ? "->" : ".",
			     access->how == PROBE_DOT && shape_of(state).what == SHAPE_POINTER ?
			     ": use -> for a pointer" : " that BTF describes");
	types_name(types, structure, name, sizeof(name));
	if (!types_member(types, structure, access->name, &member, &nearest)) {
		nearest_text(&nearest, "", near);
		return fault(state, "%s has no member %.*s%s", name, access->name.len, access->name.at, near);
	}
	state->steps->offset += member.offset / 8;
	state->bit = member.offset % 8;
	state->bits = member.bits;
	state->type = member.type;
	/* A structure on the stack of a function is where its address says, as any other. */
	state->in_memory = true;
	if (access->how == PROBE_ARROW)
		state->user = false;
	return true;
}

static bool access_element(struct state *state, const struct probe_access *access)
{
	struct shape shape;
	uint32_t target;
	int64_t size;

	if (!need_types(state))
		return false;
	shape = shape_of(state);
	target = types_target(state->scene->types, state->type);
	size = target ? types_size(state->scene->types, target) : 0;
	if ((shape.what != SHAPE_ARRAY && shape.what != SHAPE_POINTER) || size <= 0)
		return fault(state, "what is before [ is neither an array nor a pointer to a known type");
	if (shape.what == SHAPE_ARRAY && shape.count && access->number >= shape.count)
		return fault(state, "the array has %d elements, from 0 on", shape.count);
	if (shape.what == SHAPE_POINTER && !load(state, 64))
		return false;
	state->steps->offset += access->number * size;
	state->type = target;
	state->in_memory = true;
	return true;
}

/* OFFSET(VALUE): the value is an address, and what is there has no type. */
static bool access_memory(struct state *state, const struct probe_access *access)
{
	struct shape shape = shape_of(state);

	if (shape.what != SHAPE_INTEGER && shape.what != SHAPE_POINTER)
		return fault(state, "the value in the parentheses is not an address");
	if (!load(state, shape.bits))
		return false;
	state->steps->offset += access->number;
	state->user = access->user || !in_kernel(state->scene);
	state->type = 0;
	state->width = 64;
	state->sign = 'x';
	state->in_memory = true;
	return true;
}

static bool follow(struct state *state)
{
	const struct probe_argument *argument = state->argument;
	int i;

	for (i = 0; i < argument->nr_accesses; i++) {
		const struct probe_access *access = &argument->accesses[i];
		bool good;

		state->column = access->column;
		if (access->how == PROBE_LOAD)
			good = access_memory(state, access);
		else if (access->how == PROBE_INDEX)
			good = access_element(state, access);
		else
			good = access_member(state, access);
		if (!good)
			return false;
	}
	state->column = argument->column;
	return true;
}

/* ---- The type of the field ---- */

static bool default_array(struct state *state, struct field *field, const struct shape *shape)
{
	if (!state->in_memory || (!shape->of_text && !shape->of_integers))
		return fault(state, "the elements of the array are not integers: choose one, [0] and so on");
	if (!shape->count || shape->count * (shape->of_text ? 1 : shape->bits / 8) > ARRAY_BYTES_MAX)
		return fault(state, "the array has no size, or more than %d bytes: write how much to record, as :u8[16]",
			     ARRAY_BYTES_MAX);
	if (shape->of_text)
		snprintf(field->type, sizeof(field->type), "text[%d]", shape->count);
	else
		snprintf(field->type, sizeof(field->type), "%c%d[%d]", shape->is_signed ? 's' : 'u', shape->bits,
			 shape->count);
	steps_flush(state->steps);
	field->memory = state->user ? 'u' : 'k';
	return true;
}

static bool default_type(struct state *state, struct field *field)
{
	struct shape shape = shape_of(state);
	char sign = state->type ? shape.is_signed ? 's' : 'u' : state->sign;

	switch (shape.what) {
	case SHAPE_ARRAY:
		return default_array(state, field, &shape);
	case SHAPE_POINTER:
		sign = 'x';
		/* fall through */
	case SHAPE_INTEGER:
		snprintf(field->type, sizeof(field->type), "%c%d", sign, shape.bits);
		return load(state, shape.bits);
	case SHAPE_STRUCTURE:
		return fault(state, "the value is a structure: choose a member");
	default:
		return fault(state, "the value has a type that cannot be recorded: choose another, as :u64");
	}
}

/* The user says how to record the value. */
static bool given_type(struct state *state, struct field *field)
{
	const struct probe_argument *argument = state->argument;
	struct shape shape = shape_of(state);
	const bool is_memory = argument->type != PROBE_INTEGER || argument->count;
	const bool is_array = state->in_memory && (shape.what == SHAPE_ARRAY || shape.what == SHAPE_STRUCTURE);
	int bits = argument->bits;

	if (is_memory && is_array) {
		/* The address of the array is what we need. */
		steps_flush(state->steps);
		field_set_type(field, argument, state->user ? 'u' : 'k');
		return true;
	}
	if (is_array)
		return fault(state, "the value is an array or a structure: choose an element, or a type with [N]");
	if (is_memory || (state->type && shape.what != SHAPE_OTHER))
		bits = shape.bits;
	if (!load(state, bits))
		return false;
	field_set_type(field, argument, in_kernel(state->scene) ? 'k' : 'u');
	return true;
}

bool value_resolve(const struct scene *scene, const struct probe_argument *argument, struct field *field,
		   char why[PROBE_WHY_SIZE])
{
	struct state state = {
		.scene = scene,
		.argument = argument,
		.why = why,
		.steps = &field->steps,
		.sign = 'x',
		.width = 64,
		.column = argument->column,
	};

	memset(field, 0, sizeof(*field));
	if (!begin(&state) || !follow(&state))
		return false;
	if (!(argument->type == PROBE_DEFAULT ? default_type(&state, field) : given_type(&state, field)))
		return false;
	steps_flush(&field->steps);
	return true;
}
