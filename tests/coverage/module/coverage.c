// SPDX-License-Identifier: GPL-2.0-only
/*
 * Line coverage of modules, on kernels without CONFIG_GCOV_KERNEL.  Test module, of no
 * layer; task context.
 *
 * Modules that are compiled with -fprofile-arcs count in their own memory, without a call, in any
 * context. A stock kernel does not export these counters. When a module is loaded, this module
 * finds its objects by the marks of mark.h. When it is unloaded, this module adds its counters to
 * those that it keeps under the name of each object's file, so modules can come and go at any
 * address.
 *
 * /proc/ltt-coverage has all counters, those of loaded modules with their present values: for each
 * object a line "NAME SIZE" and SIZE bytes, a .gcda file as gcov reads it. gcc defines the layout
 * of its data in an object, and of that file.
 */
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#if !defined(CONFIG_CC_IS_GCC) || __GNUC__ < 12 || __GNUC__ > 13
#error "the layout of gcov_info is known here for gcc 12 and 13 only"
#endif

#define COUNTER_KINDS		8	/* -fprofile-arcs has the first of them */
#define DATA_MAGIC		0x67636461
#define TAG_FUNCTION		0x01000000
#define TAG_ARCS		0x01a10000

struct gcov_ctr_info {
	unsigned int num;
	s64 *values;
};

struct gcov_fn_info {
	const struct gcov_info *key;
	unsigned int ident;
	unsigned int lineno_checksum;
	unsigned int cfg_checksum;
	struct gcov_ctr_info arcs;
};

struct gcov_info {
	unsigned int version;
	struct gcov_info *next;
	unsigned int stamp;
	unsigned int checksum;
	const char *filename;
	void (*merge[COUNTER_KINDS])(s64 *counters, unsigned int n);
	unsigned int n_functions;
	const struct gcov_fn_info *const *functions;
};

/* An object file, whether its module is loaded or not. */
struct object {
	struct list_head list;
	const struct module *module;	/* NULL if it is not */
	const struct gcov_info *info;
	char *name;
	size_t words;
	u32 *data;			/* the .gcda file */
};

static LIST_HEAD(objects);
static DEFINE_MUTEX(objects_mutex);	/* protects the list and all that is on it */

static size_t put(u32 *to, size_t at, u32 word)
{
	if (to)
		to[at] = word;
	return at + 1;
}

/* Moves a counter, which may count on meanwhile. */
static size_t add(u32 *to, size_t at, s64 *counter)
{
	u64 sum;

	if (to) {
		sum = (to[at] | (u64)to[at + 1] << 32) + xchg(counter, 0);
		to[at] = lower_32_bits(sum);
		to[at + 1] = upper_32_bits(sum);
	}
	return at + 2;
}

/* Moves all counters of an object to a file, which has them of before; its size in words. */
static size_t collect(const struct gcov_info *info, u32 *to)
{
	unsigned int i, n;
	size_t at = 0;

	at = put(to, at, DATA_MAGIC);
	at = put(to, at, info->version);
	at = put(to, at, info->stamp);
	at = put(to, at, info->checksum);
	for (i = 0; i < info->n_functions; i++) {
		const struct gcov_fn_info *function = info->functions[i];

		at = put(to, at, TAG_FUNCTION);
		at = put(to, at, 3 * sizeof(u32));
		at = put(to, at, function->ident);
		at = put(to, at, function->lineno_checksum);
		at = put(to, at, function->cfg_checksum);
		at = put(to, at, TAG_ARCS);
		at = put(to, at, function->arcs.num * sizeof(u64));
		for (n = 0; n < function->arcs.num; n++)
			at = add(to, at, &function->arcs.values[n]);
	}
	return at;
}

static struct object *find(const char *name)
{
	struct object *object;

	list_for_each_entry(object, &objects, list)
		if (!strcmp(object->name, name))
			return object;
	return NULL;
}

static struct object *create(const struct gcov_info *info)
{
	struct object *object = kzalloc(sizeof(*object), GFP_KERNEL);

	if (!object)
		return NULL;
	object->words = collect(info, NULL);
	object->name = kstrdup(info->filename, GFP_KERNEL);
	object->data = kvcalloc(object->words, sizeof(u32), GFP_KERNEL);
	if (!object->name || !object->data) {
		kfree(object->name);
		kvfree(object->data);
		kfree(object);
		return NULL;
	}
	list_add_tail(&object->list, &objects);
	return object;
}

static int come(const struct module *module, const struct gcov_info *info)
{
	struct object *object = find(info->filename) ?: create(info);

	if (!object)
		return -ENOMEM;
	object->module = module;
	object->info = info;
	return 0;
}

/* From the first mark in the module to the last; both NULL if it has none. */
static void find_marks(struct module *module, const struct gcov_info *const **first,
		       const struct gcov_info *const **last)
{
	const struct mod_kallsyms *table = rcu_dereference_protected(module->kallsyms, 1);
	unsigned int i;

	*first = *last = NULL;
	for (i = 0; i < table->num_symtab; i++) {
		const Elf_Sym *symbol = &table->symtab[i];
		const struct gcov_info *const *mark = (void *)symbol->st_value;

		if (strcmp(table->strtab + symbol->st_name, "ltt_coverage_mark"))
			continue;
		if (!*first || mark < *first)
			*first = mark;
		if (mark > *last)
			*last = mark;
	}
}

static int module_comes(struct module *module)
{
	const struct gcov_info *const *info, *const *last;
	int err = 0;

	find_marks(module, &info, &last);
	for (; !err && info < last; info++)
		if (*info)
			err = come(module, *info);
	return err;
}

static void module_goes(const struct module *module)
{
	struct object *object;

	list_for_each_entry(object, &objects, list) {
		if (object->module != module)
			continue;
		collect(object->info, object->data);
		object->module = NULL;
	}
}

static int module_event(struct notifier_block *block, unsigned long event, void *module)
{
	int err = 0;

	mutex_lock(&objects_mutex);
	if (event == MODULE_STATE_COMING)
		err = module_comes(module);
	else if (event == MODULE_STATE_GOING)
		module_goes(module);
	mutex_unlock(&objects_mutex);
	return notifier_from_errno(err);
}

/* The last notifier for a module that goes: LTT's layers run code for it when they do. */
static struct notifier_block notifier = {
	.notifier_call = module_event,
	.priority = INT_MIN,
};

static void *seq_start(struct seq_file *file, loff_t *at)
{
	mutex_lock(&objects_mutex);
	return seq_list_start(&objects, *at);
}

static void *seq_next(struct seq_file *file, void *object, loff_t *at)
{
	return seq_list_next(object, &objects, at);
}

static void seq_stop(struct seq_file *file, void *object)
{
	mutex_unlock(&objects_mutex);
}

static int seq_show(struct seq_file *file, void *at)
{
	struct object *object = list_entry(at, struct object, list);

	if (object->module)
		collect(object->info, object->data);
	seq_printf(file, "%s %zu\n", object->name, object->words * sizeof(u32));
	seq_write(file, object->data, object->words * sizeof(u32));
	return 0;
}

static const struct seq_operations seq_operations = {
	.start = seq_start,
	.next = seq_next,
	.stop = seq_stop,
	.show = seq_show,
};

/* It stays to the end: there is no exit. */
static int __init coverage_init(void)
{
	int err = register_module_notifier(&notifier);

	if (err)
		return err;
	if (!proc_create_seq("ltt-coverage", 0400, NULL, &seq_operations)) {
		unregister_module_notifier(&notifier);
		return -ENOMEM;
	}
	return 0;
}
module_init(coverage_init);

MODULE_DESCRIPTION("Brings out the coverage counters of other modules");
MODULE_LICENSE("GPL");
