// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A trace in pieces.
 *
 * Layer: lttd.
 */
#include "rotate.h"
#include "buffer-file.h"
#include "lttd/log.h"
#include "lttd/state/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A piece begins with the names of all threads, unless these could fill it. */
#define NAMES_MIN	(8ULL << 20)

static void list_names(struct consumer *consumer)
{
	uint64_t size = consumer->pieces.options->size;

	/* A trace that does not run has no new names. */
	if (!size || size >= NAMES_MIN)
		lttctl_trace_list_tasks(consumer->trace);
}

/* The samples of the old piece end before the next one is there, and those of the next one begin when its metadata is on
 * the way to the disk: they delay nothing that a power cut would need. */
int consumer_rotate(struct consumer *consumer)
{
	struct piece *old;
	unsigned int i;

	consumer_sample(consumer);
	sampler_end(consumer->sampler);
	consumer->sampler = NULL;
	old = pieces_open_next(&consumer->pieces);
	if (!old)
		return -1;
	close(consumer->dir);
	free(consumer->path);
	if (consumer_open_folder(consumer) || metadata_move(&consumer->metadata, consumer->dir))
		return -1;
	for (i = 0; i < consumer->nr_files; i++)
		buffer_file_move(consumer->files[i], consumer->dir);
	pieces_sync(&consumer->pieces);
	pieces_close(&consumer->pieces, old);
	consumer->sampler = sampler_begin(consumer->pieces.path, NULL);
	list_names(consumer);
	return 0;
}

/* The first bytes of the metadata have the UUID. */
static bool is_same_trace(const struct consumer *consumer, const struct piece *orphan)
{
	int fd = openat(orphan->dir, "kernel/metadata", O_RDONLY | O_CLOEXEC);
	char theirs[4096], ours[sizeof(theirs)];
	ssize_t got;

	if (fd < 0)
		return false;
	got = pread(fd, theirs, sizeof(theirs), 0);
	close(fd);
	return got > 0 && pread(consumer->metadata.in, ours, got, 0) == got && !memcmp(ours, theirs, got);
}

void consumer_skip_known(const struct consumer *consumer, struct buffer_file *file)
{
	char path[sizeof(file->name) + sizeof("kernel/")];
	const struct piece *orphan;
	struct ltt_ctf_packet last;
	int fd;

	snprintf(path, sizeof(path), "kernel/%s", file->name);
	for (orphan = consumer->pieces.orphans; orphan && !file->has_last; orphan = orphan->next) {
		if (!is_same_trace(consumer, orphan))
			continue;
		fd = openat(orphan->dir, path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (packets_walk(fd, &last) > 0) {
			file->has_last = true;
			file->last = last.packet_seq_num;
		}
		close(fd);
	}
}
