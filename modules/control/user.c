// SPDX-License-Identifier: GPL-2.0-only
/*
 * Users of sessions: what each holds, and may hold.
 *
 * Layer: control.  Context: task; charges also come from CPU hotplug.
 *
 * A session has an account with the user that opened it; a trace made in it has, too,
 * and the buffers of that trace, and a group of tasks, for as long as they take memory.
 * The layers below know it as a budget.  Who may exceed the limits (CAP_SYS_RESOURCE)
 * has an account that says so; what it holds counts for its user all the same.
 *
 * Locking: users_lock, innermost, guards the list of users and their counts.
 */
#include "control.h"

#include <linux/cred.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <ltt/relay.h>

static unsigned int max_sessions = 64;
module_param(max_sessions, uint, 0600);
MODULE_PARM_DESC(max_sessions, "sessions of /dev/ltt that a user may have (64)");

static unsigned int max_buffer_mib;
module_param(max_buffer_mib, uint, 0600);
MODULE_PARM_DESC(max_buffer_mib,
		 "MiB of buffers and groups of tasks that a user may have; 0 is an eighth of the memory (0)");

static LIST_HEAD(users);
static DEFINE_SPINLOCK(users_lock);

/**
 * struct ltt_user - who has accounts
 * @node: in users
 * @uid: who
 * @accounts: he is forgotten with the last
 * @sessions: that have not ended with all their streams
 * @bytes: of buffers, and of groups of tasks
 */
struct ltt_user {
	struct list_head node;
	kuid_t uid;
	unsigned int accounts;
	unsigned int sessions;
	u64 bytes;
};

/**
 * struct account - a session's share in its user
 * @budget: what the layers below know; holds the account
 * @user: whose
 * @limited: he may not exceed the limits through this session
 */
struct account {
	struct ltt_budget budget;
	struct ltt_user *user;
	bool limited;
};

/**
 * ltt_user_max_bytes() - how many bytes a user may have
 */
u64 ltt_user_max_bytes(void)
{
	u64 mib = READ_ONCE(max_buffer_mib);

	return mib ? mib << 20 : (u64)totalram_pages() << PAGE_SHIFT >> 3;
}

static int charge(struct ltt_budget *budget, u64 bytes)
{
	struct account *account = container_of(budget, struct account, budget);
	struct ltt_user *user = account->user;
	u64 max = ltt_user_max_bytes();
	int err = 0;

	spin_lock(&users_lock);
	/* A limit may have been lowered below what there is. */
	if (account->limited && (user->bytes > max || bytes > max - user->bytes))
		err = -EDQUOT;
	else
		user->bytes += bytes;
	spin_unlock(&users_lock);
	return err;
}

static void uncharge(struct ltt_budget *budget, u64 bytes)
{
	struct account *account = container_of(budget, struct account, budget);

	spin_lock(&users_lock);
	account->user->bytes -= bytes;
	spin_unlock(&users_lock);
}

static void release(struct kref *ref)
{
	struct account *account = container_of(ref, struct account, budget.ref);
	struct ltt_user *user = account->user;
	bool last;

	spin_lock(&users_lock);
	last = !--user->accounts;
	if (last)
		list_del(&user->node);
	spin_unlock(&users_lock);
	if (last)
		kfree(user);
	kfree(account);
}

static struct ltt_user *find(kuid_t uid)
{
	struct ltt_user *user;

	list_for_each_entry(user, &users, node)
		if (uid_eq(user->uid, uid))
			return user;
	return NULL;
}

/* Give the account its user, @new if there is none yet, and the user a session. */
static int join(struct account *account, struct ltt_user *new)
{
	struct ltt_user *user = find(new->uid);

	lockdep_assert_held(&users_lock);
	if (account->limited && (user ? user->sessions : 0) >= READ_ONCE(max_sessions))
		return -EMFILE;
	if (!user) {
		list_add_tail(&new->node, &users);
		user = new;
	}
	user->accounts++;
	user->sessions++;
	account->user = user;
	return 0;
}

/**
 * ltt_user_begin() - a user begins a session
 * @uid: who
 * @limited: the limits are for him
 * Return: his account, to be given to ltt_user_end(); or ERR_PTR: -EMFILE he has as
 * many as he may, -ENOMEM.
 */
struct ltt_budget *ltt_user_begin(kuid_t uid, bool limited)
{
	struct account *account = kzalloc(sizeof(*account), GFP_KERNEL_ACCOUNT);
	struct ltt_user *user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);
	int err = -ENOMEM;

	if (!account || !user)
		goto err_join;
	kref_init(&account->budget.ref);
	account->budget.owner = THIS_MODULE;
	account->budget.charge = charge;
	account->budget.uncharge = uncharge;
	account->budget.release = release;
	account->limited = limited;
	user->uid = uid;
	spin_lock(&users_lock);
	err = join(account, user);
	spin_unlock(&users_lock);
	if (err)
		goto err_join;
	if (account->user != user)
		kfree(user);
	/* The caller's descriptor holds the module; other holders need not have one. */
	__module_get(THIS_MODULE);
	return &account->budget;

err_join:
	kfree(user);
	kfree(account);
	return ERR_PTR(err);
}

/**
 * ltt_user_end() - a session is gone; its traces and buffers may have the account still
 */
void ltt_user_end(struct ltt_budget *budget)
{
	struct account *account = container_of(budget, struct account, budget);

	spin_lock(&users_lock);
	account->user->sessions--;
	spin_unlock(&users_lock);
	ltt_budget_put(budget);
}

/**
 * ltt_users_show() - print the limits, and what users have
 * @s: to where
 * @only: this user, or NULL for all
 */
void ltt_users_show(struct seq_file *s, const kuid_t *only)
{
	struct ltt_user *user;

	seq_printf(s, "limits sessions %u bytes %llu\n", READ_ONCE(max_sessions),
		   ltt_user_max_bytes());
	spin_lock(&users_lock);
	list_for_each_entry(user, &users, node)
		if (!only || uid_eq(user->uid, *only))
			seq_printf(s, "user %u sessions %u bytes %llu\n",
				   from_kuid_munged(&init_user_ns, user->uid), user->sessions,
				   user->bytes);
	spin_unlock(&users_lock);
}
