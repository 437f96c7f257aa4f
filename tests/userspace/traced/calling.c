// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A library without markers, for the tests of call stacks.  Two of its kind differ in the names of
 * their functions at the same addresses.
 */
void calling_function(void (*fn)(void));

static __attribute__((noinline)) void INNER(void (*fn)(void))
{
	fn();
	__asm__ volatile("");
}

void calling_function(void (*fn)(void))
{
	INNER(fn);
	__asm__ volatile("");
}
