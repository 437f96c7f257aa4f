// SPDX-License-Identifier: GPL-2.0-only
/*
 * The names of registers, and which of them pass the arguments of a function.
 *
 * Layer: instrument.  The kernel has such a table, too, but modules cannot use it.
 */
#include "probe.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/string.h>

static const struct {
	const char *name;
	u16 offset;
} registers[] = {
#define REGISTER(r, member)	{ r, offsetof(struct pt_regs, member) }
#if defined(CONFIG_X86_64)
	REGISTER("ax", ax), REGISTER("bx", bx), REGISTER("cx", cx), REGISTER("dx", dx),
	REGISTER("si", si), REGISTER("di", di), REGISTER("bp", bp), REGISTER("sp", sp),
	REGISTER("r8", r8), REGISTER("r9", r9), REGISTER("r10", r10), REGISTER("r11", r11),
	REGISTER("r12", r12), REGISTER("r13", r13), REGISTER("r14", r14), REGISTER("r15", r15),
	REGISTER("ip", ip), REGISTER("flags", flags),
#elif defined(CONFIG_ARM64)
#define X(n)	REGISTER("x" #n, regs[n])
	X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), X(8), X(9), X(10),
	X(11), X(12), X(13), X(14), X(15), X(16), X(17), X(18), X(19), X(20),
	X(21), X(22), X(23), X(24), X(25), X(26), X(27), X(28), X(29), X(30),
	REGISTER("sp", sp), REGISTER("pc", pc), REGISTER("pstate", pstate),
#endif
};

/* In order, those that pass integers and pointers. */
static const char *const arguments[] = {
#if defined(CONFIG_X86_64)
	"di", "si", "dx", "cx", "r8", "r9",
#elif defined(CONFIG_ARM64)
	"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7",
#endif
};

/**
 * ltt_register_offset() - look up a register
 * @name: without a percent sign
 *
 * Return: where struct pt_regs has it; -EINVAL if there is none of that name.
 */
int ltt_register_offset(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(registers); i++)
		if (!strcmp(registers[i].name, name))
			return registers[i].offset;
	return -EINVAL;
}

/**
 * ltt_argument_offset() - find the register of an argument
 * @nr: from 1 on
 *
 * Return: where struct pt_regs has it; -EINVAL if no register passes it.
 */
int ltt_argument_offset(unsigned int nr)
{
	return nr && nr <= ARRAY_SIZE(arguments) ? ltt_register_offset(arguments[nr - 1]) : -EINVAL;
}
