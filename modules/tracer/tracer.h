/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of ltt-tracer.
 *
 * Layer: tracer.  Locking: the registry lock (ltt_markers_lock()) guards
 * everything here but what the data path reads, which the comment of each field names.
 * The metadata has a mutex of its own, innermost.
 */
#ifndef LTT_TRACER_INTERNAL_H
#define LTT_TRACER_INTERNAL_H

#include <linux/hashtable.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/stringhash.h>
#include <linux/uuid.h>
#include <linux/workqueue.h>

#include <ltt/channel.h>
#include <ltt/clock.h>
#include <ltt/flush.h>
#include <ltt/registry.h>
#include <ltt/relay.h>
#include <ltt/trace.h>

#include "../../core/ctf.h"
#include "../../include/uapi/ltt/verdict.h"

/**
 * struct ltt_rule - a pattern that enables or disables events
 * @node: in the trace's list, in the order of the commands
 * @channel: the channel that receives the events
 * @group: glob of groups
 * @name: glob of names
 * @enable: enable the events; false: disable them
 */
struct ltt_rule {
	struct list_head node;
	struct ltt_channel *channel;
	char group[LTT_PATTERN_MAX];
	char name[LTT_PATTERN_MAX];
	bool enable;
};

/**
 * struct ltt_event_refused - the refused records of an event on a CPU
 * @by_cause: their number, by enum ltt_refusal
 */
struct ltt_event_refused {
	ltt_u64 by_cause[LTT_REFUSALS];
};

/**
 * struct ltt_event - one event of one channel; never freed before the trace
 * @sink: connected to the marker; first member, so that the event's address needs no
 *	subtraction
 * @bufs: the channel's buffers, for the data path; set before @sink is connected
 * @id: its number in the channel, and in the trace file
 * @trace: its trace
 * @refused: refused records, counted on the slow path
 * @program: with a filter: its program, if that can be nested, see judge.c; NULL for none
 * @judge: with a filter: its program, of any kind; NULL for none
 * @path: with a filter: how its records get to the buffer, as @sink would without one
 * @judged: with a filter, now or before: counts of verdicts
 * @filtered: with a filter: counts the events of the channel that a filter dropped
 * @channel: its channel
 * @marker: its marker; NULL while no such marker is registered, or for an event of
 *	ltt_channel_add_event()
 * @group: a copy of the marker's group, since the marker's module can be unloaded
 * @name: a copy of the marker's name
 * @bare: its name in the trace is @name alone
 * @layout: the text of its fields in the metadata: a marker that is registered again
 *	with the same layout keeps its id
 * @contexts: what its records have besides the thread id, with a reference; NULL for nothing
 * @expression: its filter, with a reference; NULL for none
 * @former: in ltt_judges_sweep(): the program that it had
 * @enabled: the rules enable it
 * @connected: @sink is connected
 * @missed: events that the provider lost while @sink was connected
 * @missed_before: what the provider had lost when @sink was connected last
 * @node: in the channel's list
 * @by_name: in the trace's table
 */
struct ltt_event {
	struct ltt_sink sink;
	struct ltt_relay_buf __percpu *bufs;
	u32 id;
	struct ltt_trace *trace;
	struct ltt_event_refused __percpu *refused;
	struct bpf_prog *program;
	struct ltt_judge *judge;
	void (*path)(const struct ltt_sink *sink, const void *payload, size_t len);
	struct ltt_judged __percpu *judged;
	ltt_u64 __percpu *filtered;

	struct ltt_channel *channel;
	struct ltt_marker *marker;
	char group[LTT_NAME_MAX];
	char name[LTT_NAME_MAX];
	bool bare;
	bool enabled;
	bool connected;
	u64 missed;
	u64 missed_before;
	char *layout;
	struct ltt_contexts *contexts;
	struct ltt_expression *expression;
	struct ltt_judge *former;
	struct list_head node;
	struct hlist_node by_name;
};

/**
 * struct ltt_reported - the counts of a buffer that were reported last, see news.c
 * @filled: number of sub-buffers filled
 * @refused: number of records refused
 */
struct ltt_reported {
	u64 filled;
	u64 refused;
};

/**
 * struct ltt_channel - one channel of a trace
 * @ref: one for the trace, one for the buffers
 * @trace: its trace; NULL once the trace is destroyed and a reader is left
 * @name: its name
 * @nr: its number in the trace, its stream id in CTF
 * @uuid: of the trace, for packet headers
 * @options: fixed at the first start
 * @relay: its buffers, from the first start on, or from the first pattern after that.  Read
 *	without the lock by ltt_trace_flush() and ltt_trace_emitted(), see O(relay:A)
 * @reported: the reported counts of each buffer
 * @events: all events that have ever been enabled in it
 * @next_id: the id of the next new event
 * @contexts: those of its events for which the trace has no rule, with a reference; or NULL
 * @stack_tags: see stack.c; from the first event with a stack on
 * @filtered: events that filters dropped; read without the lock by ltt_trace_emitted()
 */
struct ltt_channel {
	struct kref ref;
	struct ltt_trace *trace;
	char name[LTT_NAME_MAX];
	u32 nr;
	uuid_t uuid;
	struct ltt_channel_options options;
	struct ltt_relay_chan *relay;
	struct ltt_reported __percpu *reported;
	struct list_head events;
	u32 next_id;
	struct ltt_contexts *contexts;
	struct ltt_stack_tags __percpu *stack_tags;
	ltt_u64 __percpu *filtered;
};

/**
 * struct ltt_task_list - the list of tasks while it is being written, see state.c
 * @work: writes what there was no room for
 * @next: thread number to go on with, in the initial namespace; 0 when the list is
 *	complete
 * @wait: the wait of @work for room
 */
struct ltt_task_list {
	struct delayed_work work;
	int next;
	struct ltt_list_wait wait;
};

#define LTT_EVENTS_BITS	9

/**
 * enum ltt_armed - what has become of an armed trace
 * @LTT_BEGUN: it has begun, or was not armed
 * @LTT_ARMED: it waits for an event to begin with
 * @LTT_BEGINNING: it has begun, and its event opens the gates
 */
enum ltt_armed {
	LTT_BEGUN,
	LTT_ARMED,
	LTT_BEGINNING,
};

/**
 * struct ltt_trace - one trace
 * @active: the trace records; cleared by ltt_trace_halt() in any context, else written
 *	under the registry lock
 * @gate: the gates of the sinks, see gates.c
 * @first_gate: those of the sinks that also record in an armed trace
 * @armed: enum ltt_armed: whether only the latter record, until one of them begins; written under the
 *	registry lock, and by ltt_gates_begin() in any context
 * @reports: how often a trigger fired, for each slot; written in any context
 * @reports_known: what of that was reported last, see news.c
 * @tasks: the tasks that it is limited to, or NULL for all; with a reference
 * @cpus: the CPUs that it is limited to, or NULL for all; its own copy
 * @name: its name in @face
 * @face: the key of its name space
 * @node: in the list of all traces
 * @first: patterns of the events that pass the gates of an armed trace, a space between two; or NULL
 * @state: see enum ltt_trace_state
 * @why: the reason of the halt, see ltt_trace_halt(); else empty
 * @is_triggered: a trigger halted it
 * @uuid: random
 * @clock: as the metadata describes it
 * @channels: by number
 * @nr_channels: number of channels; read without the lock by the same, see O(channel:A)
 * @rules: the patterns; the last one that matches an event decides
 * @staged: during a change: the new rules, and after the exchange the old ones
 * @is_staged: @staged is in use
 * @nameless: it does not record the names of tasks, see ltt_trace_set_nameless()
 * @context_rules: the patterns for contexts, see context-rules.c
 * @filter_rules: the patterns for filters, see filter-rules.c
 * @metadata: the CTF metadata
 * @budget: is charged for the buffers; NULL for none
 * @task_list: see state.c
 * @flushed: when ltt_trace_try_flush() flushed it last, in ns since the boot
 * @events_by_name: the events of all channels, by ltt_event_hash(): there are thousands of
 *	markers, and each is looked up whenever the rules change
 */
struct ltt_trace {
	int active;
	int armed;
	struct ltt_gate __percpu *gate;
	struct ltt_gate __percpu *first_gate;
	atomic_t reports[LTT_REPORT_SLOTS];
	unsigned int reports_known[LTT_REPORT_SLOTS];
	struct ltt_tasks *tasks;
	struct cpumask *cpus;
	char name[LTT_NAME_MAX];
	const void *face;
	struct list_head node;
	char *first;
	enum ltt_trace_state state;
	char why[LTT_WHY_SIZE];
	bool is_triggered;
	uuid_t uuid;
	struct ltt_clock_info clock;
	struct ltt_channel *channels[LTT_CHANNELS_MAX];
	unsigned int nr_channels;
	struct list_head rules;
	struct list_head staged;
	bool is_staged;
	bool nameless;
	struct list_head context_rules;
	struct list_head filter_rules;
	struct ltt_metadata *metadata;
	struct ltt_budget *budget;
	struct ltt_task_list task_list;
	u64 flushed;
	DECLARE_HASHTABLE(events_by_name, LTT_EVENTS_BITS);
};

extern struct list_head ltt_traces;

/* channel.c */
struct ltt_channel *ltt_channel_create(struct ltt_trace *trace, const char *name,
				       const struct ltt_channel_options *options);
void ltt_channel_destroy(struct ltt_channel *channel);
int ltt_channel_alloc(struct ltt_channel *channel);
void ltt_channel_unalloc(struct ltt_channel *channel);
int ltt_channel_begin(struct ltt_channel *channel);

/* trace.c */
void ltt_trace_notify(struct ltt_trace *trace, unsigned long action);

/* In ltt_trace.events_by_name, which has the events of all groups with a name together. */
static inline u32 ltt_event_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

/* event.c */
struct ltt_event *ltt_event_create(struct ltt_channel *channel, const char *group,
				   const char *name, bool bare, struct ltt_contexts *contexts,
				   const struct ltt_field *fields, unsigned int nr_fields);
void ltt_event_free(struct ltt_event *event);
void ltt_event_set_path(struct ltt_event *event);
int ltt_event_connect(struct ltt_event *event);
bool ltt_event_disconnect(struct ltt_event *event);
u64 ltt_event_missed(const struct ltt_event *event);
int ltt_events_connect(struct ltt_trace *trace);
bool ltt_events_disconnect(struct ltt_trace *trace);
bool ltt_event_has_contexts(const struct ltt_event *event, const struct ltt_contexts *contexts);
struct ltt_event *ltt_event_for_marker(struct ltt_channel *channel, struct ltt_marker *marker,
				       struct ltt_contexts *contexts);

/* rules.c */
bool ltt_pattern_split(const char *pattern, char group[LTT_PATTERN_MAX],
		       char name[LTT_PATTERN_MAX]);
int ltt_rules_apply(struct ltt_trace *trace);
void ltt_rules_free(struct ltt_trace *trace);
int ltt_rules_init(void);
void ltt_rules_exit(void);

/* write.c */
void ltt_event_write_compact(const struct ltt_sink *sink, const void *payload, size_t len);
void ltt_event_write_medium(const struct ltt_sink *sink, const void *payload, size_t len);
void ltt_event_write_pid(const struct ltt_sink *sink, const void *payload, size_t len);
void ltt_event_write_comm(const struct ltt_sink *sink, const void *payload, size_t len);
void ltt_event_write_pid_comm(const struct ltt_sink *sink, const void *payload, size_t len);
void ltt_event_write_any(const struct ltt_sink *sink, const void *payload, size_t len);
void ltt_event_write_any_lossless(const struct ltt_sink *sink, const void *payload, size_t len);
void ltt_event_write_lossless(const struct ltt_sink *sink, const void *payload, size_t len);
void ltt_event_refuse(const struct ltt_sink *sink);
void ltt_event_refuse_lossless(const struct ltt_sink *sink);
struct ltt_pause *ltt_event_pause(const struct ltt_sink *sink);

/* metadata.c */
struct ltt_metadata *ltt_metadata_create(struct ltt_trace *trace);
int ltt_metadata_add_stream(struct ltt_channel *channel);
int ltt_metadata_add_event(struct ltt_event *event, const struct ltt_field *fields,
			   unsigned int nr_fields);
char *ltt_metadata_layout(const struct ltt_field *fields, unsigned int nr_fields);
u64 ltt_layout_hash(const char *layout);

/* state.c */
int ltt_state_define(struct ltt_trace *trace);
void ltt_state_begin(struct ltt_trace *trace);
void ltt_state_finish(struct ltt_trace *trace);

/* gates.c */
int ltt_gates_create(struct ltt_trace *trace);
void ltt_gates_open(struct ltt_trace *trace);
void ltt_gates_shut(struct ltt_trace *trace);
bool ltt_gates_begin(struct ltt_trace *trace);

/* Lockless: written by ltt_trace_arm() and ltt_trace_stop(), and by ltt_gates_begin(). */
static __always_inline bool ltt_trace_is_armed(const struct ltt_trace *trace)
{
	return READ_ONCE(trace->armed) == LTT_ARMED;
}

void ltt_gates_free(struct ltt_trace *trace);
int ltt_gates_init(void);
void ltt_gates_exit(void);

/* news.c */
extern void (*ltt_news_receiver)(void);
void ltt_news_call(void);

/**
 * ltt_news_arrived() - report that a sub-buffer became full, or that a record was refused
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline void ltt_news_arrived(void)
{
	/* Lockless: written by ltt_trace_set_news_receiver().  A plain access, which the compiler can
	 * join with the comparison; ltt_news_call() copes with either value. */
	if (unlikely(data_race(ltt_news_receiver)))
		ltt_news_call();
}

void ltt_news_again(void);
void ltt_news_exit(void);

/* hotplug.c */
int ltt_hotplug_init(void);
void ltt_hotplug_exit(void);

/* halt.c */
void ltt_trace_stop_by(struct ltt_trace *trace, const struct ltt_event *event);
void ltt_halt_again(void);
void ltt_halt_init(void);
void ltt_halt_exit(void);

#endif /* LTT_TRACER_INTERNAL_H */
