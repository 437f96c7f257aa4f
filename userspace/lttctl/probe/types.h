/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The types of the kernel, from BTF: arguments of functions and members of structures.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PROBE_TYPES_H
#define LTTCTL_PROBE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "definition.h"

struct btf;

/**
 * struct types - the types that a module of the kernel uses
 * @kernel: those of the kernel itself
 * @btf: those of the module and the kernel; @kernel if there is no module
 */
struct types {
	struct btf *kernel;
	struct btf *btf;
};

/**
 * types_open() - read the types from /sys/kernel/btf
 * @types: receives them, for types_close()
 * @module: a module of the kernel; "" for the kernel itself
 *
 * Return: 0 or a negative errno.
 */
int types_open(struct types *types, const char *module);
void types_close(struct types *types);

/**
 * struct shape - what a type is
 * @what: an integer; a pointer; an array; a structure or union; something else
 * @bits: of an integer, a pointer or an element of an array
 * @is_signed: its sign
 * @count: elements of an array
 * @of_text: an array of char
 * @of_integers: an array of integers or pointers
 */
struct shape {
	enum { SHAPE_INTEGER, SHAPE_POINTER, SHAPE_ARRAY, SHAPE_STRUCTURE, SHAPE_OTHER } what;
	int bits;
	bool is_signed;
	int count;
	bool of_text;
	bool of_integers;
};

struct shape types_shape(const struct types *types, uint32_t type);

/* Return: bytes of a type, or a negative errno. */
int64_t types_size(const struct types *types, uint32_t type);

/* Return: the type that a pointer points to, or that an array has elements of; 0 for others. */
uint32_t types_target(const struct types *types, uint32_t type);

/* Return: the prototype of a function; 0 if there is none. */
uint32_t types_function(const struct types *types, const char *name);

/* Return: the type that a function of this prototype returns. */
uint32_t types_returned(const struct types *types, uint32_t prototype);

#define TYPES_BY_REFERENCE -1

/**
 * types_argument() - look up an argument of a function
 * @types: the types
 * @prototype: of the function
 * @name: of the argument
 * @type: receives its type
 * @where: receives the number of the register that passes it, from 1 on; 0: it is on the stack;
 *	TYPES_BY_REFERENCE: its address is passed
 * @stack: receives its offset from the stack pointer, if it is there
 * @names: receives the names of all arguments, for a message
 * @size: bytes of @names
 *
 * Return: true if there is an argument of that name.
 */
bool types_argument(const struct types *types, uint32_t prototype, struct probe_word name,
		    uint32_t *type, int *where, int *stack, char *names, int size);

/**
 * struct member - a member of a structure or union
 * @type: its type
 * @offset: bits from the beginning of the structure
 * @bits: 0, or the width of a bit-field
 */
struct member {
	uint32_t type;
	uint32_t offset;
	uint32_t bits;
};

struct nearest;

/**
 * types_member() - look up a member, also in unnamed members
 * @types: the types
 * @type: a structure or union
 * @name: of the member
 * @member: receives the member
 * @nearest: is offered all names that there are
 *
 * Return: true if there is such a member.
 */
bool types_member(const struct types *types, uint32_t type, struct probe_word name,
		  struct member *member, struct nearest *nearest);

/* Write the name of a type, for a message. */
void types_name(const struct types *types, uint32_t type, char *to, int size);

#endif /* LTTCTL_PROBE_TYPES_H */
