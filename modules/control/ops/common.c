// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shared by the operations: errors with a text, the trace that an argument
 * names, and the rights of the caller.
 *
 * Layer: control.  Context: task.
 */
#include "../control.h"

#include <linux/capability.h>
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uuid.h>

#include <ltt/trace.h>

#include "../../../core/name.h"

/* The texts for errors of the layers below. */
static const struct {
	int err;
	const char *name;
	const char *meaning;
} meanings[] = {
	{ EAGAIN, "EAGAIN", "try again" },
	{ EBUSY, "EBUSY", "it is in use" },
	{ EDQUOT, "EDQUOT", "its user has as much as they may have" },
	{ EEXIST, "EEXIST", "the name is taken" },
	{ EINTR, "EINTR", "a signal arrived" },
	{ EINVAL, "EINVAL", "a value is not allowed" },
	{ EMFILE, "EMFILE", "the process has too many open files" },
	{ ENFILE, "ENFILE", "the system has too many open files" },
	{ ENODEV, "ENODEV", "the module is being loaded" },
	{ ENOENT, "ENOENT", "there is no such thing" },
	{ ENOMEM, "ENOMEM", "there is not enough memory" },
	{ ENOSPC, "ENOSPC", "no more can be added" },
	{ EOPNOTSUPP, "EOPNOTSUPP", "this kernel does not support it" },
	{ EPERM, "EPERM", "it is not permitted" },
	{ ESRCH, "ESRCH", "there is no such process" },
	{ EUSERS, "EUSERS", "all users together have as much as there may be" },
};

/* A sentence can quote anything: it stays on one line and moves no cursor. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if (!isascii(*text) || !isprint(*text))
			*text = '?';
}

/**
 * ltt_fail() - set the sentence of a call that fails
 * @call: the call; its error is set
 * @err: -errno
 * @format: the sentence: what failed, on what, why, and what to do
 *
 * Context: any.
 * Return: @err.
 */
int ltt_fail(struct ltt_call *call, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vscnprintf(call->error, sizeof(call->error), format, args);
	va_end(args);
	make_printable(call->error);
	return err;
}

/**
 * ltt_fail_with() - set the sentence of a call that fails because of an errno
 * @call: the call; its error is set
 * @err: -errno; its name and meaning follow the sentence
 * @format: what failed, and on what
 *
 * Context: any.
 * Return: @err.
 */
int ltt_fail_with(struct ltt_call *call, int err, const char *format, ...)
{
	size_t len, room = sizeof(call->error);
	va_list args;
	int i;

	va_start(args, format);
	len = vscnprintf(call->error, room, format, args);
	va_end(args);
	for (i = 0; i < ARRAY_SIZE(meanings); i++)
		if (meanings[i].err == -err)
			break;
	if (i < ARRAY_SIZE(meanings))
		scnprintf(call->error + len, room - len, ": %s (%s)", meanings[i].name,
			  meanings[i].meaning);
	else
		scnprintf(call->error + len, room - len, ": errno %d", -err);
	make_printable(call->error);
	return err;
}

/**
 * ltt_fail_buffers() - set the sentence of a call that makes more buffers than its user may have
 * @call: the call; its first argument is the trace, its error is set
 * @err: -EDQUOT, from the budget
 *
 * Context: any.
 * Return: @err.
 */
int ltt_fail_buffers(struct ltt_call *call, int err)
{
	return ltt_fail(call, err,
			"trace \"%s\": its user may have %llu MiB of buffers: lower subbuf_size or subbuf_count, destroy traces, or raise max_buffer_mib in /sys/module/ltt_control/parameters",
			call->arg[0].text, ltt_user_max_bytes() >> 20);
}

struct uuid_walk {
	const void *face;
	uuid_t uuid;
	struct ltt_trace *found;
};

static int has_uuid(struct ltt_trace *trace, void *arg)
{
	struct uuid_walk *walk = arg;

	if (ltt_trace_face(trace) != walk->face || !uuid_equal(ltt_trace_uuid(trace), &walk->uuid))
		return 0;
	walk->found = trace;
	return 1;
}

static struct ltt_trace *find_uuid(const char *text, const void *face)
{
	struct uuid_walk walk = { .face = face };

	if (strlen(text) == UUID_STRING_LEN && !uuid_parse(text, &walk.uuid))
		ltt_trace_for_each(has_uuid, &walk);
	return walk.found;
}

/**
 * ltt_check_pattern() - check the pattern of events in an argument
 * @call: the call; its error is set
 * @pattern: the argument
 *
 * Context: any.
 * Return: 0; -EINVAL.
 */
int ltt_check_pattern(struct ltt_call *call, const char *pattern)
{
	if (ltt_pattern_valid(pattern))
		return 0;
	return ltt_fail(call, -EINVAL,
			"\"%.100s\" is not a pattern: write GROUP:NAME or NAME, where *, ? and [...] match",
			pattern);
}

/**
 * ltt_find() - find the trace that the first argument names
 * @call: the call; its first argument is NAME, or =UUID, which never means a later
 *	trace of the same name
 *
 * Replaces the argument by the name of the trace, for sentences and for lookups by
 * name; ltt_op_call() restores it.
 *
 * Context: registry lock held.
 * Return: the trace, valid while the lock is held; NULL with call->error set.
 */
struct ltt_trace *ltt_find(struct ltt_call *call)
{
	const char *text = call->arg[0].text;
	struct ltt_trace *trace;

	/* A valid name has no '='. */
	trace = *text == '=' ? find_uuid(text + 1, call->face) : ltt_trace_find(text, call->face);
	if (trace)
		call->arg[0].text = ltt_trace_name(trace);
	else if (*text == '=')
		ltt_fail(call, -ENOENT, "there is no trace with uuid \"%.64s\": it was destroyed", text + 1);
	else
		ltt_fail(call, -ENOENT, "there is no trace \"%s\"", text);
	return trace;
}

/**
 * ltt_call_capable() - check a capability of the caller
 * @call: the call
 * @cap: CAP_*, in the initial user namespace
 *
 * From the device, the capabilities of the process that opened it count, whichever process
 * writes the command.  The security modules are asked at each call.  From debugfs the
 * permission to write the file decides.
 *
 * Return: true if the caller has the capability.
 */
bool ltt_call_capable(const struct ltt_call *call, int cap)
{
	return !call->opener || file_ns_capable(call->opener, &init_user_ns, cap);
}

/**
 * ltt_check_perfmon() - check the right that perf asks for, to do what is felt by the whole machine
 * @call: the call; its error is set
 * @what: what the caller wants, for the sentence
 *
 * Context: any.
 * Return: 0; -EPERM.
 */
int ltt_check_perfmon(struct ltt_call *call, const char *what)
{
	if (ltt_call_capable(call, CAP_PERFMON) || ltt_call_capable(call, CAP_SYS_ADMIN))
		return 0;
	return ltt_fail(call, -EPERM, "%s: the user who opened the device lacks CAP_PERFMON", what);
}
