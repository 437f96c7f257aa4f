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

/* What can have happened before, as far as it makes a difference to the ring. */
extern const struct step situations[];
extern const unsigned int nr_situations;

/* What is interrupted. */
extern const struct step operations[];
extern const unsigned int nr_operations;

/* What interrupts it: writers and flushes on the same CPU, the reader on another. */
extern const struct step actions[];
extern const unsigned int nr_actions;

#endif /* LTT_TESTS_RING_STEPS_H */
