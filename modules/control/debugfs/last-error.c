// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file last_error: for each user, the sentence about their last rejected write.
 *
 * Layer: control.  Context: task.
 *
 * Locking: errors_lock guards the list of sentences and their number; innermost.
 */
#include "debugfs.h"

#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

/* Beyond that, the user whose last rejected write is the oldest loses the sentence. */
#define USERS_MAX	64

/**
 * struct last_error - a sentence of a user
 * @node: in errors, the latest first
 * @uid: the user
 * @sentence: what was wrong
 */
struct last_error {
	struct list_head node;
	kuid_t uid;
	char sentence[LTT_ERROR_MAX];
};

static DEFINE_MUTEX(errors_lock);
static LIST_HEAD(errors);
static unsigned int nr_errors;

static struct last_error *find(kuid_t uid)
{
	struct last_error *error;

	lockdep_assert_held(&errors_lock);
	list_for_each_entry(error, &errors, node)
		if (uid_eq(error->uid, uid))
			return error;
	return NULL;
}

/* Return: an entry to use for another user, in no list; NULL without memory. */
static struct last_error *alloc(void)
{
	struct last_error *error;

	if (nr_errors < USERS_MAX) {
		error = kmalloc(sizeof(*error), GFP_KERNEL_ACCOUNT);
		nr_errors += !!error;
		return error;
	}
	error = list_last_entry(&errors, struct last_error, node);
	list_del(&error->node);
	return error;
}

/**
 * ltt_last_error_set() - remember why a write was rejected
 * @cred: credentials of the file that was written; its user can read the sentence
 * @sentence: what was wrong, in less than LTT_ERROR_MAX bytes
 *
 * Without memory for it the user has no sentence.
 *
 * Context: sleeps.
 */
void ltt_last_error_set(const struct cred *cred, const char *sentence)
{
	struct last_error *error;

	mutex_lock(&errors_lock);
	error = find(cred->uid);
	if (error)
		list_del(&error->node);
	else
		error = alloc();
	if (error) {
		error->uid = cred->uid;
		strscpy(error->sentence, sentence, sizeof(error->sentence));
		list_add(&error->node, &errors);
	}
	mutex_unlock(&errors_lock);
}

/**
 * ltt_last_error_show() - print the sentence of the user who opened the file
 * @file: unused
 * @call: @call->out is the file that is read
 *
 * Return: 0.
 * Context: sleeps.
 */
int ltt_last_error_show(struct ltt_text *file, struct ltt_call *call)
{
	const struct last_error *error;

	mutex_lock(&errors_lock);
	error = find(call->out->file->f_cred->uid);
	seq_printf(call->out, "%s\n", error ? error->sentence : "");
	mutex_unlock(&errors_lock);
	return 0;
}

/**
 * ltt_last_error_exit() - free all sentences; no file is left
 */
void ltt_last_error_exit(void)
{
	struct last_error *error, *next;

	list_for_each_entry_safe(error, next, &errors, node)
		kfree(error);
	INIT_LIST_HEAD(&errors);
	nr_errors = 0;
}
