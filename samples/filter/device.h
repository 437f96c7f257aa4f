/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Commands for /dev/ltt, and the trace that it recorded.  Functions print an error and exit if
 * anything fails.
 */
#ifndef DEVICE_H
#define DEVICE_H

/* Open a control connection: its traces end with the process. */
void connect_device(void);

/**
 * call() - run a command
 * @format: the name of the command and its arguments, each on a line
 *
 * Return: the new descriptor, if the command makes one.
 */
__attribute__((format(printf, 1, 2)))
int call(const char *format, ...);

/* The text of the last reply. */
const char *reply_text(void);

/* Write what trace @trace has recorded to a new directory, which "lttctl view" shows. */
void save_trace(const char *trace, const char *directory);

#endif /* DEVICE_H */
