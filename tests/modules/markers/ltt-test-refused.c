// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver with a good marker, and with markers that the compiler accepts and ltt-markers
 * rejects, each named after its fault.
 *
 * Test module, of no layer.  Opening /proc/ltt-test-refused fires all of them.
 */
#include <ltt/marker.h>

/* Compilers reject some of these. */
#undef LTT_MARK_CHECK_TEXTS
#define LTT_MARK_CHECK_TEXTS(group, name, format)
#undef LTT_MARK_CHECK_PLACE
#define LTT_MARK_CHECK_PLACE(format, before, nr, x)

#include <linux/module.h>
#include <linux/proc_fs.h>

static void fire_refused(void);
static void fire_foreign(void);

static int refused_open(struct inode *inode, struct file *file)
{
	fire_refused();
	fire_foreign();
	return 0;
}

static const struct proc_ops refused_proc = {
	.proc_open = refused_open,
};

static int __init refused_init(void)
{
	return proc_create("ltt-test-refused", 0600, NULL, &refused_proc) ? 0 : -ENOMEM;
}

static void __exit refused_exit(void)
{
	remove_proc_entry("ltt-test-refused", NULL);
}

module_init(refused_init);
module_exit(refused_exit);
MODULE_DESCRIPTION("LTT test: markers that are refused");
MODULE_LICENSE("GPL");

static void fire_refused(void)
{
	char *text = "text";
	unsigned char byte = 1;
	int n = 1;

	trace_mark(refused, no_name, "%d", n);
	trace_mark(refused, two_names, "the n %d", n);
	trace_mark(refused, no_conversion, "n %d the end", n);
	trace_mark(refused, same_name, "n %d n %d", n, n);
	trace_mark(refused, bad_name, "n %d 2nd %d", n, n);
	trace_mark(refused, bad_separator, "n<%d", n);
	trace_mark(refused, long_name,
		   "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz_and_longer_yet %d", n);
	trace_mark(refused, percent, "n %d%%", n);
	trace_mark(refused, star, "n %*d", n, n);
	trace_mark(refused, precision, "n %.3d", n);
	trace_mark(refused, no_length, "bytes %ph", &byte);
	trace_mark(refused, no_integers, "a %2pA", (void *)&byte);
	trace_mark(refused, long_array, "a %4097ph", &byte);
	trace_mark(refused, label_too_large, "n %hhu{a=256}", byte);
	trace_mark(refused, same_label, "n %d{a=1,a=2}", n);
	trace_mark(refused, open_labels, "n %d{a=1", n);
	trace_mark(refused, name_of_length, "a %*ph _a_length %d", n, &byte, n);
	trace_mark(refused, address_of_text, "s %p", text);
	trace_mark(refused, extended_pointer, "mac %pM", &byte);
	trace_mark(refused, glued, "n %dx", n);
	trace_mark(ltt, task, "n %d", n);
	trace_mark(refused/group, name, "n %d", n);
	trace_mark(refused, .name, "n %d", n);
	trace_mark(refused, good, "n %d", n);
}

/* As a module would be that was built with another version of marker.h. */
#undef LTT_MARK_PREFIX
#define LTT_MARK_PREFIX	"ltt987:"

static void fire_foreign(void)
{
	trace_mark(refused, foreign, "n %d", 1);
	trace_mark(refused, foreign_too, "n %d", 2);
}
