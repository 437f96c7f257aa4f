/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The build ids of the files that processes have mapped.
 *
 * Layer: lttd state, on libelf.
 */
#ifndef LTTD_STATE_BUILD_IDS_H
#define LTTD_STATE_BUILD_IDS_H

#include <stdint.h>
#include <sys/types.h>

#define BUILD_ID_MAX	64	/* bytes */

struct build_ids;

/**
 * struct build_id - a file
 * @text: its build id in hexadecimal, "" if it has none
 * @bias: what to add to an offset in the first segment to get its address; 0 for a file that is
 *	not an ELF file
 */
struct build_id {
	char text[2 * BUILD_ID_MAX + 1];
	uint64_t bias;
};

/* Return: an empty cache; NULL if memory is out. */
struct build_ids *build_ids_new(void);

/**
 * build_ids_get() - find the build id of a file
 * @ids: the cache, which has each file once, by device, inode and time of change
 * @dir: the folder of @path
 * @path: the file
 * @dev: the device that the file must have
 * @inode: and its inode
 * @found: receives the result
 *
 * Return: 0; -ESTALE if @path is another file; -errno.
 */
int build_ids_get(struct build_ids *ids, int dir, const char *path, dev_t dev, ino_t inode, struct build_id *found);

void build_ids_free(struct build_ids *ids);

#endif /* LTTD_STATE_BUILD_IDS_H */
