/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits: the tasks and CPUs that a trace records.
 *
 * Layer: tracer.  Locking: see ltt/trace.h.
 */
#ifndef LTT_LIMITS_H
#define LTT_LIMITS_H

struct cpumask;
struct ltt_tasks;
struct ltt_trace;

/**
 * ltt_trace_limit_tasks() - record only what happens in the context of some tasks
 * @trace: in any state
 * @tasks: a set after ltt_tasks_follow(); the trace takes a reference of its own.  NULL
 *	for all tasks
 *
 * Events of an interrupt belong to the task that it interrupted.  When this returns,
 * nothing is recorded by the former limit any more.
 *
 * Context: sleeps; registry lock held.
 */
void ltt_trace_limit_tasks(struct ltt_trace *trace, struct ltt_tasks *tasks);

/**
 * ltt_trace_tasks() - get the set of tasks that limits a trace
 * @trace: in any state
 *
 * Context: registry lock held.
 * Return: the set, without a reference; NULL without a limit.
 */
struct ltt_tasks *ltt_trace_tasks(const struct ltt_trace *trace);

/**
 * ltt_trace_limit_cpus() - record only what happens on some CPUs
 * @trace: in any state
 * @cpus: copied; NULL for all CPUs
 *
 * Context: sleeps; registry lock held.
 * Return: 0 or -ENOMEM.
 */
int ltt_trace_limit_cpus(struct ltt_trace *trace, const struct cpumask *cpus);

/**
 * ltt_trace_cpus() - get the set of CPUs that limits a trace
 * @trace: in any state
 *
 * Context: registry lock held.
 * Return: the set, valid until the lock is released; NULL without a limit.
 */
const struct cpumask *ltt_trace_cpus(const struct ltt_trace *trace);

#endif /* LTT_LIMITS_H */
