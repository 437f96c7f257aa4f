/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A check of the file of a program: can libraries be preloaded into it?
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_PROGRAM_FILE_H
#define LTTCTL_PROGRAM_FILE_H

/**
 * program_file_check() - require that LTT's libraries can be preloaded into a program
 * @file: the program; for a script, its interpreter is looked at
 *
 * They cannot if the program is linked statically, if it has another loader than lttctl (as
 * with another C library), or if it gets the rights of another user or group, or
 * capabilities: its loader ignores LD_PRELOAD then.
 *
 * Return: 0; EXIT_USAGE after a message if they cannot; EXIT_FAILED after a message if that
 *	cannot be found out.
 */
int program_file_check(const char *file);

#endif /* LTTCTL_PROGRAM_FILE_H */
