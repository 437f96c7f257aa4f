/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Probes: functions that the library calls at sites.
 */
#ifndef LTT_LIB_PROBE_H
#define LTT_LIB_PROBE_H

#include "sites.h"

/**
 * ltt_probe_call() - call the probe of a target
 * @target: with %TARGET_PROBE
 * @site: the site that was reached
 * @words: the arguments, each as 64 bits
 * @nr: how many
 *
 * Does nothing in a thread that is in a probe already.
 *
 * Context: any thread, and its signal handlers.
 */
void ltt_probe_call(const struct ltt_target *target, const struct ltt_site *site, const uint64_t *words,
		    unsigned int nr);

/**
 * ltt_probes_attach() - connect the probes whose patterns match new sites
 * @first: the first site
 * @count: how many sites
 *
 * Context: ltt_lock held.
 */
void ltt_probes_attach(struct ltt_site *first, uint32_t count);

/**
 * ltt_probe_ask() - carry out a request of `lttctl probe`
 * @what: the request, enum ltt_program_probing
 * @texts: its arguments, each with a NUL
 * @size: of @texts, in bytes
 * @answer: receives the reason of a failure, or ""; LTT_PROBE_ANSWER bytes
 *
 * May load a library, which takes locks of the loader, runs constructors and registers
 * sites.
 *
 * Context: the thread of load_in_thread(), ltt_lock not held.
 * Return: 0; -EINVAL for a malformed request; -ENOSYS in a program that is linked with
 *	libltt.a; -ENOENT if there is no such library or function; -ENOMEM.
 */
int ltt_probe_ask(uint32_t what, const char *texts, size_t size, char *answer);

/* Bytes of the reason of a failure, with its NUL. */
#define LTT_PROBE_ANSWER	256

#endif /* LTT_LIB_PROBE_H */
