// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver whose markers have every type of argument, with known values.
 *
 * Test module, of no layer; needs nothing of LTT to load.  Each open() for
 * writing of /proc/ltt-test-types fires every marker once, "inlined" three times.
 */
#include <ltt/slice.h>

#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/proc_fs.h>

enum plain { PLAIN = 3 };
enum negative { NEGATIVE = -3 };
enum __packed small { SMALL = 200 };

static int evaluations;

/* Text that another CPU changes all the time: 0 to 100 of 'a', then a NUL. */
static char changing[101];
static struct task_struct *changer;

static void fire_integers(void)
{
	signed char sc = S8_MIN;
	unsigned char uc = U8_MAX;
	short s = S16_MIN;
	unsigned short us = U16_MAX;
	int i = INT_MIN;
	unsigned int u = UINT_MAX;
	long l = LONG_MIN;
	unsigned long ul = ULONG_MAX;
	long long ll = LLONG_MIN;
	unsigned long long ull = ULLONG_MAX;
	char c = 'x';
	bool yes = true;

	trace_mark(types, small, "sc %hhd uc %hhu s %hd us %hu", sc, uc, s, us);
	trace_mark(types, large, "i %d u %u l %ld ul %lu ll %lld ull %llu", i, u, l, ul, ll, ull);
	trace_mark(types, others, "c %c i %c yes %d", c, (int)c, yes);
	trace_mark(types, enums, "plain %d negative %d small %d", PLAIN + (enum plain)0,
		   (enum negative)NEGATIVE, (enum small)SMALL);
	trace_mark(types, bases, "x=%#x, X: %08X; o %o hh %hhx", 0xabcu, 0xdefu, 0777, sc);
	trace_mark(types, words, "z %zu t %tx", sizeof(int), (ptrdiff_t)-1);
	trace_mark(types, pointers, "p %p f %p null %p", (void *)0x1234, fire_integers,
		   (struct undefined *)NULL);
	trace_mark(types, five, "a %d b %d c %d d %d e %d", 1, 2, 3, 4, 5);
	trace_mark(types, twelve, "a %d b %d c %d d %d e %d f %d g %d h %d i %d j %d k %d l %d",
		   1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
}

static void fire_strings(void)
{
	static char longest[10001] = { [0 ... 9999] = 'L' };
	static char fits[4096] = { [0 ... 4094] = 'F' };
	char array[8] = "array";

	trace_mark(types, text, "null %s empty %s array %s literal %s", (char *)NULL, "", array,
		   "literal");
	trace_mark(types, broken, "error %s small %s", (char *)ERR_PTR(-EINVAL), (char *)16);
	trace_mark(types, longest, "before %d text %s after %d", 1, longest, 2);
	trace_mark(types, share, "a %s b %s c %s d %s e %d", longest, longest, longest, "last", 5);
	trace_mark(types, most,
		   "a %s b %s c %lld d %lld e %lld f %lld g %lld h %lld i %lld j %lld "
		   "k %lld l %lld",
		   longest, longest, 1LL, 2LL, 3LL, 4LL, 5LL, 6LL, 7LL, 8LL, 9LL, 10LL);
	trace_mark(types, fits, "text %s after %d", fits, 2);
	trace_mark(types, limited, "a %.*s b %.2s c %.*s d %.*s e %.4094s", 3, "abcdef", "xyz", -1, "all", 0,
		   "none", longest);
	trace_mark(types, unended, "text %.*s", (size_t)4, "1234567" + 2);
	trace_mark(types, changing, "text %s after %d", changing, 7);
}

/* Characters of three bytes, so that a cut would be inside of one. */
static void fire_wide_characters(void)
{
	static char wide[4201];
	unsigned int i;

	for (i = 0; i < 4200; i += 3)
		memcpy(wide + i, "\xe2\x82\xac", 3);
	trace_mark(types, wide, "text %s", wide);
}

static void fire_structured(void)
{
	static u8 many[LTT_MARK_ARRAY_MAX + 1];
	s16 halves[3] = { -1, 2, S16_MIN };
	u64 words[2] = { 1, U64_MAX };
	const u8 bytes[5] = { 0, 1, 0xfe, 0xff, 5 };
	enum negative *none = NULL;
	struct undefined *opaque = (void *)bytes;

	trace_mark(types, arrays, "a %3pA b %*pA c %4ph d %*ph e %d", halves, 2U, words, bytes, sizeof(bytes),
		   opaque, 7);
	trace_mark(types, absent, "a %*pA b %2pA c %*ph d %*ph", 5, none, (u16 *)NULL, 3,
		   (u8 *)ERR_PTR(-EINVAL), -1, bytes);
	trace_mark(types, mixed, "n %hhd a %*pA text %s b %*ph last %lld", (s8)-1, 1, halves, "text", 2, bytes,
		   -2LL);
	trace_mark(types, labels, "state %d{idle=0, running=1, bad=-3} flags %x{a=0x10}", (enum negative)NEGATIVE,
		   0x10);
	trace_mark(types, large_array, "a %*ph", LTT_MARK_ARRAY_MAX, many);
	trace_mark(types, too_large, "a %*ph", LTT_MARK_ARRAY_MAX + 1, many);
	trace_mark(types, too_much, "a %*ph b %*ph c %*ph", LTT_MARK_ARRAY_MAX, many, LTT_MARK_ARRAY_MAX, many,
		   LTT_MARK_ARRAY_MAX, many);
}

static __always_inline void fire_inlined(int n)
{
	trace_mark(types, inlined, "n %d", n);
}

static void fire_others(void)
{
	trace_mark(types, nothing, "");
	trace_mark(types, once, "n %d", ++evaluations);
	trace_mark(types-2, a.b_c-d, "n %d", evaluations);
	fire_inlined(1);
	fire_inlined(2);
	fire_inlined(3);
}

static void fire_slices(void)
{
	trace_begin(types, slice, "n %d text %s", 1, "two");
	trace_end(types, slice);
	trace_async_begin(types, slice, 7, "n %d", 2);
	trace_async_end(types, slice, 7);
	trace_flow_begin(types, flow, 8);
	trace_flow_step(types, flow, 8);
	trace_flow_end(types, flow, 8);
	trace_counter(types, level, -5);
}

static int types_open(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_WRITE) {
		fire_integers();
		fire_strings();
		fire_wide_characters();
		fire_structured();
		fire_others();
		fire_slices();
	}
	return 0;
}

static const struct proc_ops types_proc = {
	.proc_open = types_open,
};

static int change(void *unused)
{
	unsigned int i, n = 0;

	while (!kthread_should_stop()) {
		for (i = 0; i < 1000; i++) {
			n = (n + 37) % 101;
			memset(changing, 'a', n);
			WRITE_ONCE(changing[n], '\0');
		}
		usleep_range(50, 100);
	}
	return 0;
}

static int __init types_init(void)
{
	changer = kthread_run(change, NULL, "ltt-test-types");
	if (IS_ERR(changer))
		return PTR_ERR(changer);
	if (!proc_create("ltt-test-types", 0600, NULL, &types_proc)) {
		kthread_stop(changer);
		return -ENOMEM;
	}
	return 0;
}

static void __exit types_exit(void)
{
	remove_proc_entry("ltt-test-types", NULL);
	kthread_stop(changer);
}

module_init(types_init);
module_exit(types_exit);
MODULE_DESCRIPTION("LTT test: markers of all types");
MODULE_LICENSE("GPL");
