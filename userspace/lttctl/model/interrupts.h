/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The interrupt handlers and softirqs that run on each CPU, if their events are recorded: irq_handler_entry and
 * _exit, softirq_entry and _exit, and those of irq_vectors (local_timer_entry, reschedule_entry, ...).
 *
 * Layer: lttctl model, above tasks.h.
 */
#ifndef LTTCTL_MODEL_INTERRUPTS_H
#define LTTCTL_MODEL_INTERRUPTS_H

#include "tasks.h"

/**
 * struct interrupt - a handler or softirq that has ended
 * @host: the machine
 * @cpu: the CPU
 * @class: the event at its begin: "irq_handler_entry", "softirq_entry", "local_timer_entry", ...
 * @number: the field irq or vec
 * @from_ns: begin
 * @to_ns: end
 * @nested_ns: the part of it that went to interrupts that came in between
 */
struct interrupt {
	const struct host *host;
	unsigned int cpu;
	const char *class;
	int64_t number;
	int64_t from_ns;
	int64_t to_ns;
	int64_t nested_ns;
};

typedef void interrupt_fn(const struct interrupt *interrupt, void *data);

struct interrupts;

/* Return: a model that adds its handlers to @dispatch; NULL if memory is out.  All arguments must stay. */
struct interrupts *interrupts_new(struct dispatch *dispatch, struct tasks *tasks);
void interrupts_free(struct interrupts *interrupts);

/* Call @fn at the end of each interrupt whose begin was recorded.  There is one function. */
void interrupts_listen(struct interrupts *interrupts, interrupt_fn *fn, void *data);

/* Return: the number of handlers and softirqs that are known to run on a CPU now. */
unsigned int interrupts_depth(const struct interrupts *interrupts, const struct host *host, unsigned int cpu);

#endif /* LTTCTL_MODEL_INTERRUPTS_H */
