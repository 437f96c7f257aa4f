/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Expressions on the fields of an event, such as
 *
 *   prev_comm ~ "kworker*" && prev_prio < 100
 *
 * Layer: user space, below lttctl, liblttctl and lttd; uses core and common/filter.h.  doc/expressions.md has the grammar.
 *
 * A text is parsed once, and bound to the scope of each event that it is asked about: the
 * event's fields and the contexts that have a value there.  A bound expression has three back
 * ends, which agree on each event: an evaluator, a program for the kernel's eBPF, and code that libltt runs.
 *
 *   expression_parse() -> expression_bind() -> expression_holds(), expression_holds_payload()
 *                                           -> expression_emit() -> expression_load()
 *                                           -> expression_emit_code()
 *
 * expression_compile() is all of the first three for a filter in the kernel.  Such a filter can also have
 * actions: what an event does, and on which condition.
 *
 * Conventions: a function that returns int returns 0, or what "Return:" says, on success and a
 * negative errno on failure; it then fills in the error, and leaves what it should have made
 * NULL or unset.  Nothing prints.  Context: one thread at a time, not a signal handler.
 */
#ifndef LTT_EXPRESSION_H
#define LTT_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/bpf.h>

#include "core/field.h"

#define EXPRESSION_TEXT_MAX	4096	/* bytes of a text, with its NUL */
#define EXPRESSION_DEPTH_MAX	64	/* of parentheses and unary operators */
#define EXPRESSION_STRING_MAX	255	/* characters of a value that are looked at; one less in a constant */
#define EXPRESSION_PROGRAM_MAX	4096	/* eBPF instructions */
#define EXPRESSION_CGROUPS_MAX	256	/* cgroups that a comparison with paths is about */
#define EXPRESSION_PLACES_MAX	16	/* places of code that an on_stack() is about */
#define EXPRESSION_COUNTERS_TEXT 96	/* bytes of the names of LTT_RUN_COUNTERS counters */

/**
 * struct expression_error - what is wrong
 * @column: the place in the text, from 1 on; 0: it is not about a place
 * @text: one sentence without a column
 */
struct expression_error {
	unsigned int column;
	char text[4096];
};

struct expression;
struct expression_bound;

/* --- The text ------------------------------------------------------- */

/**
 * expression_parse() - parse an expression
 * @text: the text
 * @expression: receives the expression, to be freed by expression_free()
 * @error: receives what is wrong
 *
 * Return: 0; -EINVAL: the text is not an expression; -E2BIG: it is longer or deeper than it may be; -ENOMEM.
 */
int expression_parse(const char *text, struct expression **expression, struct expression_error *error);

/* As expression_parse(), of a filter in the kernel, which may have actions: "EXPRESSION; ACTION EXPRESSION; ...".
 * An evaluator ignores them. */
int expression_parse_filter(const char *text, struct expression **expression, struct expression_error *error);

/* Return: true if there is an action. */
bool expression_has_actions(const struct expression *expression);

/**
 * struct expression_call - since(EVENT, KEY), or between(EVENT, END, KEY)
 * @event: group:name
 * @key: the name of a field or context of both, or "0"
 * @end: group:name; NULL: since()
 */
struct expression_call {
	const char *event;
	const char *key;
	const char *end;
};

/**
 * expression_for_each_call() - call a function for each since() and between() of a filter
 * @expression: the filter
 * @fn: the function
 * @data: for @fn
 *
 * Return: 0, or the first value of @fn that is not 0.
 */
int expression_for_each_call(const struct expression *expression,
			     int (*fn)(const struct expression_call *call, void *data), void *data);

void expression_free(struct expression *expression);

/**
 * expression_unknown() - find a name that no scope had
 * @expression: it has been bound to the scopes of all events that there are
 * @error: receives the column and a sentence
 *
 * Return: false if each name means something in at least one of them.
 */
bool expression_unknown(const struct expression *expression, struct expression_error *error);

/* --- The names ------------------------------------------------------ */

/**
 * struct expression_scope - what the names of an expression mean
 * @fields: the fields of the event, in the order of the payload
 * @nr_fields: number of @fields
 * @contexts: the contexts.  A name is that of a field, if there is one, and else that of a
 *	context; context.NAME is always a context
 * @nr_contexts: number of @contexts
 * @knows_kernel: what happens is of the kernel that runs: "cgroup" can be compared with paths, and with
 *	expression_contexts there is on_stack()
 */
struct expression_scope {
	const struct ltt_field *fields;
	size_t nr_fields;
	const struct ltt_field *contexts;
	size_t nr_contexts;
	bool knows_kernel;
};

/**
 * enum expression_context - the contexts that have a value in the kernel
 *
 * They are the places in expression_contexts.  Those from EXPRESSION_COUNTERS on are the counters of perf.
 */
enum expression_context {
	EXPRESSION_PID,
	EXPRESSION_TID,
	EXPRESSION_COMM,
	EXPRESSION_CPU,
	EXPRESSION_CGROUP,
	EXPRESSION_PRIO,
	EXPRESSION_UID,
	EXPRESSION_PPID,
	EXPRESSION_PID_NS,
	EXPRESSION_NET_NS,
	EXPRESSION_MNT_NS,
	EXPRESSION_PREEMPT,
	EXPRESSION_IRQ,
	EXPRESSION_NEED_RESCHED,
	EXPRESSION_MIGRATE_DISABLE,
	EXPRESSION_COUNTERS,
	EXPRESSION_CONTEXTS = EXPRESSION_COUNTERS + 15,
};

extern const struct ltt_field expression_contexts[EXPRESSION_CONTEXTS];

/**
 * enum expression_program_context - the contexts that have a value in a program
 *
 * They are the places in expression_program_contexts.
 */
enum expression_program_context {
	EXPRESSION_PROGRAM_PID,
	EXPRESSION_PROGRAM_TID,
	EXPRESSION_PROGRAM_COMM,
	EXPRESSION_PROGRAM_CPU,
	EXPRESSION_PROGRAM_UID,
	EXPRESSION_PROGRAM_CONTEXTS,
};

extern const struct ltt_field expression_program_contexts[EXPRESSION_PROGRAM_CONTEXTS];

/**
 * expression_bind() - give the names of an expression their meaning, and check the types
 * @expression: the expression; it stays as it is, and must outlive @bound
 * @scope: the names; its arrays must outlive @bound
 * @bound: receives the bound expression, to be freed by expression_bound_free()
 * @error: receives what is wrong
 *
 * Return: 0; -ENOENT: a name does not exist in @scope; -EINVAL: the types do not fit, or a cgroup or a function of
 * the kernel does not exist; -ENOMEM.
 */
int expression_bind(struct expression *expression, const struct expression_scope *scope,
		    struct expression_bound **bound, struct expression_error *error);

void expression_bound_free(struct expression_bound *bound);

/**
 * enum expression_type - the type of a value
 * @EXPRESSION_SIGNED: a signed number
 * @EXPRESSION_UNSIGNED: an unsigned number
 * @EXPRESSION_TEXT: a field or context that is a text
 */
enum expression_type {
	EXPRESSION_SIGNED,
	EXPRESSION_UNSIGNED,
	EXPRESSION_TEXT,
};

/* As expression_bind(), also for a text alone, which is not a condition. */
int expression_bind_value(struct expression *expression, const struct expression_scope *scope,
			  struct expression_bound **bound, struct expression_error *error);

/**
 * expression_type() - find the type of the value of a bound expression
 * @bound: the bound expression
 * @size: receives the bytes that hold each value, of a text at most EXPRESSION_STRING_MAX
 */
enum expression_type expression_type(const struct expression_bound *bound, unsigned int *size);

/**
 * expression_for_each_cgroup() - call a function for the cgroups of version 2 that there are
 * @from: the path of a cgroup, from which on they are visited
 * @fn: called with the path from the root of the hierarchy on, and the number of the cgroup
 * @data: for @fn
 *
 * Return: 0, the first value of @fn that is not 0; -ENODEV: the hierarchy is not mounted.
 */
int expression_for_each_cgroup(const char *from, int (*fn)(const char *path, uint64_t id, void *data), void *data);

/* --- The evaluator -------------------------------------------------- */

/**
 * struct expression_value - the value of a field or context
 * @number: of an integer, extended to 64 bits by the sign of its type
 * @text: of a text: characters, which end before a NUL or after @size; never NULL for a text
 * @size: bytes at @text
 */
struct expression_value {
	uint64_t number;
	const char *text;
	size_t size;
};

/**
 * expression_holds() - evaluate a bound expression on values from anywhere
 * @bound: the bound expression
 * @get: returns the value of @field, an element of an array of the scope
 * @data: for @get
 *
 * Return: true if the value of the expression is not 0.
 */
bool expression_holds(const struct expression_bound *bound,
		      struct expression_value (*get)(const struct ltt_field *field, void *data), void *data);

/**
 * expression_holds_payload() - evaluate a bound expression on a payload, as the kernel does
 * @bound: the bound expression
 * @payload: the payload
 * @size: bytes of @payload
 * @contexts: the values of the contexts of the scope
 *
 * Return: 1 if the value of the expression is not 0, else 0; -EINVAL: a field that is read does not
 *	lie within @size.
 */
int expression_holds_payload(const struct expression_bound *bound, const void *payload, size_t size,
			     const struct expression_value *contexts);

/* --- The program ---------------------------------------------------- */

/**
 * struct expression_program - a program for the kernel
 * @insns: its instructions, to be freed by expression_program_free()
 * @nr: number of @insns
 * @context_bytes: it loads only from the first so many bytes of its context, the payload; each of these
 *	bytes belongs to a field of constant place and size, so each payload of the event has them.  The
 *	kernel's name for it is prog->aux->max_ctx_offset
 * @asks: it asks the tracer for a struct ltt_run_values (ltt/verdict.h)
 * @counters: the counters that it asks the tracer for, "perf:EVENT,..."; "" for none
 *
 * Type BPF_PROG_TYPE_RAW_TRACEPOINT, licence GPL.  The context is the payload itself, aligned to 8 bytes.
 * It returns a verdict (ltt/verdict.h), and has maps only for the times of other events.
 */
struct expression_program {
	struct bpf_insn *insns;
	size_t nr;
	unsigned int context_bytes;
	bool asks;
	char counters[EXPRESSION_COUNTERS_TEXT];
};

/**
 * expression_emit() - make a program of a bound expression
 * @bound: bound to a scope whose contexts are expression_contexts
 * @program: receives the program
 * @error: receives what is wrong
 *
 * Return: 0; -E2BIG: the program has more than EXPRESSION_PROGRAM_MAX instructions; -EOPNOTSUPP: a
 *	context that is found by BTF, and this kernel has none, or does not have the context; -ENOMEM.
 */
int expression_emit(const struct expression_bound *bound, struct expression_program *program,
		    struct expression_error *error);

/**
 * struct expression_maps - the maps of a trace, by which events know the times of others
 * @event: group:name of the event whose filter is compiled
 * @get: returns the descriptor of the map @name, of keys and values of 8 bytes, made if need be; or -errno, and fills
 *	in the error
 * @data: for @get
 */
struct expression_maps {
	const char *event;
	int (*get)(const char *name, void *data, struct expression_error *error);
	void *data;
};

/**
 * expression_compile() - make the program of a filter for an event of the kernel
 * @text: see expression_parse_filter()
 * @fields: the fields of the event, in the order of the payload
 * @nr_fields: number of @fields
 * @maps: for since(), between() and notes; NULL: they are errors
 * @program: receives the program, to be freed by expression_program_free()
 * @error: receives what is wrong
 *
 * Return: 0; an error of expression_parse_filter(), expression_bind() with expression_contexts, or expression_emit().
 */
int expression_compile(const char *text, const struct ltt_field *fields, size_t nr_fields,
		       const struct expression_maps *maps, struct expression_program *program,
		       struct expression_error *error);

void expression_program_free(struct expression_program *program);

/**
 * expression_check_tracer() - check that the tracer leaves a program what it asks for
 * @program: the program
 * @error: receives what is wrong
 *
 * A program that asks a tracer of an earlier version would find anything.
 *
 * Return: 0; -EOPNOTSUPP.
 */
int expression_check_tracer(const struct expression_program *program, struct expression_error *error);

/**
 * expression_load() - load a program into the kernel
 * @program: the program
 * @name: a name for it, as bpftool shows it; cut to 15 characters, and others than letters, digits, _ and .
 *	are replaced by _
 * @error: receives what is wrong, with the last line of the verifier's log if it rejected the program
 *
 * Return: a descriptor of the program, closed by exec; -EPERM: no right, or lockdown; -EOPNOTSUPP: the kernel
 *	has no eBPF; -EINVAL or -EACCES: the verifier rejected it; another -errno of bpf(2).
 */
int expression_load(const struct expression_program *program, const char *name, struct expression_error *error);

/* --- The code for libltt -------------------------------------------- */

struct ltt_filter_code;

/**
 * expression_emit_code() - make the code of a filter for an event of programs
 * @bound: bound to a scope whose contexts are expression_program_contexts
 * @code: receives the code
 * @error: receives what is wrong
 *
 * Return: 0; -E2BIG: the code has no room for the expression.
 */
int expression_emit_code(const struct expression_bound *bound, struct ltt_filter_code *code,
			 struct expression_error *error);

#endif /* LTT_EXPRESSION_H */
