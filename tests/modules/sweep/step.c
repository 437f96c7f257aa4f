// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interruption by the CPU's single step: the exception #DB comes before each instruction of the
 * operation.  The handler notes the instruction and, at the chosen ones, runs the interruption.
 * The kernel handles #DB as it does an NMI: in_nmi() is true, and it also comes where interrupts
 * are off.  With @by_nmi the handler sends a true NMI to its own CPU, which comes within the
 * exception.
 *
 * An instruction that the operation reaches only after an interruption is interrupted in the
 * same run.
 */
#include "sweep.h"

#include <linux/cpumask.h>
#include <linux/kdebug.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include <asm/apic.h>
#include <asm/nmi.h>
#include <asm/processor-flags.h>

#define STEPS_MAX	8192
#define SECONDS_MAX	512
#define NEVER		~0U

static struct {
	bool on_path;
	unsigned long back;		/* where the operation returns to */
	bool by_nmi;
	unsigned int step;		/* instructions so far */
	unsigned int first, second;	/* where to interrupt */
	unsigned int seconds[SECONDS_MAX], nr_seconds;
} run;

static bool nmi_due;

/*
 * Sets the trap flag; on_debug() clears it when the operation returns. Another thread would inherit the
 * flag, as switching keeps flags: so none may run until then.
 */
static noinline void run_by_steps(void (*op)(void))
{
	preempt_disable();
	asm volatile("pushfq; orq %0, (%%rsp); popfq" :: "i" (X86_EFLAGS_TF) : "memory", "cc");
	op();
	barrier();	/* compiler: it is to return here */
	preempt_enable();
}

static void interrupt(unsigned long ip)
{
	if (!run.by_nmi) {
		place_mark(ip, HIT_BY_STEP);
		running->act();
		return;
	}
	place_mark(ip, HIT_BY_NMI);
	nmi_due = true;
	apic->send_IPI_mask(cpumask_of(0), NMI_VECTOR);
	while (READ_ONCE(nmi_due))
		cpu_relax();
}

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!nmi_due)
		return NMI_DONE;
	running->act();
	nmi_due = false;
	return NMI_HANDLED;
}

/* The operation is about to execute the instruction at @regs->ip. */
static void step(struct pt_regs *regs)
{
	bool later = run.first != NEVER && run.step > run.first;
	unsigned int hit = run.by_nmi ? HIT_BY_NMI : HIT_BY_STEP;

	place_mark(regs->ip, (later ? REACHED_LATER : REACHED) |
			     (regs->flags & X86_EFLAGS_IF ? 0 : UNINTERRUPTIBLE));
	if (later && run.second == NEVER && !(place_flags(regs->ip) & (hit | REACHED)) &&
	    run.nr_seconds < SECONDS_MAX)
		run.seconds[run.nr_seconds++] = run.step;
	if (run.step == run.first || run.step == run.second)
		interrupt(regs->ip);
	if (run.step++ == STEPS_MAX)
		panic("ltt-test-sweep: the operation does not end");
}

static int on_debug(struct notifier_block *nb, unsigned long what, void *data)
{
	struct die_args *args = data;

	if (what != DIE_DEBUG || !running || !(args->regs->flags & X86_EFLAGS_TF))
		return NOTIFY_DONE;
	if (args->regs->ip == (unsigned long)running->op) {
		run.on_path = true;
		run.back = *(unsigned long *)args->regs->sp;
	}
	if (run.on_path && args->regs->ip == run.back) {
		run.on_path = false;
		args->regs->flags &= ~X86_EFLAGS_TF;
	}
	if (run.on_path)
		step(args->regs);
	return NOTIFY_STOP;
}

static struct notifier_block debug_nb = {
	.notifier_call = on_debug,
};

static bool shot(const struct scenario *s, unsigned int first, unsigned int second)
{
	shot_begin(s);
	run.first = first;
	run.second = second;
	run.step = 0;
	run.nr_seconds = 0;
	run_by_steps(s->op);
	return shot_end(s);
}

/* Count the instructions of the operation without an interruption, and mark them. */
bool step_reference(const struct scenario *s, struct tally *t)
{
	bool whole = shot(s, NEVER, NEVER);

	t->steps = run.step;
	return whole;
}

bool step_sweep(const struct scenario *s, bool by_nmi, struct tally *t)
{
	static unsigned int seconds[SECONDS_MAX];
	unsigned int i, k, nr;

	run.by_nmi = by_nmi;
	for (k = 0; k < t->steps; k++) {
		t->shots++;
		if (!shot(s, k, NEVER))
			return false;
		nr = s->stops ? 0 : run.nr_seconds;	/* nothing comes after that */
		memcpy(seconds, run.seconds, nr * sizeof(*seconds));
		for (i = 0; i < nr; i++) {
			t->shots++;
			if (!shot(s, k, seconds[i]))
				return false;
		}
		cond_resched();
	}
	t->in_op = t->shots;
	return true;
}

int step_init(void)
{
	int err = register_nmi_handler(NMI_LOCAL, on_nmi, 0, "ltt-test-sweep");

	if (err)
		return err;
	err = register_die_notifier(&debug_nb);
	if (err)
		unregister_nmi_handler(NMI_LOCAL, "ltt-test-sweep");
	return err;
}

void step_exit(void)
{
	unregister_die_notifier(&debug_nb);
	unregister_nmi_handler(NMI_LOCAL, "ltt-test-sweep");
}
