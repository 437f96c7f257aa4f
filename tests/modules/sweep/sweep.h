/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the files of ltt-test-sweep; main.c describes it.
 *
 * There is one CPU, and one task that uses the module at a time: whatever runs
 * beside it interrupts it.
 */
#ifndef LTT_TEST_SWEEP_H
#define LTT_TEST_SWEEP_H

#include <linux/types.h>

#include <ltt/relay.h>

struct ltt_event;
struct ltt_trace;
struct seq_file;

/* ---- scenario.c: traces, and what is interrupted by what ---- */

/**
 * struct sweep_trace - one kind of trace
 * @name: of the trace
 * @pages: of a sub-buffer
 * @subbufs: how many
 * @overwrite: mode
 * @lossless: of its channel
 * @medium: its events have ids that need a longer header
 * @limited: to all CPUs, so that every event asks
 * @trace: it
 * @fill: the event for records of any length
 * @buf: the buffer of the CPU
 */
struct sweep_trace {
	const char *name;
	unsigned int pages;
	unsigned int subbufs;
	bool overwrite;
	bool lossless;
	bool medium;
	bool limited;
	struct ltt_trace *trace;
	struct ltt_event *fill;
	struct ltt_relay_buf *buf;
};

/**
 * struct scenario - an operation on a buffer in some state, and what interrupts it
 * @name: what tests ask for
 * @trace: where
 * @prepare: bring the buffer, which is empty, into the state
 * @op: what is interrupted
 * @act: what interrupts it
 * @finish: NULL, or what follows @op
 * @op_kind: what event @op sends, if any
 * @stops: the trace stops; whether the event of @op comes before that is open
 * @broken: the judge must find the buffer to be wrong
 */
struct scenario {
	const char *name;
	struct sweep_trace *trace;
	void (*prepare)(void);
	void (*op)(void);
	void (*act)(void);
	void (*finish)(void);
	int op_kind;
	bool stops;
	bool broken;
};

extern struct scenario scenarios[];
extern const unsigned int nr_scenarios;
extern struct sweep_trace *now;	/* the trace that runs */

int sweep_traces_create(void);
void sweep_traces_destroy(void);
void sweep_trace_stop(void);
int sweep_trace_use(struct sweep_trace *t);
int sweep_trace_resume(void);

/* ---- events.c: sending ---- */

/* Of the event for fillings, where ids are small: it is the first in its channel. */
#define FILL_ID		0

enum kind { NO_EVENT, MARK, TEXT, WORDS, SHORT, FILL, FILL_SHORT, FILL_WORDS, OUTER, NR_KINDS };

#define TEXT_LEN	40	/* without its NUL */
#define PAYLOAD_MAX	8192

/**
 * struct sent - an event that has been sent since the buffer was empty
 * @kind: what
 * @len: of its payload
 * @seen: the judge has read it
 */
struct sent {
	enum kind kind;
	u32 len;
	bool seen;
};

#define SENT_MAX	256
extern struct sent sent[SENT_MAX];
extern u32 nr_sent, first_serial;

u32 event_add(enum kind kind, u32 len);
void event_payload(enum kind kind, u32 serial, u32 len, u8 *to);
void send_fill(u32 len);
void send(enum kind kind);
void send_in_vain(void);
void op_begin(enum kind kind);
extern u32 op_event;	/* of the operation: its place in sent[], or ~0 */
void op_mark(void);
void op_text(void);
void op_words(void);
void op_short(void);
void op_fill(void);
void op_fill_short(void);
void op_fill_words(void);
void op_deep(void);
void op_fill_deep(void);
void op_big(void);
void op_broken(void);
void op_flush(void);
void op_final_flush(void);
void outer_begins(void);
void outer_ends(void);

/* ---- judge.c: is the buffer whole, are the counts exact ---- */

extern bool (*ring_flush)(struct ltt_ring *ring, bool final);
extern bool (*ring_get)(struct ltt_ring *ring);
extern void (*ring_put)(struct ltt_ring *ring);
extern void (*run_task_work)(void);
extern char why[256];

int judge_init(void);
__printf(1, 2) void fail(const char *format, ...);
void judge_begin(void);
bool buffer_is_whole(const struct scenario *s);

/* ---- place.c: instructions ---- */

enum {
	REACHED = 1,		/* by an operation that is not interrupted */
	REACHED_LATER = 2,	/* only after an interruption */
	UNINTERRUPTIBLE = 4,	/* interrupts are off */
	HIT_BY_TIMER = 8,
	HIT_BY_STEP = 16,
	HIT_BY_NMI = 32,
};

unsigned int place_flags(unsigned long ip);
void place_mark(unsigned long ip, unsigned int flags);
void places_show(struct seq_file *s);

/* ---- step.c, timer.c: ways to interrupt ---- */

/**
 * struct tally - of one scenario by one way
 * @shots: how many
 * @steps: instructions of the operation without an interruption
 * @in_op: shots that met the operation
 */
struct tally {
	unsigned int shots;
	unsigned int steps;
	unsigned int in_op;
};

extern const struct scenario *running;

int step_init(void);
void step_exit(void);
bool step_reference(const struct scenario *s, struct tally *t);
bool step_sweep(const struct scenario *s, bool by_nmi, struct tally *t);
bool timer_sweep(const struct scenario *s, struct tally *t);

/* main.c */
void shot_begin(const struct scenario *s);
bool shot_end(const struct scenario *s);

#endif /* LTT_TEST_SWEEP_H */
