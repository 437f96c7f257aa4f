// SPDX-License-Identifier: GPL-2.0-only
/*
 * The CTF metadata of a trace: append-only text, readable at any offset.
 *
 * Layer: tracer.  Context: task.  A block is appended whole and before its event
 * can fire, so metadata read after a packet always describes that packet.
 *
 * Locking: metadata->lock guards the text of one trace; innermost.  Readers have a
 * reference of their own and outlive the trace.
 */
#include "context.h"
#include "tracer.h"
#include "../../core/version.h"

#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>

#include <ltt/clock.h>
#include <ltt/filter.h>
#include <ltt/metadata.h>

struct ltt_metadata {
	struct kref ref;
	struct mutex lock;
	char *text;
	size_t len;
	size_t size;
};

/* Text under construction: appended to the metadata as a whole, or not at all. */
struct block {
	char *text;
	size_t len;
	size_t size;
};

static int grow(char **text, size_t *size, size_t len, size_t need)
{
	size_t new_size = max_t(size_t, PAGE_SIZE, *size);
	char *new;

	while (new_size < need)
		new_size *= 2;
	if (new_size == *size)
		return 0;
	/* The kernel warns of more than INT_MAX bytes. */
	new = kvmalloc(new_size, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!new)
		return -ENOMEM;
	if (len)
		memcpy(new, *text, len);
	kvfree(*text);
	*text = new;
	*size = new_size;
	return 0;
}

static int block_write(void *priv, const char *text, size_t len)
{
	struct block *block = priv;
	int err = grow(&block->text, &block->size, block->len, block->len + len + 1);

	if (err)
		return err;
	memcpy(block->text + block->len, text, len);
	block->len += len;
	block->text[block->len] = '\0';
	return 0;
}

static int append(struct ltt_metadata *md, const struct block *block)
{
	int err;

	mutex_lock(&md->lock);
	err = grow(&md->text, &md->size, md->len, md->len + block->len);
	if (!err) {
		memcpy(md->text + md->len, block->text, block->len);
		md->len += block->len;
	}
	mutex_unlock(&md->lock);
	return err;
}

static int finish(struct ltt_metadata *md, struct ltt_ctf *ctf, struct block *block)
{
	int err = ctf->err;

	if (!err)
		err = append(md, block);
	kvfree(block->text);
	return err;
}

/* By the domain, readers know a trace of a kernel. */
static void put_trace(struct ltt_ctf *ctf, const struct ltt_trace *trace)
{
	const struct ltt_clock_info *clock = &trace->clock;
	const char *const env[][2] = {
		{ "domain", "kernel" },
		{ "sysname", utsname()->sysname },
		{ "kernel_release", utsname()->release },
		{ "kernel_version", utsname()->version },
		{ "hostname", utsname()->nodename },
		LTT_VERSION_ENV,
		{ "trace_buffering_scheme", "global" },
		{ "trace_name", trace->name },
	};
	const struct ltt_ctf_trace what = {
		.uuid = trace->uuid.b,
		.clock_name = clock->name,
		.clock_description = clock->description,
		.clock_uuid = clock->uuid.b,
		.freq = clock->freq,
		.offset_s = clock->offset_s,
		.offset = clock->offset,
		.env = env,
		.nr_env = ARRAY_SIZE(env),
	};

	ltt_ctf_put_trace(ctf, &what);
}

/**
 * ltt_metadata_create() - begin the metadata of a trace
 * @trace: with its name and uuid set; its clock is set here
 * Return: metadata with one reference, or ERR_PTR(-ENOMEM).
 */
struct ltt_metadata *ltt_metadata_create(struct ltt_trace *trace)
{
	struct block block = {};
	struct ltt_ctf ctf = { .write = block_write, .priv = &block };
	struct ltt_metadata *md = kzalloc(sizeof(*md), GFP_KERNEL_ACCOUNT);
	int err;

	if (!md)
		return ERR_PTR(-ENOMEM);
	kref_init(&md->ref);
	mutex_init(&md->lock);
	ltt_clock_get_info(&trace->clock);
	put_trace(&ctf, trace);
	err = finish(md, &ctf, &block);
	if (err) {
		ltt_metadata_put(md);
		return ERR_PTR(err);
	}
	return md;
}

/**
 * ltt_metadata_add_stream() - describe a channel
 * Return: 0 or -ENOMEM.
 */
int ltt_metadata_add_stream(struct ltt_channel *channel)
{
	struct block block = {};
	struct ltt_ctf ctf = { .write = block_write, .priv = &block };
	static const struct ltt_field tid = {
		.name = "tid", .kind = LTT_FIELD_INT, .size = 4, .is_signed = true, .base = 10,
	};

	ltt_ctf_put_stream(&ctf, channel->nr, channel->name, &tid, 1);
	return finish(channel->trace->metadata, &ctf, &block);
}

/**
 * ltt_metadata_add_event() - describe an event, before it can fire
 * Return: 0 or -ENOMEM.
 */
int ltt_metadata_add_event(struct ltt_event *event, const struct ltt_field *fields,
			   unsigned int nr_fields)
{
	struct block block = {};
	struct ltt_ctf ctf = { .write = block_write, .priv = &block };
	struct ltt_field *all;
	unsigned int nr_values, nr_stacks;

	/* The fields of stacks, behind the values and before the payload, count as payload: a
	 * sequence in the context of an event makes babeltrace2 2.0.4 abort. */
	all = kcalloc(LTT_CONTEXT_FIELDS_MAX + nr_fields, sizeof(*all), GFP_KERNEL);
	if (!all)
		return -ENOMEM;
	nr_values = ltt_contexts_values(event->contexts, all);
	nr_stacks = ltt_contexts_stacks(event->contexts, all + nr_values);
	if (nr_fields)
		memcpy(all + nr_values + nr_stacks, fields, nr_fields * sizeof(*all));
	ltt_ctf_put_event_with(&ctf, event->channel->nr, event->id,
			       event->bare ? NULL : event->group, event->name, all, nr_values,
			       all + nr_values, nr_stacks + nr_fields);
	kfree(all);
	return finish(event->trace->metadata, &ctf, &block);
}

/**
 * ltt_metadata_layout() - the text of fields, to compare two layouts by
 * Return: text for kfree(), or NULL.
 */
char *ltt_metadata_layout(const struct ltt_field *fields, unsigned int nr_fields)
{
	struct block block = {};
	struct ltt_ctf ctf = { .write = block_write, .priv = &block };
	char *layout = NULL;

	ltt_ctf_put_event(&ctf, 0, 0, NULL, "", fields, nr_fields);
	/* Kept by each event, so no longer than it is: a block is a page at least. */
	if (!ctf.err)
		layout = kmemdup(block.text, block.len + 1, GFP_KERNEL_ACCOUNT);
	kvfree(block.text);
	return layout;
}

/**
 * ltt_layout_hash() - a short name for a layout
 * @layout: from ltt_metadata_layout()
 *
 * Return: its 64-bit FNV-1a hash.
 */
u64 ltt_layout_hash(const char *layout)
{
	u64 hash = 0xcbf29ce484222325ULL;

	for (; *layout; layout++)
		hash = (hash ^ (u8)*layout) * 0x100000001b3ULL;
	return hash;
}

int ltt_marker_layout(const struct ltt_marker *marker, u64 *hash)
{
	char *layout = ltt_metadata_layout(marker->fields, marker->nr_fields);

	ltt_markers_assert_held();
	if (!layout)
		return -ENOMEM;
	*hash = ltt_layout_hash(layout);
	kfree(layout);
	return 0;
}
EXPORT_SYMBOL_GPL(ltt_marker_layout);

static void release(struct kref *ref)
{
	struct ltt_metadata *md = container_of(ref, struct ltt_metadata, ref);

	kvfree(md->text);
	kfree(md);
}

void ltt_metadata_put(struct ltt_metadata *metadata)
{
	kref_put(&metadata->ref, release);
}
EXPORT_SYMBOL_GPL(ltt_metadata_put);

struct ltt_metadata *ltt_trace_metadata(struct ltt_trace *trace)
{
	kref_get(&trace->metadata->ref);
	return trace->metadata;
}
EXPORT_SYMBOL_GPL(ltt_trace_metadata);

ssize_t ltt_metadata_read(struct ltt_metadata *metadata, char __user *to, size_t count,
			  loff_t *pos)
{
	ssize_t ret = 0;
	char *page;

	page = (char *)__get_free_page(GFP_KERNEL);
	if (!page)
		return -ENOMEM;
	/* By way of a page: a fault of the reader's memory may wait for long, and a thread that
	 * adds an event meanwhile would wait for metadata->lock with the registry lock held. */
	mutex_lock(&metadata->lock);
	if (*pos < metadata->len) {
		ret = min3(count, (size_t)PAGE_SIZE, (size_t)(metadata->len - *pos));
		memcpy(page, metadata->text + *pos, ret);
	}
	mutex_unlock(&metadata->lock);
	if (copy_to_user(to, page, ret))
		ret = -EFAULT;
	else
		*pos += ret;
	free_page((unsigned long)page);
	return ret;
}
EXPORT_SYMBOL_GPL(ltt_metadata_read);
