// SPDX-License-Identifier: GPL-2.0-only
/*
 * Markers with any fields, and events with any payload, as a program asks for them.
 *
 * Test module, of no layer; a provider of the registry.  Each write to /proc/ltt-test-random is a
 * struct random_definition, whose marker has the flag RANDOM_DEFINITION, or a __u32 with the number of
 * a marker and the packed payload of an event, which happens during the write.  The markers stay until the module
 * is unloaded.
 *
 * Locking: the registry lock guards the markers, also while an event happens.
 */
#include <ltt/registry.h>

#include <linux/err.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "ltt-test-random.h"

struct random_marker {
	struct ltt_marker marker;
	char name[16];
	struct ltt_field field[RANDOM_FIELDS];
	char field_name[RANDOM_FIELDS][8];
};

static struct random_marker *markers[RANDOM_MARKERS];

/* The markers look at the number of their sinks only. */
static int connect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	return 0;
}

static void disconnect(struct ltt_marker *m, const struct ltt_sink *sink)
{
}

static void show(struct ltt_marker *m, struct seq_file *s)
{
}

static const struct ltt_marker_ops ops = {
	.owner = THIS_MODULE,
	.connect = connect,
	.disconnect = disconnect,
	.show = show,
};

static void set_field(struct ltt_field *field, char *name, unsigned int nr, const struct random_field *from)
{
	sprintf(name, "f%u", nr);
	*field = (struct ltt_field){
		.name = name, .type = "random", .count = from->count, .kind = from->kind, .size = from->size,
		.is_signed = from->is_signed, .base = 10, .labels = from->has_labels ? RANDOM_LABELS : NULL,
	};
}

/* Registry lock held. */
static int define(const struct random_definition *definition, size_t count)
{
	const unsigned int nr = definition->marker & ~RANDOM_DEFINITION;
	struct random_marker *m;
	unsigned int i;
	int err;

	if (count != sizeof(*definition) || nr >= RANDOM_MARKERS || definition->nr_fields > RANDOM_FIELDS)
		return -EINVAL;
	if (markers[nr])
		return -EEXIST;
	m = kzalloc(sizeof(*m), GFP_KERNEL);
	if (!m)
		return -ENOMEM;
	for (i = 0; i < definition->nr_fields; i++)
		set_field(&m->field[i], m->field_name[i], i, &definition->field[i]);
	sprintf(m->name, "e%u", nr);
	m->marker = (struct ltt_marker){
		.group = "random", .name = m->name, .fields = m->field, .nr_fields = definition->nr_fields, .ops = &ops,
	};
	err = ltt_marker_register(&m->marker);
	if (err)
		kfree(m);
	else
		markers[nr] = m;
	return err;
}

/* Registry lock held. */
static int happen(unsigned int nr, const void *payload, size_t len)
{
	const struct ltt_sink *sink;
	struct random_marker *m;

	m = nr < RANDOM_MARKERS ? markers[nr] : NULL;
	if (!m)
		return -ENOENT;
	if (!m->marker.nr_sinks)
		return 0;
	preempt_disable();
	sink = ltt_marker_sink(&m->marker);
	if (ltt_sink_wants(sink))
		sink->write(sink, payload, len);
	preempt_enable();
	return 0;
}

static ssize_t test_write(struct file *file, const char __user *text, size_t count, loff_t *pos)
{
	const unsigned int *number;
	void *payload;
	char *bytes;
	int err;

	if (count < sizeof(*number) || count > sizeof(*number) + RANDOM_PAYLOAD_MAX)
		return -EINVAL;
	bytes = memdup_user(text, count);
	if (IS_ERR(bytes))
		return PTR_ERR(bytes);
	number = (const unsigned int *)bytes;
	/* A payload is aligned to 8 bytes. */
	payload = kmemdup(bytes + sizeof(*number), count - sizeof(*number), GFP_KERNEL);
	err = payload ? 0 : -ENOMEM;
	ltt_markers_lock();
	if (!err && *number & RANDOM_DEFINITION)
		err = define((const void *)bytes, count);
	else if (!err)
		err = happen(*number, payload, count - sizeof(*number));
	ltt_markers_unlock();
	kfree(payload);
	kfree(bytes);
	return err ? err : count;
}

static const struct proc_ops test_ops = {
	.proc_write = test_write,
};

static int __init test_init(void)
{
	return proc_create("ltt-test-random", 0200, NULL, &test_ops) ? 0 : -ENOMEM;
}

static void __exit test_exit(void)
{
	unsigned int i;

	remove_proc_entry("ltt-test-random", NULL);
	ltt_markers_lock();
	for (i = 0; i < RANDOM_MARKERS; i++)
		if (markers[i])
			ltt_marker_unregister(&markers[i]->marker);
	ltt_marker_synchronize();
	ltt_markers_unlock();
	for (i = 0; i < RANDOM_MARKERS; i++)
		kfree(markers[i]);
}

module_init(test_init);
module_exit(test_exit);

MODULE_DESCRIPTION("Markers with any fields, for tests of filters");
MODULE_LICENSE("GPL");
