// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The records of the tests; see records.h.
 */
#include "records.h"

#include "../../userspace/libltt/own-values.h"
#include "../../userspace/libltt/sequence.h"

#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MARGIN	0x77	/* of the last word, beyond the payload */
/* The writer, which takes the place of a context, and the number: the smallest record has one value. */
#define HEAD_SIZE	(LTT_CONTEXT_USUAL_SIZE + sizeof(uint64_t))
/* A record with fewer bytes behind its head can be one of values. */
#define SMALL		((LTT_VALUES_MAX - 1) * sizeof(uint64_t))

/* Some prime numbers, so that no two records are alike. */
static uint64_t mix(uint32_t writer, uint64_t number)
{
	uint64_t x = (number + 1) * 0x9e3779b97f4a7c15ULL ^ (uint64_t)writer * 0xd1b54a32d192ed03ULL;

	return x ^ x >> 29;
}

uint32_t record_size(uint32_t writer, uint64_t number)
{
	uint64_t random = mix(writer, number);

	switch (random >> 21 & 3) {
	case 0:
		return HEAD_SIZE;
	case 1:
		return HEAD_SIZE + random % SMALL;
	default:
		return HEAD_SIZE + random % (RECORD_SIZE_MAX - HEAD_SIZE);
	}
}

/* The head, and bytes that follow from it. */
static void fill(uint8_t *to, uint32_t writer, uint64_t number)
{
	uint32_t i, size = record_size(writer, number);
	uint64_t wide = writer, word;

	memcpy(to, &wide, LTT_CONTEXT_USUAL_SIZE);
	memcpy(to + LTT_CONTEXT_USUAL_SIZE, &number, sizeof(number));
	for (i = HEAD_SIZE; i < size; i += sizeof(word)) {
		word = mix(writer, number + i);
		memcpy(to + i, &word, size - i < sizeof(word) ? size - i : sizeof(word));
	}
}

#define TOO_LARGE	(LTT_VALUES_MAX + 1)

/* Take the bytes of a payload from @at on for values.  Return: how many, or TOO_LARGE. */
static unsigned int split(const uint64_t *words, uint32_t at, uint32_t size, struct ltt_mark_step *step,
			  uint64_t *values)
{
	unsigned int nr = 0;
	uint32_t bytes;

	for (; at < size; at += bytes) {
		if (nr == LTT_VALUES_MAX)
			return TOO_LARGE;
		for (bytes = sizeof(words[0]); bytes > size - at; bytes /= 2)
			;
		memcpy(&values[nr], (const char *)words + at, sizeof(values[nr]));
		step[nr++] = (struct ltt_mark_step){ .size = bytes };
	}
	return nr;
}

/* As ltt_mark_N() does: straight from registers. */
#define WITH(nr, function)	function(shm, &layout, words[0], nr, v[0], v[1], v[2], v[3], v[4])
#define WITH_ALL(function)			\
	(nr == 1 ? WITH(1, function) :		\
	 nr == 2 ? WITH(2, function) :		\
	 nr == 3 ? WITH(3, function) :		\
	 nr == 4 ? WITH(4, function) : WITH(5, function))

static bool write_values(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size)
{
	uint64_t v[LTT_VALUES_MAX] = { 0 };
	struct ltt_mark_step step[LTT_VALUES_MAX];
	unsigned int nr = split(words, LTT_CONTEXT_USUAL_SIZE, size, step, v);
	struct ltt_layout layout = ltt_layout_of(id, step, nr);

	return nr != TOO_LARGE && WITH_ALL(ltt_sequence_values) == LTT_SEQUENCE_DONE;
}

/* The bytes behind the ids are taken for a name of @name_size bytes, if there are so many. */
static bool write_named(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size,
			uint32_t name_size)
{
	uint64_t v[LTT_VALUES_MAX];
	struct ltt_mark_step step[LTT_VALUES_MAX];
	struct ltt_thread_name name = { .until = UINT64_MAX, .size = name_size };
	unsigned int nr = split(words, LTT_CONTEXT_USUAL_SIZE + name_size, size, step, v);
	struct ltt_layout layout = ltt_layout_of(id, step, nr);

	memcpy(name.text, (const char *)words + LTT_CONTEXT_USUAL_SIZE, sizeof(name.text));
	return nr != TOO_LARGE && LTT_CONTEXT_USUAL_SIZE + name_size <= size &&
	       ltt_sequence_named(shm, &layout, words[0], &name, v, nr) == LTT_SEQUENCE_DONE;
}

static bool write_values_own(const struct ltt_shm *shm, uint32_t id, const uint64_t *words, uint32_t size)
{
	uint64_t v[LTT_VALUES_MAX] = { 0 };
	struct ltt_mark_step step[LTT_VALUES_MAX];
	unsigned int nr = split(words, LTT_CONTEXT_USUAL_SIZE, size, step, v);
	struct ltt_layout layout = ltt_layout_of(id, step, nr);

	enum ltt_own_result result = nr != TOO_LARGE ? WITH_ALL(ltt_own_values) : LTT_OWN_NONE;

	if (result == LTT_OWN_UNFINISHED || result == LTT_OWN_FAILED)
		ltt_own_finish(result);
	return result == LTT_OWN_STORED || result == LTT_OWN_UNFINISHED;
}

enum way { AS_BYTES, AS_VALUES, AS_NAMED, NR_WAYS };

/* Small records are written in each of these ways, by turns that the number decides. */
static uint32_t make(uint64_t *words, uint32_t writer, uint64_t number, enum way *way)
{
	/* The bytes behind the payload must not be read. */
	memset(words, MARGIN, RECORD_SIZE_MAX);
	fill((uint8_t *)words, writer, number);
	*way = (mix(writer, number) >> 20 & 0xff) % NR_WAYS;
	return record_size(writer, number);
}

int record_write(const struct ltt_shm *shm, uint32_t id, uint32_t writer, uint64_t number)
{
	uint64_t words[RECORD_SIZE_MAX / sizeof(uint64_t)];
	enum way way;
	uint32_t size = make(words, writer, number, &way);

	if (way == AS_VALUES && write_values(shm, id, words, size))
		return 0;
	if (way == AS_NAMED && write_named(shm, id, words, size, 1 + number % LTT_THREAD_NAME_SIZE))
		return 0;
	return ltt_shm_write(shm, id, words, size, UINT64_MAX);
}

int record_write_own(const struct ltt_shm *shm, uint32_t id, uint32_t writer, uint64_t number)
{
	uint64_t words[RECORD_SIZE_MAX / sizeof(uint64_t)];
	enum way way;
	uint32_t size = make(words, writer, number, &way);

	if (way == AS_VALUES && write_values_own(shm, id, words, size))
		return 0;
	return ltt_own_write(shm, id, words, size, UINT64_MAX);
}

/* The header, and the time since the one before.  Return: its size, 0 when it is cut. */
static uint32_t read_header(const char *at, uint64_t left, struct record *record)
{
	const uint64_t window = 1ULL << LTT_TIME_BITS;
	uint16_t medium;
	uint32_t word;
	uint64_t time;

	if (left < sizeof(word))
		return 0;
	memcpy(&word, at, sizeof(word));
	record->id = word & LTT_ID_LONG;
	if (record->id != LTT_ID_LONG) {
		time = (record->time & ~(window - 1)) | word >> LTT_ID_BITS;
		record->time = time < record->time ? time + window : time;
		if (record->id != LTT_ID_MEDIUM)
			return LTT_HEADER_COMPACT;
		if (left < LTT_HEADER_MEDIUM)
			return 0;
		memcpy(&medium, at + sizeof(word), sizeof(medium));
		record->id = medium;
		return LTT_HEADER_MEDIUM;
	}
	if (left < LTT_HEADER_LONG)
		return 0;
	memcpy(&record->id, at + 1, sizeof(record->id));
	memcpy(&record->time, at + 5, sizeof(record->time));
	return LTT_HEADER_LONG;
}

static const char *read_payload(const char *at, uint64_t left, struct record *record, uint32_t *size)
{
	uint8_t right[RECORD_SIZE_MAX];

	if (left < HEAD_SIZE)
		return "a record is cut";
	memcpy(&record->writer, at, sizeof(record->writer));
	memcpy(&record->number, at + LTT_CONTEXT_USUAL_SIZE, sizeof(record->number));
	*size = record_size(record->writer, record->number);
	if (*size > left)
		return "a record is cut, or torn";
	fill(right, record->writer, record->number);
	return memcmp(right, at, *size) ? "a record is torn" : NULL;
}

const char *packet_read(const struct ltt_shm_packet *packet, void (*fn)(const struct record *, void *),
			void *arg)
{
	const char *at = packet->data, *end = at + packet->size, *wrong;
	struct record record = { .time = packet->begin };
	uint64_t before = packet->begin;

	while (at < end) {
		uint32_t size = read_header(at, end - at, &record);

		if (!size)
			return "a header is cut";
		at += size;
		if (record.time < before || record.time > packet->end)
			return "a time is not within the packet, or before the last one";
		before = record.time;
		wrong = read_payload(at, end - at, &record, &size);
		if (wrong)
			return wrong;
		at += size;
		fn(&record, arg);
	}
	return NULL;
}

int shm_create_fd(struct ltt_shm *shm, uint32_t nr_sb, uint32_t sb_order, bool overwrite)
{
	uint32_t nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	int fd = memfd_create("ltt-test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 || ftruncate(fd, ltt_shm_size(nr_cpus + RINGS_OWN, nr_sb, sb_order)) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		err(1, "no memfd");
	*shm = (struct ltt_shm){ .overwrite = overwrite };
	if (ltt_shm_map(shm, fd, nr_cpus, nr_cpus + RINGS_OWN, nr_sb, sb_order))
		err(1, "no buffers");
	ltt_shm_can_write();
	return fd;
}

void shm_create(struct ltt_shm *shm, uint32_t nr_sb, uint32_t sb_order, bool overwrite)
{
	close(shm_create_fd(shm, nr_sb, sb_order, overwrite));
}
