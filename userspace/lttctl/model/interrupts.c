// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Interrupt handlers and softirqs: see interrupts.h.
 *
 * They nest, so each CPU has a stack of those that run.  A loss on a CPU empties it.
 *
 * Layer: lttctl model.
 */
#include "interrupts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH	16	/* a softirq, an interrupt in it, and vectors; more means that ends are missing */

/* One that runs. */
struct running {
	size_t kind;
	int64_t number;
	int64_t from_ns;
	int64_t nested_ns;
};

struct cpu {
	struct running stack[DEPTH];
	unsigned int depth;
	int64_t until_ns;	/* events may be missing until then */
};

struct machine {
	struct cpu *cpus;
	unsigned int nr_cpus;
};

struct kind;

struct interrupts {
	struct tasks *tasks;
	struct machine *machines;	/* by the number of the host */
	size_t nr_machines;
	struct kind *kinds;
	interrupt_fn *fn;
	void *data;
};

/* The fields that tell several of a kind apart. */
static const char *const irq_fields[] = { "irq", NULL };
static const char *const softirq_fields[] = { "vec", NULL };
static const char *const vector_fields[] = { "vector", NULL };

static const struct {
	const char *entry;
	const char *exit;
	const char *const *fields;
} kinds[] = {
	{ "irq_handler_entry", "irq_handler_exit", irq_fields },
	{ "softirq_entry", "softirq_exit", softirq_fields },
	{ "local_timer_entry", "local_timer_exit", vector_fields },
	{ "reschedule_entry", "reschedule_exit", vector_fields },
	{ "call_function_entry", "call_function_exit", vector_fields },
	{ "call_function_single_entry", "call_function_single_exit", vector_fields },
	{ "irq_work_entry", "irq_work_exit", vector_fields },
	{ "x86_platform_ipi_entry", "x86_platform_ipi_exit", vector_fields },
	{ "error_apic_entry", "error_apic_exit", vector_fields },
	{ "spurious_apic_entry", "spurious_apic_exit", vector_fields },
	{ "threshold_apic_entry", "threshold_apic_exit", vector_fields },
	{ "thermal_apic_entry", "thermal_apic_exit", vector_fields },
	{ "ipi_entry", "ipi_exit", NULL },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The data of a handler: which kind begins or ends. */
struct kind {
	struct interrupts *interrupts;
	size_t number;
};

static struct cpu *cpu_of(struct interrupts *interrupts, const struct host *host, unsigned int number)
{
	struct machine *machine = &interrupts->machines[host->number < interrupts->nr_machines ? host->number : 0];
	struct cpu *more;

	if (number < machine->nr_cpus)
		return &machine->cpus[number];
	more = number > 65535 ? NULL : reallocarray(machine->cpus, number + 1, sizeof(*more));
	if (!more)
		return NULL;
	memset(more + machine->nr_cpus, 0, (number + 1 - machine->nr_cpus) * sizeof(*more));
	machine->cpus = more;
	machine->nr_cpus = number + 1;
	return &more[number];
}

static int64_t number_of(const struct dispatch_event *event)
{
	return event->index[0] < 0 ? 0 : dispatch_integer(event, 0);
}

static void on_entry(const struct dispatch_event *event, void *data)
{
	const struct ltttrace_record *record = event->record;
	const struct kind *kind = data;
	struct cpu *cpu = cpu_of(kind->interrupts, tasks_host_of(kind->interrupts->tasks, record->event->part), record->cpu);

	if (!cpu || record->ns < cpu->until_ns)
		return;
	if (cpu->depth == DEPTH)
		cpu->depth = 0;
	cpu->stack[cpu->depth++] = (struct running){
		.kind = kind->number, .number = number_of(event), .from_ns = record->ns,
	};
}

static void on_exit_of(const struct dispatch_event *event, void *data)
{
	const struct ltttrace_record *record = event->record;
	const struct kind *kind = data;
	struct interrupts *interrupts = kind->interrupts;
	const struct host *host = tasks_host_of(interrupts->tasks, record->event->part);
	struct cpu *cpu = cpu_of(interrupts, host, record->cpu);
	unsigned int depth = cpu ? cpu->depth : 0;
	const struct running *running;
	struct interrupt interrupt;

	/* Those above it have no end in the recording. */
	while (depth && (cpu->stack[depth - 1].kind != kind->number || cpu->stack[depth - 1].number != number_of(event)))
		depth--;
	if (!depth)
		return;
	running = &cpu->stack[depth - 1];
	interrupt = (struct interrupt){
		.host = host, .cpu = record->cpu, .class = kinds[kind->number].entry, .number = running->number,
		.from_ns = running->from_ns, .to_ns = record->ns, .nested_ns = running->nested_ns,
	};
	cpu->depth = depth - 1;
	if (cpu->depth)
		cpu->stack[cpu->depth - 1].nested_ns += interrupt.to_ns - interrupt.from_ns;
	if (interrupts->fn)
		interrupts->fn(&interrupt, interrupts->data);
}

static void on_record(const struct ltttrace_record *record, void *data)
{
	struct interrupts *interrupts = data;
	struct cpu *cpu;

	if (record->kind == LTTTRACE_EVENT)
		return;
	cpu = cpu_of(interrupts, tasks_host_of(interrupts->tasks, record->stream->part), record->cpu);
	if (!cpu)
		return;
	cpu->depth = 0;
	if (record->until_ns > cpu->until_ns)
		cpu->until_ns = record->until_ns;
}

void interrupts_listen(struct interrupts *interrupts, interrupt_fn *fn, void *data)
{
	interrupts->fn = fn;
	interrupts->data = data;
}

unsigned int interrupts_depth(const struct interrupts *interrupts, const struct host *host, unsigned int cpu)
{
	const struct machine *machine = &interrupts->machines[host->number < interrupts->nr_machines ? host->number : 0];

	return cpu < machine->nr_cpus ? machine->cpus[cpu].depth : 0;
}

static int add_handlers(struct interrupts *interrupts, struct dispatch *dispatch)
{
	int err = dispatch_on_all(dispatch, DISPATCH_STATES, on_record, interrupts);
	size_t i;

	for (i = 0; i < NR_KINDS && !err; i++) {
		interrupts->kinds[i] = (struct kind){ interrupts, i };
		err = dispatch_on(dispatch, DISPATCH_STATES, kinds[i].entry, kinds[i].fields, on_entry,
				  &interrupts->kinds[i]);
		if (!err)
			err = dispatch_on(dispatch, DISPATCH_STATES, kinds[i].exit, kinds[i].fields, on_exit_of,
					  &interrupts->kinds[i]);
	}
	return err;
}

struct interrupts *interrupts_new(struct dispatch *dispatch, struct tasks *tasks)
{
	struct interrupts *interrupts = calloc(1, sizeof(*interrupts));

	if (!interrupts)
		return NULL;
	interrupts->tasks = tasks;
	interrupts->nr_machines = tasks_nr_hosts(tasks);
	interrupts->machines = calloc(interrupts->nr_machines + 1, sizeof(*interrupts->machines));
	interrupts->kinds = calloc(NR_KINDS, sizeof(*interrupts->kinds));
	if (interrupts->machines && interrupts->kinds && !add_handlers(interrupts, dispatch))
		return interrupts;
	interrupts_free(interrupts);
	return NULL;
}

void interrupts_free(struct interrupts *interrupts)
{
	size_t i;

	if (!interrupts)
		return;
	for (i = 0; i < interrupts->nr_machines && interrupts->machines; i++)
		free(interrupts->machines[i].cpus);
	free(interrupts->machines);
	free(interrupts->kinds);
	free(interrupts);
}
