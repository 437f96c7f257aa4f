// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of buffers is charged to the budget of their channel.
 *
 * Layer: relay.  Context: task; charges also come from the hotplug prepare step.
 */
#include "relay.h"

/**
 * ltt_relay_buf_charge() - let a buffer's budget answer for more
 * Return: 0, or what the budget says.
 */
int ltt_relay_buf_charge(struct ltt_relay_buf *buf, u64 bytes)
{
	struct ltt_budget *budget = buf->chan->config.budget;
	int err = budget ? budget->charge(budget, bytes) : 0;

	if (!err)
		buf->charged += bytes;
	return err;
}

/**
 * ltt_relay_buf_uncharge() - all memory of a buffer has been freed
 */
void ltt_relay_buf_uncharge(struct ltt_relay_buf *buf)
{
	struct ltt_budget *budget = buf->chan->config.budget;

	if (budget && buf->charged)
		budget->uncharge(budget, buf->charged);
	buf->charged = 0;
}
