// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Tests of the programs' buffers with one thread on one CPU: where records go, and what
 * is read back, S1 to S6 of userspace/common/shm.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../userspace/common/counter.h"
#include "../../userspace/libltt/own.h"
#include "../../userspace/libltt/sequence.h"
#include "../../userspace/libltt/write.h"
#include "../unit/unit.h"
#include "records.h"

#define PAGE_ORDER	12
#define NR_SB		4

static struct ltt_shm shm;
static struct ltt_shm_reader reader;
static struct ltt_shm_packet packet;

/* The record read last, and how many were read. */
static struct record last;
static unsigned int nr_read;

static void begin(bool overwrite)
{
	int cpu = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	CU_ASSERT_FATAL(cpu >= 0 && !sched_setaffinity(0, sizeof(set), &set));
	shm_create(&shm, NR_SB, PAGE_ORDER, overwrite);
	ltt_shm_reader_init(&reader, &shm, cpu);
	nr_read = 0;
}

static void end(void)
{
	ltt_shm_unmap(&shm);
}

/* Each number is one more than the last. */
static void next_in_order(const struct record *record, void *unused)
{
	CU_ASSERT(!nr_read || record->number == last.number + 1);
	last = *record;
	nr_read++;
}

/* All that can be read; how many packets that is, not counting empty ones. */
static unsigned int read_all(bool partial)
{
	unsigned int packets = 0;

	while (!ltt_shm_peek(&reader, partial, &packet)) {
		const char *wrong = packet_read(&packet, next_in_order, NULL);

		if (wrong)
			printf("# %s\n", wrong);
		CU_ASSERT_PTR_NULL(wrong);
		CU_ASSERT(ltt_shm_survived(&reader, &packet));
		ltt_shm_take(&reader, &packet);
		packets += packet.size > 0;
	}
	return packets;
}

static void records_are_read_as_written(void)
{
	unsigned int i;

	begin(false);
	CU_ASSERT_EQUAL(ltt_shm_peek(&reader, true, &packet), -EAGAIN);
	for (i = 0; i < 1000; i++) {
		/* Ids of both forms of the header. */
		CU_ASSERT_EQUAL(record_write(&shm, i % 40, 7, i), 0);
		CU_ASSERT_EQUAL(read_all(true), 1);
		CU_ASSERT(nr_read == i + 1 && last.number == i && last.writer == 7 && last.id == i % 40);
	}
	end();
}

/* A header is 4 bytes, 6 from id 30 on, and 13 where a sub-buffer or an epoch of the time begins. */
static void headers_are_short(void)
{
	static const uint32_t ids[] = { 0, 29, 30, 31, 32, 4095, 65535 };
	unsigned int i, n = sizeof(ids) / sizeof(ids[0]), nr_short[2] = { 0 };
	uint64_t before;
	uint32_t header;

	begin(false);
	for (i = 0; i < 40 * n; i++) {
		uint32_t id = ids[i % n];

		before = reader.ring->head;
		CU_ASSERT_EQUAL(record_write(&shm, id, 7, i), 0);
		CU_ASSERT_EQUAL(read_all(true), 1);
		CU_ASSERT_EQUAL(last.id, id);
		header = reader.ring->head - before - record_size(7, i);
		if (before >> PAGE_ORDER == reader.ring->head >> PAGE_ORDER)
			CU_ASSERT(header == (id < 30 ? 4U : 6U) || header == 13);
		nr_short[id >= 30] += header == (id < 30 ? 4U : 6U);
	}
	/* But for some at the end of a sub-buffer and after interruptions. */
	CU_ASSERT(nr_short[0] > 30 * 2 && nr_short[1] > 30 * 5);
	end();
}

/* S2, at each offset that a sub-buffer can end at. */
static void packets_are_sub_buffers(void)
{
	unsigned int i, packets = 0;

	begin(false);
	for (i = 0; i < 20000; i++) {
		uint64_t size, before = reader.ring->head;

		CU_ASSERT_EQUAL(record_write(&shm, 1, 1, i), 0);
		if (before >> PAGE_ORDER == reader.ring->head >> PAGE_ORDER || !before)
			continue;
		/* The last of it was too large for what was left. */
		CU_ASSERT_EQUAL(ltt_shm_peek(&reader, false, &packet), 0);
		size = 13 + (record_size(1, i) + 7) / 8 * 8;
		CU_ASSERT(packet.size < 4096 && packet.size + size >= 4096);
		CU_ASSERT_EQUAL(packet.next % 4096, 0);
		packets += read_all(false);
	}
	read_all(true);
	CU_ASSERT(nr_read == 20000 && packets > 20000 / (4096 / 20));
	end();
}

static void sub_buffers_are_used_to_the_end(void)
{
	uint64_t words[512] = { 0 }, lost = 0;
	uint32_t size;

	begin(false);
	for (size = 4096 - 13; size >= 4096 - 32; size--) {
		/* Whole: with its 13 bytes of header, and copied in words, below the end. */
		bool fits = 13 + (size + 7) / 8 * 8 < 4096;

		CU_ASSERT_EQUAL(ltt_shm_write(&shm, 1, words, size, UINT64_MAX), fits ? 0 : -EMSGSIZE);
		lost += !fits;
		while (!ltt_shm_peek(&reader, true, &packet)) {
			CU_ASSERT(packet.size == 13 + size || !packet.size);
			ltt_shm_take(&reader, &packet);
		}
	}
	CU_ASSERT(lost > 0 && reader.ring->lost == lost);
	end();
}

/* S5 */
static void records_that_do_not_fit_are_counted(void)
{
	unsigned int i, stored = 0, lost = 0;

	begin(false);
	for (i = 0; i < 500; i++) {
		int err = record_write(&shm, 1, 1, stored);

		CU_ASSERT(!err || err == -ENOBUFS);
		CU_ASSERT_EQUAL(reader.ring->lost, lost += !!err);
		stored += !err;
	}
	CU_ASSERT(lost > 0 && reader.ring->head == NR_SB << PAGE_ORDER);
	CU_ASSERT_EQUAL(read_all(true), NR_SB);
	/* After what is stored. */
	CU_ASSERT(nr_read == stored && !packet.lost);
	/* There is room again. */
	CU_ASSERT_EQUAL(record_write(&shm, 1, 1, stored), 0);
	CU_ASSERT_EQUAL(read_all(true), 1);
	CU_ASSERT(nr_read == stored + 1 && packet.lost == lost);
	end();
}

static void a_packet_is_kept_until_it_is_taken(void)
{
	struct ltt_shm_packet again;
	uint64_t words[480] = { 0 };

	begin(false);
	while (!ltt_shm_write(&shm, 1, words, sizeof(words), UINT64_MAX))
		;
	CU_ASSERT_EQUAL(ltt_shm_peek(&reader, false, &packet), 0);
	CU_ASSERT_EQUAL(ltt_shm_write(&shm, 1, words, sizeof(words), UINT64_MAX), -ENOBUFS);
	CU_ASSERT_EQUAL(ltt_shm_peek(&reader, false, &again), 0);
	CU_ASSERT(again.data == packet.data && again.size == packet.size);
	ltt_shm_take(&reader, &packet);
	CU_ASSERT_EQUAL(ltt_shm_write(&shm, 1, words, sizeof(words), UINT64_MAX), 0);
	end();
}

/* The end, without a gap. */
static void the_newest_survive(void)
{
	unsigned int i, packets;

	begin(true);
	for (i = 0; i < 5000; i++)
		CU_ASSERT_EQUAL(record_write(&shm, 1, 1, i), 0);
	packets = read_all(true);
	/* The one that comes next has taken the place of the oldest. */
	CU_ASSERT_EQUAL(packets, reader.ring->head % 4096 ? NR_SB : NR_SB - 1);
	CU_ASSERT(nr_read > 50 && last.number == 4999 && !reader.ring->lost);
	end();
}

static void a_packet_that_was_overwritten_is_known(void)
{
	unsigned int i, nr;

	begin(true);
	for (i = 0; reader.ring->head < (NR_SB + 1) << PAGE_ORDER; i++)
		record_write(&shm, 1, 1, i);
	CU_ASSERT_EQUAL(ltt_shm_peek(&reader, false, &packet), 0);
	nr = reader.ring->head >> PAGE_ORDER;
	while (reader.ring->head >> PAGE_ORDER == nr) {
		CU_ASSERT(ltt_shm_survived(&reader, &packet));
		record_write(&shm, 1, 1, i++);
	}
	CU_ASSERT_FALSE(ltt_shm_survived(&reader, &packet));
	CU_ASSERT_EQUAL(read_all(true), NR_SB);
	CU_ASSERT_EQUAL(last.number, i - 1);
	end();
}

/* S3, S4: the part left out of a time can be computed, however long ago the last one was. */
static void long_pauses_do_not_matter(void)
{
	unsigned int i;
	uint64_t before = 0;

	begin(false);
	for (i = 0; i < 6; i++) {
		CU_ASSERT_EQUAL(record_write(&shm, 1, 1, i), 0);
		read_all(true);
		CU_ASSERT(last.time > before && last.time <= ltt_counter());
		if (i)
			CU_ASSERT(last.time - before > 1ULL << LTT_TIME_BITS);
		before = last.time;
		while (ltt_counter() - before <= 3ULL << LTT_TIME_BITS)
			;
	}
	end();
}

static void the_next_reader_goes_on(void)
{
	unsigned int i;

	begin(false);
	for (i = 0; i < 300; i++) {
		CU_ASSERT_EQUAL(record_write(&shm, 1, 1, i), 0);
		if (i % 7)
			continue;
		read_all(true);
		ltt_shm_reader_init(&reader, &shm, sched_getcpu());
	}
	read_all(true);
	CU_ASSERT_EQUAL(nr_read, 300);
	end();
}

static void ignore(const struct record *record, void *unused)
{
}

/* A program may have written anything: what is read lies in the ring, or is refused. */
static void refuse_nonsense(bool overwrite)
{
	unsigned int i, refused = 0, found = 0;
	uint64_t size = NR_SB << PAGE_ORDER;

	begin(overwrite);
	srandom(1);
	for (i = 0; i < 200000; i++) {
		uint64_t *word[] = { &reader.ring->head, &reader.ring->last, &reader.ring->sub[random() % NR_SB].end,
				     &reader.ring->sub[random() % NR_SB].begin };
		uint64_t from;
		int ret;

		if (random() % 4)
			record_write(&shm, 1, 1, i);
		*word[random() % 4] += random() % 3 ? (uint64_t)(random() % 9000) - 4500 : (uint64_t)random() << 33;
		ret = ltt_shm_peek(&reader, random() % 2, &packet);
		from = reader.tail;
		CU_ASSERT_FATAL(!ret || ret == -EPROTO || ret == -EAGAIN);
		if (!ret) {
			char *data = ltt_shm_at(&shm, reader.ring, from);

			CU_ASSERT_FATAL(packet.data == data && packet.size <= 4096 - from % 4096);
			CU_ASSERT_FATAL(packet.next > from && packet.next - from <= 4096);
			packet_read(&packet, ignore, NULL);
			ltt_shm_take(&reader, &packet);
			found++;
		}
		refused += ret == -EPROTO;
		if (ret == -EPROTO) {
			memset(reader.ring, 0, shm.data);
			ltt_shm_reader_init(&reader, &shm, sched_getcpu());
		}
		CU_ASSERT_FATAL(reader.ring->head - reader.tail <= size || ret != 0);
	}
	CU_ASSERT(refused > 1000 && found > 1000);
	end();
}

static void a_head_that_went_back_is_nonsense(void)
{
	unsigned int i;

	begin(true);
	for (i = 0; i < 300; i++)
		record_write(&shm, 1, 1, i);
	read_all(true);
	reader.ring->head -= 2 * 4096;
	CU_ASSERT_EQUAL(ltt_shm_peek(&reader, true, &packet), -EPROTO);
	end();
}

static void nonsense_is_refused(void)
{
	refuse_nonsense(false);
}

static void nonsense_is_refused_where_the_oldest_goes(void)
{
	refuse_nonsense(true);
}

/* Fill the rest of the sub-buffer that @head is in.  Return: the page faults of that. */
static long fill(unsigned int *number)
{
	uint64_t nr = reader.ring->head >> shm.sb_order;
	struct rusage before, after;

	getrusage(RUSAGE_THREAD, &before);
	while (reader.ring->head >> shm.sb_order == nr)
		CU_ASSERT_FATAL(!record_write(&shm, 1, 1, (*number)++));
	getrusage(RUSAGE_THREAD, &after);
	return after.ru_minflt - before.ru_minflt;
}

static size_t allocated(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : st.st_blocks * 512;
}

/* lttd allocates as many sub-buffers ahead as were written, and at least four; the writer maps each
 * at once. */
static void memory_is_prepared(void)
{
	const uint64_t sb = 1 << 16;
	unsigned int number = 0;
	uint64_t prepared;
	size_t before;
	long faults;
	int fd;

	begin(false);
	end();
	fd = shm_create_fd(&shm, 16, 16, false);
	ltt_shm_reader_init(&reader, &shm, sched_getcpu());
	shm.opened = calloc(shm.nr_rings, sizeof(*shm.opened));
	CU_ASSERT_EQUAL(record_write(&shm, 1, 1, number++), 0);
	/* Nothing for a few events. */
	before = allocated(fd);
	CU_ASSERT_EQUAL(ltt_shm_prepare(&shm, reader.ring, 0), 0);
	CU_ASSERT_EQUAL(allocated(fd), before);
	faults = fill(&number);
	CU_ASSERT(faults >= 14);
	before = allocated(fd);
	prepared = ltt_shm_prepare(&shm, reader.ring, 0);
	if (prepared == 16 * sb) {
		puts("# the kernel has no MADV_POPULATE_WRITE");
		goto out;
	}
	CU_ASSERT(prepared == 6 * sb && allocated(fd) == before + 4 * sb);
	/* The second sub-buffer is open already; the next one is mapped as it is opened. */
	fill(&number);
	CU_ASSERT(fill(&number) <= 2);
	prepared = ltt_shm_prepare(&shm, reader.ring, prepared);
	CU_ASSERT_EQUAL(prepared, 8 * sb);
	while (reader.ring->head < 5 * sb)
		fill(&number);
	prepared = ltt_shm_prepare(&shm, reader.ring, prepared);
	CU_ASSERT_EQUAL(prepared, 11 * sb);
	while (reader.ring->head < 15 * sb)
		fill(&number);
	CU_ASSERT_EQUAL(ltt_shm_prepare(&shm, reader.ring, prepared), 16 * sb);
	CU_ASSERT_EQUAL(ltt_shm_prepare(&shm, reader.ring, 16 * sb), 16 * sb);
out:
	free(shm.opened);
	close(fd);
	end();
}

/* One sub-buffer is damaged, and those after it are read. */
static void reading_resumes_after_a_damaged_sub_buffer(void)
{
	unsigned int i;

	begin(false);
	for (i = 0; reader.ring->head < 3 << PAGE_ORDER; i++)
		CU_ASSERT_EQUAL(record_write(&shm, 1, 1, i), 0);
	reader.ring->sub[1].end = 1 << PAGE_ORDER | 1 << 30;
	CU_ASSERT_EQUAL(read_all(true), 1);
	CU_ASSERT_EQUAL(ltt_shm_peek(&reader, true, &packet), -EPROTO);
	ltt_shm_resume(&reader);
	CU_ASSERT_EQUAL(reader.tail, 2 << PAGE_ORDER);
	nr_read = 0;
	CU_ASSERT_EQUAL(read_all(true), 2);
	CU_ASSERT_EQUAL(last.number, i - 1);
	end();
}

/* The head is damaged: the writer goes on from there, and the reader with the next sub-buffer. */
static void reading_resumes_after_a_damaged_head(void)
{
	static const uint64_t wrong[] = { 9 << PAGE_ORDER | 77, 1ULL << 40 | 4095, 3 };
	unsigned int i, j;

	for (j = 0; j < sizeof(wrong) / sizeof(wrong[0]); j++) {
		begin(false);
		for (i = 0; i < 50; i++)
			CU_ASSERT_EQUAL(record_write(&shm, 1, 1, i), 0);
		read_all(true);
		reader.ring->head = wrong[j];
		CU_ASSERT_EQUAL(ltt_shm_peek(&reader, true, &packet), -EPROTO);
		ltt_shm_resume(&reader);
		ltt_shm_publish(&reader);
		CU_ASSERT_EQUAL(reader.tail, (wrong[j] | 4095) + 1);
		/* The writer has not opened the sub-buffer yet, which is not damage. */
		CU_ASSERT_EQUAL(ltt_shm_peek(&reader, true, &packet), -EAGAIN);
		nr_read = 0;
		for (; i < 1000; i++) {
			CU_ASSERT_EQUAL(record_write(&shm, 1, 1, i), 0);
			read_all(true);
		}
		CU_ASSERT(last.number == 999 && nr_read > 700);
		end();
	}
}

/* S6.  Write until it is refused; how many sub-buffers that took. */
static unsigned int write_until(int (*write)(const struct ltt_shm *, uint32_t, uint32_t, uint64_t),
				struct ltt_shm_ring *ring, int want)
{
	uint64_t before = ring->head, lost = ring->lost, over_limit = ring->over_limit;
	int err = 0;

	while (!err && ring->head - before < 100 * 4096)
		err = write(&shm, 1, 1, 0);
	CU_ASSERT_EQUAL(err, want);
	CU_ASSERT_EQUAL(ring->lost, lost + !!want);
	CU_ASSERT_EQUAL(ring->over_limit, over_limit + (want == -EDQUOT));
	return (ring->head - before) >> PAGE_ORDER;
}

/* In a thread of its own, which gives its ring back while that is mapped. */
static void *write_to_its_ring(void *unused)
{
	CU_ASSERT_EQUAL(write_until(record_write_own, ltt_shm_ring(&shm, shm.nr_cpus), -EDQUOT), 2);
	return unused;
}

static void withheld_sub_buffers_are_not_used(void)
{
	struct ltt_shm_ring *first;
	pthread_t id;

	begin(false);
	first = ltt_shm_ring(&shm, 0);
	first->withheld = NR_SB;
	CU_ASSERT_EQUAL(write_until(record_write, reader.ring, -EDQUOT), 0);
	first->withheld = NR_SB - 2;
	CU_ASSERT_EQUAL(write_until(record_write, reader.ring, -EDQUOT), 2);
	ltt_own_prepare();
	CU_ASSERT_FATAL(!pthread_create(&id, NULL, write_to_its_ring, NULL) && !pthread_join(id, NULL));
	/* The rest of the ring, and no more: then it is full. */
	first->withheld = 0;
	CU_ASSERT_EQUAL(write_until(record_write, reader.ring, -ENOBUFS), 2);
	/* The first is read, but there are too many still. */
	CU_ASSERT_EQUAL(ltt_shm_peek(&reader, false, &packet), 0);
	ltt_shm_take(&reader, &packet);
	first->withheld = 1;
	CU_ASSERT_EQUAL(write_until(record_write, reader.ring, -EDQUOT), 0);
	end();
	/* A flight recorder: in its first lap only, after which it has all its memory. */
	begin(true);
	first = ltt_shm_ring(&shm, 0);
	first->withheld = 1;
	CU_ASSERT_EQUAL(write_until(record_write, reader.ring, -EDQUOT), NR_SB - 1);
	first->withheld = 0;
	CU_ASSERT(write_until(record_write, reader.ring, 0) > NR_SB);
	first->withheld = 1;
	CU_ASSERT(write_until(record_write, reader.ring, 0) > NR_SB);
	end();
}

/* The records are for the buffers that have replaced these. */
static void retired_buffers_take_no_record(void)
{
	struct ltt_shm next;
	uint64_t head;

	begin(false);
	CU_ASSERT_EQUAL(record_write(&shm, 1, 1, 0), 0);
	CU_ASSERT_EQUAL(record_write(&shm, 1, 1, 1), 0);
	head = reader.ring->head;
	shm.successor = &next;
	CU_ASSERT_EQUAL(record_write(&shm, 1, 1, 2), -ESTALE);
	CU_ASSERT_EQUAL(record_write(&shm, 1000, 1, 2), -ESTALE);
	CU_ASSERT_EQUAL(record_write_own(&shm, 1, 1, 2), -ESTALE);
	CU_ASSERT_EQUAL(ltt_shm_lose(&shm, reader.ring, -ENOBUFS), -ESTALE);
	CU_ASSERT(reader.ring->head == head && !reader.ring->lost);
	CU_ASSERT(!ltt_own_is_used(&shm));
	shm.successor = NULL;
	CU_ASSERT_EQUAL(record_write(&shm, 1, 1, 2), 0);
	end();
}

/* Or else a program could take away what lttd is reading. */
static void files_that_can_shrink_are_not_mapped(void)
{
	size_t size = ltt_shm_size(1, NR_SB, PAGE_ORDER);
	int fd = memfd_create("ltt-test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	CU_ASSERT_FATAL(fd >= 0 && !ftruncate(fd, size));
	CU_ASSERT_EQUAL(ltt_shm_map(&shm, fd, 1, 1, NR_SB, PAGE_ORDER), -EPERM);
	CU_ASSERT_FATAL(!fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK));
	CU_ASSERT_EQUAL(ltt_shm_map(&shm, fd, 2, 2, NR_SB, PAGE_ORDER), -EINVAL);
	CU_ASSERT_EQUAL(ltt_shm_map(&shm, fd, 1, 1, NR_SB, PAGE_ORDER), 0);
	end();
	close(fd);
}

static void errno_is_kept(void)
{
	unsigned int i;

	begin(false);
	ltt_shm_ring(&shm, 0)->waiting = 1;
	for (i = 0; i < 300; i++) {
		errno = 12345;
		record_write(&shm, 1, 1, i);
		CU_ASSERT_EQUAL(errno, 12345);
	}
	end();
}

#if LTT_HAS_VALUES

static bool stores_name(const struct ltt_thread_name *name)
{
	const struct ltt_layout layout = ltt_layout_of(1, NULL, 0);
	uint64_t before;
	unsigned int i;

	/* A sequence may be interrupted, and the record before it may be of another epoch. */
	for (i = 0; i < 10; i++) {
		record_write(&shm, 1, 1, 0);
		before = reader.ring->head;
		if (ltt_sequence_named(&shm, &layout, 1, name, NULL, 0) == LTT_SEQUENCE_DONE)
			return true;
		CU_ASSERT_EQUAL(reader.ring->head, before);
	}
	return false;
}

static void a_name_is_stored_until_it_is_too_old(void)
{
	struct ltt_thread_name name = { .until = UINT64_MAX, .size = 3, .text = "ab" };

	begin(false);
	CU_ASSERT(stores_name(&name));
	name.until = ltt_counter();
	CU_ASSERT(!stores_name(&name));
	name.until = 0;
	CU_ASSERT(!stores_name(&name));
	end();
}

#endif

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(records_are_read_as_written),
		UNIT_TEST(headers_are_short),
		UNIT_TEST(packets_are_sub_buffers),
		UNIT_TEST(sub_buffers_are_used_to_the_end),
		UNIT_TEST(records_that_do_not_fit_are_counted),
		UNIT_TEST(a_packet_is_kept_until_it_is_taken),
		UNIT_TEST(the_newest_survive),
		UNIT_TEST(a_packet_that_was_overwritten_is_known),
		UNIT_TEST(long_pauses_do_not_matter),
		UNIT_TEST(the_next_reader_goes_on),
		UNIT_TEST(a_head_that_went_back_is_nonsense),
		UNIT_TEST(nonsense_is_refused),
		UNIT_TEST(nonsense_is_refused_where_the_oldest_goes),
		UNIT_TEST(memory_is_prepared),
		UNIT_TEST(reading_resumes_after_a_damaged_sub_buffer),
		UNIT_TEST(reading_resumes_after_a_damaged_head),
		UNIT_TEST(withheld_sub_buffers_are_not_used),
		UNIT_TEST(retired_buffers_take_no_record),
		UNIT_TEST(files_that_can_shrink_are_not_mapped),
		UNIT_TEST(errno_is_kept),
#if LTT_HAS_VALUES
		UNIT_TEST(a_name_is_stored_until_it_is_too_old),
#endif
		{ NULL, NULL }
	};

	(void)argc;
	if (!ltt_shm_can_write()) {
		puts("ok shm # SKIP there are no restartable sequences here");
		return 0;
	}
	return unit_main(argv[0], tests);
}
