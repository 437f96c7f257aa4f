// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of contexts: one row for each, and the functions that read the values of the
 * current task and CPU.
 *
 * Layer: tracer.  Context: any, NMI included; preemption off.
 *
 * A record has its contexts in the order of the rows: values, then counters, then stacks.
 * A row is missing where the kernel is built without what it reads.
 */
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/nsproxy.h>
#include <linux/perf_event.h>
#include <linux/pid_namespace.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <net/net_namespace.h>

#include <ltt/context.h>

#include "context.h"
#include "stack.h"

static void put(void *to, u64 value, size_t size)
{
	u32 half = value;

	if (size == sizeof(half))
		memcpy(to, &half, sizeof(half));
	else
		memcpy(to, &value, sizeof(value));
}

static void read_pid(void *to)
{
	put(to, current->tgid, 4);
}

/* The parent can exit at any time, and RCU keeps its memory.  Where RCU does not watch (on the
 * way into the kernel and out of it), it cannot be looked at: 0. */
static void read_ppid(void *to)
{
	put(to, rcu_is_watching() ? rcu_dereference_raw(current->real_parent)->tgid : 0, 4);
}

static void read_comm(void *to)
{
	/* Another thread may be writing a new name: the bytes are of both then. */
	data_race(memcpy(to, current->comm, TASK_COMM_LEN));
}

static void read_uid(void *to)
{
	put(to, __kuid_val(current_uid()), 4);
}

static void read_prio(void *to)
{
	put(to, current->prio, 4);
}

#ifdef CONFIG_CGROUPS
/* As read_ppid(): a move to another cgroup frees the set by RCU. */
static void read_cgroup(void *to)
{
	put(to, rcu_is_watching() ? cgroup_id(rcu_dereference_raw(current->cgroups)->dfl_cgrp) : 0, 8);
}
#endif

/* The task's own namespaces: only the task itself changes the pointer, and frees the former
 * ones after that.  It has none left late in its exit. */
static void read_pid_ns(void *to)
{
	struct pid_namespace *ns = task_active_pid_ns(current);

	put(to, ns ? ns->ns.inum : 0, 4);
}

#ifdef CONFIG_NET_NS
static void read_net_ns(void *to)
{
	struct nsproxy *ns = current->nsproxy;

	put(to, ns ? ns->net_ns->ns.inum : 0, 4);
}
#endif

static void read_mnt_ns(void *to)
{
	struct nsproxy *ns = current->nsproxy;

	/* struct mnt_namespace is private to the kernel; ltt_contexts_init() finds out
	 * whether it begins with this. */
	put(to, ns ? ((const struct ns_common *)ns->mnt_ns)->inum : 0, 4);
}

static void read_preempt(void *to)
{
	put(to, ltt_context_preempt(), 4);
}

static void read_irq(void *to)
{
	*(u8 *)to = ltt_context_irq(irqs_disabled());
}

static void read_need_resched(void *to)
{
	*(u8 *)to = ltt_context_need_resched();
}

#ifdef LTT_HAVE_MIGRATION_DISABLED
static void read_migrate_disable(void *to)
{
	put(to, current->migration_disabled, 4);
}
#endif

#define INT(n, t, s, sign, ...) \
	{ .name = n, .type = t, .kind = LTT_FIELD_INT, .size = s, .is_signed = sign, .base = 10, __VA_ARGS__ }
#define VALUE(n, t, s, sign, fn, text, ...)					\
	{ .name = #n, .kind = LTT_CONTEXT_VALUE, .read = fn, .help = text,	\
	  .field = INT(#n, t, s, sign, __VA_ARGS__) }
#define COUNTER(n, id, kind_of, event)						\
	{ .name = "perf:" n, .kind = LTT_CONTEXT_COUNTER,			\
	  .help = "count of perf's event " n " on the CPU",			\
	  .counter = { PERF_TYPE_##kind_of, PERF_COUNT_##event },		\
	  .field = INT("perf_" #id, "u64", 8, false) }
#define STACK(n, fn, text)							\
	{ .name = #n, .kind = LTT_CONTEXT_STACK, .capture = fn, .help = text,	\
	  .field = { .name = #n, .type = "u64", .kind = LTT_FIELD_SEQUENCE, .size = 8, .base = 16 } }

static const struct ltt_context_type rows[] = {
	VALUE(pid, "pid_t", 4, true, read_pid, "process id"),
	VALUE(ppid, "pid_t", 4, true, read_ppid, "process id of the parent"),
	{ .name = "comm", .kind = LTT_CONTEXT_VALUE, .read = read_comm, .help = "name of the thread",
	  .field = { .name = "comm", .type = "char", .kind = LTT_FIELD_TEXT, .size = 1,
		     .count = TASK_COMM_LEN, .base = 10 } },
	VALUE(uid, "uid_t", 4, false, read_uid, "user id"),
	VALUE(prio, "int", 4, true, read_prio, "priority as the scheduler has it: 120 for nice 0"),
#ifdef CONFIG_CGROUPS
	VALUE(cgroup, "u64", 8, false, read_cgroup, "id of the cgroup of version 2"),
#endif
	VALUE(pid_ns, "unsigned int", 4, false, read_pid_ns, "number of the pid namespace"),
#ifdef CONFIG_NET_NS
	VALUE(net_ns, "unsigned int", 4, false, read_net_ns, "number of the network namespace"),
#endif
	VALUE(mnt_ns, "unsigned int", 4, false, read_mnt_ns, "number of the mount namespace"),
#ifdef CONFIG_PREEMPT_COUNT
	VALUE(preempt, "int", 4, true, read_preempt, "how many times preemption is off"),
#endif
	VALUE(irq, "u8", 1, false, read_irq, "whether interrupts are off; in which interrupt it is",
	      .labels = "on=0,off=1,softirq=2,softirq_off=3,hardirq=4,hardirq_off=5,nmi=6,nmi_off=7}"),
	VALUE(need_resched, "u8", 1, false, read_need_resched, "whether the task is to be switched"),
#ifdef LTT_HAVE_MIGRATION_DISABLED
	VALUE(migrate_disable, "int", 4, true, read_migrate_disable,
	      "how many times moves to other CPUs are off"),
#endif
#ifdef CONFIG_PERF_EVENTS
	COUNTER("cycles", cycles, HARDWARE, HW_CPU_CYCLES),
	COUNTER("instructions", instructions, HARDWARE, HW_INSTRUCTIONS),
	COUNTER("cache-references", cache_references, HARDWARE, HW_CACHE_REFERENCES),
	COUNTER("cache-misses", cache_misses, HARDWARE, HW_CACHE_MISSES),
	COUNTER("branches", branches, HARDWARE, HW_BRANCH_INSTRUCTIONS),
	COUNTER("branch-misses", branch_misses, HARDWARE, HW_BRANCH_MISSES),
	COUNTER("bus-cycles", bus_cycles, HARDWARE, HW_BUS_CYCLES),
	COUNTER("ref-cycles", ref_cycles, HARDWARE, HW_REF_CPU_CYCLES),
	COUNTER("cpu-clock", cpu_clock, SOFTWARE, SW_CPU_CLOCK),
	COUNTER("task-clock", task_clock, SOFTWARE, SW_TASK_CLOCK),
	COUNTER("page-faults", page_faults, SOFTWARE, SW_PAGE_FAULTS),
	COUNTER("minor-faults", minor_faults, SOFTWARE, SW_PAGE_FAULTS_MIN),
	COUNTER("major-faults", major_faults, SOFTWARE, SW_PAGE_FAULTS_MAJ),
	COUNTER("context-switches", context_switches, SOFTWARE, SW_CONTEXT_SWITCHES),
	COUNTER("cpu-migrations", cpu_migrations, SOFTWARE, SW_CPU_MIGRATIONS),
#endif
#ifdef CONFIG_STACKTRACE
	STACK(kernel_stack, ltt_stack_of_kernel, "call stack in the kernel"),
#endif
#ifdef LTT_STACK_OF_USER
	STACK(user_stack, ltt_stack_of_user, "call stack of the program, by frame pointers"),
#endif
};

const struct ltt_context_type *ltt_context_row(unsigned int nr)
{
	return nr < ARRAY_SIZE(rows) ? &rows[nr] : NULL;
}
EXPORT_SYMBOL_GPL(ltt_context_row);

const struct ltt_context_type *ltt_context_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}
EXPORT_SYMBOL_GPL(ltt_context_find);
