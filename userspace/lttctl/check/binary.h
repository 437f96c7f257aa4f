/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The markers in a file of machine code.
 *
 * Layer: lttctl, on libelf.
 */
#ifndef LTTCTL_BINARY_H
#define LTTCTL_BINARY_H

#include "common/site.h"

/**
 * typedef binary_fn - called for each marker
 * @file: the file; of an archive's member, "ARCHIVE(MEMBER)"
 * @site: the marker, whose texts are valid during the call
 * @arg: see binary_read()
 *
 * Return: 0; another value ends binary_read(), which returns it.
 */
typedef int binary_fn(const char *file, const struct site *site, void *arg);

/**
 * binary_read() - read the markers of a program, library, object file or archive
 * @path: the file; nothing in it is executed, nor trusted
 * @fn: called for each marker, in the order of the file
 * @arg: for @fn
 *
 * Return: 0; EXIT_USAGE after a message if the file cannot be read, or is none of these
 *	for x86-64 or arm64; EXIT_FAILED after a message if it has markers of another version;
 *	or what @fn returned.
 */
int binary_read(const char *path, binary_fn *fn, void *arg);

#endif /* LTTCTL_BINARY_H */
