/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Things that writers and the reader of a ring do, for tests that combine them.
 */
#ifndef LTT_TESTS_RING_STEPS_H
#define LTT_TESTS_RING_STEPS_H

#include "ring-fixture.h"

/**
 * struct step - one thing
 * @name: for messages
 * @run: do it
 * @main: tried also where there are too many combinations to try all
 */
struct step {
	const char *name;
	void (*run)(struct ring_fixture *fx);
	bool main;
};

/* The states of a ring that an operation can find, as far as they differ for the ring. */
extern const struct step situations[];
extern const unsigned int nr_situations;

/* The interrupted operations. */
extern const struct step operations[];
extern const unsigned int nr_operations;

/* The interrupting actions: writers and flushes on the same CPU, the reader on another. */
extern const struct step actions[];
extern const unsigned int nr_actions;

#endif /* LTT_TESTS_RING_STEPS_H */
