/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dynamic probes: markers at any instruction of the kernel or of a program, at functions, and of samples.
 *
 * Layer: instrument; the API of ltt-probes.  A dynamic probe is made from a description, a
 * line of text, and is a marker of the group kprobe, kretprobe, uprobe, uretprobe, usdt,
 * function, function_graph or sample.
 * doc/probes.md has the grammar of descriptions.
 *
 * An owner is any address.  A probe exists as long as it has an owner; a description that
 * another owner has used already adds an owner to the same probe.
 */
#ifndef LTT_PROBES_H
#define LTT_PROBES_H

#include <linux/types.h>

struct path;
struct seq_file;

#define LTT_PROBES_MAX	1024	/* dynamic probes that there may be at a time */

/**
 * ltt_probe_open() - look up the file of a description
 * @description: the text
 * @file: receives the file, for path_put(); an empty path if the description has none
 * @why: see ltt_probe_create()
 * @size: bytes of @why
 *
 * Context: task, sleeps as long as the file system takes; so the registry lock is not held.
 * Return: 0; -ENOMEM; an errno of the lookup, with nothing to put.
 */
int ltt_probe_open(const char *description, struct path *file, char *why, size_t size);

/**
 * ltt_probe_create() - make the dynamic probe of a description, or become another owner
 * @owner: the owner
 * @description: the text
 * @file: its file, from ltt_probe_open(); a probe takes a reference of its own
 * @why: receives, after an error, one sentence that says what is wrong with @description
 * @size: bytes of @why
 *
 * Context: task, may sleep; registry lock held.
 * Return: 0; -EINVAL the description is malformed, or the place must not be probed; -EEXIST
 * another probe has the name; -EALREADY @owner has this probe; -ENOENT there is no such
 * function or file; -EILSEQ no instruction begins at the place; -EOPNOTSUPP this kernel has no
 * such probes; -EDQUOT there are LTT_PROBES_MAX probes; -EPERM the kernel is locked down;
 * -ENOMEM; another errno of the kernel.
 */
int ltt_probe_create(const void *owner, const char *description, const struct path *file, char *why,
		     size_t size);

/**
 * ltt_probe_remove() - give up a dynamic probe; without an owner it is removed
 * @owner: the owner
 * @name: its name as a marker, GROUP:NAME
 *
 * Context: task, may sleep; registry lock held.
 * Return: 0; -ENOENT @owner has no such probe.
 */
int ltt_probe_remove(const void *owner, const char *name);

/**
 * ltt_probes_remove_all() - give up all dynamic probes of an owner
 * @owner: the owner
 *
 * Context: task, may sleep; registry lock held.
 */
void ltt_probes_remove_all(const void *owner);

/**
 * ltt_probes_show() - print the descriptions of all dynamic probes, one a line
 * @s: where to
 *
 * Context: task; registry lock held.
 */
void ltt_probes_show(struct seq_file *s);

#endif /* LTT_PROBES_H */
