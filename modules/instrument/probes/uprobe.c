// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dynamic probes of programs: uprobes, uretprobes and usdt.
 *
 * Layer: instrument.  The place is OFFSET:SEMAPHORE:PATH, offsets in the file.  White space and
 * backslashes of PATH are \NNN in octal, as in /proc/mounts.  A probe holds its file; a sink
 * arms it, in all programs that have mapped the file or map it later.
 */
#include "probe.h"

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>

/* ---- Hits: in the task, which may sleep; ltt_probe_hit() does not ---- */

static int hit(struct uprobe_consumer *consumer, struct pt_regs *regs LTT_UPROBE_DATA)
{
	ltt_probe_hit(container_of(consumer, struct ltt_probe, user.consumer), regs, NULL);
	return 0;
}

static int hit_return(struct uprobe_consumer *consumer, unsigned long function,
		      struct pt_regs *regs LTT_UPROBE_DATA)
{
	ltt_probe_hit(container_of(consumer, struct ltt_probe, user.consumer), regs, NULL);
	return 0;
}

/* ---- Places ---- */

static int place(struct ltt_probe *probe, char *text, const struct path *file, char *why, size_t size)
{
	struct ltt_uprobe *user = &probe->user;
	char *offset = strsep(&text, ":"), *semaphore = strsep(&text, ":");

	if (!file->dentry || !text || kstrtoll(offset, 0, &user->offset) || kstrtoll(semaphore, 0, &user->semaphore) ||
	    user->offset < 0 || user->semaphore < 0)
		return ltt_probe_fail(why, size, -EINVAL,
				      "the place of the probe is not OFFSET:SEMAPHORE:PATH (0 for no semaphore)");
	if (!d_is_reg(file->dentry))
		return ltt_probe_fail(why, size, -EINVAL, "%.100s is not a regular file", text);
	if (user->offset >= i_size_read(d_real_inode(file->dentry)))
		return ltt_probe_fail(why, size, -EINVAL, "%lld is behind the end of %.100s", user->offset, text);
	user->path = *file;
	path_get(&user->path);
	if (probe->kind->at_return)
		user->consumer.ret_handler = hit_return;
	else
		user->consumer.handler = hit;
	return 0;
}

static void release(struct ltt_probe **probes, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		path_put(&probes[i]->user.path);
}

static int arm(struct ltt_probe *probe)
{
	struct ltt_uprobe *user = &probe->user;
	ltt_uprobe_handle handle = ltt_uprobe_arm(d_real_inode(user->path.dentry), user->offset,
						  user->semaphore, &user->consumer);

	if (IS_ERR(handle))
		return PTR_ERR(handle);
	user->handle = handle;
	return 0;
}

static void disarm(struct ltt_probe *probe)
{
	ltt_uprobe_disarm(probe->user.handle, probe->user.offset, &probe->user.consumer);
}

/* The kernel misses none. */
static u64 missed(const struct ltt_probe *probe)
{
	return 0;
}

static void show_place(const struct ltt_probe *probe, struct seq_file *s)
{
	seq_path(s, &probe->user.path, " \t\n\\");
	seq_printf(s, "+0x%llx", probe->user.offset);
}

/* Its name may mean another file by now, or in the mount namespace of another user. */
static bool is_of(const struct ltt_probe *probe, const struct path *file)
{
	return d_real_inode(file->dentry) == d_real_inode(probe->user.path.dentry);
}

#define UPROBE_KIND(name, ...)		\
	{				\
		.group = name,		\
		.place = place,		\
		.release = release,	\
		.arm = arm,		\
		.disarm = disarm,	\
		.missed = missed,	\
		.show_place = show_place, \
		.is_of = is_of,		\
		__VA_ARGS__		\
	}

const struct ltt_probe_kind ltt_uprobe_kind = UPROBE_KIND("uprobe");
const struct ltt_probe_kind ltt_uretprobe_kind = UPROBE_KIND("uretprobe", .at_return = true);
const struct ltt_probe_kind ltt_usdt_kind = UPROBE_KIND("usdt");
