/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The definition of a dynamic probe as a user writes it, for example
 * kprobe:vfs_read(file->f_inode->i_ino, count) or function:vfs_*.  doc/probes.md has the grammar.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PROBE_DEFINITION_H
#define LTTCTL_PROBE_DEFINITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/name.h"

#define PROBE_WHY_SIZE		768	/* bytes of a sentence about a fault */
#define PROBE_ARGUMENTS_MAX	32
#define PROBE_ACCESSES_MAX	16	/* of a value */

/**
 * struct probe_word - a part of the text
 * @at: its first character
 * @len: number of characters; 0 if it is not there
 */
struct probe_word {
	const char *at;
	int len;
};

/**
 * struct probe_access - a step from a value to the next
 * @how: what it does: load from the address plus @number; take a member of the structure
 *	that is pointed to, or of the structure; take an element
 * @name: of the member
 * @number: the offset or the index
 * @user: PROBE_LOAD: the address is in the memory of the program
 * @column: where it stands, from 1 on
 */
struct probe_access {
	enum { PROBE_LOAD, PROBE_ARROW, PROBE_DOT, PROBE_INDEX } how;
	struct probe_word name;
	int64_t number;
	bool user;
	int column;
};

/**
 * struct probe_argument - a field of the event
 * @name: its name, or the name that the value suggests; @len 0 for none
 * @base: what the value begins with
 * @word: PROBE_NAME and PROBE_REGISTER: its name
 * @number: PROBE_NUMBER: the number; PROBE_ARGUMENT: the number of the argument, from 1 on
 * @accesses: in order
 * @nr_accesses: number of @accesses
 * @type: how to record it; PROBE_DEFAULT: by the type that it has
 * @sign: PROBE_INTEGER: u, s or x
 * @bits: PROBE_INTEGER: 8, 16, 32 or 64
 * @count: elements of an array, the most bytes of a string; 0 for none
 * @user: the array or string is in the memory of the program
 * @column: where it stands, from 1 on
 */
struct probe_argument {
	struct probe_word name;
	enum { PROBE_NAME, PROBE_REGISTER, PROBE_ARGUMENT, PROBE_RETURN, PROBE_NUMBER } base;
	struct probe_word word;
	int64_t number;
	struct probe_access accesses[PROBE_ACCESSES_MAX];
	int nr_accesses;
	enum { PROBE_DEFAULT, PROBE_INTEGER, PROBE_TEXT, PROBE_STRING } type;
	char sign;
	int bits;
	int count;
	bool user;
	int column;
};

/**
 * struct probe_definition - a definition
 * @kind: the group of the marker
 * @name: name of the marker
 * @module: kprobes: the module of the kernel, "" for none; usdt: the provider
 * @symbol: the function; a glob of functions; the name of the usdt probe; "" for an offset in a file
 * @path: the file of a program
 * @offset: what is added to the symbol, or to the beginning of the file; samples a second
 * @has_arguments: there are parentheses
 * @argument: what is in them
 * @nr_arguments: number of @argument
 */
struct probe_definition {
	enum probe_kind { PROBE_KPROBE, PROBE_KRETPROBE, PROBE_UPROBE, PROBE_URETPROBE, PROBE_USDT, PROBE_FUNCTION,
			  PROBE_FUNCTION_GRAPH, PROBE_SAMPLE } kind;
	char name[LTT_NAME_MAX];
	char module[LTT_NAME_MAX];
	char symbol[256];
	char path[4096];
	uint64_t offset;
	bool has_arguments;
	struct probe_argument argument[PROBE_ARGUMENTS_MAX];
	int nr_arguments;
};

/* Return: the group of the markers of a kind. */
const char *probe_group(enum probe_kind kind);

/**
 * probe_is_definition() - check whether a text defines a dynamic probe
 * @text: NUL-terminated text of any length, which is the value of -e
 *
 * Return: false for a pattern, also for kprobe:NAME, which names a marker if there is one.
 */
bool probe_is_definition(const char *text);

/* Return: true for KIND:NAME of the kernel, which defines a probe if there is no such marker, and for
 * sample:FREQUENCY. */
bool probe_may_define(const char *pattern);

/**
 * probe_parse() - parse a definition
 * @text: the text, to which @definition points afterwards
 * @definition: receives it
 * @why: receives, after a fault, a sentence that names the column
 *
 * Return: true if @text is a definition.
 */
bool probe_parse(const char *text, struct probe_definition *definition, char why[PROBE_WHY_SIZE]);

#endif /* LTTCTL_PROBE_DEFINITION_H */
