/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Advice for users who record programs for the first time.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_ADVICE_H
#define LTTCTL_ADVICE_H

#include <stdbool.h>

/**
 * advice_is_of_programs() - find out if a pattern without "user:" matches events of programs
 * @pattern: group:name with globs, or a name in any group
 * @file: a program that is about to run, or NULL
 *
 * Looks at the markers of @file and of the running programs.
 *
 * Return: true if it does.
 */
bool advice_is_of_programs(const char *pattern, const char *file);

/**
 * advice_without_tracer() - explain how events of programs are selected, which need no tracer
 * @patterns: the patterns for events of the kernel that cannot be recorded; NULL at the end
 * @file: as above
 *
 * Prints a message that names a pattern which matches events of programs, if there is one.
 */
void advice_without_tracer(char *const *patterns, const char *file);

/**
 * advice_rights() - warn that a program cannot be recorded because of its rights
 * @file: the program
 *
 * A program that has more rights than its user (setuid, setgid, file capabilities) connects
 * to lttds of root only.
 */
void advice_rights(const char *file);

#endif /* LTTCTL_ADVICE_H */
