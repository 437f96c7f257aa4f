/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Options from a file, such as that of a service.
 *
 * Layer: lttctl.
 */
#ifndef LTTCTL_OPTIONS_FILE_H
#define LTTCTL_OPTIONS_FILE_H

#include "lttctl/command.h"

/* The "val" of an option whose argument is such a file. */
#define OPTIONS_FILE_VAL 'f'

/**
 * options_file_take() - have popt take the options of a file in place of the option that names it
 * @context: popt has returned OPTIONS_FILE_VAL
 * @table: the options that there are
 *
 * A line is NAME or NAME = VALUE, with the long name of an option; lines that are empty or begin
 * with # do not count.
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int options_file_take(poptContext context, const struct poptOption *table);

#endif /* LTTCTL_OPTIONS_FILE_H */
