/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The records of the tests of programs' buffers.  Each has its writer and its number in it, and a
 * payload that follows from these, so a test that reads a record finds out whether it is whole.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include "../../userspace/libltt/own.h"
#include "../../userspace/common/reader.h"
#include "../../userspace/libltt/write.h"

#define RECORD_SIZE_MAX	160	/* of a payload */
#define RINGS_OWN	8	/* for threads */

/**
 * struct record - what was read
 * @id: of the event
 * @writer: as given to record_write()
 * @number: likewise
 * @time: whole
 */
struct record {
	uint32_t id;
	uint32_t writer;
	uint64_t number;
	uint64_t time;
};

/* Of the @number-th record of @writer: all else follows from it.  Return: as ltt_shm_write(). */
int record_write(const struct ltt_shm *shm, uint32_t id, uint32_t writer, uint64_t number);

/* The same to a ring of the thread.  Return: as ltt_own_write(). */
int record_write_own(const struct ltt_shm *shm, uint32_t id, uint32_t writer, uint64_t number);

/* In bytes, without the header. */
uint32_t record_size(uint32_t writer, uint64_t number);

/**
 * packet_read() - call @fn for each record
 * Return: NULL, or what is wrong with the packet.
 */
const char *packet_read(const struct ltt_shm_packet *packet, void (*fn)(const struct record *, void *),
			void *arg);

/* Buffers in a new memfd, for all that are forked from here.  Ends the program if it cannot. */
void shm_create(struct ltt_shm *shm, uint32_t nr_sb, uint32_t sb_order, bool overwrite);

/* The same.  Return: the memfd, for the caller to close. */
int shm_create_fd(struct ltt_shm *shm, uint32_t nr_sb, uint32_t sb_order, bool overwrite);

#endif /* RECORDS_H */
