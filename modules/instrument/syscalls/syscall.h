/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations that the files of ltt-syscalls share.
 *
 * Layer: instrument.
 */
#ifndef LTT_SYSCALLS_SYSCALL_H
#define LTT_SYSCALLS_SYSCALL_H

#include <linux/atomic.h>
#include <linux/types.h>

#include <ltt/registry.h>

/* Numbers of system calls are below this: a power of two, so that no number, not even one
 * that a processor speculates with, reaches beyond a table of this size. */
#define LTT_SYSCALL_SLOTS	1024

#define LTT_SYSCALL_ARGS	6

/**
 * enum ltt_step_how - how a field of a system call is packed
 * @LTT_STEP_VALUE: the argument itself
 * @LTT_STEP_STRING: the string that the argument points to
 * @LTT_STEP_MEMBER: a member of the structure that the argument points to
 * @LTT_STEP_SOCKADDR: the socket address that the argument points to; the next argument is
 *	its length
 */
enum ltt_step_how {
	LTT_STEP_VALUE,
	LTT_STEP_STRING,
	LTT_STEP_MEMBER,
	LTT_STEP_SOCKADDR,
};

/**
 * struct ltt_syscall_step - how to pack the field of the same index
 * @arg: index of the argument
 * @how: an enum ltt_step_how
 * @size: bytes of a value or member
 * @offset: of a member
 */
struct ltt_syscall_step {
	u8 arg;
	u8 how;
	u8 size;
	u8 offset;
};

/* The kind of result of a call; LTT_RETURNS_NEVER: there is no event of its end. */
enum ltt_returns {
	LTT_RETURNS,
	LTT_RETURNS_ADDRESS,
	LTT_RETURNS_NEVER,
};

/**
 * struct ltt_syscall - a system call
 * @plain: its name in asm/unistd.h
 * @name: the name of its marker
 * @exit_name: the name of the marker of its end
 * @fields: of its arguments, and one more, "unread", which belongs to the payload if @reads
 * @steps: one for each of @fields but the last
 * @number: its number
 * @nr_steps: number of elements in @steps
 * @is_compat: it is one of 32-bit programs on a 64-bit kernel
 * @returns: an enum ltt_returns
 * @reads: it has steps that read the memory of the program
 * @wants: bits LTT_WANT_*: which markers have sinks
 * @epoch: 0, or a number that no other call had before: the marker @timed has sinks
 * @unread: how often memory of an argument was not present
 * @enter: the marker of its beginning
 * @exit: the marker of its end
 * @timed: the marker of its end, with the duration
 *
 * Locking: @wants, @epoch and the markers change under the registry lock.  Probes read the
 * first two at any time.
 */
struct ltt_syscall {
	const char *plain;
	const char *name;
	const char *exit_name;
	const struct ltt_field *fields;
	const struct ltt_syscall_step *steps;
	u16 number;
	u8 nr_steps;
	bool is_compat;
	u8 returns;
	bool reads;
	u8 wants;
	unsigned long epoch;
	atomic_long_t unread;
	struct ltt_marker enter;
	struct ltt_marker exit;
	struct ltt_marker timed;
};

#define LTT_WANT_ENTER	1
#define LTT_WANT_EXIT	2

/* table.c: all system calls of this kernel, and those of 32-bit programs */
extern struct ltt_syscall ltt_native_syscalls[];
extern struct ltt_syscall ltt_compat_syscalls[];
extern const unsigned int ltt_nr_native_syscalls;
extern const unsigned int ltt_nr_compat_syscalls;

/* pack.c: the payload of the beginning of a call */
void ltt_syscall_write(struct ltt_syscall *call, const struct ltt_sink *sink,
		       const unsigned long *args);

/* duration.c: when the calls began in which threads are */
int ltt_durations_start(void);
void ltt_durations_exit(void);
void ltt_duration_begin(unsigned long epoch);
u64 ltt_duration_end(unsigned long epoch);

#endif /* LTT_SYSCALLS_SYSCALL_H */
