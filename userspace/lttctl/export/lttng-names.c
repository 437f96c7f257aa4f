// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names of LTTng for events of the kernel and their fields, where they differ from the kernel's own, which LTT uses.
 *
 * Layer: lttctl export.  These are the names that the kernel analyses of Trace Compass look for in a trace of
 * lttng-modules 2.9 or later (doc/viewers.md).
 */
#include "lttng.h"

#include <string.h>

static const struct {
	const char *from, *to;
} events[] = {
	{ "softirq_raise", "irq_softirq_raise" },
	{ "softirq_entry", "irq_softirq_entry" },
	{ "softirq_exit", "irq_softirq_exit" },
	{ "hrtimer_start", "timer_hrtimer_start" },
	{ "hrtimer_cancel", "timer_hrtimer_cancel" },
	{ "hrtimer_expire_entry", "timer_hrtimer_expire_entry" },
	{ "hrtimer_expire_exit", "timer_hrtimer_expire_exit" },
	{ "mm_page_alloc", "kmem_mm_page_alloc" },
	{ "mm_page_free", "kmem_mm_page_free" },
	/* Calls whose number has no name; lttng-calls.c has the others. */
	{ "sys_enter", "syscall_entry_unknown" },
	{ "sys_exit", "syscall_exit_unknown" },
	{ "local_timer_entry", "x86_irq_vectors_local_timer_entry" },
	{ "local_timer_exit", "x86_irq_vectors_local_timer_exit" },
	{ "reschedule_entry", "x86_irq_vectors_reschedule_entry" },
	{ "reschedule_exit", "x86_irq_vectors_reschedule_exit" },
	{ "spurious_apic_entry", "x86_irq_vectors_spurious_apic_entry" },
	{ "spurious_apic_exit", "x86_irq_vectors_spurious_apic_exit" },
	{ "error_apic_entry", "x86_irq_vectors_error_apic_entry" },
	{ "error_apic_exit", "x86_irq_vectors_error_apic_exit" },
	{ "x86_platform_ipi_entry", "x86_irq_vectors_ipi_entry" },
	{ "x86_platform_ipi_exit", "x86_irq_vectors_ipi_exit" },
	{ "irq_work_entry", "x86_irq_vectors_irq_work_entry" },
	{ "irq_work_exit", "x86_irq_vectors_irq_work_exit" },
	{ "call_function_entry", "x86_irq_vectors_call_function_entry" },
	{ "call_function_exit", "x86_irq_vectors_call_function_exit" },
	{ "call_function_single_entry", "x86_irq_vectors_call_function_single_entry" },
	{ "call_function_single_exit", "x86_irq_vectors_call_function_single_exit" },
	{ "threshold_apic_entry", "x86_irq_vectors_threshold_apic_entry" },
	{ "threshold_apic_exit", "x86_irq_vectors_threshold_apic_exit" },
	{ "deferred_error_apic_entry", "x86_irq_vectors_deferred_error_apic_entry" },
	{ "deferred_error_apic_exit", "x86_irq_vectors_deferred_error_apic_exit" },
	{ "thermal_apic_entry", "x86_irq_vectors_thermal_apic_entry" },
	{ "thermal_apic_exit", "x86_irq_vectors_thermal_apic_exit" },
};

/* The kernel's events call the number of a thread "pid".  A star stands for any rest of the event's name. */
static const struct {
	const char *event, *from, *to;
} fields[] = {
	{ "sched_switch", "prev_pid", "prev_tid" },
	{ "sched_switch", "next_pid", "next_tid" },
	{ "sched_process_fork", "parent_pid", "parent_tid" },
	{ "sched_process_fork", "child_pid", "child_tid" },
	{ "sched_process_exec", "old_pid", "old_tid" },
	{ "sched_*", "pid", "tid" },
};

/* syscall:NAME, syscall:NAME_exit, syscall:compat_NAME, syscall:compat_NAME_exit */
static const char *syscall_name(const char *call, char *buf, size_t size)
{
	static const char compat[] = "compat_", exit[] = "_exit";
	const bool is_compat = !strncmp(call, compat, strlen(compat));
	size_t len;

	if (is_compat)
		call += strlen(compat);
	len = strlen(call);
	if (len > strlen(exit) && !strcmp(call + len - strlen(exit), exit))
		snprintf(buf, size, "%ssyscall_exit_%.*s", is_compat ? compat : "", (int)(len - strlen(exit)), call);
	else
		snprintf(buf, size, "%ssyscall_entry_%s", is_compat ? compat : "", call);
	return buf;
}

const char *lttng_event_name(const char *name, char *buf, size_t size)
{
	static const char syscall[] = "syscall:";
	size_t i;

	if (!strncmp(name, syscall, strlen(syscall)))
		return syscall_name(name + strlen(syscall), buf, size);
	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (!strcmp(name, events[i].from))
			return events[i].to;
	return name;
}

static bool matches(const char *pattern, const char *name)
{
	const size_t len = strlen(pattern) - 1;

	return pattern[len] == '*' ? !strncmp(pattern, name, len) : !strcmp(pattern, name);
}

const char *lttng_field_name(const char *event, const char *field)
{
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (matches(fields[i].event, event) && !strcmp(field, fields[i].from))
			return fields[i].to;
	return NULL;
}
