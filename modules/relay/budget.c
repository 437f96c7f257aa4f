// SPDX-License-Identifier: GPL-2.0-only
/*
 * Budgets: charge the memory of buffers to their owner, whose functions do the accounting.
 *
 * Layer: relay.  Context: task; charges also come from the hotplug prepare step.
 */
#include "relay.h"

#include <linux/module.h>

struct ltt_budget *ltt_budget_get(struct ltt_budget *budget)
{
	if (budget) {
		/* Whoever hands it out has one reference, and so one to the module. */
		__module_get(budget->owner);
		kref_get(&budget->ref);
	}
	return budget;
}
EXPORT_SYMBOL_GPL(ltt_budget_get);

void ltt_budget_put(struct ltt_budget *budget)
{
	struct module *owner;

	if (!budget)
		return;
	owner = budget->owner;
	kref_put(&budget->ref, budget->release);
	/* Here, and not in the owner's code, which can be gone then. */
	module_put(owner);
}
EXPORT_SYMBOL_GPL(ltt_budget_put);

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
