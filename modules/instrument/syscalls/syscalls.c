// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-syscalls: the system calls of the kernel as markers, by name.
 *
 * Layer: instrument.  "generate" lists the calls of the kernel that LTT is built for, table.c
 * has them as data.  Each has three markers: syscall:NAME, its beginning with its arguments;
 * syscall:NAME_exit, its end with what it returns; syscall_time:NAME, its end with its duration
 * as well.  Calls of 32-bit programs on a 64-bit kernel have a table and numbers of their own,
 * and their markers are called compat_NAME.  A pattern that matches NAME matches all markers of
 * the call in the group.
 *
 * The kernel has one tracepoint for the beginning of all system calls and one for the end.
 * A probe is registered on each while a marker that needs it has sinks.  The probe looks the
 * number up in a table that has the calls of such markers only.
 *
 * Locking: all changes under the registry lock.  Probes read the slots, and wants and epoch of
 * the calls, without it; calls stay until the probes are gone.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/compat.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <asm/syscall.h>

#include <ltt/scratch.h>

#include <trace/events/syscalls.h>

/* Without these tracepoints, no probe has the right arguments. */
#ifndef CONFIG_HAVE_SYSCALL_TRACEPOINTS
void check_trace_callback_type_sys_enter(void);
void check_trace_callback_type_sys_exit(void);
#endif

#include "../../compat/checked-probe.h"
#include "../../compat/probe-context.h"
#include "syscall.h"

/* The numbers of these calls of 32-bit ARM, for which headers for arm64 have no names. */
#define COMPAT_EXECVE	11
#define COMPAT_EXECVEAT	387

/* The calls whose markers have sinks, by number. */
static struct ltt_syscall *native_slots[LTT_SYSCALL_SLOTS];
static struct ltt_syscall *compat_slots[LTT_SYSCALL_SLOTS];

/* ---- The probes ---- */

/* On x86, in_compat_syscall() also looks for x32, whose numbers are in no slot. */
static __always_inline bool is_compat(void)
{
	if (!IS_ENABLED(CONFIG_COMPAT))
		return false;
#ifdef in_ia32_syscall
	return in_ia32_syscall();
#else
	return in_compat_syscall();
#endif
}

/*
 * Was the call that ends one of a 32-bit program?  An execve() may end in a program of the other size of word.  x86
 * changes the number of the call then.  arm64 keeps that of the program that called, and zeroes all registers, also x8
 * and r7, in which programs pass the number.
 */
static __always_inline bool was_compat(const struct pt_regs *regs, long number, long ret)
{
#if defined(CONFIG_ARM64) && defined(CONFIG_COMPAT)
	if (is_compat() && !ret && !regs->regs[7] && (number == __NR_execve || number == __NR_execveat))
		return false;
	if (!is_compat() && !ret && !regs->regs[8] && (number == COMPAT_EXECVE || number == COMPAT_EXECVEAT))
		return true;
#endif
	return is_compat();
}

/* Return: NULL if no marker of the call has sinks; it may be another call of the same slot. */
static __always_inline struct ltt_syscall *slot_of(long number, bool compat)
{
	unsigned long slot = number & (LTT_SYSCALL_SLOTS - 1);

	/* Lockless: written under the registry lock. */
	if (unlikely(compat))
		return READ_ONCE(compat_slots[slot]);
	return READ_ONCE(native_slots[slot]);
}

static notrace noinline void enter(struct ltt_syscall *call, struct pt_regs *regs, long number)
{
	unsigned long args[LTT_SYSCALL_ARGS], epoch;
	const struct ltt_sink *sink;
	unsigned int i;

	if (call->number != number)
		return;
	/* O(times:B): the table of durations after the epoch; pairs with O(times:A). */
	epoch = smp_load_acquire(&call->epoch);
	LTT_PREEMPT_DISABLE();
	if (epoch)
		ltt_duration_begin(epoch);
	if (!(READ_ONCE(call->wants) & LTT_WANT_ENTER))
		goto out;
	sink = ltt_marker_sink(&call->enter);
	if (!ltt_sink_wants(sink))
		goto out;
	syscall_get_arguments(current, regs, args);
	/* Of a program of 32 bits, the upper halves of the registers mean nothing. */
	for (i = 0; call->is_compat && i < LTT_SYSCALL_ARGS; i++)
		args[i] = (u32)args[i];
	ltt_syscall_write(call, sink, args);
out:
	LTT_PREEMPT_ENABLE();
}

/* For the tracepoint sys_enter. */
static notrace void enter_probe(void *unused, struct pt_regs *regs, long number)
{
	struct ltt_syscall *call = slot_of(number, is_compat());

	if (unlikely(call))
		enter(call, regs, number);
}

struct timed {
	long ret;
	u64 duration;
} __packed;

static notrace noinline void leave(struct ltt_syscall *call, long ret, long number)
{
	struct timed timed = { .ret = ret };
	const struct ltt_sink *sink;
	unsigned long epoch;

	if (call->number != number)
		return;
	/* O(times:B) */
	epoch = smp_load_acquire(&call->epoch);
	LTT_PREEMPT_DISABLE();
	if (epoch) {
		timed.duration = ltt_duration_end(epoch);
		sink = ltt_marker_sink(&call->timed);
		if (ltt_sink_wants(sink))
			sink->write(sink, &timed, sizeof(timed));
	}
	if (READ_ONCE(call->wants) & LTT_WANT_EXIT) {
		sink = ltt_marker_sink(&call->exit);
		if (ltt_sink_wants(sink))
			sink->write(sink, &ret, sizeof(ret));
	}
	LTT_PREEMPT_ENABLE();
}

/* For the tracepoint sys_exit. */
static notrace void exit_probe(void *unused, struct pt_regs *regs, long ret)
{
	long number = syscall_get_nr(current, regs);
	struct ltt_syscall *call = slot_of(number, was_compat(regs, number, ret));

	if (likely(!call))
		return;
	/* arm64 extends the sign of what a call of a 32-bit program returns. */
	if (call->is_compat && call->returns == LTT_RETURNS_ADDRESS && !IS_ERR_VALUE(ret))
		ret = (u32)ret;
	leave(call, ret, number);
}

/**
 * struct site - a tracepoint that all system calls pass
 * @name: its name
 * @probe: ours; NULL if the tracepoint of this kernel has other arguments
 * @tp: the tracepoint; NULL if this kernel has none of this name
 * @users: number of markers with sinks that need the probe
 */
static struct site {
	const char *name;
	void *probe;
	struct tracepoint *tp;
	unsigned int users;
} enter_site = { "sys_enter", LTT_CHECKED_PROBE(sys_enter, enter_probe) },
  exit_site = { "sys_exit", LTT_CHECKED_PROBE(sys_exit, exit_probe) };

static int use(struct site *site)
{
	int err = site->users ? 0 : tracepoint_probe_register(site->tp, site->probe, NULL);

	if (!err)
		site->users++;
	return err;
}

static void unuse(struct site *site)
{
	/* Fails only for a probe that is not registered. */
	if (!--site->users)
		tracepoint_probe_unregister(site->tp, site->probe, NULL);
}

/* ---- Markers ---- */

static void set_slot(struct ltt_syscall *call)
{
	struct ltt_syscall **slots = call->is_compat ? compat_slots : native_slots;

	WRITE_ONCE(slots[call->number], call->wants || call->epoch ? call : NULL);
}

static void set_wants(struct ltt_syscall *call, u8 wants)
{
	WRITE_ONCE(call->wants, wants);
	set_slot(call);
}

static int enter_connect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_syscall *call = container_of(m, struct ltt_syscall, enter);
	int err = m->nr_sinks > 1 ? 0 : use(&enter_site);

	if (!err)
		set_wants(call, call->wants | LTT_WANT_ENTER);
	return err;
}

static void enter_disconnect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_syscall *call = container_of(m, struct ltt_syscall, enter);

	if (m->nr_sinks)
		return;
	set_wants(call, call->wants & ~LTT_WANT_ENTER);
	unuse(&enter_site);
}

static int exit_connect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_syscall *call = container_of(m, struct ltt_syscall, exit);
	int err = m->nr_sinks > 1 ? 0 : use(&exit_site);

	if (!err)
		set_wants(call, call->wants | LTT_WANT_EXIT);
	return err;
}

static void exit_disconnect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_syscall *call = container_of(m, struct ltt_syscall, exit);

	if (m->nr_sinks)
		return;
	set_wants(call, call->wants & ~LTT_WANT_EXIT);
	unuse(&exit_site);
}

/* Number of markers with sinks that need durations. */
static unsigned int nr_timed;

static void set_epoch(struct ltt_syscall *call, unsigned long epoch)
{
	/* O(times:A): the table before the epoch; pairs with O(times:B). */
	smp_store_release(&call->epoch, epoch);
	set_slot(call);
}

static int timed_connect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_syscall *call = container_of(m, struct ltt_syscall, timed);
	static unsigned long last_epoch;
	int err;

	if (m->nr_sinks > 1)
		return 0;
	err = nr_timed ? 0 : ltt_durations_start();
	if (err)
		return err;
	err = use(&enter_site);
	if (err)
		return err;
	err = use(&exit_site);
	if (err)
		goto err_exit;
	nr_timed++;
	set_epoch(call, ++last_epoch);
	return 0;

err_exit:
	unuse(&enter_site);
	return err;
}

static void timed_disconnect(struct ltt_marker *m, const struct ltt_sink *sink)
{
	struct ltt_syscall *call = container_of(m, struct ltt_syscall, timed);

	if (m->nr_sinks)
		return;
	set_epoch(call, 0);
	nr_timed--;
	unuse(&exit_site);
	unuse(&enter_site);
}

static void show(const struct ltt_syscall *call, struct seq_file *s)
{
	seq_printf(s, "  system call %u [kernel]\n", call->number);
}

static void enter_show(struct ltt_marker *m, struct seq_file *s)
{
	struct ltt_syscall *call = container_of(m, struct ltt_syscall, enter);

	show(call, s);
	if (call->reads)
		seq_printf(s, "  calls with memory that was not present: %lu\n",
			   atomic_long_read(&call->unread));
}

static void exit_show(struct ltt_marker *m, struct seq_file *s)
{
	show(container_of(m, struct ltt_syscall, exit), s);
}

static void timed_show(struct ltt_marker *m, struct seq_file *s)
{
	show(container_of(m, struct ltt_syscall, timed), s);
}

static const struct ltt_marker_ops enter_ops = {
	.owner = THIS_MODULE,
	.connect = enter_connect,
	.disconnect = enter_disconnect,
	.show = enter_show,
};

static const struct ltt_marker_ops exit_ops = {
	.owner = THIS_MODULE,
	.connect = exit_connect,
	.disconnect = exit_disconnect,
	.show = exit_show,
};

static const struct ltt_marker_ops timed_ops = {
	.owner = THIS_MODULE,
	.connect = timed_connect,
	.disconnect = timed_disconnect,
	.show = timed_show,
};

#define RET(_base)								\
	{ .name = "ret", .type = "long", .kind = LTT_FIELD_INT, .size = sizeof(long),	\
	  .is_signed = true, .base = _base }
#define DURATION								\
	{ .name = "duration", .type = "nanoseconds", .kind = LTT_FIELD_INT, .size = sizeof(u64),	\
	  .base = 10 }

/* A marker of an end has the first of these, or both. */
static const struct ltt_field number_fields[] = { RET(10), DURATION };
static const struct ltt_field address_fields[] = { RET(16), DURATION };

/* Return: whether the kernel passes an argument in two registers: only 32-bit kernels do. */
static bool has_wide_argument(const struct ltt_syscall *call)
{
	unsigned int i;

	for (i = 0; i < call->nr_steps; i++)
		if (call->steps[i].how == LTT_STEP_VALUE && call->steps[i].size > sizeof(long))
			return true;
	return false;
}

static void describe(struct ltt_syscall *call)
{
	const struct ltt_field *ret = call->returns == LTT_RETURNS_ADDRESS ? address_fields
									   : number_fields;
	unsigned int i;

	for (i = 0; i < call->nr_steps; i++)
		call->reads |= call->steps[i].how != LTT_STEP_VALUE;
	call->enter = (struct ltt_marker) {
		.group = "syscall", .name = call->name, .alias = call->plain,
		.fields = call->fields, .nr_fields = call->nr_steps + call->reads,
		.ops = &enter_ops,
	};
	/* Without ops, a marker is none. */
	if (call->returns == LTT_RETURNS_NEVER)
		return;
	call->exit = (struct ltt_marker) {
		.group = "syscall", .name = call->exit_name, .alias = call->plain,
		.fields = ret, .nr_fields = 1, .ops = &exit_ops,
	};
	call->timed = (struct ltt_marker) {
		.group = "syscall_time", .name = call->name, .alias = call->plain,
		.fields = ret, .nr_fields = 2, .ops = &timed_ops,
	};
}

static void add_marker(struct ltt_marker *m)
{
	int err = m->ops ? ltt_marker_register(m) : 0;

	if (!err)
		return;
	pr_warn("the event %s:%s cannot be registered (%pe), so it is left out\n",
		m->group, m->name, ERR_PTR(err));
	m->ops = NULL;
}

static void remove_marker(struct ltt_marker *m)
{
	if (m->ops)
		ltt_marker_unregister(m);
}

static void add_calls(struct ltt_syscall *calls, unsigned int nr)
{
	struct ltt_syscall *call;

	for (call = calls; call < calls + nr; call++) {
		if (has_wide_argument(call))
			continue;
		describe(call);
		add_marker(&call->enter);
		add_marker(&call->exit);
		add_marker(&call->timed);
	}
}

static void remove_calls(struct ltt_syscall *calls, unsigned int nr)
{
	struct ltt_syscall *call;

	for (call = calls; call < calls + nr; call++) {
		remove_marker(&call->enter);
		remove_marker(&call->exit);
		remove_marker(&call->timed);
	}
}

static void find_site(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, enter_site.name))
		enter_site.tp = tp;
	else if (!strcmp(tp->name, exit_site.name))
		exit_site.tp = tp;
}

static int __init syscalls_init(void)
{
	int err;

	for_each_kernel_tracepoint(find_site, NULL);
	if (!enter_site.tp || !exit_site.tp) {
		pr_info("this kernel has no tracepoints for system calls, so there are no markers for them\n");
		return 0;
	}
	if (!enter_site.probe || !exit_site.probe) {
		pr_info("LTT does not know the arguments of sys_enter or sys_exit in this kernel, so there are no markers for system calls\n");
		return 0;
	}
	ltt_markers_lock();
	err = ltt_scratch_prepare();
	if (!err) {
		add_calls(ltt_native_syscalls, ltt_nr_native_syscalls);
		add_calls(ltt_compat_syscalls, ltt_nr_compat_syscalls);
	}
	ltt_markers_unlock();
	return err;
}

/* No sink is connected any more: each held this module by the owner of its marker. */
static void __exit syscalls_exit(void)
{
	ltt_markers_lock();
	remove_calls(ltt_native_syscalls, ltt_nr_native_syscalls);
	remove_calls(ltt_compat_syscalls, ltt_nr_compat_syscalls);
	ltt_markers_unlock();
	/* A probe may still be on its way. */
	ltt_marker_synchronize();
	ltt_durations_exit();
}

module_init(syscalls_init);
module_exit(syscalls_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("LTT: system calls as markers");
