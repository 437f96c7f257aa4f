// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kprobes in the tracer's own functions whose handlers trace: each emits recursion:hit with its
 * place.
 *
 * Test module, of no layer.  The parameter "at" lists the functions, or places in them
 * (NAME+OFFSET).  Each probe is a breakpoint, so its handler runs in an exception on top of the
 * context of the event, which may be an interrupt.  The kernel lets no probe hit inside another's
 * handler, so the event of a handler hits no further probe.
 *
 * Module parameters: "probed", how many of them could be; "hits", how many events they
 * emitted so far.  With nmi=1 an NMI emits recursion:nmi as well, from each probe, on its
 * own CPU; "nmis" counts those.
 */
#include <ltt/marker.h>

#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/nmi.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/apic.h>
#include <asm/nmi.h>

#define PLACES_MAX	32

static char *at[PLACES_MAX];
static unsigned int places;
module_param_array(at, charp, &places, 0444);

static bool nmi;
module_param(nmi, bool, 0444);

static unsigned int probed;
module_param(probed, uint, 0444);

static struct kprobe probes[PLACES_MAX];
static atomic64_t hits, nmis;
/* How many NMIs were sent to each CPU and have not come. */
static DEFINE_PER_CPU(int, due);

static int show_count(char *buf, const struct kernel_param *param)
{
	return sysfs_emit(buf, "%lld\n", (long long)atomic64_read(param->arg));
}

static const struct kernel_param_ops count_ops = { .get = show_count };
module_param_cb(hits, &count_ops, &hits, 0444);
module_param_cb(nmis, &count_ops, &nmis, 0444);

static int in_nmi_handler(unsigned int type, struct pt_regs *regs)
{
	if (!this_cpu_read(due))
		return NMI_DONE;
	this_cpu_write(due, 0);
	atomic64_inc(&nmis);
	trace_mark(recursion, nmi, "");
	return NMI_HANDLED;
}

static int in_probe(struct kprobe *probe, struct pt_regs *regs)
{
	atomic64_inc(&hits);
	trace_mark(recursion, hit, "where %u", (unsigned int)(probe - probes));
	if (nmi && !this_cpu_read(due)) {
		this_cpu_write(due, 1);
		apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
	}
	return 0;
}

static void unprobe(void)
{
	unsigned int i;

	for (i = 0; i < places; i++)
		if (probes[i].pre_handler)
			unregister_kprobe(&probes[i]);
}

static int __init recursion_init(void)
{
	unsigned int i;
	int err = 0;

	if (nmi)
		err = register_nmi_handler(NMI_LOCAL, in_nmi_handler, 0, "ltt-test-recursion");
	if (err)
		return err;
	for (i = 0; i < places; i++) {
		char *offset = strchr(at[i], '+');

		if (offset) {
			*offset = '\0';
			err = kstrtouint(offset + 1, 0, &probes[i].offset);
		}
		probes[i].symbol_name = at[i];
		probes[i].pre_handler = in_probe;
		if (!err)
			err = register_kprobe(&probes[i]);
		if (!err) {
			probed++;
			continue;
		}
		probes[i].pre_handler = NULL;
		pr_info("ltt-test-recursion: %s cannot be probed: error %d\n", at[i], err);
		err = 0;
	}
	return 0;
}

static void __exit recursion_exit(void)
{
	unprobe();
	if (nmi)
		unregister_nmi_handler(NMI_LOCAL, "ltt-test-recursion");
}

module_init(recursion_init);
module_exit(recursion_exit);
MODULE_DESCRIPTION("LTT tests: the tracer's own functions are traced");
MODULE_LICENSE("GPL");
