/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * record --options FILE: options from a file, such as that of a service.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_OPTIONS_FILE_H
#define LTTCTL_OPTIONS_FILE_H

#include "lttctl/command.h"

/**
 * options_file_take() - put the options of a file in front of those of the command line
 * @argc: number of @argv; updated
 * @argv: the words of the command; if the first option is --options FILE, replaced by new ones,
 *	which live as long as the process
 * @table: the options that there are
 *
 * A line is NAME or NAME = VALUE, with the long name of an option; lines that are empty or begin
 * with # do not count.
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int options_file_take(int *argc, const char ***argv, const struct poptOption *table);

#endif /* LTTCTL_OPTIONS_FILE_H */
