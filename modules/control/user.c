// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounts: the resources that a user of /dev/ltt has, and their limits.
 *
 * Layer: control.  Context: task; a CPU that comes up also charges.
 *
 * A control connection has an account with the user who opened it.  So have its
 * traces, their buffers and its groups of tasks, for as long as they take memory.  The
 * layers below see the account as a budget.  The account of a user with
 * CAP_SYS_RESOURCE is not limited, but what it has counts for the user.
 *
 * Members of groups of tasks are few on the whole machine (LTT_TASKS_FOLLOWED_MAX).
 * All limited accounts together get half of them: no user without CAP_SYS_RESOURCE can
 * keep root from following a task.
 *
 * Locking: users_lock guards the list of users and all counts; innermost.
 */
#include "control.h"

#include <linux/cred.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/swap.h>

#include <ltt/budget.h>
#include <ltt/tasks.h>

/* In the names of parameters and counts, a session is a control connection. */
static unsigned int max_sessions = 64;
module_param(max_sessions, uint, 0600);
MODULE_PARM_DESC(max_sessions, "control connections (open /dev/ltt) that a user may have (64)");

static unsigned int max_buffer_mib;
module_param(max_buffer_mib, uint, 0600);
MODULE_PARM_DESC(max_buffer_mib,
		 "MiB of buffers, snapshots and groups of tasks that a user may have; 0 is an eighth of the memory (0)");

static unsigned int max_members = 128;
module_param(max_members, uint, 0600);
MODULE_PARM_DESC(max_members, "members of groups of tasks that a user may have (128)");

static LIST_HEAD(users);
static DEFINE_SPINLOCK(users_lock);

/* Members of all limited accounts. */
static unsigned int limited_members;

/**
 * struct ltt_user - a user with accounts
 * @node: in users
 * @uid: the user
 * @accounts: number of accounts; the user is freed with the last one
 * @sessions: control connections, each until its last command stream is closed
 * @members: members of groups of tasks
 * @bytes: bytes of buffers and of groups of tasks
 */
struct ltt_user {
	struct list_head node;
	kuid_t uid;
	unsigned int accounts;
	unsigned int sessions;
	unsigned int members;
	u64 bytes;
};

/**
 * struct account - the account of a control connection
 * @budget: what the layers below see; its references keep the account
 * @user: the user who opened the connection
 * @limited: the limits hold for this account
 */
struct account {
	struct ltt_budget budget;
	struct ltt_user *user;
	bool limited;
};

/**
 * ltt_user_max_bytes() - look up how much memory a user may have
 *
 * Return: bytes of buffers and groups of tasks.
 * Context: any.
 */
u64 ltt_user_max_bytes(void)
{
	u64 mib = READ_ONCE(max_buffer_mib);
	/* The kernel does not map highmem, so no buffer lies there. */
	u64 pages = IS_ENABLED(CONFIG_HIGHMEM) ? nr_free_buffer_pages() : totalram_pages();

	return mib ? mib << 20 : pages << PAGE_SHIFT >> 3;
}

/**
 * ltt_user_max_members() - look up how many members of groups a user may have
 *
 * Return: members of groups of tasks, at most LTT_USERS_MEMBERS_MAX.
 * Context: any.
 */
unsigned int ltt_user_max_members(void)
{
	return min_t(unsigned int, READ_ONCE(max_members), LTT_USERS_MEMBERS_MAX);
}

/* ---- The budget ---- */

static int charge(struct ltt_budget *budget, u64 bytes)
{
	struct account *account = container_of(budget, struct account, budget);
	struct ltt_user *user = account->user;
	u64 max = ltt_user_max_bytes();
	int err = 0;

	spin_lock(&users_lock);
	/* A limit may have been lowered below what the user has. */
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

static int charge_members(struct ltt_budget *budget, unsigned int nr)
{
	struct account *account = container_of(budget, struct account, budget);
	struct ltt_user *user = account->user;
	int err = 0;

	spin_lock(&users_lock);
	if (account->limited && user->members + nr > ltt_user_max_members())
		err = -EDQUOT;
	else if (account->limited && limited_members + nr > LTT_USERS_MEMBERS_MAX)
		err = -EUSERS;
	if (!err) {
		user->members += nr;
		limited_members += account->limited ? nr : 0;
	}
	spin_unlock(&users_lock);
	return err;
}

static void uncharge_members(struct ltt_budget *budget, unsigned int nr)
{
	struct account *account = container_of(budget, struct account, budget);

	spin_lock(&users_lock);
	account->user->members -= nr;
	limited_members -= account->limited ? nr : 0;
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

/* ---- Users ---- */

static struct ltt_user *find(kuid_t uid)
{
	struct ltt_user *user;

	list_for_each_entry(user, &users, node)
		if (uid_eq(user->uid, uid))
			return user;
	return NULL;
}

/* Give the account its user, @new if the user had none, and count a connection. */
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
 * ltt_user_begin() - open the account of a control connection
 * @uid: the user who opens the connection
 * @limited: the limits hold for the account
 *
 * Context: sleeps.
 * Return: the account, to be given to ltt_user_end(); ERR_PTR: -EMFILE the user has as
 * many connections as they may have, -ENOMEM.
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
	account->budget.charge_members = charge_members;
	account->budget.uncharge_members = uncharge_members;
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
	/* The caller's file holds the module; other holders may have no file. */
	__module_get(THIS_MODULE);
	return &account->budget;

err_join:
	kfree(user);
	kfree(account);
	return ERR_PTR(err);
}

/**
 * ltt_user_end() - drop the account of a control connection
 * @budget: from ltt_user_begin(); traces, buffers and groups may still hold it
 *
 * Context: task.
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
 * @s: where to
 * @only: print this user only; NULL for all users
 *
 * Context: task.
 */
void ltt_users_show(struct seq_file *s, const kuid_t *only)
{
	struct ltt_user *user;

	seq_printf(s, "limits sessions %u bytes %llu members %u\n", READ_ONCE(max_sessions),
		   ltt_user_max_bytes(), ltt_user_max_members());
	spin_lock(&users_lock);
	list_for_each_entry(user, &users, node)
		if (!only || uid_eq(user->uid, *only))
			seq_printf(s, "user %u sessions %u bytes %llu members %u\n",
				   from_kuid_munged(&init_user_ns, user->uid), user->sessions,
				   user->bytes, user->members);
	spin_unlock(&users_lock);
}
