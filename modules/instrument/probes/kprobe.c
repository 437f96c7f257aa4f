// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dynamic probes of the kernel: kprobes and kretprobes.
 *
 * Layer: instrument.  The place is [MODULE:]SYMBOL[+OFFSET].  A probe is registered when it is
 * made, disarmed, so that the kernel judges the place at once; a sink arms it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "probe.h"

#include <linux/cpumask.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

/* Calls of a function that may be between entry and return at a time; others are missed. */
#define CALLS_MIN	512

/* unregister_kprobes() waits once for as many. */
#define BATCH		16

/* ---- Hits ---- */

static struct ltt_probe *probe_of(struct kprobe *kp)
{
	return container_of(kp, struct ltt_probe, ret.kp);
}

static int hit(struct kprobe *kp, struct pt_regs *regs)
{
	ltt_probe_hit(probe_of(kp), regs, NULL);
	return 0;
}
NOKPROBE_SYMBOL(hit);

/* Before the call of a function, whose return is the hit. */
static int enter(struct kretprobe_instance *call, struct pt_regs *regs)
{
	struct kretprobe *ret = get_kretprobe(call);

	if (!ret)
		return 1;	/* it is being unregistered: the return is of no interest */
	ltt_probe_enter(container_of(ret, struct ltt_probe, ret), regs, (u64 *)call->data);
	return 0;
}
NOKPROBE_SYMBOL(enter);

static int hit_return(struct kretprobe_instance *call, struct pt_regs *regs)
{
	struct kretprobe *ret = get_kretprobe(call);

	if (ret)
		ltt_probe_hit(container_of(ret, struct ltt_probe, ret), regs, (u64 *)call->data);
	return 0;
}
NOKPROBE_SYMBOL(hit_return);

/* ---- Places ---- */

/* Each event passes through these: a probe there would be hit by its own event. */
static const char *const own_modules[] = {
	"ltt_timestamp", "ltt_relay", "ltt_markers", "ltt_tracer", "ltt_tracepoints", "ltt_syscalls",
	"ltt_probes",
};

/*
 * Check where the kernel found the place: @symbol is "NAME+0xOFFSET/0xSIZE [MODULE]" there.
 */
static int check_place(const struct ltt_probe *probe, char *why, size_t size)
{
	const struct kprobe *kp = &probe->ret.kp;
	char symbol[KSYM_SYMBOL_LEN], *bracket, *plus;
	unsigned long offset, length;
	unsigned int i;

	sprint_symbol(symbol, (unsigned long)kp->addr);
	bracket = strrchr(symbol, '[');
	for (i = 0; bracket && i < ARRAY_SIZE(own_modules); i++)
		if (str_has_prefix(bracket + 1, own_modules[i]) == strcspn(bracket + 1, " ]"))
			return ltt_probe_fail(why, size, -EINVAL,
					      "%s is a function of the tracer, which its events pass through",
					      probe->symbol);
	plus = strrchr(symbol, '+');
	/* At an entry the kernel may have moved the probe past the instruction for branches. */
	if (kp->offset && plus && sscanf(plus, "+0x%lx/0x%lx", &offset, &length) == 2 &&
	    offset != kp->offset)
		return ltt_probe_fail(why, size, -EINVAL, "+%u is behind the end of %s", kp->offset,
				      probe->symbol);
	return 0;
}

static int reject(const struct ltt_probe *probe, int err, char *why, size_t size)
{
	const char *symbol = probe->symbol;
	unsigned int offset = probe->ret.kp.offset;

	switch (err) {
	case -ENOENT:
		return ltt_probe_fail(why, size, err, "there is no function %s, or it was for initialisation and is gone",
				      symbol);
	case -EILSEQ:
		return ltt_probe_fail(why, size, err, "no instruction of %s begins at +%u", symbol, offset);
	case -EINVAL:
		return ltt_probe_fail(why, size, err,
				      probe->kind->at_return ?
				      "the kernel does not let the return of %s be probed: it is not a function, or probes, tracing or exceptions use it themselves" :
				      "the kernel does not let %s be probed: it is not in the text of functions, or probes, tracing or exceptions use it themselves",
				      symbol);
	case -EOPNOTSUPP:
		return ltt_probe_fail(why, size, err, "this kernel has no %ss", probe->kind->group);
	default:
		return ltt_probe_fail(why, size, err, "the kernel refuses a %s at %s (errno %d)",
				      probe->kind->group, symbol, -err);
	}
}

static void release(struct ltt_probe **probes, unsigned int nr);

static int place(struct ltt_probe *probe, char *text, const struct path *file, char *why, size_t size)
{
	struct kprobe *kp = &probe->ret.kp;
	char *plus = strrchr(text, '+');
	int err;

	if (plus) {
		*plus = '\0';
		if (kstrtouint(plus + 1, 0, &kp->offset))
			return ltt_probe_fail(why, size, -EINVAL, "\"+%.40s\" is not an offset", plus + 1);
	}
	if (!*text)
		return ltt_probe_fail(why, size, -EINVAL, "the function is missing: use [MODULE:]SYMBOL[+OFFSET]");
	probe->symbol = kstrdup(text, GFP_KERNEL_ACCOUNT);
	if (!probe->symbol)
		return ltt_probe_fail(why, size, -ENOMEM, "there is not enough memory");
	kp->symbol_name = probe->symbol;
	kp->flags = KPROBE_FLAG_DISABLED;
	if (probe->kind->at_return) {
		probe->ret.maxactive = max_t(unsigned int, CALLS_MIN, 16 * num_possible_cpus());
		probe->ret.data_size = probe->nr_slots * sizeof(u64);
		probe->ret.handler = hit_return;
		probe->ret.entry_handler = probe->nr_slots ? enter : NULL;
		err = register_kretprobe(&probe->ret);
	} else {
		kp->pre_handler = hit;
		err = register_kprobe(kp);
	}
	if (err) {
		err = reject(probe, err, why, size);
		kfree(probe->symbol);
		return err;
	}
	err = check_place(probe, why, size);
	if (err)
		release(&probe, 1);
	return err;
}

/*
 * A probe that the kernel cannot disarm, for lack of memory or after a fault of ftrace, would stay in the kernel's table
 * when it is unregistered, and so be called with its memory gone.  It records nothing, but its memory and this module stay.
 */
static bool is_stuck(struct ltt_probe *probe)
{
	/* 0 also for a probe that is disarmed, and for one whose code is gone. */
	int err = disable_kprobe(&probe->ret.kp);

	if (!err)
		return false;
	probe->is_stuck = true;
	__module_get(THIS_MODULE);
	pr_warn("%s:%s: the kernel cannot stop its hits (errno %d): its memory and ltt-probes stay\n", probe->kind->group,
		probe->name, -err);
	return true;
}

static void release(struct ltt_probe **probes, unsigned int nr)
{
	struct kretprobe *rets[BATCH];
	struct kprobe *kps[BATCH];
	unsigned int i, nr_rets = 0, nr_kps = 0;

	for (i = 0; i < nr; i++) {
		if (!is_stuck(probes[i]) && probes[i]->kind->at_return)
			rets[nr_rets++] = &probes[i]->ret;
		else if (!probes[i]->is_stuck)
			kps[nr_kps++] = &probes[i]->ret.kp;
		if (nr_rets == BATCH || nr_kps == BATCH || i == nr - 1) {
			unregister_kretprobes(rets, nr_rets);
			unregister_kprobes(kps, nr_kps);
			nr_rets = nr_kps = 0;
		}
	}
	for (i = 0; i < nr; i++)
		if (!probes[i]->is_stuck)
			kfree(probes[i]->symbol);
}

static int arm(struct ltt_probe *probe)
{
	return enable_kprobe(&probe->ret.kp);
}

static void disarm(struct ltt_probe *probe)
{
	/* Fails for lack of memory, or after a fault of ftrace; hits go on then, and find no sink. */
	disable_kprobe(&probe->ret.kp);
}

static bool is_kept(const struct ltt_probe *probe)
{
	return probe->is_stuck;
}

/* Lockless: the kernel counts these while they are read. */
static u64 missed(const struct ltt_probe *probe)
{
	u64 nr = atomic64_read(&probe->lost) + READ_ONCE(probe->ret.kp.nmissed);

	return probe->kind->at_return ? nr + READ_ONCE(probe->ret.nmissed) : nr;
}

static void show_place(const struct ltt_probe *probe, struct seq_file *s)
{
	seq_printf(s, "%s+%u", probe->symbol, probe->ret.kp.offset);
}

/**
 * ltt_kprobe_is_in() - check whether a probe is in a module of the kernel
 * @probe: any dynamic probe
 * @mod: the module
 */
bool ltt_kprobe_is_in(const struct ltt_probe *probe, const struct module *mod)
{
	return (probe->kind == &ltt_kprobe_kind || probe->kind == &ltt_kretprobe_kind) &&
	       within_module((unsigned long)probe->ret.kp.addr, mod);
}

const struct ltt_probe_kind ltt_kprobe_kind = {
	.group = "kprobe",
	.in_kernel = true,
	.place = place,
	.release = release,
	.arm = arm,
	.disarm = disarm,
	.missed = missed,
	.show_place = show_place,
	.is_kept = is_kept,
};

const struct ltt_probe_kind ltt_kretprobe_kind = {
	.group = "kretprobe",
	.in_kernel = true,
	.at_return = true,
	.keeps_entry = true,
	.place = place,
	.release = release,
	.arm = arm,
	.disarm = disarm,
	.missed = missed,
	.show_place = show_place,
	.is_kept = is_kept,
};
