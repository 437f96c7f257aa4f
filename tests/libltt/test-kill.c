// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Tests of programs' buffers with processes that are killed, interrupted, moved to another CPU
 * and traced: each published record is read once and whole, and the other processes go on.
 */
#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../unit/unit.h"
#include "../../userspace/libltt/sequence.h"
#include "records.h"

#define WRITERS		16	/* 4 processes of 2 threads, each with a signal handler */
#define PROCESSES	4
#define CPUS_MAX	1024

/**
 * struct writer - of all processes; in shared memory
 * @stored: records, as far as it came to count them
 * @lost: likewise
 * @interrupted: attempts that were given up; neither stored nor lost
 * @seen: records that were read
 * @sum: of their numbers
 */
struct writer {
	uint64_t stored;
	uint64_t lost;
	uint64_t interrupted;
	uint64_t seen;
	uint64_t sum;
};

static struct ltt_shm shm;
static struct ltt_shm_reader readers[CPUS_MAX];
/* The last number read of each writer on each CPU, plus 1. */
static uint64_t after[CPUS_MAX][WRITERS];
static struct writer *writers;
static const char *wrong;

static void forget(void)
{
	memset(after, 0, sizeof(after));
}

static void begin(uint32_t sb_order)
{
	uint32_t cpu;

	shm_create(&shm, 4, sb_order, false);
	CU_ASSERT_FATAL(shm.nr_cpus <= CPUS_MAX);
	forget();
	for (cpu = 0; cpu < shm.nr_cpus; cpu++)
		ltt_shm_reader_init(&readers[cpu], &shm, cpu);
	writers = mmap(NULL, WRITERS * sizeof(*writers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	CU_ASSERT_FATAL(writers != MAP_FAILED);
	wrong = NULL;
}

static void end(void)
{
	munmap(writers, WRITERS * sizeof(*writers));
	ltt_shm_unmap(&shm);
}

static void one_more(struct writer *writer, uint32_t nr)
{
	int err = record_write(&shm, writer->stored % 3 ? 1 : 50, nr, writer->stored);

	if (!err)
		writer->stored++;
	else if (err == -ENOBUFS)
		writer->lost++;
	else
		writer->interrupted++;
}

/* A writer's records are in order on each CPU. */
static void see(const struct record *record, void *cpu)
{
	uint64_t *least;

	if (record->writer >= WRITERS) {
		wrong = "a record of an unknown writer";
		return;
	}
	least = &after[*(uint32_t *)cpu][record->writer];
	if (record->number < *least)
		wrong = "a record again, or before an earlier one";
	*least = record->number + 1;
	writers[record->writer].seen++;
	writers[record->writer].sum += record->number;
}

/* All that it has stored, each once.  The last may have been stored, but not counted. */
static bool seen_all(const struct writer *writer)
{
	return writer->seen - writer->stored <= 1 && writer->sum == writer->seen * (writer->seen - 1) / 2;
}

static void read_cpus(bool partial)
{
	struct ltt_shm_packet packet;
	uint32_t cpu;

	for (cpu = 0; cpu < shm.nr_cpus; cpu++) {
		int err, left = 100;	/* they write as fast as we read */

		while (left-- && !(err = ltt_shm_peek(&readers[cpu], partial, &packet))) {
			const char *what = packet_read(&packet, see, &cpu);

			wrong = what ? what : wrong;
			ltt_shm_take(&readers[cpu], &packet);
		}
		if (left >= 0 && err != -EAGAIN)
			wrong = "nonsense in the ring";
	}
}

static uint64_t lost_in_rings(void)
{
	uint64_t sum = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < shm.nr_cpus; cpu++)
		sum += ltt_shm_ring(&shm, cpu)->lost;
	return sum;
}

/* ---- Killed at each instruction ---- */

/* As the kernel has it, include/uapi/linux/rseq.h; the linker finds their beginning and end. */
struct sequence {
	uint32_t version, flags;
	uint64_t start, size, abort;
};
extern const struct sequence __start___rseq_cs[], __stop___rseq_cs[];

static cpu_set_t all_cpus;

/* On one CPU, with all children to come. */
static void stay_here(void)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(all_cpus), &all_cpus);
	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void go_anywhere(void)
{
	sched_setaffinity(0, sizeof(all_cpus), &all_cpus);
}

/* Some sub-buffers full, that each sequence runs. */
static void write_some(void)
{
	unsigned int i;

	for (i = 0; i < 100; i++)
		one_more(&writers[0], 0);
}

/* ---- Breakpoints of the CPU, which a sequence does not notice ---- */

#ifdef __x86_64__

#define INSTRUCTION	1	/* bytes, at least; an address inside of one is never met */

static bool break_at(pid_t pid, uint64_t address)
{
	/* Of execution, and of this thread. */
	return !ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[0]), address) &&
	       !ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[7]), 1L);
}

static void break_no_more(pid_t pid)
{
	ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[7]), 0L);
}

#else

#include <asm/ptrace.h>

#define INSTRUCTION	4

/* Source: Linux arch/arm64/include/asm/hw_breakpoint.h (encode_ctrl_reg()). */
static bool set_break(pid_t pid, uint64_t address, uint32_t control)
{
	struct user_hwdebug_state state = { .dbg_regs = { { .addr = address, .ctrl = control } } };
	struct iovec iov = { &state, offsetof(struct user_hwdebug_state, dbg_regs[1]) };

	return !ptrace(PTRACE_SETREGSET, pid, NT_ARM_HW_BREAK, &iov);
}

static bool break_at(pid_t pid, uint64_t address)
{
	/* Of the four bytes of an instruction, in user space, enabled. */
	return set_break(pid, address, 0xf << 5 | 2 << 1 | 1);
}

static void break_no_more(pid_t pid)
{
	set_break(pid, 0, 0);
}

#endif

/* A child that runs @fn and has stopped at @address, or 0 if it never came there. */
static pid_t stopped_at(uint64_t address, void (*fn)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME);
		raise(SIGSTOP);
		fn();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (!break_at(pid, address))
		wrong = "there are no debug registers";
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	waitpid(pid, &status, 0);
	return WIFSTOPPED(status) ? pid : 0;
}

static bool kill_at(uint64_t address, void (*fn)(void))
{
	pid_t pid = stopped_at(address, fn);

	if (!pid)
		return false;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return true;
}

/* A function that is there, and called, whatever the compiler thinks of it. */
static __attribute__((noinline)) void nothing(void)
{
	asm volatile("");
}

/* Those of some virtual machines can be set, and never fire. */
static bool breakpoints_fire(void)
{
	return kill_at((uintptr_t)nothing, nothing);
}

static void killed_at_each_instruction(void)
{
	unsigned int nr = __stop___rseq_cs - __start___rseq_cs, i, met = 0, at_least = 0;
	uint64_t address;

	CU_ASSERT_FATAL(nr >= 3);
	stay_here();
	for (i = 0; i < nr; i++) {
		const struct sequence *sequence = &__start___rseq_cs[i];
		unsigned int before = met;

		for (address = sequence->start; address <= sequence->start + sequence->size;
		     address += INSTRUCTION) {
			begin(12);
			if (kill_at(address, write_some)) {
				met++;
				read_cpus(true);
				if (!seen_all(&writers[0]))
					wrong = "other records than those that were stored";
				one_more(&writers[1], 1);
				read_cpus(true);
				if (writers[1].stored != 1 || writers[1].seen != 1)
					wrong = "a survivor cannot go on";
			}
			if (wrong)
				printf("# %s: killed at byte %lu of sequence %u\n", wrong,
				       address - sequence->start, i);
			CU_ASSERT_PTR_NULL(wrong);
			end();
		}
		at_least += met - before > 4;
	}
	/* Those of write.c, and in record_write() one for each number of values and one with a name; not those of trial.c
	 * and mark.c. */
	CU_ASSERT_EQUAL(at_least, 3 + (LTT_HAS_VALUES ? LTT_VALUES_MAX + 1 : 0));
	go_anywhere();
}

/* ---- Overtaken as a sequence is about to begin ---- */

/* The record's place is stale: another has written, and perhaps filled the
 * ring more than once; and it may be elsewhere. */
static bool overtake_at(uint64_t address, bool move_it, unsigned int others_write)
{
	pid_t pid = stopped_at(address, write_some);
	struct ltt_shm_ring *ring = ltt_shm_ring(&shm, sched_getcpu());
	cpu_set_t others = all_cpus;
	uint64_t head;

	if (!pid)
		return false;
	while (others_write--) {
		one_more(&writers[1], 1);
		read_cpus(true);
	}
	head = ring->head;
	CPU_CLR(sched_getcpu(), &others);
	move_it = move_it && CPU_COUNT(&others);
	if (move_it && sched_setaffinity(pid, sizeof(others), &others))
		wrong = "it cannot be moved";
	break_no_more(pid);
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	waitpid(pid, NULL, 0);
	if (move_it && ring->head != head)
		wrong = "it has written to the ring of a CPU that it was not on";
	return true;
}

static void overtaken_before_it_begins(void)
{
	unsigned int nr = __stop___rseq_cs - __start___rseq_cs, i, met = 0;
	uint64_t before, lost;

	stay_here();
	for (i = 0; i < 4 * nr; i++) {
		uint64_t start = __start___rseq_cs[i / 4].start;

		/* To telling the kernel of the sequence from loading the CPU on; or from loading
		 * the position on, as the reader may then overtake it. */
		for (before = INSTRUCTION; before < (i % 4 == 2 ? 250 : 48); before += INSTRUCTION) {
			begin(12);
			met += overtake_at(start - before, i % 2, i % 4 < 2 ? 1 : 300);
			lost = lost_in_rings();
			read_cpus(true);
			if (!seen_all(&writers[0]) || (writers[1].seen && !seen_all(&writers[1])))
				wrong = "other records than those that were stored";
			if (lost)
				wrong = "there was room, and a record was lost";
			if (wrong)
				printf("# %s: overtaken %lu bytes before sequence %u\n", wrong, before, i / 4);
			CU_ASSERT_PTR_NULL(wrong);
			end();
		}
	}
	CU_ASSERT(met >= 12 * nr);
	go_anywhere();
}

/* ---- Read while it is written ---- */

static void packets_that_end_at_the_head(void)
{
	struct timespec started, now;
	unsigned int rounds = 0;
	pid_t pid;

	begin(16);
	pid = fork();
	if (!pid)
		for (;;)
			one_more(&writers[0], 0);
	clock_gettime(CLOCK_MONOTONIC, &started);
	do {
		read_cpus(true);
		rounds++;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (!wrong && now.tv_sec - started.tv_sec < 2);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	read_cpus(true);
	printf("# %u times, %lu records\n", rounds, writers[0].seen);
	if (wrong)
		printf("# %s\n", wrong);
	CU_ASSERT(!wrong && seen_all(&writers[0]) && writers[0].seen > 1000);
	end();
}

/* ---- Step by step ---- */

static void a_debugger_does_not_hold_it_up(void)
{
	unsigned int steps = 0;
	int status;
	pid_t pid;

	begin(12);
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME);
		raise(SIGSTOP);
		one_more(&writers[0], 0);
		raise(SIGSTOP);
		one_more(&writers[0], 0);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	do {
		ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL);
		waitpid(pid, &status, 0);
		steps++;
	} while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP && steps < 1000000);
	CU_ASSERT(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
	CU_ASSERT(writers[0].interrupted == 1 && !writers[0].stored && !writers[0].lost);
	read_cpus(true);
	CU_ASSERT(!writers[0].seen && !wrong);
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	waitpid(pid, &status, 0);
	read_cpus(true);
	CU_ASSERT(writers[0].stored == 1 && writers[0].seen == 1 && !wrong);
	end();
}

/* ---- At random ---- */

static __thread uint32_t me;

static void on_signal(int signal)
{
	(void)signal;
	one_more(&writers[me + 1], me + 1);
}

static void move(unsigned int *seed)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(rand_r(seed) % shm.nr_cpus, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *write_for_ever(void *nr)
{
	unsigned int seed = time(NULL) + (long)nr, i;

	me = (long)nr;
	for (;;) {
		for (i = rand_r(&seed) % 200; i; i--)
			one_more(&writers[me], me);
		if (rand_r(&seed) % 2)
			raise(SIGUSR1);
		if (rand_r(&seed) % 4 == 0)
			move(&seed);
	}
	return NULL;
}

static void run_process(long nr)
{
	pthread_t thread;

	signal(SIGUSR1, on_signal);
	pthread_create(&thread, NULL, write_for_ever, (void *)(4 * nr));
	write_for_ever((void *)(4 * nr + 2));
}

static void check_round(uint64_t lost_before)
{
	uint64_t told = 0;
	unsigned int i;

	for (i = 0; i < WRITERS; i++) {
		if (writers[i].seen && !seen_all(&writers[i]))
			wrong = "other records than those that were stored";
		told += writers[i].lost;
	}
	/* The last of each may have been lost, but not counted. */
	if (lost_in_rings() - lost_before - told > WRITERS)
		wrong = "another number of losses than the writers saw";
	memset(writers, 0, WRITERS * sizeof(*writers));
	forget();
}

static void killed_at_random(void)
{
	unsigned int rounds = getenv("LTT_ROUNDS") ? atoi(getenv("LTT_ROUNDS")) : 300, kills = 0, i;
	unsigned int seed = time(NULL);
	uint64_t stored = 0;

	begin(13);
	while (rounds-- && !wrong) {
		uint64_t lost_before = lost_in_rings();
		pid_t pid[PROCESSES];

		for (i = 0; i < PROCESSES; i++) {
			pid[i] = fork();
			if (!pid[i])
				run_process(i);
		}
		for (i = 0; i < PROCESSES; i++) {
			struct timespec pause = { 0, rand_r(&seed) % 3000000 };

			/* On a busy machine it may not have begun yet. */
			while (!writers[4 * i].stored && !writers[4 * i + 2].stored &&
			       !waitpid(pid[i], NULL, WNOHANG))
				read_cpus(true);
			nanosleep(&pause, NULL);
			read_cpus(rand_r(&seed) % 2);
			kill(pid[i], SIGKILL);
			waitpid(pid[i], NULL, 0);
			kills++;
		}
		read_cpus(true);
		for (i = 0; i < WRITERS; i++)
			stored += writers[i].stored;
		check_round(lost_before);
	}
	printf("# %u processes killed, %lu records read\n", kills, stored);
	if (wrong)
		printf("# %s\n", wrong);
	CU_ASSERT_PTR_NULL(wrong);
	CU_ASSERT(kills && stored > kills);
	end();
}

/* "breakpoints": the tests that need them, which may not be skipped then. */
int main(int argc, char **argv)
{
	static const struct unit_test with_breakpoints[] = {
		UNIT_TEST(killed_at_each_instruction),
		UNIT_TEST(overtaken_before_it_begins),
		{ NULL, NULL }
	};
	static const struct unit_test others[] = {
		UNIT_TEST(packets_that_end_at_the_head),
		UNIT_TEST(a_debugger_does_not_hold_it_up),
		UNIT_TEST(killed_at_random),
		{ NULL, NULL }
	};
	bool alone = argc > 1 && !strcmp(argv[1], "breakpoints");
	const struct unit_test *test;
	int status = EXIT_SUCCESS;

	if (!ltt_shm_can_write()) {
		puts("ok kill # SKIP there are no restartable sequences here");
		return alone ? EXIT_FAILURE : EXIT_SUCCESS;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);	/* before there are children */
	if (alone)
		return unit_main(argv[0], with_breakpoints);
	if (breakpoints_fire())
		status = unit_main(argv[0], with_breakpoints);
	else
		for (test = with_breakpoints; test->name; test++)
			printf("ok kill/%s # SKIP no breakpoint of this machine's CPU fires; vm/libltt-breakpoints has it\n",
			       test->name);
	return unit_main(argv[0], others) == EXIT_SUCCESS ? status : EXIT_FAILURE;
}
