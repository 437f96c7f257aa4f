// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call stacks as contexts: capturing them, and storing each once in a packet.
 *
 * Layer: tracer.  Context: any, NMI included, preemption off, unless it says otherwise.
 *
 * A stack has a number, which is a hash of its addresses, so that it is the same on all CPUs.
 * The first record of a packet that has a certain stack has its addresses, too; later records
 * of that packet have the number alone.  So each packet is complete by itself: neither a
 * flight recorder, which overwrites packets, nor a reader that begins in the middle of a
 * stream lacks the addresses of a stack.
 *
 * A table for each buffer remembers which stacks the present packet has.  An entry is one
 * word, a tag of stack and packet, so a table needs no reset for a new packet and no lock:
 * contexts that interrupt each other replace whole tags.  A writer that finds the right tag
 * may write a record without addresses, if that record comes to lie in the same packet.  A
 * writer that does not find it writes the addresses.  A tag that another stack has replaced
 * costs room, no more.
 */
#include "tracer.h"

#include <linux/compat.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <ltt/origin.h>

#include "stack.h"

/* ---- Capturing ---- */

#ifdef CONFIG_STACKTRACE
/* From the address of a probed instruction to that of the one behind it, or behind the call
 * that ftrace has put there. */
#define ORIGIN_BYTES	16

/**
 * ltt_stack_of_kernel() - capture the call stack in the kernel
 * @to: receives addresses, with room for LTT_STACK_OWN + LTT_STACK_BETWEEN more than @max
 * @max: the most to return
 * @site: where the tracer was called.  The stack begins there, or at the origin of the event
 *
 * Return: the number of addresses; 0 where RCU does not watch, which the unwinder needs.
 */
unsigned int notrace ltt_stack_of_kernel(unsigned long *to, unsigned int max, unsigned long site)
{
	unsigned long origin = READ_ONCE(this_cpu_ptr(&ltt_origin)->at[ltt_level()]);
	unsigned int nr, own, i;

	if (!rcu_is_watching())
		return 0;
	nr = stack_trace_save(to, max + LTT_STACK_OWN + (origin ? LTT_STACK_BETWEEN : 0), 0);
	for (own = 0; own < nr && own < LTT_STACK_OWN; own++)
		if (to[own] == site)
			break;
	/* The unwinder may not know the way through the tracer: then all of it stays. */
	if (own == LTT_STACK_OWN || own == nr)
		own = 0;
	/* Nor that through the handler of a probe. */
	for (i = own; origin && i < nr && i < own + LTT_STACK_BETWEEN; i++) {
		if (to[i] - origin + 1 <= ORIGIN_BYTES) {
			own = i;
			break;
		}
	}
	nr = min(nr - own, max);
	memmove(to, to + own, nr * sizeof(*to));
	return nr;
}
#endif

#ifdef LTT_STACK_OF_USER

/* The frame record that a frame pointer points to, of a program with words of its kernel. */
struct frame {
	unsigned long next;
	unsigned long returns;
};

/* The same of a 32-bit program on a 64-bit kernel. */
struct short_frame {
	u32 next;
	u32 returns;
};

static unsigned long frame_pointer_of(const struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return regs->bp;
#else
	/* The frames of 32-bit ARM have no form that all compilers and instruction sets share. */
	return compat_user_mode(regs) ? 0 : regs->regs[29];
#endif
}

static bool has_short_frames(struct pt_regs *regs)
{
#ifdef CONFIG_X86_64
	return !user_64bit_mode(regs);
#else
	return false;
#endif
}

/* A page that is not present ends the walk: nothing waits for it here. */
static bool read_frame(unsigned long at, bool is_short, struct frame *frame)
{
	struct short_frame half;

	if (!is_short)
		return !copy_from_user_nofault(frame, (const void __user *)at, sizeof(*frame));
	if (copy_from_user_nofault(&half, (const void __user *)at, sizeof(half)))
		return false;
	*frame = (struct frame){ half.next, half.returns };
	return true;
}

/* Pointer authentication of programs puts a signature into the upper bits, which differs from process to process. */
static __always_inline unsigned long plain(unsigned long address)
{
#ifdef CONFIG_ARM64
	register unsigned long link asm("x30") = address;

	asm("hint #7" : "+r" (link));	/* xpaclri, where there is one */
	return link;
#else
	return address;
#endif
}

/**
 * ltt_stack_of_user() - capture the call stack of the program that runs or was interrupted
 * @to: receives addresses
 * @max: the most to return
 * @site: not used
 *
 * The frames of programs that are not built with frame pointers are missing, or wrong.  A 32-bit ARM program has
 * one address, that where it runs.
 *
 * Return: the number of addresses; 0 for a thread of the kernel.
 */
unsigned int notrace ltt_stack_of_user(unsigned long *to, unsigned int max, unsigned long site)
{
	struct pt_regs *regs = task_pt_regs(current);
	unsigned long at, word = sizeof(long);
	struct frame frame;
	unsigned int nr = 0;
	bool is_short;

	/* The registers of a worker are those of the thread that made it.  On older kernels a worker
	 * of io_uring has a flag of its own only. */
	if (!current->mm || current->flags & (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER))
		return 0;
	is_short = has_short_frames(regs);
	word = is_short ? sizeof(u32) : sizeof(long);
	to[nr++] = instruction_pointer(regs);
	at = frame_pointer_of(regs);
	/* Each frame is above the last, so the walk ends. */
	while (nr < max && at && !(at % word) && read_frame(at, is_short, &frame)) {
		if (!frame.returns)
			break;
		to[nr++] = plain(frame.returns);
		if (frame.next <= at)
			break;
		at = frame.next;
	}
	return nr;
}

#endif

/* ---- Which packet has which stack ---- */

#define MIX	0x9e3779b97f4a7c15ULL

/* Where the numbers of stacks begin: see ltt_stack_alloc(). */
static u64 start __read_mostly;

/**
 * ltt_stack_number() - compute the number of a stack
 * @address: its addresses
 * @nr: their number
 *
 * Return: a hash, not 0.  Two stacks of a packet have the same one with a chance of 2^-64.
 */
u64 notrace ltt_stack_number(const unsigned long *address, unsigned int nr)
{
	u64 hash = start ^ nr;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		hash = (hash ^ address[i]) * MIX;
		hash ^= hash >> 32;
	}
	return hash ?: 1;
}

static u64 tag_of(u64 number, u64 packet)
{
	return (number + (packet + 1) * MIX) ?: 1;
}

/**
 * ltt_stack_find() - look whether a packet has the addresses of a stack
 * @tags: the table of the buffer
 * @number: of the stack
 * @packet: number of the packet
 * @found: receives the answer.  It holds as long as nothing else was written to the buffer
 *
 * Return: where ltt_stack_found() is to put the tag.
 */
ltt_u64 notrace *ltt_stack_find(struct ltt_stack_tags *tags, u64 number, u64 packet, bool *found)
{
	ltt_u64 *tag = &tags->tag[number & (LTT_STACK_TAGS - 1)];

	*found = ltt_u64_read(tag) == tag_of(number, packet);
	return tag;
}

/**
 * ltt_stack_found() - a record with the addresses of a stack is in a packet
 * @tag: from ltt_stack_find()
 * @number: of the stack
 * @packet: number of the packet, from ltt_record_try_at() or ltt_record_write_context()
 */
void notrace ltt_stack_found(ltt_u64 *tag, u64 number, u64 packet)
{
	ltt_u64_write(tag, tag_of(number, packet));
}

/* ---- Memory to build contexts in ---- */

static struct ltt_stack_scratch __percpu *scratches[LTT_LEVELS];

/**
 * ltt_stack_begin() - take the memory of this context
 *
 * Return: the memory; NULL if an event of the same context has it.  So an event that the
 * capture of a user stack itself causes, by a page fault, has no stacks.
 */
struct ltt_stack_scratch notrace *ltt_stack_begin(void)
{
	struct ltt_stack_scratch *scratch = this_cpu_ptr(scratches[ltt_level()]);

	if (scratch->is_busy)
		return NULL;
	scratch->is_busy = true;
	barrier();	/* compiler: before the capture that may nest; pairs with ltt_stack_end() */
	return scratch;
}

/**
 * ltt_stack_end() - release the memory of this context
 * @scratch: from ltt_stack_begin(), not NULL
 */
void notrace ltt_stack_end(struct ltt_stack_scratch *scratch)
{
	barrier();	/* compiler: after the last use; pairs with ltt_stack_begin() */
	scratch->is_busy = false;
}

/**
 * ltt_stack_alloc() - make that memory, before the first event with a stack
 * @random: a random number, of which the first one counts: numbers of stacks begin with it, so
 *	that no program can make a stack with the number of another one
 *
 * The memory stays until the module goes.
 *
 * Context: may sleep; registry lock held.
 * Return: 0 or -ENOMEM.
 */
int ltt_stack_alloc(u64 random)
{
	unsigned int i;

	if (!start)
		start = random;
	for (i = 0; i < LTT_LEVELS; i++) {
		if (!scratches[i])
			scratches[i] = alloc_percpu(struct ltt_stack_scratch);
		if (!scratches[i])
			return -ENOMEM;
	}
	return 0;
}

/**
 * ltt_stack_exit() - free it; there is no trace any more
 */
void ltt_stack_exit(void)
{
	unsigned int i;

	for (i = 0; i < LTT_LEVELS; i++)
		free_percpu(scratches[i]);
}
