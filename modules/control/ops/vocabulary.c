// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of all operations, and how a face calls one: debugfs by name with text,
 * the device by number with words and blobs.
 *
 * Layer: control.  Context: task.  Locking: the registry lock serialises all
 * operations.  An operation that waits for users of files takes and drops the lock
 * itself, because these users may wait for it.
 *
 * To add an operation, write its function and its row in the table of the same file.
 * Both faces then offer it.
 */
#include "../control.h"

#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include <ltt/registry.h>

/* The vocabulary is the rows of these tables, numbered in this order. */
static const struct ltt_op *tables[] = {
	ltt_vocabulary_ops,
	ltt_trace_ops,
	ltt_channel_ops,
	ltt_context_ops,
	ltt_event_ops,
	ltt_group_ops,
	ltt_mark_ops,
	ltt_probe_ops,
	ltt_filter_ops,
	NULL,	/* ltt_op_add_table() */
};

/**
 * ltt_op_add_table() - append the operations of a face to the vocabulary
 * @table: ended by a row without a name
 *
 * Context: before any operation is called; once.
 */
void __init ltt_op_add_table(const struct ltt_op *table)
{
	tables[ARRAY_SIZE(tables) - 1] = table;
}

/* ---- The vocabulary ---- */

/**
 * ltt_op_by_number() - find an operation by its number
 * @number: its place in all tables, from 0
 *
 * Context: any.
 * Return: the row; NULL beyond the last one.
 */
const struct ltt_op *ltt_op_by_number(u64 number)
{
	const struct ltt_op *op;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tables); i++)
		for (op = tables[i]; op->name; op++)
			if (!number--)
				return op;
	return NULL;
}

/**
 * ltt_op_find() - find an operation by its name
 * @name: its name
 *
 * Context: any.
 * Return: the row; NULL if there is none of this name.
 */
const struct ltt_op *ltt_op_find(const char *name)
{
	const struct ltt_op *op;
	unsigned int i;

	for (i = 0; (op = ltt_op_by_number(i)); i++)
		if (!strcmp(op->name, name))
			return op;
	return NULL;
}

/**
 * ltt_op_nr_args() - count the arguments of an operation
 * @op: the row
 *
 * Context: any.
 * Return: the number, at most LTT_ARGS_MAX.
 */
unsigned int ltt_op_nr_args(const struct ltt_op *op)
{
	unsigned int nr = 0;

	while (nr < LTT_ARGS_MAX && op->args[nr].name)
		nr++;
	return nr;
}

static int op_commands(struct ltt_call *call)
{
	static const char *const kinds[] = {
		[LTT_ARG_TEXT] = "text", [LTT_ARG_NUMBER] = "number", [LTT_ARG_SIZE] = "size",
	};
	const struct ltt_op *op;
	unsigned int i, arg;

	for (i = 0; (op = ltt_op_by_number(i)); i++) {
		seq_printf(call->out, "%u %s", i, op->name);
		for (arg = 0; arg < ltt_op_nr_args(op); arg++)
			seq_printf(call->out, " %s:%s", op->args[arg].name,
				   kinds[op->args[arg].kind]);
		seq_printf(call->out, " -> %s: %s\n",
			   op->flags & LTT_OP_SHOWS ? "text" :
			   op->flags & LTT_OP_OPENS ? "descriptor" : "nothing", op->help);
	}
	return 0;
}

/* The first table: "commands" is number 0 in every version. */
const struct ltt_op ltt_vocabulary_ops[] = {
	{ "commands", op_commands, "list the commands: number, name, arguments, result, help",
	  {}, LTT_OP_SHOWS },
	{}
};

/* ---- Calling ---- */

/**
 * ltt_op_call() - call an operation
 * @op: the row
 * @call: has the face, the arguments and, for LTT_OP_SHOWS, @call->out; gets the value
 *	or the sentence
 *
 * Context: sleeps; registry lock not held.
 * Return: 0; -EINVAL a number is too large; an error of the operation.  After an error
 * @call->error is a sentence.
 */
int ltt_op_call(const struct ltt_op *op, struct ltt_call *call)
{
	typeof(call->arg[0]) first = call->arg[0];
	unsigned int i;
	int err;

	call->error[0] = '\0';
	call->value = 0;
	for (i = 0; i < ltt_op_nr_args(op); i++)
		if (op->args[i].kind != LTT_ARG_TEXT && call->arg[i].number > op->args[i].max)
			return ltt_fail(call, -EINVAL, "%s: %llu is not a number from 0 to %llu",
					op->args[i].name, call->arg[i].number, op->args[i].max);
	if (op->flags & LTT_OP_UNLOCKED) {
		err = op->run(call);
	} else {
		ltt_markers_lock();
		err = op->run(call);
		ltt_markers_unlock();
	}
	call->arg[0] = first;	/* ltt_find() may have put a name there that is freed now */
	if (err && !*call->error)
		ltt_fail_with(call, err, "%s failed", op->name);
	return err;
}

/*
 * memparse() has no error for numbers of more than 64 bits, and reads those that begin with 0 as octal.
 * Return: whether the text is a number, which K, M or G may follow.
 */
static bool parse_size(const char *text, u64 *value)
{
	static const char units[] = "KMG";
	size_t digits = strspn(text, "0123456789");
	char number[24];
	const char *unit;

	if (digits >= sizeof(number))
		return false;
	memcpy(number, text, digits);
	number[digits] = '\0';
	text += digits;
	if (kstrtou64(number, 10, value))
		return false;
	if (!*text)
		return true;
	unit = strchr(units, toupper(*text));
	return unit && !text[1] && !check_shl_overflow(*value, 10 * (int)(unit - units + 1), value);
}

/* ltt_op_call() checks the maximum. */
static int parse_number(struct ltt_call *call, const struct ltt_arg *arg, const char *text,
			u64 *value)
{
	if (arg->kind == LTT_ARG_NUMBER ? !kstrtou64(text, 10, value) : parse_size(text, value))
		return 0;
	return ltt_fail(call, -EINVAL, "%s: \"%s\" is not a number from 0 to %llu", arg->name, text,
			arg->max);
}

/**
 * ltt_op_parse() - set the arguments of a call from text
 * @op: the operation
 * @call: the call; its texts are those of @text, which must outlive it
 * @text: as many texts as the operation takes arguments
 *
 * Context: any.
 * Return: 0; -EINVAL a text is not a number, with call->error set.
 */
int ltt_op_parse(const struct ltt_op *op, struct ltt_call *call, const char *const *text)
{
	unsigned int i;
	int err;

	for (i = 0; i < ltt_op_nr_args(op); i++) {
		if (op->args[i].kind == LTT_ARG_TEXT) {
			call->arg[i].text = text[i];
			continue;
		}
		err = parse_number(call, &op->args[i], text[i], &call->arg[i].number);
		if (err)
			return err;
	}
	return 0;
}

/**
 * ltt_op_call_text() - call an operation by name, with its arguments as text
 * @name: name of the operation
 * @call: see ltt_op_call(); its arguments are set here
 * @text: as many texts as the operation takes arguments
 *
 * Context: sleeps; registry lock not held.
 * Return: 0; -ENOSYS there is no such operation; see ltt_op_parse() and ltt_op_call().
 */
int ltt_op_call_text(const char *name, struct ltt_call *call, const char *const *text)
{
	const struct ltt_op *op = ltt_op_find(name);
	int err;

	if (!op)
		return ltt_fail(call, -ENOSYS, "there is no operation \"%s\"", name);
	err = ltt_op_parse(op, call, text);
	return err ? err : ltt_op_call(op, call);
}
