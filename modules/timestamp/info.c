// SPDX-License-Identifier: GPL-2.0-only
/*
 * The properties of the clock that go into a trace: frequency, identity, and
 * where it lies on the Unix epoch.
 *
 * Layer: timestamp.  Context: task.  Shared data is written once, while the
 * module loads, so no lock is needed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "info.h"

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/timekeeping.h>
#include <linux/uuid.h>
#include <ltt/clock.h>

#include "counter.h"
#include "clock.h"
#include "sample.h"
#include "../../core/clock-math.h"

#define BOOT_ID	"/proc/sys/kernel/random/boot_id"

static uuid_t boot_id;
static bool tsc_was_trusted;

/*
 * The kernel has no call for the boot id; programs read it from this file too,
 * and both sides must say the same.
 */
static int read_boot_id(void)
{
	char text[UUID_STRING_LEN + 1] = "";
	struct file *file;
	loff_t pos = 0;
	ssize_t got;

	file = filp_open(BOOT_ID, O_RDONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	got = kernel_read(file, text, UUID_STRING_LEN, &pos);
	filp_close(file, NULL);
	if (got < 0)
		return got;
	return uuid_parse(text, &boot_id);
}

/**
 * ltt_info_begin() - find out what does not change later
 */
void ltt_info_begin(void)
{
	int err = read_boot_id();

	tsc_was_trusted = ltt_tsc_is_trusted();
	if (!err)
		return;
	uuid_gen(&boot_id);
	pr_warn("cannot read %s (%pe): traces of this kernel and of programs will not be known to share a clock; mount /proc before loading ltt-timestamp\n",
		BOOT_ID, ERR_PTR(err));
}

void ltt_clock_get_info(struct ltt_clock_info *info)
{
	const struct ltt_counter *counter = ltt_clock_counter();
	struct ltt_sample now;
	struct ltt_epoch epoch;

	if (ltt_counter_is_raw(counter) && tsc_was_trusted && !ltt_tsc_is_trusted())
		pr_warn_once("the kernel has found the TSC unstable since ltt-timestamp was loaded: times may be wrong; load it anew with clock=mono\n");

	ltt_clock_sample(ltt_clock_read, ktime_get_real, &now);
	epoch = ltt_epoch_of(now.clock, now.ns, counter->hz());
	*info = (struct ltt_clock_info){
		.name = counter->name,
		.description = counter->description,
		.uuid = boot_id,
		.freq = counter->hz(),
		.offset_s = epoch.s,
		.offset = epoch.counts,
		.bits = counter->bits,
	};
}
EXPORT_SYMBOL_GPL(ltt_clock_get_info);
