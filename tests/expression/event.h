/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* The event on which the tests try expressions, and the checks that they share. */
#ifndef LTT_TESTS_EVENT_H
#define LTT_TESTS_EVENT_H

#include "../../userspace/expression/expression.h"

#define EVENT_PAYLOAD_SIZE	103

extern const struct ltt_field event_fields[];
extern const struct expression_scope event_scope;
extern const struct expression_value event_contexts[EXPRESSION_CONTEXTS];
extern const char event_payload[];

/* expression_compile() for the event; @maps may be NULL. */
int event_compile(const char *text, const struct expression_maps *maps, struct expression_program *program,
		  struct expression_error *error);

/* Parse and bind. Return: false with @error. */
bool event_bind(const char *text, struct expression **expression, struct expression_bound **bound, struct expression_error *error);

/* The test fails: say of which expression, and why. */
void report(const char *text, const char *what);

/* The evaluator and the program of the emitter give the expression this value. */
void check_value(const char *text, bool holds);

/* The same, with other values of the contexts. */
void check_with(const char *text, const struct expression_value *values, bool holds);

/* The program of the filter has this result. */
void check_verdict(const char *text, unsigned int verdict);

/* It does not compile: the sentence of the error has @word. */
void check_error(const char *text, unsigned int column, int status, const char *word);

#endif /* LTT_TESTS_EVENT_H */
