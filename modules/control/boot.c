// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parameter "boot": commands that run when the module is loaded, in an initramfs for
 * example, so that the trace is there before any program that could make it.
 *
 * Layer: control.  Context: the module's init function, before programs can reach the faces.
 *
 * Guarantees:
 *
 * B1: The commands are those of /dev/ltt, about the traces of debugfs.  They run in their order,
 *     and no program has made a trace, a pattern, a group or a probe before.
 * B2: All of them succeed, or nothing of them is left, and the log names the command that failed
 *     with the reason.
 * B3: The module is loaded in either case: later programs need it, and in an initramfs nothing
 *     would load it again.
 */
#include "control.h"

#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

static char *boot = "";
module_param(boot, charp, 0444);
MODULE_PARM_DESC(boot, "commands of /dev/ltt that run when the module is loaded, with ; between two");

/* Split @rest, behind the name of @op, into its arguments.  The last one may have blanks. */
static int __init take_args(struct ltt_call *call, const struct ltt_op *op, char *rest)
{
	const char *arg[LTT_ARGS_MAX];
	unsigned int i, nr = ltt_op_nr_args(op);

	for (i = 0; i < nr && rest; i++) {
		arg[i] = skip_spaces(rest);
		rest = i + 1 < nr ? strpbrk(arg[i], " \t\n") : NULL;
		if (rest)
			*rest++ = '\0';
	}
	if (i < nr || rest)
		return ltt_fail(call, -EBADMSG, "it takes %u arguments", nr);
	return ltt_op_parse(op, call, arg);
}

static int __init run_command(struct ltt_call *call, char *text)
{
	const char *name = strsep(&text, " \t\n");
	const struct ltt_op *op = ltt_op_find(name);
	int err;

	if (!op)
		return ltt_fail(call, -ENOSYS, "there is no such command");
	if (op->flags & (LTT_OP_SHOWS | LTT_OP_OPENS | LTT_OP_STREAM))
		return ltt_fail(call, -EINVAL, "it is about an open /dev/ltt, and there is none");
	err = take_args(call, op, text);
	return err ? err : ltt_op_call(op, call);
}

/* Run the commands in @text, which is a copy of boot, and is changed. */
static int __init run_commands(char *text)
{
	struct ltt_call call = { .face = &ltt_debugfs_face };
	const char *copy = text;
	char *command;
	int err = 0;

	while (!err && (command = strsep(&text, ";"))) {
		command = strim(command);
		if (!*command)
			continue;
		err = run_command(&call, command);
		if (err) {
			const char *whole = boot + (command - copy);

			pr_err("ltt: boot: \"%.*s\": %s; nothing of boot is done\n",
			       (int)strcspn(whole, ";"), whole, call.error);
		}
	}
	return err;
}

/**
 * ltt_boot() - run the commands of the parameter
 *
 * Context: the module's init function.  The face of debugfs can have traces, and no program can
 * reach it.
 */
void __init ltt_boot(void)
{
	char *text;

	if (!*boot)
		return;
	text = kstrdup(boot, GFP_KERNEL);
	if (!text)
		pr_err("ltt: boot: there is not enough memory; nothing of boot is done\n");
	else if (run_commands(text))
		ltt_face_reset(&ltt_debugfs_face);
	kfree(text);
}
