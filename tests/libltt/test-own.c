// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Tests of rings that one thread owns: signal handlers at each instruction, processes that are
 * killed, rings that one thread takes over from another.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../unit/unit.h"
#include "records.h"
#include "../../userspace/libltt/own-values.h"

#define WRITERS		16
#define NR_SB		4

/**
 * struct writer - a thread, or its handler; in shared memory
 * @stored: records
 * @lost: records
 * @seen: records that were read
 * @after: the number of the last of these, and 1
 * @since: of a handler: records since the thread's own last one was whole
 */
struct writer {
	uint64_t stored;
	uint64_t lost;
	uint64_t seen;
	uint64_t after;
	uint64_t since;
};

static struct ltt_shm shm;
static struct ltt_shm_reader readers[RINGS_OWN];
static struct writer *writers;
static const char *wrong;
/* The child may have written the record that its parent was about to write. */
static uint32_t either = WRITERS;

static void begin_as(uint32_t sb_order, bool overwrite)
{
	unsigned int i;

	shm_create(&shm, NR_SB, sb_order, overwrite);
	for (i = 0; i < RINGS_OWN; i++)
		ltt_shm_reader_init(&readers[i], &shm, shm.nr_cpus + i);
	writers = mmap(NULL, WRITERS * sizeof(*writers), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CU_ASSERT_FATAL(writers != MAP_FAILED);
	wrong = NULL;
}

static void begin(uint32_t sb_order)
{
	begin_as(sb_order, false);
}

static void end(void)
{
	if (wrong)
		printf("# %s\n", wrong);
	CU_ASSERT_PTR_NULL(wrong);
	/* This thread's rings: the next buffers may be at the same address. */
	ltt_own_forget();
	ltt_shm_unmap(&shm);
	munmap(writers, WRITERS * sizeof(*writers));
}

/* ---- Reading ---- */

/* The end of a packet of these rings is its last record's time. */
static void note_time(const struct record *record, void *last)
{
	struct writer *writer = &writers[record->writer];

	*(uint64_t *)last = record->time;
	if (record->number < writer->after && record->writer != either)
		wrong = "a record was read twice, or out of order";
	writer->after = record->number + 1;
	writer->seen++;
}

static void read_rings(bool partial)
{
	struct ltt_shm_packet packet;
	const char *problem;
	unsigned int i;
	int err;

	for (i = 0; i < RINGS_OWN; i++) {
		while (!(err = ltt_shm_peek(&readers[i], partial, &packet))) {
			uint64_t last = packet.begin;

			if (packet.end != LTT_SHM_LAST_RECORD)
				wrong = "a thread's ring tells an end";
			problem = packet_read(&packet, note_time, &last);
			if (problem)
				wrong = problem;
			packet.end = last;
			ltt_shm_take(&readers[i], &packet);
		}
		if (err != -EAGAIN)
			wrong = "a written record is taken for nonsense";
	}
}

static uint64_t lost_in_rings(void)
{
	uint64_t lost = 0;
	unsigned int i;

	for (i = 0; i < shm.nr_rings; i++)
		lost += ltt_shm_ring(&shm, i)->lost;
	return lost;
}

/* ---- Writing ---- */

static void one_more(uint32_t me)
{
	struct writer *writer = &writers[me];
	int err = record_write_own(&shm, me * 7 % 40, me, writer->stored + writer->lost);

	if (!err)
		writer->stored++;
	else
		writer->lost++;
}

static void check_all_seen(void)
{
	uint64_t lost = 0;
	unsigned int i;

	for (i = 0; i < WRITERS; i++) {
		CU_ASSERT_EQUAL(writers[i].seen, writers[i].stored);
		lost += writers[i].lost;
	}
	CU_ASSERT_EQUAL(lost_in_rings(), lost);
}

/* ---- At each instruction ---- */

#ifdef __x86_64__
static volatile unsigned int steps, interrupt_at;

/* The processor traps after each instruction (flag TF) until there is nothing to do. */
static void on_step(int signal)
{
	(void)signal;
	if (++steps == interrupt_at)
		one_more(1);
}

static __attribute__((noinline)) void stepped(void)
{
	__asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");
	one_more(0);
	__asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");
}

/* With sub-buffers of a page, so that all that is rare comes to pass, too. */
static void a_handler_at_each_instruction(void)
{
	unsigned int round, most = 0;

	begin(12);
	signal(SIGTRAP, on_step);
	one_more(0);
	for (round = 0; round < 8; round++) {
		interrupt_at = 0;
		do {
			interrupt_at++;
			steps = 0;
			stepped();
			read_rings(interrupt_at % 2);
		} while (steps >= interrupt_at && !wrong);
		most = steps > most ? steps : most;
	}
	read_rings(true);
	check_all_seen();
	CU_ASSERT(writers[1].stored > 8 * 100);
	printf("# %u instructions at most, %lu records of handlers\n", most, writers[1].stored);
	signal(SIGTRAP, SIG_DFL);
	end();
}

static struct ltt_shm next;

/* The handler is the first to meet the new buffers: it lets the ring in the old ones go.  From then on the processor
 * does not trap, as the writer may block signals. */
static void on_step_move(int signal, siginfo_t *info, void *context)
{
	const uint64_t words[2] = { 1, 2 };
	ucontext_t *interrupted = context;

	(void)signal, (void)info;
	if (++steps != interrupt_at)
		return;
	interrupted->uc_mcontext.gregs[REG_EFL] &= ~0x100;
	shm.successor = &next;
	CU_ASSERT_EQUAL(ltt_own_write(&next, 1, words, sizeof(words), UINT64_MAX), 0);
}

static __attribute__((noinline)) void stepped_values(const struct ltt_layout *layout, uint64_t *words)
{
	enum ltt_own_result result;

	__asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");
	result = ltt_own_values(&shm, layout, words[0], 1, words[1], 0, 0, 0, 0);
	if (result == LTT_OWN_UNFINISHED || result == LTT_OWN_FAILED)
		ltt_own_finish(result);
	if (result == LTT_OWN_FAILED || result == LTT_OWN_NONE)
		ltt_own_write(&shm, 1, words, 2 * sizeof(words[0]), UINT64_MAX);
	__asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");
}

static uint64_t written_to_next(void)
{
	uint64_t written = 0;
	unsigned int i;

	for (i = next.nr_cpus; i < next.nr_rings; i++)
		written += ltt_shm_ring(&next, i)->head;
	return written;
}

/* The old buffers have sub-buffers of another size, so no record for them may be stored in the new ones. */
static void a_handler_that_leaves_the_buffers(void)
{
	const struct ltt_mark_step step = { .size = sizeof(uint64_t) };
	const struct ltt_layout layout = ltt_layout_of(1, &step, 1);
	const struct sigaction action = { .sa_sigaction = on_step_move, .sa_flags = SA_SIGINFO };
	uint64_t words[2] = { 3, 4 };

	interrupt_at = 0;
	sigaction(SIGTRAP, &action, NULL);
	do {
		begin(12);
		shm_create(&next, NR_SB, 13, false);
		ltt_own_write(&shm, 1, words, sizeof(words), UINT64_MAX);
		interrupt_at++;
		steps = 0;
		stepped_values(&layout, words);
		if (steps >= interrupt_at)
			CU_ASSERT_EQUAL(written_to_next(), LTT_HEADER_LONG + sizeof(words));
		shm.successor = NULL;
		end();
		ltt_shm_unmap(&next);
	} while (steps >= interrupt_at);
	CU_ASSERT(interrupt_at > 30);
	signal(SIGTRAP, SIG_DFL);
}

/* A snapshot: what was there, but for the oldest sub-buffer. */
static void look(struct ltt_shm_reader *reader)
{
	struct ltt_shm_packet packet;
	uint64_t size = 0, last;
	const char *problem;
	int err;

	writers[0].after = 0;
	while (!(err = ltt_shm_peek(reader, true, &packet))) {
		last = packet.begin;
		problem = packet_read(&packet, note_time, &last);
		if (!ltt_shm_survived(reader, &packet))
			wrong = "a packet was overwritten without a writer";
		wrong = problem ? problem : wrong;
		size += packet.size;
		packet.end = last;
		ltt_shm_take(reader, &packet);
	}
	if (err != -EAGAIN)
		wrong = "a written record is taken for nonsense";
	if (size < (NR_SB - 2) * 4096 - RECORD_SIZE_MAX * NR_SB)
		wrong = "a record that was not overwritten is not found";
}

static void on_step_look(int signal)
{
	struct ltt_shm_reader reader = { .shm = &shm, .ring = readers[0].ring, .thread = true };

	(void)signal;
	if (++steps == interrupt_at)
		look(&reader);
}

/* Will the next record be the first in a sub-buffer? */
static bool next_opens(const struct ltt_shm_ring *ring)
{
	uint64_t number = writers[0].stored + writers[0].lost;

	return ring->head % 4096 + LTT_HEADER_LONG + record_size(0, number) >= 4096;
}

/* As if it were killed there: nothing is written on while it is read.  Of the records that
 * open a sub-buffer, for that takes the oldest away. */
static void a_snapshot_at_each_instruction(void)
{
	const struct ltt_shm_ring *ring;
	unsigned int i, most = 0;
	uint64_t before;

	begin_as(12, true);
	ring = readers[0].ring;
	signal(SIGTRAP, on_step_look);
	for (i = 0; i < 500; i++)
		one_more(0);
	interrupt_at = 0;
	do {
		interrupt_at++;
		do {
			before = ring->head / 4096;
			steps = 0;
			if (next_opens(ring))
				stepped();
			else
				one_more(0);
		} while (ring->head / 4096 == before && !wrong);
		most = steps > most ? steps : most;
	} while (steps >= interrupt_at && !wrong);
	CU_ASSERT(most > 100 && !writers[0].lost);
	signal(SIGTRAP, SIG_DFL);
	end();
}
#endif

/* ---- Threads and signals ---- */

static __thread uint32_t me;
static volatile bool enough;
static unsigned int started;	/* threads that know who they are */

static void on_alarm(int signal)
{
	(void)signal;
	writers[me + 1].since++;
	one_more(me + 1);
}

static void *write_on(void *nr)
{
	me = (long)nr;
	__atomic_fetch_add(&started, 1, __ATOMIC_SEQ_CST);
	while (!enough)
		one_more(me);
	return NULL;
}

static void threads_with_handlers(void)
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
	uint64_t until = time(NULL) + 2;
	pthread_t thread[3];
	long i;

	begin(13);
	me = 6;
	signal(SIGALRM, on_alarm);
	enough = false;
	started = 0;
	for (i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, write_on, (void *)(2 * i));
	/* A handler in one that does not would write in the name of another. */
	while (__atomic_load_n(&started, __ATOMIC_SEQ_CST) < 3)
		sched_yield();
	setitimer(ITIMER_REAL, &often, NULL);
	while ((uint64_t)time(NULL) < until)
		read_rings(false);
	setitimer(ITIMER_REAL, &never, NULL);
	enough = true;
	for (i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	read_rings(true);
	check_all_seen();
	CU_ASSERT(writers[0].stored > 1000 && writers[1].stored + writers[3].stored +
		  writers[5].stored + writers[7].stored > 100);
	end();
}

/* ---- A handler that forks ---- */

static volatile pid_t forked;

/* In the middle of a record, mostly: the child goes on there, with its parent's ring. */
static void fork_on_alarm(int signal)
{
	(void)signal;
	forked = fork();
	if (!forked)
		ltt_own_forget();
}

static void a_handler_that_forks(void)
{
	unsigned int children = 0;
	uint64_t before = 0;
	int status;

	begin(12);
	either = 0;
	signal(SIGALRM, fork_on_alarm);
	while (children < 500 && !wrong) {
		const struct itimerval soon = { { 0, 0 }, { 0, 20 + children % 97 } };

		forked = -1;
		setitimer(ITIMER_REAL, &soon, NULL);
		while (forked < 0)
			before += !record_write_own(&shm, 3, 0, before);
		if (!forked) {
			/* In a ring of its own. */
			one_more(2);
			_exit(0);
		}
		if (waitpid(forked, &status, 0) != forked || status)
			wrong = "the child came to grief";
		children++;
		read_rings(children % 2);
	}
	read_rings(true);
	CU_ASSERT_EQUAL(writers[2].seen, children);
	CU_ASSERT(writers[0].seen >= before && writers[0].seen <= before + children);
	either = WRITERS;
	signal(SIGALRM, SIG_DFL);
	end();
}

/* ---- Rings that change hands ---- */

static void *write_once(void *nr)
{
	me = (long)nr;
	one_more(me);
	return NULL;
}

static void a_thread_that_ends_leaves_its_ring(void)
{
	pthread_t thread;
	int i;

	begin(12);
	for (i = 0; i < 10 * RINGS_OWN; i++) {
		pthread_create(&thread, NULL, write_once, (void *)2L);
		pthread_join(thread, NULL);
	}
	read_rings(true);
	check_all_seen();
	CU_ASSERT_EQUAL(writers[2].stored, 10 * RINGS_OWN);
	end();
}

static pthread_barrier_t barrier;

static void *write_and_wait(void *nr)
{
	write_once(nr);
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void one_too_many_is_counted(void)
{
	pthread_t thread[RINGS_OWN + 1];
	uint64_t lost = 0;
	long i;

	begin(12);
	pthread_barrier_init(&barrier, NULL, RINGS_OWN + 1);
	for (i = 0; i <= RINGS_OWN; i++)
		pthread_create(&thread[i], NULL, write_and_wait, (void *)i);
	for (i = 0; i <= RINGS_OWN; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i <= RINGS_OWN; i++)
		lost += writers[i].lost;
	CU_ASSERT_EQUAL(lost, 1);
	CU_ASSERT_EQUAL(ltt_shm_ring(&shm, 0)->lost, 1);
	read_rings(true);
	check_all_seen();
	end();
}

static void too_large_records_are_counted(void)
{
	uint64_t words[600] = { 0 };

	begin(12);
	CU_ASSERT_EQUAL(ltt_own_write(&shm, 1, words, 4096, UINT64_MAX), -EMSGSIZE);
	CU_ASSERT_EQUAL(ltt_own_write(&shm, 1, words, UINT32_MAX - 3, UINT64_MAX), -EMSGSIZE);
	CU_ASSERT_EQUAL(lost_in_rings(), 2);
	end();
}

/* ---- Killed ---- */

static void run_process(uint32_t nr)
{
	const struct itimerval often = { { 0, 100 }, { 0, 100 } };

	ltt_own_forget();
	me = nr;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (;;) {
		one_more(me);
		writers[me + 1].since = 0;
	}
}

/* The last record of each writer may be published or not.  Records that a handler stores in the
 * middle of another record are published together with that record. */
static void check_killed(void)
{
	unsigned int i;

	for (i = 0; i < WRITERS; i++)
		if (writers[i].seen > writers[i].stored + 1 ||
		    writers[i].seen + writers[i].since < writers[i].stored)
			wrong = "other records than those that were stored";
	memset(writers, 0, WRITERS * sizeof(*writers));
}

static void killed_at_random(void)
{
	unsigned int rounds = getenv("LTT_ROUNDS") ? atoi(getenv("LTT_ROUNDS")) : 300, kills = 0, seed = time(NULL), i;
	uint64_t seen = 0;

	begin(12);
	while (rounds-- && !wrong) {
		pid_t pid[4];

		for (i = 0; i < 4; i++) {
			pid[i] = fork();
			if (!pid[i])
				run_process(2 * i);
		}
		for (i = 0; i < 4; i++) {
			struct timespec pause = { 0, rand_r(&seed) % 2000000 };

			while (!writers[2 * i].stored && !waitpid(pid[i], NULL, WNOHANG))
				read_rings(true);
			nanosleep(&pause, NULL);
			read_rings(rand_r(&seed) % 2);
			kill(pid[i], SIGKILL);
			waitpid(pid[i], NULL, 0);
			kills++;
		}
		read_rings(true);
		for (i = 0; i < WRITERS; i++)
			seen += writers[i].seen;
		check_killed();
	}
	printf("# %u processes killed, %lu records read\n", kills, seen);
	CU_ASSERT(seen > kills);
	end();
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
#ifdef __x86_64__
		UNIT_TEST(a_handler_at_each_instruction),
		UNIT_TEST(a_handler_that_leaves_the_buffers),
		UNIT_TEST(a_snapshot_at_each_instruction),
#endif
		UNIT_TEST(threads_with_handlers),
		UNIT_TEST(a_handler_that_forks),
		UNIT_TEST(a_thread_that_ends_leaves_its_ring),
		UNIT_TEST(one_too_many_is_counted),
		UNIT_TEST(too_large_records_are_counted),
		UNIT_TEST(killed_at_random),
		{ NULL, NULL }
	};

	(void)argc;
	ltt_own_prepare();
	setvbuf(stdout, NULL, _IOLBF, 0);	/* before there are children */
	return unit_main(argv[0], tests);
}
