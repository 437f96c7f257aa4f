// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names of registers, and which have arguments: those of the machine that lttctl runs on.
 *
 * Layer: lttctl.
 */
#include "registers.h"

#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
static const struct probe_register parts[] = {
	{ "ax", 0, 64 }, { "bx", 0, 64 }, { "cx", 0, 64 }, { "dx", 0, 64 },
	{ "si", 0, 64 }, { "di", 0, 64 }, { "bp", 0, 64 }, { "sp", 0, 64 },
	{ "r8", 0, 64 }, { "r9", 0, 64 }, { "r10", 0, 64 }, { "r11", 0, 64 },
	{ "r12", 0, 64 }, { "r13", 0, 64 }, { "r14", 0, 64 }, { "r15", 0, 64 },
	{ "ip", 0, 64 }, { "flags", 0, 64 },
};

/* The return address is on the stack, too. */
const struct probe_convention probe_convention = { .registers = 6, .stack = 8 };

static bool is(const char *name, int len, const char *text)
{
	return strlen(text) == (size_t)len && !strncmp(name, text, len);
}

/* The part of r8 to r15 that a letter behind the number means. */
static int numbered_bits(char suffix)
{
	switch (suffix) {
	case 'd': return 32;
	case 'w': return 16;
	case 'b': return 8;
	default: return 0;
	}
}

/* ax is the name of the whole register in ltt-probes, and that of 16 bits for assemblers, who
 * call the whole rax.  A register without a type is recorded whole either way. */
struct probe_register probe_register(struct probe_word word)
{
	static const char *const high[] = { "ah", "bh", "ch", "dh" };
	static const char *const low[] = { "al", "bl", "cl", "dl", "sil", "dil", "bpl", "spl" };
	const char *name = word.at;
	struct probe_register found = { NULL, 0, 0 };
	int len = word.len;
	size_t i;

	for (i = 0; i < sizeof(low) / sizeof(low[0]); i++)
		if (is(name, len, low[i]))
			found = (struct probe_register){ parts[i].name, 0, 8 };
	for (i = 0; i < sizeof(high) / sizeof(high[0]); i++)
		if (is(name, len, high[i]))
			found = (struct probe_register){ parts[i].name, 8, 8 };
	for (i = 0; !found.name && i < sizeof(parts) / sizeof(parts[0]); i++) {
		const char *whole = parts[i].name;

		if (is(name, len, whole))
			found = parts[i];
		else if (*whole != 'r' && len > 1 && strchr("re", *name) && is(name + 1, len - 1, whole))
			found = (struct probe_register){ whole, 0, *name == 'r' ? 64 : 32 };
		else if (*whole == 'r' && len > 1 && numbered_bits(name[len - 1]) && is(name, len - 1, whole))
			found = (struct probe_register){ whole, 0, numbered_bits(name[len - 1]) };
	}
	return found;
}
#elif defined(__aarch64__)
static const struct probe_register parts[] = {
#define X(n) { "x" #n, 0, 64 }
	X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), X(8), X(9), X(10),
	X(11), X(12), X(13), X(14), X(15), X(16), X(17), X(18), X(19), X(20),
	X(21), X(22), X(23), X(24), X(25), X(26), X(27), X(28), X(29), X(30),
	{ "sp", 0, 64 }, { "pc", 0, 64 }, { "pstate", 0, 64 },
};

const struct probe_convention probe_convention = { .registers = 8, .by_reference = true, .in_order = true };

/* w0 is the low half of x0. */
struct probe_register probe_register(struct probe_word word)
{
	bool half = *word.at == 'w';
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strlen(parts[i].name) == (size_t)word.len &&
		    (*parts[i].name == *word.at || (half && *parts[i].name == 'x')) &&
		    !strncmp(parts[i].name + 1, word.at + 1, word.len - 1))
			return (struct probe_register){ parts[i].name, 0, half ? 32 : 64 };
	return (struct probe_register){ NULL, 0, 0 };
}
#else
static const struct probe_register parts[] = { { NULL, 0, 0 } };

const struct probe_convention probe_convention = { .registers = 0 };

struct probe_register probe_register(struct probe_word word)
{
	(void)word;
	return parts[0];
}
#endif

void probe_registers_list(char list[PROBE_REGISTERS_SIZE])
{
	int len = 0;
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]) && parts[i].name; i++)
		len += snprintf(list + len, PROBE_REGISTERS_SIZE - len, "%s%%%s", i ? " " : "", parts[i].name);
}
