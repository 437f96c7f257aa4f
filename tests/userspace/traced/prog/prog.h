/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A program with markers, for the tests: prog WHAT [N]...
 *
 * Each WHAT is a function, which gets the words after WHAT and returns the exit status.  It
 * prints how many events it emitted, where that is not plain.
 */
#ifndef PROG_H
#define PROG_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <signal.h>

#include <ltt/marker.h>

/* Return: the word @which of @argv as a number; @otherwise if there is none. */
long number(char **argv, int which, long otherwise);

/* Print a line, when the program has begun. */
void print_begun(void);

/* Print that line, and wait for a line on the input.  Return: 0, or 1 at the end of the input. */
int wait_for_line(void);

/* SIGTERM sets @told_to_end from now on. */
void end_on_sigterm(void);
extern volatile sig_atomic_t told_to_end;

/* count.c */
int prog_count(char **argv);
int prog_forever(char **argv);
int prog_until_told(char **argv);
int prog_count_and_wait(char **argv);

/* threads.c */
int prog_threads(char **argv);
int prog_many_threads(char **argv);

/* ends.c */
int prog_count_in(char **argv);
int prog_exit_counting(char **argv);
int prog_exit_amid_threads(char **argv);
int prog_storm(char **argv);

/* processes.c */
int prog_forks(char **argv);
int prog_orphan(char **argv);
int prog_leave_a_child(char **argv);
int prog_vforks(char **argv);
int prog_forks_exit(char **argv);
int prog_fork_when_told(char **argv);
int prog_exec(char **argv);
int prog_daemonize(char **argv);
int prog_act_for(char **argv);

/* namespace.c */
int prog_enter_namespace(char **argv);

/* names.c */
int prog_names(char **argv);
int prog_names_without_pause(char **argv);

/* markers.c */
int prog_texts(char **argv);
int prog_many(char **argv);
int prog_refused(char **argv);
int prog_later_header(char **argv);

/* probes.c */
int prog_probes(char **argv);

/* plugins.c */
int prog_plugin_until_told(char **argv);
int prog_plugin(char **argv);
int prog_plugin_when_told(char **argv);
int prog_plugin_amid_exit(char **argv);

/* counters.c */
int prog_values(char **argv);
int prog_usage(char **argv);
int prog_counted(char **argv);

/* hostile.c */
int prog_scribble(char **argv);
int prog_fill_buffers(char **argv);
int prog_damage_heads(char **argv);
int prog_scribble_on(char **argv);

#endif /* PROG_H */
