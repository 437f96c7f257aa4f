// SPDX-License-Identifier: GPL-2.0-only
/*
 * The texts of users: each becomes an event mark:text.
 *
 * Layer: control.  The marker is a site as those of drivers, so a trace records it if the trace
 * wants mark:text.  Context: task; the registry lock is not held, as the site may wait for
 * the reader of a lossless channel.
 */
#include "../control.h"

#include <linux/err.h>

#include <ltt/marker.h>

static int op_mark(struct ltt_call *call)
{
	const char *text = call->arg[0].text;

	if (!*text)
		return ltt_fail(call, -EINVAL, "the text is empty: write what the event is to say");
	trace_mark_may_sleep(mark, text, "text %s", text);
	return 0;
}

const struct ltt_op ltt_mark_ops[] = {
	{ "mark", op_mark, "send a text as the event mark:text", { LTT_TEXT("text") }, LTT_OP_UNLOCKED },
	{}
};
