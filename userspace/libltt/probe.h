/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Probes, as the library has them: who is called at which sites.
 */
#ifndef LTT_LIB_PROBE_H
#define LTT_LIB_PROBE_H

#include "sites.h"

/** ltt_probe_call() - call the probe that a target is.  Not from within a probe.  Context: any */
void ltt_probe_call(const struct ltt_target *target, const struct ltt_site *site, const uint64_t *words,
		    unsigned int nr);

/** ltt_probes_attach() - to sites that are new.  Context: ltt_lock held */
void ltt_probes_attach(struct ltt_site *first, uint32_t count);

/**
 * ltt_probe_ask() - do what `lttctl probe` asks for
 * @what: enum ltt_program_probing
 * @texts: with a NUL each, @size bytes
 * @answer: told what went wrong, in words; LTT_PROBE_ANSWER bytes
 *
 * Loads libraries, which may take locks of the loader, run constructors, and add sites.
 *
 * Context: the listener, ltt_lock not held.
 * Return: 0 or -errno.
 */
int ltt_probe_ask(uint32_t what, const char *texts, size_t size, char *answer);

#define LTT_PROBE_ANSWER	256

#endif /* LTT_LIB_PROBE_H */
