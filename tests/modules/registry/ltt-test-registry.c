// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the marker registry, as a provider and as a user of it.
 *
 * Test module, of no layer; needs ltt-markers only.  The tests run as it loads,
 * which fails with EINVAL, and a line in the kernel log for each, if any does.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <ltt/marker.h>
#include <ltt/registry.h>

#include <linux/bitmap.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/threads.h>

static unsigned int failures;

#define CHECK(condition)							\
	do {									\
		if (!(condition)) {						\
			pr_err("line %d: not true: %s\n", __LINE__, #condition); \
			failures++;						\
		}								\
	} while (0)

/* ---- A provider that notes what it is asked for ---- */

static unsigned int nr_connected, nr_disconnected;
static int connect_error;

static int note_connect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	if (connect_error)
		return connect_error;
	nr_connected++;
	return 0;
}

static void note_disconnect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	nr_disconnected++;
}

static void note_show(struct ltt_marker *m, struct seq_file *s)
{
}

static const struct ltt_marker *waits_for;

static void note_waits(struct ltt_marker *m, const struct ltt_marker *holder)
{
	waits_for = holder;
}

static const struct ltt_marker_ops ops = {
	.owner = THIS_MODULE,
	.connect = note_connect,
	.disconnect = note_disconnect,
	.show = note_show,
	.waits = note_waits,
};

#define MARKER(variable, group_, name_)	\
	struct ltt_marker variable = { .group = group_, .name = name_, .ops = &ops }

/* ---- Sinks ---- */

struct counter {
	struct ltt_sink sink;
	unsigned int calls;
	unsigned int refused;
	size_t len;
	u8 payload[64];
};

static void count(const struct ltt_sink *sink, const void *payload, size_t len)
{
	struct counter *c = container_of(sink, struct counter, sink);

	c->calls++;
	c->len = len;
	if (payload)
		memcpy(c->payload, payload, min(len, sizeof(c->payload)));
}

static void count_refused(const struct ltt_sink *sink)
{
	container_of(sink, struct counter, sink)->refused++;
}

static DEFINE_PER_CPU(struct ltt_gate, open_gate);
static DEFINE_PER_CPU(struct ltt_gate, shut_gate);
static DEFINE_PER_CPU(struct ltt_sink_room, no_room);
static DEFINE_PER_CPU(struct ltt_sink_room, some_room) = { .full_at = ~0ULL };

#define COUNTER(variable)	\
	struct counter variable = {	\
		.sink = { .gate = &open_gate, .write = count, .room = &some_room,	\
			  .refuse = count_refused }	\
	}

/* ---- Tests; each leaves the registry as it found it ---- */

static void test_names(void)
{
	char name[65];

	memset(name, 'a', sizeof(name));
	name[64] = '\0';
	CHECK(!ltt_name_valid(name));
	name[63] = '\0';
	CHECK(ltt_name_valid(name));
	CHECK(ltt_name_valid("A"));
	CHECK(ltt_name_valid("-"));
	CHECK(!ltt_name_valid(""));
	CHECK(!ltt_name_valid("."));
	CHECK(!ltt_name_valid(".."));
	CHECK(!ltt_name_valid(".a"));
	CHECK(!ltt_name_valid("a/b"));
	CHECK(!ltt_name_valid("a:b"));
	CHECK(!ltt_name_valid("a b"));
	CHECK(!ltt_name_valid("a\n"));
	CHECK(!ltt_name_valid("a*"));
	CHECK(ltt_name_valid("azAZ09_.-"));
}

static void test_register(void)
{
	MARKER(a, "reg-test", "b");
	MARKER(twin, "reg-test", "b");
	MARKER(bad_group, "reg/test", "b");
	MARKER(bad_name, "reg-test", "");

	ltt_markers_lock();
	CHECK(!ltt_marker_find("reg-test", "b"));
	CHECK(ltt_marker_register(&bad_group) == -EINVAL);
	CHECK(ltt_marker_register(&bad_name) == -EINVAL);
	CHECK(!ltt_marker_register(&a));
	CHECK(ltt_marker_register(&twin) == -EEXIST);
	CHECK(ltt_marker_find("reg-test", "b") == &a);
	CHECK(!ltt_marker_find("reg-test", "a"));
	CHECK(!ltt_marker_find("reg-test", "c"));
	ltt_marker_unregister(&a);
	CHECK(!ltt_marker_find("reg-test", "b"));
	ltt_markers_unlock();
}

struct walk {
	const char *expected;
	unsigned int seen;
	unsigned int stop_after;
};

static int walk_one(struct ltt_marker *m, void *arg)
{
	struct walk *w = arg;

	if (strncmp(m->group, "reg-order", 9))
		return 0;
	CHECK(w->expected[w->seen] == m->name[0]);
	return ++w->seen == w->stop_after ? 7 : 0;
}

static void test_order(void)
{
	MARKER(one, "reg-order", "2");
	MARKER(two, "reg-order", "1");
	MARKER(three, "reg-order2", "0");
	MARKER(four, "reg-order", "3");
	struct walk all = { .expected = "1230" };
	struct walk part = { .expected = "12", .stop_after = 2 };

	ltt_markers_lock();
	CHECK(!ltt_marker_register(&one));
	CHECK(!ltt_marker_register(&two));
	CHECK(!ltt_marker_register(&three));
	CHECK(!ltt_marker_register(&four));
	CHECK(!ltt_marker_for_each(walk_one, &all));
	CHECK(all.seen == 4);
	CHECK(ltt_marker_for_each(walk_one, &part) == 7);
	CHECK(part.seen == 2);
	ltt_marker_unregister(&one);
	ltt_marker_unregister(&two);
	ltt_marker_unregister(&three);
	ltt_marker_unregister(&four);
	ltt_markers_unlock();
}

static void test_connect(void)
{
	MARKER(m, "reg-test", "m");
	COUNTER(a);
	COUNTER(b);
	COUNTER(refused);
	int references = module_refcount(THIS_MODULE);

	nr_connected = 0;
	nr_disconnected = 0;
	ltt_markers_lock();
	CHECK(!ltt_marker_register(&m));
	CHECK(!ltt_marker_connect(&m, &a.sink));
	CHECK(ltt_marker_connect(&m, &a.sink) == -EEXIST);
	CHECK(module_refcount(THIS_MODULE) == references + 1);
	CHECK(!ltt_marker_connect(&m, &b.sink));
	CHECK(m.nr_sinks == 2 && nr_connected == 2);

	connect_error = -ENOSPC;
	CHECK(ltt_marker_connect(&m, &refused.sink) == -ENOSPC);
	connect_error = 0;
	CHECK(m.nr_sinks == 2);
	CHECK(module_refcount(THIS_MODULE) == references + 2);

	ltt_marker_disconnect(&m, &a.sink);
	CHECK(m.nr_sinks == 1 && nr_disconnected == 1);
	CHECK(!ltt_marker_connect(&m, &a.sink));
	ltt_marker_disconnect(&m, &a.sink);
	ltt_marker_disconnect(&m, &b.sink);
	CHECK(!m.nr_sinks && nr_disconnected == 3);
	ltt_marker_unregister(&m);
	ltt_markers_unlock();
	ltt_marker_synchronize();
	CHECK(module_refcount(THIS_MODULE) == references);
}

/* As the probe of an event does whose payload is costly to build. */
static void send(struct ltt_marker *m)
{
	const struct ltt_sink *sink;

	preempt_disable();
	sink = ltt_marker_sink(m);
	if (ltt_sink_wants(sink)) {
		if (ltt_sink_has_room(sink))
			sink->write(sink, "x", 1);
		else
			sink->refuse(sink);
	}
	preempt_enable();
}

/* However many sinks there are, and have been: an event goes to each of them once. */
static void test_send(void)
{
	MARKER(m, "reg-test", "m");
	COUNTER(a);
	COUNTER(b);
	COUNTER(c);

	ltt_markers_lock();
	CHECK(!ltt_marker_register(&m));
	send(&m);
	CHECK(!ltt_marker_connect(&m, &a.sink));
	send(&m);
	CHECK(!ltt_marker_connect(&m, &b.sink));
	send(&m);
	connect_error = -ENOSPC;
	CHECK(ltt_marker_connect(&m, &c.sink) == -ENOSPC);
	connect_error = 0;
	send(&m);
	CHECK(a.calls == 3 && b.calls == 2 && !c.calls);
	CHECK(!ltt_marker_connect(&m, &c.sink));
	send(&m);
	CHECK(a.calls == 4 && b.calls == 3 && c.calls == 1);
	ltt_marker_disconnect(&m, &b.sink);
	send(&m);
	ltt_marker_disconnect(&m, &a.sink);
	send(&m);
	CHECK(a.calls == 5 && b.calls == 3 && c.calls == 3);
	ltt_marker_disconnect(&m, &c.sink);
	send(&m);
	CHECK(a.calls == 5 && b.calls == 3 && c.calls == 3);
	ltt_marker_unregister(&m);
	ltt_markers_unlock();
	ltt_marker_synchronize();
}

/* Only an event whose one sink is full goes without its payload. */
static void test_room(void)
{
	MARKER(m, "reg-test", "m");
	COUNTER(full);
	COUNTER(other);

	full.sink.room = &no_room;
	ltt_markers_lock();
	CHECK(!ltt_marker_register(&m));
	CHECK(!ltt_marker_connect(&m, &full.sink));
	send(&m);
	CHECK(!full.calls && full.refused == 1);
	CHECK(!ltt_marker_connect(&m, &other.sink));
	send(&m);
	CHECK(full.calls == 1 && full.len == 1);
	CHECK(other.calls == 1 && other.len == 1);
	ltt_marker_disconnect(&m, &full.sink);
	send(&m);
	CHECK(full.calls == 1 && other.calls == 2 && other.len == 1);
	ltt_marker_disconnect(&m, &other.sink);
	send(&m);
	CHECK(full.calls == 1 && other.calls == 2 && full.refused == 1 && !other.refused);
	ltt_marker_unregister(&m);
	ltt_markers_unlock();
	ltt_marker_synchronize();
}

static noinline void fire(int n)
{
	trace_mark(reg-test-mark, several, "n %d", n);
}

/* Fire both kinds of events. */
static void send_both(struct ltt_marker *m)
{
	send(m);
	fire(0);
}

/* A sink gets the events of threads whose bit its gate has on this CPU, no others. */
static void test_gate(void)
{
	unsigned long *bits = bitmap_zalloc(PID_MAX_LIMIT, GFP_KERNEL);
	MARKER(m, "reg-test", "m");
	struct ltt_marker *mark;
	COUNTER(limited);
	COUNTER(other);
	int cpu;

	CHECK(bits);
	if (!bits)
		return;
	for_each_possible_cpu(cpu)
		per_cpu(shut_gate, cpu).tids = bits;
	limited.sink.gate = &shut_gate;
	ltt_markers_lock();
	mark = ltt_marker_find("reg-test-mark", "several");
	CHECK(mark);
	CHECK(!ltt_marker_register(&m));
	CHECK(!ltt_marker_connect(&m, &limited.sink));
	CHECK(!ltt_marker_connect(mark, &limited.sink));
	send_both(&m);
	CHECK(!limited.calls);
	set_bit(current->pid, bits);
	send_both(&m);
	CHECK(limited.calls == 2);
	CHECK(!ltt_marker_connect(&m, &other.sink));
	CHECK(!ltt_marker_connect(mark, &other.sink));
	send_both(&m);
	CHECK(limited.calls == 4 && other.calls == 2);
	clear_bit(current->pid, bits);
	send_both(&m);
	CHECK(limited.calls == 4 && other.calls == 4);
	ltt_marker_disconnect(&m, &limited.sink);
	ltt_marker_disconnect(mark, &limited.sink);
	send_both(&m);
	CHECK(limited.calls == 4 && other.calls == 6);
	ltt_marker_disconnect(&m, &other.sink);
	ltt_marker_disconnect(mark, &other.sink);
	ltt_marker_unregister(&m);
	ltt_markers_unlock();
	ltt_marker_synchronize();
	bitmap_free(bits);
}

/* A user that connects what comes. */
static COUNTER(user);
static unsigned int nr_coming, nr_going;

static int user_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct ltt_marker *m = data;

	ltt_markers_assert_held();
	if (strcmp(m->group, "reg-test"))
		return NOTIFY_OK;
	if (action == LTT_MARKER_COMING) {
		nr_coming++;
		CHECK(!ltt_marker_connect(m, &user.sink));
	} else {
		nr_going++;
		ltt_marker_disconnect(m, &user.sink);
	}
	return NOTIFY_OK;
}

static void test_notifier(void)
{
	struct notifier_block nb = { .notifier_call = user_notify };
	MARKER(early, "reg-test", "early");
	MARKER(late, "reg-test", "late");

	ltt_markers_lock();
	CHECK(!ltt_marker_register(&early));
	ltt_markers_unlock();
	CHECK(!ltt_marker_notifier_register(&nb));
	CHECK(nr_coming == 1 && early.nr_sinks == 1);
	ltt_markers_lock();
	CHECK(!ltt_marker_register(&late));
	CHECK(nr_coming == 2 && late.nr_sinks == 1);
	ltt_marker_unregister(&early);
	CHECK(nr_going == 1 && !early.nr_sinks);
	ltt_markers_unlock();
	CHECK(!ltt_marker_notifier_unregister(&nb));
	CHECK(nr_going == 2 && !late.nr_sinks);
	ltt_markers_lock();
	ltt_marker_unregister(&late);
	ltt_markers_unlock();
	CHECK(nr_coming == 2 && nr_going == 2);
}

/* Several sinks at one trace_mark(), which this module has itself. */
static void test_several_sinks(void)
{
	COUNTER(a);
	COUNTER(b);
	COUNTER(c);
	struct ltt_marker *m;
	int n = 3;

	fire(0);
	ltt_markers_lock();
	m = ltt_marker_find("reg-test-mark", "several");
	CHECK(m);
	if (!m)
		goto out;
	CHECK(m->nr_fields == 1 && !strcmp(m->fields[0].name, "n"));
	CHECK(!strcmp(m->fields[0].type, "int") && m->fields[0].is_signed);
	CHECK(!ltt_marker_connect(m, &a.sink));
	fire(1);
	CHECK(!ltt_marker_connect(m, &b.sink));
	CHECK(!ltt_marker_connect(m, &c.sink));
	fire(2);
	ltt_marker_disconnect(m, &b.sink);
	fire(n);
	CHECK(a.calls == 3 && b.calls == 1 && c.calls == 2);
	CHECK(a.len == sizeof(n) && !memcmp(a.payload, &n, sizeof(n)));
	CHECK(c.len == sizeof(n) && !memcmp(c.payload, &n, sizeof(n)));
	ltt_marker_disconnect(m, &a.sink);
	ltt_marker_disconnect(m, &c.sink);
	fire(4);
	CHECK(a.calls == 3 && b.calls == 1 && c.calls == 2);
out:
	ltt_markers_unlock();
	ltt_marker_synchronize();
}

/* Markers that yield: the order in which a name goes from one to the next. */
static void test_yield(void)
{
	struct notifier_block nb = { .notifier_call = user_notify };
	MARKER(first, "reg-test", "shared");
	MARKER(second, "reg-test", "shared");
	MARKER(owner, "reg-test", "shared");
	MARKER(rival, "reg-test", "shared");

	first.flags = LTT_MARKER_YIELDS;
	second.flags = LTT_MARKER_YIELDS;
	nr_coming = 0;
	nr_going = 0;
	CHECK(!ltt_marker_notifier_register(&nb));
	ltt_markers_lock();
	CHECK(!ltt_marker_register(&first));
	CHECK(!ltt_marker_register(&second));
	CHECK(second.waiting && waits_for == &first && !second.nr_sinks && nr_coming == 1);
	CHECK(!ltt_marker_register(&owner));
	CHECK(first.waiting && waits_for == &owner && !first.nr_sinks && nr_going == 1);
	CHECK(ltt_marker_find("reg-test", "shared") == &owner && owner.nr_sinks == 1);
	CHECK(ltt_marker_register(&rival) == -EEXIST);
	ltt_marker_unregister(&owner);
	CHECK(ltt_marker_find("reg-test", "shared") == &first && first.nr_sinks == 1);
	CHECK(!first.waiting && second.waiting);
	ltt_marker_unregister(&first);
	CHECK(ltt_marker_find("reg-test", "shared") == &second && second.nr_sinks == 1);
	CHECK(!ltt_marker_register(&first));
	ltt_marker_unregister(&first);
	CHECK(ltt_marker_find("reg-test", "shared") == &second && nr_coming == 4 && nr_going == 3);
	ltt_marker_unregister(&second);
	CHECK(!ltt_marker_find("reg-test", "shared"));
	ltt_markers_unlock();
	CHECK(!ltt_marker_notifier_unregister(&nb));
}

/* Another provider takes the name of a trace_mark(), which gets it back. */
static void test_takes_mark(void)
{
	MARKER(m, "reg-test-mark", "several");
	struct ltt_marker *mark;

	ltt_markers_lock();
	mark = ltt_marker_find("reg-test-mark", "several");
	CHECK(!ltt_marker_register(&m));
	CHECK(ltt_marker_find("reg-test-mark", "several") == &m);
	ltt_marker_unregister(&m);
	CHECK(ltt_marker_find("reg-test-mark", "several") == mark);
	ltt_markers_unlock();
}

static int __init registry_init(void)
{
	test_names();
	test_register();
	test_order();
	test_connect();
	test_notifier();
	test_send();
	test_room();
	test_gate();
	test_several_sinks();
	test_yield();
	test_takes_mark();
	return failures ? -EINVAL : 0;
}

static void __exit registry_exit(void)
{
}

module_init(registry_init);
module_exit(registry_exit);
MODULE_DESCRIPTION("LTT test: the marker registry");
MODULE_LICENSE("GPL");
