/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The names of code addresses in processes, by the events ltt:object_mapped and
 * ltt:object_unmapped of a recording, which lttd writes.
 *
 * Layer: lttctl view.
 */
#ifndef LTTCTL_VIEW_MAPPED_H
#define LTTCTL_VIEW_MAPPED_H

#include "ltt/ltttrace.h"
#include "out.h"

/**
 * mapped_learn() - take the place of a file in the memory of a process from an event
 * @record: of a state channel; all of these are learned, in order, before any is looked up
 */
void mapped_learn(const struct ltttrace_record *record);

/**
 * struct mapped_where - a process at a time
 * @machine: see machine_of()
 * @pid: the process; -1 if it is not known
 * @ns: the time
 */
struct mapped_where {
	unsigned int machine;
	int64_t pid;
	int64_t ns;
};

/**
 * mapped_put() - write a code address as function+offset, or else as file+offset
 * @out: the text
 * @where: the process and the time
 * @address: the address
 * @returns: a call returns to this address.  The call is before it, and can be the last
 *	instruction of its function
 *
 * Return: false if no file is known to be there; then nothing is written.
 */
bool mapped_put(struct out *out, const struct mapped_where *where, uint64_t address, bool returns);

/* Free what mapped_learn() has taken. */
void mapped_forget(void);

#endif /* LTTCTL_VIEW_MAPPED_H */
