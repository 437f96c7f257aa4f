// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls the probes that are generated from probes-events.h, and compares the payload that each
 * passes to its sink with the expected one, byte by byte.
 *
 * Test module, of no layer; needs no other.  A read of /proc/ltt-test-probes runs
 * all tests and prints "ok WHAT" or "not ok WHAT: GOT" for each.  Context: a
 * task, preemption off around each probe; the file's mutex (seq_file's) keeps
 * readers apart.
 */
#include "probes-events.h"

#define LTT_HEADER "probes-events.h"
#define LTT_UNIT test
#include "probes.h"

#include <ltt/registry.h>

#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>

#define LONG_TEXT	6000

static char long_text[LONG_TEXT + 1];

/* The payload of the last call of the sink. */
static u8 got[LTT_SCRATCH_SIZE];
static size_t got_len;
static bool got_null;

static void keep(const struct ltt_sink *this, const void *payload, size_t len)
{
	got_null = !payload;
	got_len = len;
	if (payload)
		memcpy(got, payload, min(len, sizeof(got)));
}

/* Open, and not full. */
static DEFINE_PER_CPU(struct ltt_gate, gate);
static DEFINE_PER_CPU(struct ltt_sink_room, room) = { .full_at = ~0ULL };
static struct ltt_sink sink = { .gate = &gate, .write = keep, .room = &room };
static struct ltt_marker marker = { .out = &sink };

/* Leave something on the stack for a probe that forgets to overwrite it. */
static noinline void soil_stack(void)
{
	u8 soil[512];

	memset(soil, 0xaa, sizeof(soil));
	barrier_data(soil);
}

/* FIRE(class, arguments): call a probe as a tracepoint does. */
#define FIRE(class, ...)						\
	do {								\
		soil_stack();						\
		preempt_disable();					\
		ltt_probe_##class(&marker.out, __VA_ARGS__);		\
		preempt_enable();					\
	} while (0)

/* ---- What is expected, put together byte by byte ---- */

static u8 want[LTT_SCRATCH_SIZE];
static size_t want_len;

static void add(const void *bytes, size_t len)
{
	memcpy(want + want_len, bytes, len);
	want_len += len;
}

#define ADD(type, value)						\
	do {								\
		type value_ = (value);					\
		add(&value_, sizeof(value_));				\
	} while (0)

static void add_string(const char *text)
{
	add(text, strlen(text) + 1);
}

static void result(struct seq_file *s, bool good, const char *what)
{
	if (good)
		seq_printf(s, "ok %s\n", what);
	else if (got_null)
		seq_printf(s, "not ok %s: no payload, length %zu\n", what, got_len);
	else
		seq_printf(s, "not ok %s: %zu bytes %*ph, not %zu bytes %*ph\n", what,
			   got_len, (int)min_t(size_t, got_len, 64), got,
			   want_len, (int)min_t(size_t, want_len, 64), want);
}

static void compare(struct seq_file *s, const char *what)
{
	result(s, !got_null && got_len == want_len && !memcmp(got, want, got_len), what);
	want_len = 0;
}

static void expect_refusal(struct seq_file *s, const char *what)
{
	result(s, got_null && got_len == LTT_SINK_TOO_BIG, what);
}

/* ---- The tests ---- */

static void test_fixed(struct seq_file *s)
{
	static const u8 zeros[64];

	FIRE(ltt_test_fixed, true, "hello");
	ADD(u8, 0xb1);
	ADD(s64, -2);
	ADD(void *, (void *)0x1234);
	ADD(bool, true);
	ADD(enum ltt_test_colour, LTT_TEST_GREEN);
	add("hello\0\0\0\0\0\0\0\0\0\0", 16);
	ADD(u16, 0);
	ADD(u16, 0x5678);
	ADD(u16, 0);
	add("\0\2\0", 3);
	ADD(unsigned long, 3);
	compare(s, "fields of fixed size are packed, what was not filled in is zero");

	FIRE(ltt_test_fixed, false, "hello");
	add(zeros, sizeof(struct ltt_entry_ltt_test_fixed));
	compare(s, "an event that is not filled in is all zeros");
}

static void test_strings(struct seq_file *s)
{
	const char unterminated[4] = { 'a', 'b', 'c', 'd' };

	FIRE(ltt_test_strings, "one", "two", 9, "three");
	ADD(u32, 9);
	ADD(u8, 0x77);
	add_string("one");
	add_string("two");
	add_string("three");
	compare(s, "strings come behind the fields of fixed size");

	FIRE(ltt_test_strings, "", unterminated, 4, NULL);
	ADD(u32, 4);
	ADD(u8, 0x77);
	add_string("");
	add_string("abcd");
	add_string("(null)");
	compare(s, "strings that are empty, without end, or not there");

	FIRE(ltt_test_strings, long_text, long_text, LONG_TEXT, "three");
	result(s, !got_null && got_len <= LTT_SCRATCH_SIZE && got_len > LTT_SCRATCH_SIZE / 2 &&
	       got[5] == 'x' && !got[got_len - 1] &&
	       strlen(got + 5) + 1 + 5 + 2 == got_len,
	       "a long string is cut, those behind it are there");
}

/*
 * Strings are copied by words: each length, at the end of a page with nothing
 * behind it; of bytes that a careless test for zero takes for one.
 */
static void test_page_end(struct seq_file *s)
{
	static const char bytes[] = { 0x80, 0x01, 0xff, 0x7f, 0x81 };
	char *page = vmalloc(PAGE_SIZE);
	unsigned int len, i, bad = 0;

	if (!page) {
		seq_puts(s, "not ok no memory\n");
		return;
	}
	for (i = 0; i < PAGE_SIZE - 1; i++)
		page[i] = bytes[i % sizeof(bytes)];
	page[PAGE_SIZE - 1] = '\0';
	for (len = 0; len < 64; len++) {
		const char *text = page + PAGE_SIZE - 1 - len;

		FIRE(ltt_test_strings, text, "", 0, text);
		bad += got_len != 5 + 2 * (len + 1) + 1 || memcmp(got + 5, text, len + 1) ||
		       memcmp(got + 5 + len + 2, text, len + 1);
	}
	result(s, !bad, "strings of any length at the end of memory");
	vfree(page);
}

/* How much of a string is left, whatever its length, when it has to be cut. */
static void test_cut(struct seq_file *s)
{
	unsigned int len, longest = 0, bad = 0;

	for (len = LTT_SCRATCH_SIZE - 200; len < LTT_SCRATCH_SIZE + 20; len++) {
		long_text[len] = '\0';
		FIRE(ltt_test_strings, long_text, "", 0, "");
		long_text[len] = 'x';
		longest = max(longest, (unsigned int)strlen(got + 5));
		bad += got_len != 5 + strlen(got + 5) + 3 || strlen(got + 5) != min(len, longest);
	}
	result(s, !bad && longest < LTT_SCRATCH_SIZE - 8 && longest > LTT_SCRATCH_SIZE - 200,
	       "a string is cut at the same place, whatever its length");
}

static void fire_format(const char *fmt, ...)
{
	struct va_format vaf = { .fmt = fmt };
	va_list args;

	va_start(args, fmt);
	vaf.va = &args;
	FIRE(ltt_test_format, &vaf);
	va_end(args);
}

static void test_format(struct seq_file *s)
{
	fire_format("%s %d", "number", 7);
	ADD(u8, 0x77);
	add_string("number 7");
	compare(s, "a message is formatted");

	fire_format("a%cb", 0);
	ADD(u8, 0x77);
	add_string("a");
	compare(s, "a message ends at its first NUL");

	fire_format("%s", long_text);
	result(s, got_len == 1 + 256 && !got[256] && strlen(got + 1) == 255,
	       "a long message is cut");
}

static void test_arrays(struct seq_file *s)
{
	static const u32 values[2] = { 0x01020304, 5 };
	unsigned long bits[2] = { 0x80000001, 3 };
	unsigned int words = BITS_TO_LONGS(nr_cpumask_bits);

	FIRE(ltt_test_arrays, values, 2, bits, BITS_PER_LONG + 2);
	ADD(u8, 8);
	ADD(u16, 2);
	add(values, sizeof(values));
	ADD(u16, 2);
	add(bits, sizeof(bits));
	ADD(u16, 2);
	ADD(s16, 0);
	ADD(s16, -1);
	ADD(u16, 3);
	add("abc", 3);
	ADD(u16, words);
	add(cpumask_bits(cpu_possible_mask), words * sizeof(long));
	compare(s, "arrays have their count before them, what was not filled in is zero");

	FIRE(ltt_test_arrays, values, LTT_SCRATCH_SIZE / 4, bits, 1);
	expect_refusal(s, "an array that is too large is refused");
	FIRE(ltt_test_arrays, values, -1, bits, 1);
	expect_refusal(s, "so is one of negative size");
	FIRE(ltt_test_arrays, values, 1 << 30, bits, 1);
	expect_refusal(s, "and one whose size overflows");
	FIRE(ltt_test_strings, "one", "two", 3, "three");
	result(s, got_len == 5 + 4 + 4 + 6, "the next event is none the worse");
}

/* Each event fires another from within its sink, as if it were interrupted. */
static unsigned int nested, refused_at, spoilt;

static void nest(const struct ltt_sink *this, const void *payload, size_t len)
{
	unsigned int level = ++nested;
	char text[2] = { 'a' + level };

	if (!payload) {
		refused_at = level;
		return;
	}
	FIRE(ltt_test_strings, text, "", 0, "");
	if (level > 1 && *((const char *)payload + 5) != 'a' + level - 1)
		spoilt++;
}

static void test_nesting(struct seq_file *s)
{
	sink.write = nest;
	nested = 0;
	refused_at = 0;
	spoilt = 0;
	FIRE(ltt_test_strings, "outermost", "", 0, "");
	sink.write = keep;
	result(s, refused_at == 5, "four events nest, the fifth is refused");
	result(s, !spoilt, "none spoils one that it interrupted");
	FIRE(ltt_test_strings, "one", "two", 3, "three");
	result(s, got_len == 5 + 4 + 4 + 6, "the levels are free again");
}

static void test_fields(struct seq_file *s)
{
	static const struct ltt_field fixed[] = {
		{ "byte", "u8", 0, LTT_FIELD_INT, 1, 0, 10 },
		{ "number", "s64", 0, LTT_FIELD_INT, 8, 1, 10 },
		{ "pointer", "void *", 0, LTT_FIELD_INT, sizeof(void *), 0, 16 },
		{ "flag", "bool", 0, LTT_FIELD_INT, 1, 0, 10 },
		{ "colour", "enum ltt_test_colour", 0, LTT_FIELD_INT, 4, 0, 10 },
		{ "text", "char", 16, LTT_FIELD_TEXT, 1, is_signed_type(char), 10 },
		{ "words", "u16", 3, LTT_FIELD_ARRAY, 2, 0, 10 },
		{ "pair", "struct ltt_test_pair", 3, LTT_FIELD_ARRAY, 1, 0, 16 },
		{ "last", "unsigned long", 0, LTT_FIELD_INT, sizeof(long), 0, 10 },
	}, arrays[] = {
		{ "bytes", "u8", 0, LTT_FIELD_INT, 1, 0, 10 },
		{ "values", "u32", 0, LTT_FIELD_SEQUENCE, 4, 0, 10 },
		{ "bits", "unsigned long", 0, LTT_FIELD_SEQUENCE, sizeof(long), 0, 16 },
		{ "halves", "s16", 0, LTT_FIELD_SEQUENCE, 2, 1, 10 },
		{ "address", "u8", 0, LTT_FIELD_SEQUENCE, 1, 0, 10 },
		{ "cpus", "unsigned long", 0, LTT_FIELD_SEQUENCE, sizeof(long), 0, 16 },
	}, strings[] = {
		{ "limit", "u32", 0, LTT_FIELD_INT, 4, 0, 10 },
		{ "last", "u8", 0, LTT_FIELD_INT, 1, 0, 10 },
		{ "first", "char *", 0, LTT_FIELD_STRING, 1, 0, 10 },
		{ "second", "char *", 0, LTT_FIELD_STRING, 1, 0, 10 },
		{ "third", "char *", 0, LTT_FIELD_STRING, 1, 0, 10 },
	};
	static const struct {
		const struct ltt_tp *event;
		const char *name;
		const struct ltt_field *fields;
		unsigned int nr;
	} events[] = {
		{ &LTT_SYMBOL(ltt_test_fixed), "ltt_test_fixed", fixed, ARRAY_SIZE(fixed) },
		{ &LTT_SYMBOL(ltt_test_arrays), "ltt_test_arrays", arrays, ARRAY_SIZE(arrays) },
		{ &LTT_SYMBOL(ltt_test_strings_one), "ltt_test_strings_one", strings,
		  ARRAY_SIZE(strings) },
		{ &LTT_SYMBOL(ltt_test_strings_two), "ltt_test_strings_two", strings,
		  ARRAY_SIZE(strings) },
	};
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(events); i++) {
		const struct ltt_tp_class *class = events[i].event->class();
		bool good = class->nr_fields == events[i].nr &&
			    !strcmp(events[i].event->system, "ltt_test") &&
			    !strcmp(events[i].event->name, events[i].name);

		for (n = 0; good && n < class->nr_fields; n++) {
			const struct ltt_field *a = &class->fields[n], *b = &events[i].fields[n];

			good = !strcmp(a->name, b->name) && !strcmp(a->type, b->type) &&
			       a->count == b->count && a->kind == b->kind &&
			       a->size == b->size && a->is_signed == b->is_signed &&
			       a->base == b->base;
			if (!good)
				seq_printf(s, "not ok field %s of %s: kind %u size %u count %u\n",
					   a->name, events[i].name, a->kind, a->size, a->count);
		}
		seq_printf(s, "%s the fields of %s\n", good ? "ok" : "not ok", events[i].name);
	}
}

static void expect_nofault(struct seq_file *s, const void *object, const char *text, u32 value,
			   const char *wanted, const char *what)
{
	FIRE(ltt_test_nofault, object, text);
	ADD(u32, value);
	add_string(wanted);
	compare(s, what);
}

/* Good addresses, addresses without an object, and addresses of memory that is not there. */
static void test_nofault(struct seq_file *s)
{
	static const u32 object[2] = { 1, 0x12345678 };
	char *page = vmalloc(PAGE_SIZE);
	const char *gone = page;

	if (!page) {
		seq_puts(s, "not ok memory\n");
		return;
	}
	strscpy(page + PAGE_SIZE - 4, "end", 4);
	expect_nofault(s, object, "text", object[1], "text", "an object and a string are read");
	expect_nofault(s, object, page + PAGE_SIZE - 4, object[1], "end", "so is a string at the end of memory");
	memset(page + PAGE_SIZE - 4, 'x', 4);
	expect_nofault(s, NULL, page + PAGE_SIZE - 4, 0, "xxxx(efault)", "a string without an end ends where memory does");
	vfree(page);
	/* The kernel unmaps it later otherwise. */
	vm_unmap_aliases();
	expect_nofault(s, gone, gone, 0, "(efault)", "memory that is not there is read as zeros");
	expect_nofault(s, NULL, NULL, 0, "(null)", "so is NULL");
	expect_nofault(s, ERR_PTR(-ENOENT), ERR_PTR(-ENOENT), 0, "(efault)", "so is an error");
	/* Not canonical on x86-64, a user's address elsewhere. */
	expect_nofault(s, (void *)(LONG_MAX & ~7UL), (void *)(LONG_MAX & ~7UL), 0, "(efault)",
		       "so is an address that is none of the kernel");

	FIRE(ltt_test_nofault, object, long_text);
	result(s, !got_null && got_len < LTT_SCRATCH_SIZE && got_len > LTT_SCRATCH_SIZE - 200 &&
		  got_len == 4 + strlen(got + 4) + 1, "a long string is cut");
}

static int probes_show(struct seq_file *s, void *unused)
{
	memset(long_text, 'x', LONG_TEXT);
	test_fixed(s);
	test_strings(s);
	test_page_end(s);
	test_cut(s);
	test_format(s);
	test_arrays(s);
	test_nesting(s);
	test_nofault(s);
	test_fields(s);
	return 0;
}

static int __init probes_init(void)
{
	int err;

	ltt_markers_lock();
	err = ltt_scratch_prepare();
	ltt_markers_unlock();
	if (err)
		return err;
	return proc_create_single("ltt-test-probes", 0400, NULL, probes_show) ? 0 : -ENOMEM;
}

static void __exit probes_exit(void)
{
	remove_proc_entry("ltt-test-probes", NULL);
}

module_init(probes_init);
module_exit(probes_exit);
MODULE_DESCRIPTION("LTT test: probes of each kind of event");
MODULE_LICENSE("GPL");
