// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-probes: dynamic probes as markers; modules/include/ltt/probes.h is its API.
 *
 * Layer: instrument.  Context: task, may sleep.
 *
 * While a marker has sinks, its probe is armed.  A probe in a module of the kernel goes with
 * the module, whether it has owners or not: another module of that name may have other structures.
 *
 * Locking: the registry lock guards the list of probes and their owners.  The notifier of
 * modules runs before that of kprobes, while the code of the module is still there.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "probe.h"

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/notifier.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/string_helpers.h>

#include <ltt/scratch.h>

/**
 * struct owner - an owner of a probe
 * @node: in ltt_probe.owners
 * @address: the address that stands for it
 */
struct owner {
	struct list_head node;
	const void *address;
};

static LIST_HEAD(probes);
static unsigned int nr_probes;

int ltt_probe_fail(char *why, size_t size, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vscnprintf(why, size, format, args);
	va_end(args);
	return err;
}

/* ---- What the registry asks for ---- */

static struct ltt_probe *probe_of(const struct ltt_marker *m)
{
	return container_of(m, struct ltt_probe, marker);
}

static int probe_connect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_probe *probe = probe_of(m);

	return m->nr_sinks > 1 ? 0 : probe->kind->arm(probe);
}

static void probe_disconnect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_probe *probe = probe_of(m);

	if (!m->nr_sinks)
		probe->kind->disarm(probe);
}

static u64 probe_missed(struct ltt_marker *m)
{
	return probe_of(m)->kind->missed(probe_of(m));
}

static void probe_show(struct ltt_marker *m, struct seq_file *s)
{
	struct ltt_probe *probe = probe_of(m);

	seq_puts(s, "  at ");
	probe->kind->show_place(probe, s);
	seq_printf(s, "\n  missed %llu failed reads %lld\n", probe->kind->missed(probe),
		   atomic64_read(&probe->failed));
}

static const struct ltt_marker_ops probe_ops = {
	.owner = THIS_MODULE,
	.connect = probe_connect,
	.disconnect = probe_disconnect,
	.show = probe_show,
	.missed = probe_missed,
};

/* ---- Probes and owners ---- */

static struct owner *find_owner(struct ltt_probe *probe, const void *address)
{
	struct owner *owner;

	list_for_each_entry(owner, &probe->owners, node)
		if (owner->address == address)
			return owner;
	return NULL;
}

static void drop_owner(struct owner *owner)
{
	list_del(&owner->node);
	kfree(owner);
}

/* Free probes of one list, which are no longer in the registry, kind by kind. */
static void free_all(struct list_head *dead)
{
	struct ltt_probe *batch[16], *probe, *next;
	unsigned int nr, i;

	while (!list_empty(dead)) {
		const struct ltt_probe_kind *kind = list_first_entry(dead, struct ltt_probe, node)->kind;

		nr = 0;
		list_for_each_entry_safe(probe, next, dead, node) {
			if (probe->kind != kind || nr == ARRAY_SIZE(batch))
				continue;
			list_del(&probe->node);
			batch[nr++] = probe;
		}
		kind->release(batch, nr);
		/* The sinks of the last events, and who looks at the probe in them. */
		ltt_marker_synchronize();
		for (i = 0; i < nr; i++)
			ltt_probe_free(batch[i]);
	}
}

/* Take a probe from its users and owners. */
static void withdraw(struct ltt_probe *probe, struct list_head *dead)
{
	while (!list_empty(&probe->owners))
		drop_owner(list_first_entry(&probe->owners, struct owner, node));
	ltt_marker_unregister(&probe->marker);
	list_move(&probe->node, dead);
	nr_probes--;
}

/* Another owner for a probe that there is. */
static int share(struct ltt_probe *probe, struct owner *owner, const char *text, const struct path *file,
		 char *why, size_t size)
{
	if (strcmp(probe->text, text))
		return ltt_probe_fail(why, size, -EEXIST,
				      "there is another probe %s:%s already, with other fields or at another place: choose another name",
				      probe->marker.group, probe->name);
	if (probe->kind->is_of && !probe->kind->is_of(probe, file))
		return ltt_probe_fail(why, size, -EEXIST,
				      "there is a probe %s:%s already, of another file with that name: remove it if the file was replaced, or choose another name",
				      probe->marker.group, probe->name);
	if (find_owner(probe, owner->address))
		return ltt_probe_fail(why, size, -EALREADY, "the probe %s:%s is there already",
				      probe->marker.group, probe->name);
	list_add_tail(&owner->node, &probe->owners);
	return 0;
}

static int add(struct ltt_probe *probe, struct owner *owner, char *why, size_t size)
{
	int err;

	probe->marker.ops = &probe_ops;
	probe->marker.flags = LTT_MARKER_HANDLER;
	list_add_tail(&owner->node, &probe->owners);
	list_add_tail(&probe->node, &probes);
	nr_probes++;
	err = ltt_marker_register(&probe->marker);
	if (!err)
		return 0;
	list_del(&owner->node);
	list_del(&probe->node);
	nr_probes--;
	return ltt_probe_fail(why, size, err, "the marker %s:%s cannot be registered (errno %d)",
			      probe->marker.group, probe->name, -err);
}

/* The name in a description, which is GROUP:NAME and a space. */
static struct ltt_probe *find_described(const char *text)
{
	size_t len = strcspn(text, " \t");
	struct ltt_probe *probe;

	list_for_each_entry(probe, &probes, node)
		if (strcspn(probe->text, " \t") == len && !strncmp(probe->text, text, len))
			return probe;
	return NULL;
}

static int create(struct owner *owner, const char *text, const struct path *file, char *why,
		  size_t size)
{
	struct ltt_probe *probe = find_described(text);
	int err = security_locked_down(LOCKDOWN_KPROBES);

	if (err)
		return ltt_probe_fail(why, size, err, "the kernel is locked down: it allows no probes");
	if (probe)
		return share(probe, owner, text, file, why, size);
	if (nr_probes == LTT_PROBES_MAX)
		return ltt_probe_fail(why, size, -EDQUOT, "there are %u dynamic probes, the most there may be",
				      LTT_PROBES_MAX);
	probe = ltt_probe_describe(text, file, why, size);
	if (IS_ERR(probe))
		return PTR_ERR(probe);
	err = add(probe, owner, why, size);
	if (err) {
		probe->kind->release(&probe, 1);
		ltt_probe_free(probe);
	}
	return err;
}

/* The file of a program, the third part of the place: OFFSET:SEMAPHORE:PATH. */
static char *path_of(char *description)
{
	static const char *const groups[] = { "uprobe:", "uretprobe:", "usdt:" };
	const char *name = ltt_probe_next_word(&description);
	char *place = (char *)ltt_probe_next_word(&description);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(groups) && !str_has_prefix(name, groups[i]); i++)
		;
	if (i == ARRAY_SIZE(groups) || !strsep(&place, ":") || !strsep(&place, ":"))
		return NULL;
	return place;
}

int ltt_probe_open(const char *description, struct path *file, char *why, size_t size)
{
	char *copy = kstrdup(description, GFP_KERNEL), *path;
	int err = 0;

	*file = (struct path){};
	if (!copy)
		return ltt_probe_fail(why, size, -ENOMEM, "there is not enough memory");
	path = path_of(copy);
	if (path) {
		string_unescape_inplace(path, UNESCAPE_OCTAL);
		err = kern_path(path, LOOKUP_FOLLOW, file);
		if (err)
			ltt_probe_fail(why, size, err, "the file %.100s cannot be opened (errno %d)", path, -err);
	}
	kfree(copy);
	return err;
}
EXPORT_SYMBOL_GPL(ltt_probe_open);

int ltt_probe_create(const void *address, const char *description, const struct path *file, char *why,
		     size_t size)
{
	struct owner *owner = kmalloc(sizeof(*owner), GFP_KERNEL_ACCOUNT);
	int err;

	ltt_markers_assert_held();
	if (!owner)
		return ltt_probe_fail(why, size, -ENOMEM, "there is not enough memory");
	owner->address = address;
	err = create(owner, skip_spaces(description), file, why, size);
	if (err)
		kfree(owner);
	return err;
}
EXPORT_SYMBOL_GPL(ltt_probe_create);

/* Remove an owner, and a probe that has none left. */
static void give_up(struct ltt_probe *probe, struct owner *owner, struct list_head *dead)
{
	drop_owner(owner);
	if (list_empty(&probe->owners))
		withdraw(probe, dead);
}

int ltt_probe_remove(const void *address, const char *name)
{
	struct ltt_probe *probe = find_described(name);
	struct owner *owner = probe ? find_owner(probe, address) : NULL;
	LIST_HEAD(dead);

	ltt_markers_assert_held();
	if (!owner)
		return -ENOENT;
	give_up(probe, owner, &dead);
	free_all(&dead);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_probe_remove);

void ltt_probes_remove_all(const void *address)
{
	struct ltt_probe *probe, *next;
	LIST_HEAD(dead);

	ltt_markers_assert_held();
	list_for_each_entry_safe(probe, next, &probes, node) {
		struct owner *owner = find_owner(probe, address);

		if (owner)
			give_up(probe, owner, &dead);
	}
	free_all(&dead);
}
EXPORT_SYMBOL_GPL(ltt_probes_remove_all);

void ltt_probes_show(struct seq_file *s)
{
	struct ltt_probe *probe;

	ltt_markers_assert_held();
	list_for_each_entry(probe, &probes, node)
		seq_printf(s, "%s\n", probe->text);
}
EXPORT_SYMBOL_GPL(ltt_probes_show);

/* ---- Modules of the kernel that come and go ---- */

static void module_comes(void)
{
	struct ltt_probe *probe;

	list_for_each_entry(probe, &probes, node)
		if (probe->kind->module_comes)
			probe->kind->module_comes(probe);
}

static void module_goes(const struct module *mod)
{
	struct ltt_probe *probe, *next;
	LIST_HEAD(dead);

	list_for_each_entry_safe(probe, next, &probes, node) {
		if (!ltt_kprobe_is_in(probe, mod))
			continue;
		pr_info("%s:%s goes with the module %s\n", probe->marker.group, probe->name, mod->name);
		withdraw(probe, &dead);
	}
	free_all(&dead);
}

static int module_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	ltt_markers_lock();
	if (action == MODULE_STATE_COMING)
		module_comes();
	else if (action == MODULE_STATE_GOING)
		module_goes(data);
	ltt_markers_unlock();
	return NOTIFY_OK;
}

static struct notifier_block module_nb = {
	.notifier_call = module_notify,
	.priority = 1,
};

static int __init ltt_probes_init(void)
{
	int err;

	ltt_markers_lock();
	err = ltt_scratch_prepare();
	ltt_markers_unlock();
	if (err)
		return err;
	err = ltt_sample_init();
	if (err)
		return err;
	err = register_module_notifier(&module_nb);
	if (err)
		ltt_sample_exit();
	return err;
}

/* No probe is left: each owner is a module that uses this one, and gives its probes up. */
static void __exit ltt_probes_exit(void)
{
	unregister_module_notifier(&module_nb);
	ltt_sample_exit();
	WARN_ON_ONCE(!list_empty(&probes));
}

module_init(ltt_probes_init);
module_exit(ltt_probes_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("LTT: dynamic probes as markers");
