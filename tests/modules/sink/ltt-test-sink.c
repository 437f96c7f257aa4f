// SPDX-License-Identifier: GPL-2.0-only
/*
 * A user of the marker registry that counts and checks the payloads it receives.
 *
 * Test module, of no layer; needs ltt-markers only.  /proc/ltt-test-sink:
 *
 *	write	+GLOB		connect the markers whose "group:name" matches, also
 *				those that come later
 *		-GLOB		disconnect them
 *	read	for each known marker, by age:
 *		NAME STATE calls N bad N missing N last TEXT
 *		and the places that its provider shows
 *
 * STATE is "connected", "there" or "gone".  "bad" counts payloads that are not
 * what the fields say, and calls with preemption on, which a sink must not get.  A marker whose first fields are "cpu" and "seq" is taken
 * for a numbered sequence: "missing" counts the numbers skipped, and a number or a
 * CPU that cannot be is bad.  TEXT is the last payload, in hexadecimal digits if
 * an integer is to be shown so.
 *
 * Context: write() of a tap runs wherever the marker does.  Locking: the
 * registry lock guards the list of taps and the patterns; a tap's lock its last
 * payload.
 */
#include <ltt/marker-types.h>
#include <ltt/registry.h>

#include <linux/glob.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#define NAME_SIZE	128
#define LAST_SIZE	LTT_MARK_PAYLOAD_MAX

struct tally {
	u64 calls;
	u64 bad;
	u64 missing;
	u64 next;
};

/**
 * struct tap - the sink of one marker; stays when the marker goes
 * @node: in taps
 * @sink: what is connected
 * @marker: the marker while there is one, else NULL
 * @connected: @sink is connected to @marker
 * @name: "group:name"
 * @fields: a copy; their names and types are not used when the marker is gone
 * @nr_fields: how many
 * @is_sequence: see above
 * @tally: what was counted, per CPU
 * @lock: guards @last and @last_len
 * @last: the last payload
 * @last_len: its length
 */
struct tap {
	struct list_head node;
	struct ltt_sink sink;
	struct ltt_marker *marker;
	bool connected;
	char name[NAME_SIZE];
	struct ltt_field *fields;
	unsigned int nr_fields;
	bool is_sequence;
	struct tally __percpu *tally;
	raw_spinlock_t lock;
	u8 last[LAST_SIZE];
	size_t last_len;
};

struct pattern {
	struct list_head node;
	char glob[NAME_SIZE];
};

/* Taps take every event, and are never full. */
static DEFINE_PER_CPU(struct ltt_gate, open_gate);
static DEFINE_PER_CPU(struct ltt_sink_room, never_full) = { .full_at = ~0ULL };

static LIST_HEAD(taps);
static LIST_HEAD(patterns);

/* ---- What a payload must be ---- */

static u64 load(const u8 *at, size_t size, bool is_signed)
{
	unsigned int unused_bits = 64 - 8 * size;
	u64 word = 0;

#ifdef __BIG_ENDIAN
	memcpy((u8 *)&word + sizeof(word) - size, at, size);
#else
	memcpy(&word, at, size);
#endif
	return is_signed ? (s64)(word << unused_bits) >> unused_bits : word;
}

/* The size of a field's value at @at, which has @room bytes; 0 if it is wrong. */
static size_t value_size(const struct ltt_field *f, const u8 *at, size_t room)
{
	size_t size;

	switch (f->kind) {
	case LTT_FIELD_INT:
		size = f->size;
		break;
	case LTT_FIELD_STRING:
		size = strnlen(at, room) + 1;
		break;
	case LTT_FIELD_TEXT:
	case LTT_FIELD_ARRAY:
		size = f->count * f->size;
		break;
	case LTT_FIELD_SEQUENCE:
		size = room < 2 ? 2 : 2 + load(at, 2, false) * f->size;
		break;
	default:
		return 0;
	}
	return size <= room ? size : 0;
}

static bool is_payload(const struct tap *tap, const u8 *at, size_t len)
{
	unsigned int i;

	for (i = 0; i < tap->nr_fields; i++) {
		size_t size = value_size(&tap->fields[i], at, len);

		if (!size)
			return false;
		at += size;
		len -= size;
	}
	return !len;
}

static void follow_stream(struct tally *t, const u8 *payload)
{
	u64 cpu = load(payload, 4, false);
	u64 seq = load(payload + 4, 8, false);

	if (cpu != smp_processor_id() || seq < t->next) {
		t->bad++;
		return;
	}
	t->missing += seq - t->next;
	t->next = seq + 1;
}

/*
 * A tally is written in whatever context the marker fires in: where one marker
 * is fired by a context and by what interrupts it, this count can be short.  The
 * numbered sequences have a marker for each context.
 */
static void tap_write(const struct ltt_sink *sink, const void *payload, size_t len)
{
	struct tap *tap = container_of(sink, struct tap, sink);
	bool may_move = preemptible();
	struct tally *t;

	preempt_disable_notrace();
	t = this_cpu_ptr(tap->tally);
	t->calls++;
	if (may_move)
		t->bad++;
	if (len == LTT_SINK_TOO_BIG)
		goto out;
	if (!is_payload(tap, payload, len))
		t->bad++;
	else if (tap->is_sequence)
		follow_stream(t, payload);
	/* Trylock: the event may have interrupted another, or a reader. */
	if (len <= LAST_SIZE && raw_spin_trylock(&tap->lock)) {
		memcpy(tap->last, payload, len);
		tap->last_len = len;
		raw_spin_unlock(&tap->lock);
	}
out:
	preempt_enable_notrace();
}

/* ---- Taps ---- */

static bool is_wanted(const struct tap *tap)
{
	struct pattern *p;

	list_for_each_entry(p, &patterns, node)
		if (glob_match(p->glob, tap->name))
			return true;
	return false;
}

static void update_tap(struct tap *tap)
{
	bool wanted = tap->marker && is_wanted(tap);

	if (wanted == tap->connected)
		return;
	if (wanted) {
		int ret = ltt_marker_connect(tap->marker, &tap->sink);

		if (ret)
			pr_err("ltt-test-sink: %s: connect: error %d\n", tap->name, ret);
		tap->connected = !ret;
	} else {
		ltt_marker_disconnect(tap->marker, &tap->sink);
		tap->connected = false;
	}
}

static void free_tap(struct tap *tap)
{
	free_percpu(tap->tally);
	kfree(tap->fields);
	kfree(tap);
}

static struct tap *new_tap(const struct ltt_marker *m)
{
	struct tap *tap = kzalloc(sizeof(*tap), GFP_KERNEL);

	if (!tap)
		return NULL;
	tap->tally = alloc_percpu(struct tally);
	tap->fields = kmemdup(m->fields, (m->nr_fields ?: 1) * sizeof(*m->fields), GFP_KERNEL);
	if (!tap->tally || !tap->fields) {
		free_tap(tap);
		return NULL;
	}
	tap->sink.gate = &open_gate;
	tap->sink.write = tap_write;
	tap->sink.room = &never_full;
	snprintf(tap->name, sizeof(tap->name), "%s:%s", m->group, m->name);
	tap->nr_fields = m->nr_fields;
	tap->is_sequence = m->nr_fields >= 2 &&
			 !strcmp(m->fields[0].name, "cpu") && m->fields[0].size == 4 &&
			 !strcmp(m->fields[1].name, "seq") && m->fields[1].size == 8;
	raw_spin_lock_init(&tap->lock);
	list_add_tail(&tap->node, &taps);
	return tap;
}

static struct tap *find_tap(const struct ltt_marker *m)
{
	struct tap *tap;

	list_for_each_entry(tap, &taps, node)
		if (tap->marker == m)
			return tap;
	return NULL;
}

static int sink_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct tap *tap;

	if (action == LTT_MARKER_COMING) {
		tap = new_tap(data);
		if (!tap)
			return NOTIFY_OK;
		tap->marker = data;
		update_tap(tap);
	} else {
		tap = find_tap(data);
		if (!tap)
			return NOTIFY_OK;
		if (tap->connected)
			ltt_marker_disconnect(tap->marker, &tap->sink);
		tap->connected = false;
		tap->marker = NULL;
	}
	return NOTIFY_OK;
}

static struct notifier_block sink_nb = {
	.notifier_call = sink_notify,
};

/* ---- The file ---- */

static void show_value(struct seq_file *s, const struct ltt_field *f, const u8 *at, size_t size)
{
	switch (f->kind) {
	case LTT_FIELD_INT:
		seq_printf(s, f->base == 16 ? " %llx" : f->base == 8 ? " %llo" :
			      f->is_signed ? " %lld" : " %llu",
			   load(at, f->size, f->is_signed && f->base == 10));
		break;
	case LTT_FIELD_STRING:
		seq_printf(s, " '%s'", at);
		break;
	case LTT_FIELD_TEXT:
		seq_printf(s, " '%.*s'", (int)size, at);
		break;
	default:
		seq_printf(s, " %*ph", (int)size, at);
	}
}

static void show_last(struct seq_file *s, struct tap *tap)
{
	static u8 copy[LAST_SIZE];	/* the registry lock is held */
	const u8 *at = copy;
	unsigned long flags;
	size_t len;
	unsigned int i;

	raw_spin_lock_irqsave(&tap->lock, flags);
	len = tap->last_len;
	memcpy(copy, tap->last, len);
	raw_spin_unlock_irqrestore(&tap->lock, flags);

	for (i = 0; i < tap->nr_fields && len; i++) {
		size_t size = value_size(&tap->fields[i], at, len);

		if (!size)
			break;
		show_value(s, &tap->fields[i], at, size);
		at += size;
		len -= size;
	}
}

static void show_tap(struct seq_file *s, struct tap *tap)
{
	struct tally sum = { };
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct tally *t = per_cpu_ptr(tap->tally, cpu);

		sum.calls += READ_ONCE(t->calls);
		sum.bad += READ_ONCE(t->bad);
		sum.missing += READ_ONCE(t->missing);
	}
	seq_printf(s, "%s %s calls %llu bad %llu missing %llu last", tap->name,
		   tap->connected ? "connected" : tap->marker ? "there" : "gone",
		   sum.calls, sum.bad, sum.missing);
	show_last(s, tap);
	seq_putc(s, '\n');
	if (tap->marker)
		tap->marker->ops->show(tap->marker, s);
}

static int sink_show(struct seq_file *s, void *unused)
{
	struct tap *tap;

	ltt_markers_lock();
	list_for_each_entry(tap, &taps, node)
		show_tap(s, tap);
	ltt_markers_unlock();
	return 0;
}

static int add_pattern(const char *glob)
{
	struct pattern *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return -ENOMEM;
	strscpy(p->glob, glob, sizeof(p->glob));
	list_add_tail(&p->node, &patterns);
	return 0;
}

static int remove_pattern(const char *glob)
{
	struct pattern *p;

	list_for_each_entry(p, &patterns, node) {
		if (!strcmp(p->glob, glob)) {
			list_del(&p->node);
			kfree(p);
			return 0;
		}
	}
	return -ENOENT;
}

static ssize_t sink_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	char text[NAME_SIZE + 1], *word;
	struct tap *tap;
	int ret = -EINVAL;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	word = strim(text);
	ltt_markers_lock();
	if (word[0] == '+')
		ret = add_pattern(word + 1);
	else if (word[0] == '-')
		ret = remove_pattern(word + 1);
	if (!ret)
		list_for_each_entry(tap, &taps, node)
			update_tap(tap);
	ltt_markers_unlock();
	return ret ?: count;
}

static int sink_open(struct inode *inode, struct file *file)
{
	return single_open(file, sink_show, NULL);
}

static const struct proc_ops sink_proc = {
	.proc_open = sink_open,
	.proc_read = seq_read,
	.proc_write = sink_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init sink_init(void)
{
	int ret = ltt_marker_notifier_register(&sink_nb);

	if (ret)
		return ret;
	if (!proc_create("ltt-test-sink", 0600, NULL, &sink_proc)) {
		ltt_marker_notifier_unregister(&sink_nb);
		return -ENOMEM;
	}
	return 0;
}

static void __exit sink_exit(void)
{
	struct pattern *p, *next_p;
	struct tap *tap, *next_tap;

	remove_proc_entry("ltt-test-sink", NULL);
	ltt_marker_notifier_unregister(&sink_nb);
	ltt_marker_synchronize();
	list_for_each_entry_safe(tap, next_tap, &taps, node)
		free_tap(tap);
	list_for_each_entry_safe(p, next_p, &patterns, node)
		kfree(p);
}

module_init(sink_init);
module_exit(sink_exit);
MODULE_DESCRIPTION("LTT test: a counting and checking user of markers");
MODULE_LICENSE("GPL");
