/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Budgets: the account of a user, as the layers see it that allocate for the user.
 *
 * Layer: none; below relay and tracer, which charge, and control, whose functions do the
 * accounting.
 */
#ifndef LTT_BUDGET_H
#define LTT_BUDGET_H

#include <linux/kref.h>
#include <linux/module.h>
#include <linux/types.h>

/**
 * struct ltt_budget - an account, charged for the memory of buffers and of sets of tasks
 * @ref: one for each user that may charge it, or has a reference of such a user
 * @owner: the module of the functions; each reference holds it, too
 * @charge: charge @bytes more; 0, or -errno, such as -EDQUOT, to refuse.  Context: task,
 *	also in the hotplug prepare step
 * @uncharge: @bytes have been freed
 * @charge_members: charge @nr members of sets of tasks; 0, or -errno to refuse:
 *	-EDQUOT or -EUSERS.  Context: task
 * @uncharge_members: @nr members have been released
 * @release: frees the budget: the last reference is gone
 */
struct ltt_budget {
	struct kref ref;
	struct module *owner;
	int (*charge)(struct ltt_budget *budget, u64 bytes);
	void (*uncharge)(struct ltt_budget *budget, u64 bytes);
	int (*charge_members)(struct ltt_budget *budget, unsigned int nr);
	void (*uncharge_members)(struct ltt_budget *budget, unsigned int nr);
	void (*release)(struct kref *ref);
};

/**
 * ltt_budget_get() - take another reference
 * @budget: the caller, or its own caller, has a reference; or NULL
 *
 * Context: any.
 * Return: @budget.
 */
static inline struct ltt_budget *ltt_budget_get(struct ltt_budget *budget)
{
	if (budget) {
		/* The caller's reference keeps the module loaded. */
		__module_get(budget->owner);
		kref_get(&budget->ref);
	}
	return budget;
}

/**
 * ltt_budget_put() - drop a reference
 * @budget: may be NULL
 *
 * Context: task.  A caller in the module of the budget has another reference to the
 * module, such as that of an open file.
 */
static inline void ltt_budget_put(struct ltt_budget *budget)
{
	struct module *owner;

	if (!budget)
		return;
	owner = budget->owner;
	kref_put(&budget->ref, budget->release);
	/* Here, and not in @release, which can be gone then. */
	module_put(owner);
}

#endif /* LTT_BUDGET_H */
