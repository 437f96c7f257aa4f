// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of contexts: parsing, and their fields in the metadata.
 *
 * Layer: tracer.  Context: task, registry lock held.
 */
#include "context.h"
#include "tracer.h"

#include <linux/cache.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/ns_common.h>
#include <linux/nsproxy.h>
#include <linux/path.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "counter.h"

/* ---- Parsing ---- */

/* struct mnt_namespace, which is private to the kernel, begins with a struct ns_common. */
static bool mnt_ns_works __ro_after_init;

/**
 * ltt_contexts_init() - find out which contexts this kernel can have
 *
 * Context: task, no lock held, as a file system answers.
 */
void __init ltt_contexts_init(void)
{
	const struct ns_common *ns = (const void *)current->nsproxy->mnt_ns;
	struct path path;

	if (kern_path("/proc/self/ns/mnt", LOOKUP_FOLLOW, &path))
		return;
	mnt_ns_works = d_inode(path.dentry)->i_ino == ns->inum;
	path_put(&path);
}

/* "NAME" or, of a stack, "NAME:DEPTH".  Return: 0, or as ltt_contexts_create(). */
static int parse_word(const char *word, const struct ltt_context_type **type, unsigned int *depth)
{
	const char *colon = strrchr(word, ':');
	char name[LTT_CONTEXT_WORD_MAX];

	*depth = LTT_STACK_DEPTH;
	*type = ltt_context_find(word);
	if (*type)
		return 0;
	if (!colon || strlen(word) >= sizeof(name))
		return -EINVAL;
	strscpy(name, word, colon - word + 1);
	*type = ltt_context_find(name);
	if (!*type || (*type)->kind != LTT_CONTEXT_STACK || !isdigit(colon[1]) ||
	    kstrtouint(colon + 1, 10, depth) || !*depth || *depth > LTT_STACK_DEPTH_MAX)
		return -EINVAL;
	return 0;
}

/* Put the context into its place in the order of the table. */
static int insert(struct ltt_contexts *contexts, const struct ltt_context_type *type,
		  unsigned int depth)
{
	unsigned int at = contexts->nr;

	/* All rows are elements of one array. */
	while (at && contexts->context[at - 1].type > type)
		at--;
	if (at && contexts->context[at - 1].type == type)
		return -EEXIST;
	if (contexts->nr == LTT_CONTEXTS_MAX)
		return -E2BIG;
	memmove(&contexts->context[at + 1], &contexts->context[at],
		(contexts->nr - at) * sizeof(contexts->context[0]));
	contexts->context[at] = (struct ltt_context){ .type = type };
	if (type->kind == LTT_CONTEXT_STACK)
		contexts->context[at].depth = depth;
	contexts->nr++;
	contexts->nr_values += type->kind != LTT_CONTEXT_STACK;
	return 0;
}

static int add_word(struct ltt_contexts *contexts, const char *word)
{
	const struct ltt_context_type *type;
	unsigned int depth;
	int err;

	/* Each record has it. */
	if (!strcmp(word, "tid"))
		return 0;
	err = parse_word(word, &type, &depth);
	if (err)
		return err;
	if (!strcmp(type->name, "mnt_ns") && !mnt_ns_works)
		return -EOPNOTSUPP;
	return insert(contexts, type, depth);
}

static int add_words(struct ltt_contexts *contexts, char *rest, char bad[LTT_CONTEXT_WORD_MAX])
{
	char *word;
	int err;

	while ((word = strsep(&rest, ","))) {
		strscpy(bad, word, LTT_CONTEXT_WORD_MAX);
		err = add_word(contexts, word);
		if (err)
			return err;
	}
	return 0;
}

static enum ltt_context_shape shape_of(const struct ltt_contexts *contexts)
{
	bool pid = contexts->nr && !strcmp(contexts->context[0].type->name, "pid");
	bool comm = contexts->nr > pid && !strcmp(contexts->context[pid].type->name, "comm");

	if (contexts->nr != pid + comm)
		return LTT_SHAPE_ANY;
	return pid && comm ? LTT_SHAPE_PID_COMM : pid ? LTT_SHAPE_PID : LTT_SHAPE_COMM;
}

static int finish(struct ltt_contexts *contexts)
{
	size_t len = 0;
	unsigned int i;

	for (i = 0; i < contexts->nr; i++) {
		const struct ltt_context *context = &contexts->context[i];

		len += scnprintf(contexts->text + len, sizeof(contexts->text) - len, "%s%s",
				 i ? "," : "", context->type->name);
		if (context->type->kind == LTT_CONTEXT_STACK)
			len += scnprintf(contexts->text + len, sizeof(contexts->text) - len, ":%u",
					 context->depth);
	}
	contexts->shape = shape_of(contexts);
	return ltt_contexts_have_stack(contexts) ? ltt_stack_alloc(get_random_u64()) : 0;
}

/* Last, as only this takes something from others. */
static int open_counters(struct ltt_contexts *contexts, char bad[LTT_CONTEXT_WORD_MAX])
{
	unsigned int i;

	for (i = 0; i < contexts->nr_values; i++) {
		struct ltt_context *context = &contexts->context[i];
		struct ltt_counter *counter;

		if (context->type->kind != LTT_CONTEXT_COUNTER)
			continue;
		strscpy(bad, context->type->name, LTT_CONTEXT_WORD_MAX);
		counter = ltt_counter_get(context->type);
		if (PTR_ERR_OR_ZERO(counter) == -ENOENT)
			return -EOPNOTSUPP;
		if (IS_ERR(counter))
			return PTR_ERR(counter);
		context->counter = counter;
	}
	return 0;
}

struct ltt_contexts *ltt_contexts_create(const char *text, char bad[LTT_CONTEXT_WORD_MAX])
{
	struct ltt_contexts *contexts;
	char *copy;
	int err = -ENOMEM;

	ltt_markers_assert_held();
	*bad = '\0';
	if (!strcmp(text, "none"))
		return NULL;
	contexts = kzalloc(sizeof(*contexts), GFP_KERNEL_ACCOUNT);
	copy = kstrdup(text, GFP_KERNEL);
	if (contexts)
		contexts->users = 1;
	if (!contexts || !copy)
		goto out;
	err = add_words(contexts, copy, bad);
	if (!err)
		err = finish(contexts);
	if (!err)
		err = open_counters(contexts, bad);
out:
	kfree(copy);
	/* With tid alone there is nothing more to record. */
	if (!err && contexts->nr)
		return contexts;
	if (contexts)
		ltt_contexts_put(contexts);
	return err ? ERR_PTR(err) : NULL;
}
EXPORT_SYMBOL_GPL(ltt_contexts_create);

/**
 * ltt_contexts_get() - a reference more
 * @contexts: may be NULL
 */
struct ltt_contexts *ltt_contexts_get(struct ltt_contexts *contexts)
{
	if (contexts)
		contexts->users++;
	return contexts;
}

void ltt_contexts_put(struct ltt_contexts *contexts)
{
	unsigned int i;

	if (!contexts || --contexts->users)
		return;
	for (i = 0; i < contexts->nr_values; i++)
		if (contexts->context[i].type->kind == LTT_CONTEXT_COUNTER)
			ltt_counter_put(contexts->context[i].counter);
	kfree(contexts);
}
EXPORT_SYMBOL_GPL(ltt_contexts_put);

const char *ltt_contexts_text(const struct ltt_contexts *contexts)
{
	return contexts ? contexts->text : "none";
}
EXPORT_SYMBOL_GPL(ltt_contexts_text);

/* ---- Fields ---- */

/**
 * ltt_contexts_have_stack() - check whether one of the contexts is a stack
 * @contexts: the list, not NULL
 *
 * Context: any.
 * Return: true if there is one.
 */
bool ltt_contexts_have_stack(const struct ltt_contexts *contexts)
{
	return contexts->nr > contexts->nr_values;
}

static const char *const stack_numbers[] = { "kernel_stack_id", "user_stack_id" };

static struct ltt_field number_of(const struct ltt_context_type *type)
{
	return (struct ltt_field){
		.name = stack_numbers[str_has_prefix(type->name, "user") ? 1 : 0],
		.type = "u64", .kind = LTT_FIELD_INT, .size = 8, .base = 16,
	};
}

/**
 * ltt_contexts_values() - describe the values as fields, for the metadata
 * @contexts: the list; NULL has none
 * @fields: receives the fields, at most LTT_CONTEXTS_MAX
 *
 * Return: their number.
 */
unsigned int ltt_contexts_values(const struct ltt_contexts *contexts, struct ltt_field *fields)
{
	unsigned int i;

	for (i = 0; contexts && i < contexts->nr_values; i++)
		fields[i] = contexts->context[i].type->field;
	return i;
}

/**
 * ltt_contexts_stacks() - describe the stacks as fields, for the metadata
 * @contexts: the list; NULL has none
 * @fields: receives the fields, two for each stack
 *
 * Return: their number.
 */
unsigned int ltt_contexts_stacks(const struct ltt_contexts *contexts, struct ltt_field *fields)
{
	unsigned int i, nr = 0;

	for (i = contexts ? contexts->nr_values : 0; contexts && i < contexts->nr; i++) {
		fields[nr++] = number_of(contexts->context[i].type);
		fields[nr++] = contexts->context[i].type->field;
	}
	return nr;
}
