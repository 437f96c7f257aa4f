// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of buffers and snapshots is charged to the budget of their channel.
 *
 * Layer: relay.  Context: task; charges also come from the hotplug prepare step.
 */
#include "relay.h"

/**
 * ltt_relay_charge() - charge memory to the budget of a channel
 * @chan: the channel
 * @bytes: to be given to ltt_relay_uncharge()
 *
 * Return: 0, or the error of the budget.
 */
int ltt_relay_charge(struct ltt_relay_chan *chan, u64 bytes)
{
	struct ltt_budget *budget = chan->config.budget;

	return budget ? budget->charge(budget, bytes) : 0;
}

/**
 * ltt_relay_uncharge() - memory of ltt_relay_charge() has been freed
 * @chan: the channel
 * @bytes: how much
 */
void ltt_relay_uncharge(struct ltt_relay_chan *chan, u64 bytes)
{
	struct ltt_budget *budget = chan->config.budget;

	if (budget && bytes)
		budget->uncharge(budget, bytes);
}

/**
 * ltt_relay_buf_charge() - charge more memory of a buffer
 * @buf: the buffer
 * @bytes: how much
 *
 * Return: 0, or the error of the budget.
 */
int ltt_relay_buf_charge(struct ltt_relay_buf *buf, u64 bytes)
{
	int err = ltt_relay_charge(buf->chan, bytes);

	if (!err)
		buf->charged += bytes;
	return err;
}

/**
 * ltt_relay_buf_uncharge() - all memory of a buffer has been freed
 * @buf: the buffer
 */
void ltt_relay_buf_uncharge(struct ltt_relay_buf *buf)
{
	ltt_relay_uncharge(buf->chan, buf->charged);
	buf->charged = 0;
}
