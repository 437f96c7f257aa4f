/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dynamic probes: what the files of ltt-probes share.
 *
 * Layer: instrument.
 *
 *   main.c      the probes, their owners, and modules of the kernel that go
 *   describe.c  from the text of a description to struct ltt_probe
 *   registers.c the names of registers
 *   fetch.c     runs the steps of a probe when it is hit
 *   kprobe.c    kprobes and kretprobes of the kernel
 *   uprobe.c    uprobes and uretprobes of the kernel
 *   function.c  entries of functions, by ftrace
 *   function-graph.c  entries and returns of functions, by fprobes
 *   sample.c    samples of what CPUs execute, by perf
 *
 * A field of a probe has a list of steps.  They compute one word from registers, constants
 * and memory; the field is that word, or the bytes of memory to which it points.  The steps
 * are checked when the probe is made: their number, and the size of each field.  They have no
 * branches, and read memory only by functions that return an error for what cannot be read.
 * So running them is bounded and cannot fault, whatever the text was.
 */
#ifndef LTT_INSTRUMENT_PROBE_H
#define LTT_INSTRUMENT_PROBE_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/path.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/types.h>

#ifdef CONFIG_UPROBES
#include "../../compat/uprobe.h"
#endif
#include "../../compat/fprobe.h"
#include <ltt/probes.h>
#include <ltt/registry.h>

struct pt_regs;

#define LTT_PROBE_FIELDS_MAX	32
#define LTT_PROBE_STEPS_MAX	24	/* of one field */
#define LTT_PROBE_PAYLOAD_MAX	3968	/* bytes of an event, its longest strings included */
#define LTT_PROBE_STRING	256	/* bytes of a string with its NUL, unless it has a limit */

/**
 * enum ltt_step_op - what a step does to the word
 * @LTT_STEP_REGISTER: set it to a register
 * @LTT_STEP_RETURNED: set it to the value that the function returns
 * @LTT_STEP_VALUE: set it to a constant
 * @LTT_STEP_ADD: add a constant
 * @LTT_STEP_ADD_REGISTER: add a register
 * @LTT_STEP_MULTIPLY: multiply it by a constant
 * @LTT_STEP_LOAD_KERNEL: set it to what it points to, in memory of the kernel
 * @LTT_STEP_LOAD_USER: set it to what it points to, in memory of the program
 * @LTT_STEP_BITS: keep some of its bits, moved down to bit 0
 */
enum ltt_step_op {
	LTT_STEP_REGISTER,
	LTT_STEP_RETURNED,
	LTT_STEP_VALUE,
	LTT_STEP_ADD,
	LTT_STEP_ADD_REGISTER,
	LTT_STEP_MULTIPLY,
	LTT_STEP_LOAD_KERNEL,
	LTT_STEP_LOAD_USER,
	LTT_STEP_BITS,
};

/**
 * struct ltt_step - one step
 * @op: an enum ltt_step_op
 * @size: bytes of a load; bits of LTT_STEP_BITS
 * @from: LTT_STEP_BITS: the lowest bit
 * @is_signed: LTT_STEP_BITS: extend the sign
 * @offset: of a register in struct pt_regs
 * @value: the constant
 */
struct ltt_step {
	u8 op;
	u8 size;
	u8 from;
	bool is_signed;
	u16 offset;
	s64 value;
};

/**
 * struct ltt_fetch - how a field gets its value
 * @steps: the steps; the first one sets the word
 * @nr_steps: number of them
 * @size: bytes of the field; the most for a string, its NUL included
 * @how: LTT_FETCH_WORD: the field is the word.  Otherwise the word is the address of its
 *	bytes, in memory of the kernel or of the program
 * @is_string: the bytes end with a NUL
 * @at_return: the word is computed when the function returns; else when it is entered
 * @slot: of a function that returns: where the word is kept meanwhile
 */
struct ltt_fetch {
	struct ltt_step *steps;
	u8 nr_steps;
	u16 size;
	enum {
		LTT_FETCH_WORD,
		LTT_FETCH_KERNEL,
		LTT_FETCH_USER,
	} how;
	bool is_string;
	bool at_return;
	u8 slot;
};

#ifdef CONFIG_UPROBES
/**
 * struct ltt_uprobe - a place in a program
 * @path: the file; holds it
 * @offset: of the instruction in the file
 * @semaphore: offset of a counter that the kernel raises while the probe is armed; or 0
 * @consumer: the kernel calls its handlers
 * @handle: from uprobe_register() while the probe is armed
 */
struct ltt_uprobe {
	struct path path;
	loff_t offset;
	loff_t semaphore;
	struct uprobe_consumer consumer;
	ltt_uprobe_handle handle;
};
#endif

#ifdef CONFIG_DYNAMIC_FTRACE
/**
 * struct ltt_function - the functions that a glob matches
 * @glob: the glob
 * @ops: ftrace calls its function; its filter has the functions
 * @is_stuck: ftrace could not be kept from calling it
 */
struct ltt_function {
	char *glob;
	struct ftrace_ops ops;
	bool is_stuck;
};
#endif

#ifdef CONFIG_PERF_EVENTS
/**
 * struct ltt_sampling - samples of all CPUs
 * @node: in the list of the hotplug state, while it is armed
 * @frequency: samples a second
 * @event: the event of each CPU; NULL while the CPU is offline.  Only the hotplug state's
 *	functions use it
 * @err: of the last CPU that could not be sampled; 0 if there was none
 */
struct ltt_sampling {
	struct hlist_node node;
	unsigned int frequency;
	struct perf_event *__percpu *event;
	int err;
};
#endif

struct ltt_probe;

/**
 * struct ltt_probe_kind - the probes of a group
 * @group: the group of the markers
 * @in_kernel: they are in the kernel: the memory is the kernel's
 * @at_return: they are hit when a function returns
 * @keeps_entry: they can compute words when the function is entered
 * @fields: the fields that each of them has; NULL if the description has them
 * @nr_fields: number of @fields
 * @place: find the place that @text names, in @file for a program, and prepare the probe there, disarmed.  Returns 0, or
 *	-errno with a sentence in @why
 * @release: undo @place for @nr probes that are disarmed; no handler runs afterwards, but for a probe that @is_kept
 * @arm: let the kernel call the handlers
 * @disarm: undo @arm; handlers may run until ltt_marker_synchronize(), and for ever if the probe @is_kept then
 * @missed: how many hits the kernel did not report
 * @show_place: print the place
 * @is_of: NULL, or whether the probe is of @file, from ltt_probe_open()
 * @is_kept: NULL, or true if the kernel still refers to the probe, which can never be freed
 * @module_comes: NULL, or called when a module of the kernel has been loaded and not yet run
 */
struct ltt_probe_kind {
	const char *group;
	bool in_kernel;
	bool at_return;
	bool keeps_entry;
	const struct ltt_field *fields;
	unsigned int nr_fields;
	int (*place)(struct ltt_probe *probe, char *text, const struct path *file, char *why, size_t size);
	void (*release)(struct ltt_probe **probes, unsigned int nr);
	int (*arm)(struct ltt_probe *probe);
	void (*disarm)(struct ltt_probe *probe);
	u64 (*missed)(const struct ltt_probe *probe);
	void (*show_place)(const struct ltt_probe *probe, struct seq_file *s);
	bool (*is_of)(const struct ltt_probe *probe, const struct path *file);
	bool (*is_kept)(const struct ltt_probe *probe);
	void (*module_comes)(struct ltt_probe *probe);
};

/**
 * struct ltt_probe - a dynamic probe
 * @marker: as the registry knows it
 * @node: in the list of probes, or of those that are about to be freed
 * @owners: struct owner of main.c
 * @kind: its kind
 * @text: the description
 * @name: name of the marker
 * @fields: of the marker, with names in @names
 * @names: the names and types of the fields
 * @fetches: how each field gets its value
 * @steps: the steps of all fields
 * @nr_slots: words that are kept from the entry of a function until it returns
 * @failed: reads of memory that failed; each gave a field of zeros or an empty string
 * @lost: hits that the handler did not record, beside those that the kernel did not report
 * @symbol: kprobes: the function; kept for the kernel
 * @ret: kprobes: its member kp is the kprobe; the whole for a kretprobe
 * @is_stuck: kprobes: the kernel could not be kept from calling it
 * @user: uprobes
 * @function: entries of functions
 * @graph: entries and returns of functions: the glob, its fprobe while it is armed, the time
 *	of that, and whether the kernel could not take the fprobe out
 * @sample: samples
 */
struct ltt_probe {
	struct ltt_marker marker;
	struct list_head node;
	struct list_head owners;
	const struct ltt_probe_kind *kind;
	char *text;
	char name[LTT_NAME_MAX];
	struct ltt_field *fields;
	char *names;
	struct ltt_fetch *fetches;
	struct ltt_step *steps;
	unsigned int nr_slots;
	atomic64_t failed;
	atomic64_t lost;
	union {
#ifdef CONFIG_KRETPROBES
		struct {
			char *symbol;
			struct kretprobe ret;
			bool is_stuck;
		};
#endif
#ifdef CONFIG_UPROBES
		struct ltt_uprobe user;
#endif
#ifdef CONFIG_DYNAMIC_FTRACE
		struct ltt_function function;
#endif
#ifdef LTT_FPROBE
		struct {
			char *glob;
			struct fprobe fprobe;
			u64 armed;
			bool is_stuck;
		} graph;
#endif
#ifdef CONFIG_PERF_EVENTS
		struct ltt_sampling sample;
#endif
	};
};

/* Set the sentence of an error.  Return: @err. */
__printf(4, 5) int ltt_probe_fail(char *why, size_t size, int err, const char *format, ...);

/* describe.c */
struct ltt_probe *ltt_probe_describe(const char *text, const struct path *file, char *why, size_t size);
void ltt_probe_free(struct ltt_probe *probe);
const char *ltt_probe_next_word(char **text);

/* registers.c */
int ltt_register_offset(const char *name);
int ltt_argument_offset(unsigned int nr);

/* fetch.c */
void ltt_probe_enter(struct ltt_probe *probe, struct pt_regs *regs, u64 *slots);
void ltt_probe_hit(struct ltt_probe *probe, struct pt_regs *regs, const u64 *slots);

extern const struct ltt_probe_kind ltt_kprobe_kind, ltt_kretprobe_kind;	/* kprobe.c */
extern const struct ltt_probe_kind ltt_uprobe_kind, ltt_uretprobe_kind, ltt_usdt_kind; /* uprobe.c */
extern const struct ltt_probe_kind ltt_function_kind;	/* function.c */
extern const struct ltt_probe_kind ltt_function_graph_kind;	/* function-graph.c */

/*
 * The CPU's idle task is on its way to switch the CPU off: RCU and the callbacks of CPU hotplug may take the CPU for dead
 * already, so the sink could be freed, and what it asks for be done by no callback.  Context: any; preemption off.
 */
static __always_inline bool ltt_cpu_is_dead(void)
{
	int cpu = raw_smp_processor_id();

	return unlikely(!cpu_online(cpu)) && cpu_dying(cpu) && is_idle_task(current);
}

/* function.c */
int ltt_function_filter(struct ftrace_ops *ops, const char *glob, char *why, size_t size);

extern const struct ltt_probe_kind ltt_sample_kind;	/* sample.c */

/* sample.c */
#ifdef CONFIG_PERF_EVENTS
int ltt_sample_init(void);
void ltt_sample_exit(void);
#else
static inline int ltt_sample_init(void)
{
	return 0;
}

static inline void ltt_sample_exit(void)
{
}
#endif

/* sentinel.c */
void ltt_function_sentinel(void);

/* kprobe.c */
#ifdef CONFIG_KRETPROBES
bool ltt_kprobe_is_in(const struct ltt_probe *probe, const struct module *mod);
#else
static inline bool ltt_kprobe_is_in(const struct ltt_probe *probe, const struct module *mod)
{
	return false;
}
#endif

#endif /* LTT_INSTRUMENT_PROBE_H */
