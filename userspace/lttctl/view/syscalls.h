/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The fields of system calls, with names in place of numbers.
 *
 * Layer: lttctl view.  Functions that return bool return false, and write nothing, if there is no name.
 */
#ifndef LTTCTL_VIEW_SYSCALLS_H
#define LTTCTL_VIEW_SYSCALLS_H

#include "out.h"
#include "syscall-names.h"

/* Return: the name of the system call of an event, a part of @event; NULL if it is not one. */
const char *syscall_of(const char *event);

/* Write what a call returned, if that is an error. */
bool syscall_put_error(struct out *out, int64_t ret);

/* Write a number by the names of its parts. */
bool syscall_put_number(struct out *out, const struct number_names *names, int64_t number);

/* Write the address of a socket. */
bool syscall_put_address(struct out *out, const void *bytes, size_t len);

#endif /* LTTCTL_VIEW_SYSCALLS_H */
