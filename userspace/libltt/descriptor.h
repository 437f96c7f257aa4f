/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The library's descriptors in somebody else's program, which may close all of them and
 * open others.
 */
#ifndef LTT_DESCRIPTOR_H
#define LTT_DESCRIPTOR_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct descriptor - of a socket or pipe
 * @fd: -1: none
 * @dev: with @ino, tells whether @fd is still what it was
 * @ino: see @dev
 */
struct descriptor {
	int fd;
	dev_t dev;
	ino_t ino;
};

/**
 * ltt_descriptor_take() - own a descriptor
 * @fd: moved to where programs that open others do not come soon, and closed by exec()
 */
struct descriptor ltt_descriptor_take(int fd);

/** ltt_descriptor_is_open() - is it still ours? */
bool ltt_descriptor_is_open(const struct descriptor *descriptor);

/** ltt_descriptor_close() - close it, if it is still ours */
void ltt_descriptor_close(struct descriptor *descriptor);

#endif /* LTT_DESCRIPTOR_H */
