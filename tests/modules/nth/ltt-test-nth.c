// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the Nth allocation or registration of LTT in one task fail.
 *
 * Test module, of no layer.  These calls can fail: allocations of slab objects, of pages and of
 * per-CPU memory, and the calls by which LTT creates or registers other things.  A call counts if
 * a function of LTT is on the stack.
 *
 * /proc/ltt-test-nth:
 *
 *	write	"N TIMES": make the Nth call of this task from now on fail.  Calls from the
 *		same path through the code count TIMES times at most, so that a loop over all
 *		markers does not take a day.  With N 0 none fails; if TIMES is 0 as well, RCU
 *		has freed everything when the write returns
 *	read	"FAILED CALLS": FAILED is 0 if no call has failed, 1 if one has, 2 if its
 *		caller passed __GFP_NORETRY; CALLS is the number of calls.  Then the functions
 *		that led to the failed call, one a line
 */
#include <linux/jhash.h>
#include <linux/kprobes.h>
#include <linux/linkage.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#define STACK_DEPTH	48
#define WAYS_MAX	4096	/* a power of two */

/* Written by the task itself. */
static struct task_struct *task;
static unsigned int nth, times, asked;
static unsigned int failed;
static bool leak;
module_param(leak, bool, 0);
MODULE_PARM_DESC(leak, "leak 100 bytes with each failure, for a test of leak detection");
static void *lost;

static unsigned long asker[STACK_DEPTH];
static unsigned int asker_depth;

/* How often each way, a hash of the stack, may still count. */
static struct {
	u32 hash;
	unsigned int left;
} ways[WAYS_MAX];

void ltt_test_nth_return(void);
asm(".pushsection .text\n"
    ".type ltt_test_nth_return, @function\n"
    "ltt_test_nth_return:\n\t"
    ASM_RET "\n"
    ".size ltt_test_nth_return, . - ltt_test_nth_return\n"
    ".popsection");

static bool is_ltt(unsigned long address)
{
	char name[KSYM_NAME_LEN + 64];

	if (address < MODULES_VADDR || address >= MODULES_END || within_module(address, THIS_MODULE))
		return false;
	snprintf(name, sizeof(name), "%pS", (void *)address);
	return strstr(name, "[ltt_");
}

/* A module's init function that ends by a call is not on the stack, but its caller is. */
static bool is_init(unsigned long address)
{
	char name[KSYM_NAME_LEN];

	snprintf(name, sizeof(name), "%ps", (void *)address);
	return !strcmp(name, "do_one_initcall");
}

static bool is_of_ltt(const unsigned long *stack, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (is_ltt(stack[i]) || is_init(stack[i]))
			return true;
	return false;
}

/* Asked by LTT, and not too often by this way? */
static bool counts(void)
{
	unsigned long stack[STACK_DEPTH];
	unsigned int nr = stack_trace_save(stack, STACK_DEPTH, 0);
	u32 hash = jhash(stack, nr * sizeof(*stack), 0) | 1;
	u32 i = hash;

	while (ways[i % WAYS_MAX].hash && ways[i % WAYS_MAX].hash != hash)
		i++;
	i %= WAYS_MAX;
	if (!ways[i].hash) {
		ways[i].hash = hash;
		ways[i].left = is_of_ltt(stack, nr) ? times : 0;
	}
	if (!ways[i].left)
		return false;
	ways[i].left--;
	return true;
}

/* Is this the one?  @task is not changed by others while it is us. */
static bool is_nth(void)
{
	if (READ_ONCE(task) != current || failed || !counts())
		return false;
	if (++asked != nth)
		return false;
	failed = 1;
	asker_depth = stack_trace_save(asker, STACK_DEPTH, 0);
	return true;
}

static int leave_with(struct pt_regs *regs, long value)
{
	regs->ax = value;
	regs->ip = (unsigned long)ltt_test_nth_return;
	return 1;
}

static int fail_function(struct kprobe *p, struct pt_regs *regs)
{
	return is_nth() ? leave_with(regs, -ENOMEM) : 0;
}

/* An allocation. */
static bool fails(gfp_t gfp)
{
	if (gfp & __GFP_NOFAIL || !is_nth())
		return false;
	if (gfp & __GFP_NORETRY)
		failed = 2;
	return true;
}

/* should_failslab(cache, gfp), should_fail_alloc_page(gfp, order): some may not fail. */
static int fail_slab(struct kprobe *p, struct pt_regs *regs)
{
	return fails(regs->si) ? leave_with(regs, -ENOMEM) : 0;
}

static int fail_page(struct kprobe *p, struct pt_regs *regs)
{
	return fails(regs->di) ? leave_with(regs, true) : 0;
}

static int fail_percpu(struct kprobe *p, struct pt_regs *regs)
{
	return is_nth() ? leave_with(regs, 0) : 0;
}

/* With one, the probe is let to change the address that the CPU goes on at. */
static void keep(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

#define PROBE(name, handler)	{ .symbol_name = name, .pre_handler = handler, .post_handler = keep }

static struct kprobe probes[] = {
	PROBE("should_failslab", fail_slab),
	PROBE("should_fail_alloc_page", fail_page),
	/* Since Linux 6.10 all that is for each CPU comes from one function. */
#ifdef __alloc_percpu_gfp
	PROBE("pcpu_alloc_noprof", fail_percpu),
#else
	PROBE("__alloc_percpu", fail_percpu),
	PROBE("__alloc_percpu_gfp", fail_percpu),
#endif
	PROBE("__cpuhp_setup_state", fail_function),
	PROBE("__cpuhp_state_add_instance", fail_function),
	PROBE("debugfs_create_dir", fail_function),
	PROBE("debugfs_create_file", fail_function),
	PROBE("debugfs_create_file_unsafe", fail_function),
	PROBE("misc_register", fail_function),
	PROBE("anon_inode_getfile", fail_function),
	PROBE("get_unused_fd_flags", fail_function),
	PROBE("tracepoint_probe_register_prio", fail_function),
	PROBE("register_tracepoint_module_notifier", fail_function),
	PROBE("register_pm_notifier", fail_function),
};

static ssize_t nth_write(struct file *file, const char __user *from, size_t size, loff_t *pos)
{
	char text[32] = "";
	unsigned int n, t;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	if (sscanf(text, "%u %u", &n, &t) != 2)
		return -EINVAL;
	WRITE_ONCE(task, NULL);
	if (leak && failed)
		lost = kmalloc(100, GFP_KERNEL);
	if (n) {
		nth = n;
		times = t;
		asked = 0;
		failed = 0;
		asker_depth = 0;
		memset(ways, 0, sizeof(ways));
		WRITE_ONCE(task, current);
	} else if (!t) {
		rcu_barrier();
	}
	return size;
}

static int nth_show(struct seq_file *s, void *unused)
{
	unsigned int i;

	seq_printf(s, "%u %u\n", failed, asked);
	for (i = 0; i < asker_depth; i++)
		seq_printf(s, "%ps\n", (void *)asker[i]);
	return 0;
}

static int nth_open(struct inode *inode, struct file *file)
{
	return single_open(file, nth_show, NULL);
}

static const struct proc_ops nth_ops = {
	.proc_open = nth_open,
	.proc_read = seq_read,
	.proc_write = nth_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init nth_init(void)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(probes); i++) {
		err = register_kprobe(&probes[i]);
		if (err)
			pr_err("ltt-test-nth: %s: error %d\n", probes[i].symbol_name, err);
	}
	if (!err && !proc_create("ltt-test-nth", 0600, NULL, &nth_ops))
		err = -ENOMEM;
	while (err && i--)
		unregister_kprobe(&probes[i]);
	return err;
}

static void __exit nth_exit(void)
{
	unsigned int i;

	remove_proc_entry("ltt-test-nth", NULL);
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		unregister_kprobe(&probes[i]);
}

module_init(nth_init);
module_exit(nth_exit);

MODULE_DESCRIPTION("LTT test: the Nth thing that LTT asks for fails");
MODULE_LICENSE("GPL");
