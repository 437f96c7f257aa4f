// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaching programs that filter events, and running them: eBPF, verified and compiled by the kernel,
 * of the type BPF_PROG_TYPE_RAW_TRACEPOINT.  The context of a program is the packed payload of the
 * event.  program.c finds and checks programs.
 *
 * Layer: tracer.  Context: task, registry lock held; the sinks run in any context, NMI included.
 *
 * An event with a filter has a sink of its own, which runs the program.  If the program lets the
 * event pass, the sink jumps to the function that would be the sink without a filter.  So an event
 * without a filter pays nothing.  A program can say more than that (trigger.c).
 *
 * The event of an interrupt can find the program of an event that it interrupted running.  A
 * program that keeps nothing outside its stack and arrays is run again, a level deeper.  Others run with
 * interrupts off: those with other maps, and those for which the kernel may use a stack of the CPU.  An
 * event that finds the program running all the same is recorded, and counted as unjudged: that of
 * an NMI during a program of the latter kind, and one that the program itself causes, such as a
 * page fault.
 *
 * Ordering: set_judge() publishes a judge with O(judge:A), and the sink reads it with O(judge:B).
 * A judge that was replaced is freed, and its program put, after ltt_marker_synchronize().
 */
#include "context.h"
#include "counter.h"
#include "judge.h"
#include "tracer.h"

#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <ltt/filter.h>

/* Task, softirq, interrupt and NMI. */
#define LEVELS	4

/**
 * struct ltt_judge - a program that is attached to events; never changed
 * @users: the number of events
 * @program: the program, with a reference
 * @is_alone: it must not be nested
 * @is_asking: it finds a struct ltt_run_values; always so with @counters
 * @counters: it finds the counts of these, too
 * @expression: what it was compiled from, with a reference
 */
struct ltt_judge {
	unsigned int users;
	struct bpf_prog *program;
	bool is_alone;
	bool is_asking;
	struct ltt_counters counters;
	struct ltt_expression *expression;
};

/* A provider must not refuse an event for lack of room before it was judged. */
static DEFINE_PER_CPU(struct ltt_sink_room, never_full) = { .full_at = ~0ULL };

/* ---- The data path ---- */

#ifdef CONFIG_BPF_SYSCALL

/*
 * Helpers such as bpf_get_attach_cookie() look at this.  They only read it, so one is enough for
 * all CPUs, and no sink needs a variable on its stack, which would keep it from jumping to the next.
 * A program that asks for a struct ltt_run_values has one of its own.
 */
static struct bpf_trace_run_ctx run_context;

/* A function of its own, so that the common case has no variables for it. */
static noinline notrace u32 run_measured(const struct bpf_prog *program, const void *payload)
{
	return bpf_prog_run(program, payload);
}

static __always_inline u32 run_program(const struct bpf_prog *program, const void *payload)
{
	if (static_branch_unlikely(&bpf_stats_enabled_key))
		return run_measured(program, payload);
	return bpf_dispatcher_nop_func(payload, program->insnsi, program->bpf_func);
}

/* An interrupt may run a program between the accesses to the thread's context, and leaves it as it was. */
static __always_inline struct bpf_run_ctx *begin_run(struct bpf_trace_run_ctx *context)
{
	return data_race(bpf_set_run_ctx(&context->run_ctx));
}

static __always_inline void end_run(struct bpf_run_ctx *outer)
{
	data_race(({ bpf_reset_run_ctx(outer); 0; }));
}

static __always_inline void count_filtered(const struct ltt_event *event)
{
	ltt_cpu_inc(event->judged->filtered);
	ltt_cpu_inc(*event->filtered);
}

static noinline notrace bool passes_unjudged(const struct ltt_event *event)
{
	/* Its program would have begun at most. */
	if (ltt_trace_is_armed(event->trace)) {
		count_filtered(event);
		return false;
	}
	ltt_cpu_inc(event->judged->unjudged);
	return true;
}

/* A verdict other than "record".  Return: false, as nothing is left to be recorded. */
static noinline notrace bool settle(const struct ltt_event *event, const void *payload, size_t len,
				    u32 verdict)
{
	if (ltt_event_fire(event, payload, len, verdict)) {
		ltt_cpu_inc(event->judged->passed);
		this_cpu_write(event->judged->dropped, false);
	} else {
		count_filtered(event);
	}
	return false;
}

/* Not a verdict: the program is running on this CPU already. */
#define UNJUDGED	BIT(31)

/* Run a program with interrupts off. */
static __always_inline u32 run_in(struct bpf_trace_run_ctx *context, const struct bpf_prog *program,
				  const void *payload)
{
	struct bpf_run_ctx *outer;
	u32 verdict;

	/* Disabled preemption is a reader of RCU, but lockdep, which helpers of maps ask, does not
	 * know that. */
	if (IS_ENABLED(CONFIG_DEBUG_LOCK_ALLOC))
		rcu_read_lock();
	outer = begin_run(context);
	verdict = run_program(program, payload) & ~UNJUDGED;
	end_run(outer);
	if (IS_ENABLED(CONFIG_DEBUG_LOCK_ALLOC))
		rcu_read_unlock();
	return verdict;
}

/**
 * struct asked_run - the context of a run, and what the program finds before it
 */
struct asked_run {
	struct ltt_run_values values;
	struct bpf_trace_run_ctx context;
};
static_assert(offsetof(struct asked_run, context) == sizeof(struct ltt_run_values));

/* Of before interrupts were turned off: @flags. */
static __always_inline struct ltt_run_values run_values(unsigned long flags)
{
	return (struct ltt_run_values){
		.preempt = ltt_context_preempt(),
		.irq = ltt_context_irq(raw_irqs_disabled_flags(flags)),
		.need_resched = ltt_context_need_resched(),
	};
}

/* The same for a program that asks for values.  A function of its own, so that others have no
 * variable for them. */
static noinline notrace u32 run_asking(const struct bpf_prog *program, const void *payload,
				       unsigned long flags)
{
	struct asked_run run = { .values = run_values(flags) };

	return run_in(&run.context, program, payload);
}

/**
 * struct counting_run - the same for a program that asks for counters
 * @count: the first one that it asked for is the last
 */
struct counting_run {
	u64 count[LTT_RUN_COUNTERS];
	struct asked_run asked;
};
static_assert(offsetof(struct counting_run, asked) == LTT_RUN_COUNTERS * sizeof(u64));

static noinline notrace u32 run_counting(const struct ltt_judge *judge, const void *payload,
					 unsigned long flags)
{
	struct counting_run run = { .asked.values = run_values(flags) };
	unsigned int i;

	for (i = 0; i < judge->counters.nr; i++)
		run.count[LTT_RUN_COUNTERS - 1 - i] = ltt_counter_read(judge->counters.counter[i]);
	return run_in(&run.asked.context, judge->program, payload);
}

/* A lockdep that checks itself complains of interrupts that were turned off without its knowledge. */
#ifdef CONFIG_DEBUG_LOCKDEP
#define INTERRUPTS_OFF(flags)	local_irq_save(flags)
#define INTERRUPTS_ON(flags)	local_irq_restore(flags)
#else
#define INTERRUPTS_OFF(flags)	raw_local_irq_save(flags)
#define INTERRUPTS_ON(flags)	raw_local_irq_restore(flags)
#endif

/* Run a program that must not be nested.  Return: its verdict, or UNJUDGED. */
static __always_inline u32 run_alone(const struct ltt_judge *judge, const void *payload)
{
	u32 verdict = UNJUDGED;
	unsigned long flags;

	INTERRUPTS_OFF(flags);
	if (likely(bpf_prog_get_recursion_context(judge->program))) {
		if (unlikely(judge->is_asking))
			verdict = judge->counters.nr ? run_counting(judge, payload, flags) :
						       run_asking(judge->program, payload, flags);
		else
			verdict = run_in(&run_context, judge->program, payload);
	}
	bpf_prog_put_recursion_context(judge->program);
	INTERRUPTS_ON(flags);
	return verdict;
}

/* The same for an event.  Return: whether to record it. */
static noinline notrace bool passes_alone(const struct ltt_event *event, const void *payload,
					  size_t len)
{
	/* O(judge:B) */
	const struct ltt_judge *judge = READ_ONCE(event->judge);
	u32 verdict;

	/* The program was taken away while the event was on its way here. */
	if (!judge)
		return false;
	verdict = run_alone(judge, payload);
	if (!verdict) {
		count_filtered(event);
		return false;
	}
	if (unlikely(verdict == UNJUDGED))
		return passes_unjudged(event);
	if (unlikely(verdict != LTT_VERDICT_RECORD))
		return settle(event, payload, len, verdict);
	ltt_cpu_inc(event->judged->passed);
	return true;
}

static __always_inline void leave(const struct ltt_event *event, struct bpf_run_ctx *outer)
{
	end_run(outer);
	this_cpu_dec(event->judged->depth);
}

/* Return: whether to record the event.  Each branch leaves by itself, so that the verdict needs no
 * register meanwhile. */
static __always_inline bool passes(const struct ltt_event *event, const void *payload, size_t len)
{
	/* O(judge:B): an address dependency; pairs with O(judge:A). */
	const struct bpf_prog *program = READ_ONCE(event->program);
	struct bpf_run_ctx *outer;
	u32 verdict;

	if (unlikely(!program))
		return passes_alone(event, payload, len);
	/* An interrupt between the two leaves the depth as it was. */
	if (unlikely(this_cpu_read(event->judged->depth) >= LEVELS))
		return passes_unjudged(event);
	this_cpu_inc(event->judged->depth);
	outer = begin_run(&run_context);
	verdict = run_program(program, payload);
	if (!verdict) {
		leave(event, outer);
		count_filtered(event);
		return false;
	}
	leave(event, outer);
	if (unlikely(verdict != LTT_VERDICT_RECORD))
		return settle(event, payload, len, verdict);
	ltt_cpu_inc(event->judged->passed);
	return true;
}

/* An event whose payload was too large has none: it is refused and counted on the usual way. */
static notrace void write_judged(const struct ltt_sink *sink, const void *payload, size_t len)
{
	const struct ltt_event *event = container_of(sink, struct ltt_event, sink);

	/* O(way:B): what the way needs after the pointer to it; pairs with O(way:A). */
	smp_rmb();
	if (unlikely(!payload) || passes(event, payload, len))
		event->path(sink, payload, len);
}

/* The same for lossless channels: pause_judged() asks what became of the event. */
static notrace void write_judged_lossless(const struct ltt_sink *sink, const void *payload,
					  size_t len)
{
	const struct ltt_event *event = container_of(sink, struct ltt_event, sink);

	/* O(way:B) */
	smp_rmb();
	this_cpu_write(event->judged->dropped, true);
	if (payload && !passes(event, payload, len))
		return;
	this_cpu_write(event->judged->dropped, false);
	event->path(sink, payload, len);
}

/* The same for names of tasks, which are recorded whatever the verdict. */
static notrace void write_judged_always(const struct ltt_sink *sink, const void *payload, size_t len)
{
	const struct ltt_event *event = container_of(sink, struct ltt_event, sink);
	const struct ltt_judge *judge;
	u32 verdict = 0;

	/* O(way:B) */
	smp_rmb();
	/* O(judge:B) */
	judge = READ_ONCE(event->judge);
	if (likely(payload && judge)) {
		verdict = run_alone(judge, payload);
		if (unlikely(verdict == UNJUDGED)) {
			ltt_cpu_inc(event->judged->unjudged);
			verdict = 0;
		} else {
			ltt_cpu_inc(event->judged->passed);
		}
	}
	if (verdict & ~LTT_VERDICT_RECORD)
		ltt_event_fire(event, payload, len, verdict | LTT_VERDICT_RECORD);
	else
		event->path(sink, payload, len);
}

#else

/* No program can be attached, so no event with a filter is ever connected. */
static void write_judged(const struct ltt_sink *sink, const void *payload, size_t len)
{
}

static void write_judged_lossless(const struct ltt_sink *sink, const void *payload, size_t len)
{
}

static void write_judged_always(const struct ltt_sink *sink, const void *payload, size_t len)
{
}

#endif

/* A thread does not wait for room on behalf of an event that was dropped.  If an event of an
 * interrupt comes between, a thread may wait in vain once, or not at this event. */
static struct ltt_pause *pause_judged(const struct ltt_sink *sink)
{
	const struct ltt_event *event = container_of(sink, struct ltt_event, sink);

	/* O(way:B) */
	smp_rmb();
	return this_cpu_read(event->judged->dropped) ? NULL : ltt_event_pause(sink);
}

/**
 * ltt_event_set_judged() - put the program before the way to the buffer
 * @event: an event with a filter whose way has just been set; not connected
 *
 * A probe that took the sink before the event was disconnected may still be on its way to either.
 */
void ltt_event_set_judged(struct ltt_event *event)
{
	typeof(event->sink.write) write = write_judged;

	event->path = event->sink.write;
	event->filtered = event->channel->filtered;
	event->sink.room = &never_full;
	if (event->channel == event->trace->channels[0]) {
		write = write_judged_always;
	} else if (event->sink.pause) {
		write = write_judged_lossless;
		/* O(way:A): what the way needs before the pointer to it; pairs with O(way:B). */
		smp_store_release(&event->sink.pause, pause_judged);
	}
	/* O(way:A) */
	smp_store_release(&event->sink.write, write);
}

/* ---- The filter of an event ---- */

/**
 * ltt_event_waits() - check whether an event has a filter and no program for it
 * @event: the event
 *
 * Such an event is not connected.
 */
bool ltt_event_waits(const struct ltt_event *event)
{
	return event->expression &&
	       !(event->judge && ltt_expression_same(event->judge->expression, event->expression));
}

/**
 * ltt_event_set_filter() - set the filter that an event is to have
 * @event: the event; it is disconnected if it has another filter
 * @expression: the filter; the event takes a reference of its own.  NULL for none
 * @disconnected: set to true if the event was disconnected: ltt_marker_synchronize() is due
 *
 * A program that the event has for another expression stays until ltt_judges_sweep(), so that the
 * change can be undone.
 *
 * Return: 0 or -ENOMEM, and nothing has changed.
 */
int ltt_event_set_filter(struct ltt_event *event, struct ltt_expression *expression,
			 bool *disconnected)
{
	bool changes_way;

	if (ltt_expression_same(event->expression, expression))
		return 0;
	if (expression && !event->judged) {
		event->judged = alloc_percpu_gfp(struct ltt_judged, GFP_KERNEL_ACCOUNT);
		if (!event->judged)
			return -ENOMEM;
	}
	*disconnected |= ltt_event_disconnect(event);
	/* The way stays if the event had another filter: setting it anew would let events that are on
	 * their way bypass both. */
	changes_way = !event->expression != !expression;
	ltt_expression_put(event->expression);
	event->expression = ltt_expression_get(expression);
	if (changes_way && event->channel->relay)
		ltt_event_set_path(event);
	return 0;
}

/* ---- Programs ---- */

/* O(judge:A): the judge and its program before the pointers to them; pairs with O(judge:B). */
static void set_judge(struct ltt_event *event, struct ltt_judge *judge)
{
	smp_store_release(&event->judge, judge);
	/* O(judge:A) */
	smp_store_release(&event->program, judge && !judge->is_alone ? judge->program : NULL);
}

static void put_judge(struct ltt_judge *judge)
{
	if (!judge || --judge->users)
		return;
	bpf_prog_put(judge->program);
	ltt_counters_put(&judge->counters);
	ltt_expression_put(judge->expression);
	kfree(judge);
}

/**
 * ltt_event_take_judge() - use the program of another event of the same marker
 * @event: the event, which takes the place of @former; if it waits, this gives it a program
 * @former: an event that is disconnected
 *
 * So that a change of contexts or of the channel needs no client.
 */
void ltt_event_take_judge(struct ltt_event *event, const struct ltt_event *former)
{
	struct ltt_judge *judge = former->judge;

	if (!event->expression || event->judge || !judge || strcmp(former->layout, event->layout) ||
	    !ltt_expression_same(judge->expression, event->expression))
		return;
	judge->users++;
	set_judge(event, judge);
}

/**
 * ltt_event_free_judge() - drop the filter and the program of an event, at the end of a trace
 * @event: the event, disconnected and synchronised
 */
void ltt_event_free_judge(struct ltt_event *event)
{
	put_judge(event->judge);
	ltt_expression_put(event->expression);
	free_percpu(event->judged);
}

/**
 * ltt_judges_sweep() - drop the programs that events no longer need
 * @trace: the trace, after a change of its filters
 */
void ltt_judges_sweep(struct ltt_trace *trace)
{
	struct ltt_event *event;
	bool any = false;
	unsigned int i;

	for (i = 0; i < trace->nr_channels; i++)
		list_for_each_entry(event, &trace->channels[i]->events, node) {
			if (!event->judge ||
			    ltt_expression_same(event->judge->expression, event->expression))
				continue;
			event->former = event->judge;
			set_judge(event, NULL);
			any = true;
		}
	if (!any)
		return;
	ltt_marker_synchronize();
	for (i = 0; i < trace->nr_channels; i++)
		list_for_each_entry(event, &trace->channels[i]->events, node) {
			put_judge(event->former);
			event->former = NULL;
		}
}

/**
 * ltt_event_unjudged() - count the events that were recorded without a verdict
 * @event: the event
 */
u64 ltt_event_unjudged(const struct ltt_event *event)
{
	u64 sum = 0;
	int cpu;

	if (!event->judged)
		return 0;
	for_each_possible_cpu(cpu)
		sum += ltt_u64_read(&per_cpu_ptr(event->judged, cpu)->unjudged);
	return sum;
}

/**
 * ltt_event_program_id() - get the number by which the kernel knows a program
 * @event: an event with a filter that does not wait
 */
unsigned int ltt_event_program_id(const struct ltt_event *event)
{
	return event->judge->program->aux->id;
}

/* The bytes that each payload of an event has. */
static u32 least_length(const struct ltt_marker *marker)
{
	const struct ltt_field *field = marker->fields, *end = field + marker->nr_fields;
	u32 len = 0;

	for (; field < end; field++) {
		switch ((enum ltt_field_kind)field->kind) {
		case LTT_FIELD_INT:
		case LTT_FIELD_FLOAT:
			len += field->size;
			break;
		case LTT_FIELD_STRING:
			len++;
			break;
		case LTT_FIELD_TEXT:
		case LTT_FIELD_ARRAY:
			len += field->count * field->size;
			break;
		case LTT_FIELD_SEQUENCE:
			len += sizeof(u16);
			break;
		}
	}
	return len;
}

/* The event that is enabled, of several with the name. */
static struct ltt_event *find_event(struct ltt_trace *trace, const char *group, const char *name)
{
	struct ltt_event *event;

	hash_for_each_possible(trace->events_by_name, event, by_name, ltt_event_hash(name))
		if (event->enabled && event->marker && !strcmp(event->name, name) &&
		    !strcmp(event->group, group))
			return event;
	return NULL;
}

static int check_event(const struct ltt_event *event, const struct ltt_attachment *what,
		       char *why, size_t size)
{
	u32 reads = what->program->aux->max_ctx_offset;

	if (!event) {
		scnprintf(why, size, "the trace does not record %s:%s", what->group, what->name);
		return -ENOENT;
	}
	if (ltt_layout_hash(event->layout) != what->layout) {
		scnprintf(why, size, "event %s:%s has other fields now: compile its filter again",
			  what->group, what->name);
		return -ESTALE;
	}
	if (!event->expression || strcmp(event->expression->text, what->expression)) {
		scnprintf(why, size, "event %s:%s has another filter now: compile that one",
			  what->group, what->name);
		return -ESTALE;
	}
	if (reads > least_length(event->marker)) {
		scnprintf(why, size, "the program reads %u bytes of event %s:%s, which has %u at least",
			  reads, what->group, what->name, least_length(event->marker));
		return -EINVAL;
	}
	return 0;
}

/* Without a reference to the program. */
static struct ltt_judge *create_judge(const struct ltt_attachment *what,
				      struct ltt_expression *expression, char *why, size_t size)
{
	struct ltt_judge *judge = kzalloc(sizeof(*judge), GFP_KERNEL_ACCOUNT);
	int err;

	if (!judge)
		return ERR_PTR(-ENOMEM);
	err = ltt_counters_get(&judge->counters, what->counters, why, size);
	if (err) {
		kfree(judge);
		return ERR_PTR(err);
	}
	judge->users = 1;
	judge->program = what->program;
	judge->is_alone = ltt_program_is_alone(what->program) || judge->counters.nr;
	judge->is_asking = what->program->aux->stack_depth >= MAX_BPF_STACK || judge->counters.nr;
	judge->expression = ltt_expression_get(expression);
	return judge;
}

static int attach(struct ltt_event *event, const struct ltt_attachment *what, char *why,
		  size_t size)
{
	struct ltt_judge *judge = create_judge(what, event->expression, why, size);
	struct ltt_judge *old = event->judge;
	int err = 0;

	if (IS_ERR(judge))
		return PTR_ERR(judge);
	set_judge(event, judge);
	if (event->trace->state == LTT_TRACE_RUNNING)
		err = ltt_event_connect(event);
	if (err)
		set_judge(event, old);
	if (old || err)
		ltt_marker_synchronize();
	bpf_prog_inc(what->program);
	put_judge(err ? judge : old);
	return err;
}

int ltt_trace_attach(struct ltt_trace *trace, const struct ltt_attachment *what, char *why,
		     size_t size)
{
	struct ltt_event *event;
	int err;

	ltt_markers_assert_held();
	event = find_event(trace, what->group, what->name);
	err = check_event(event, what, why, size);
	return err ? err : attach(event, what, why, size);
}
EXPORT_SYMBOL_GPL(ltt_trace_attach);
