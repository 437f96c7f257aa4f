// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A library that is compiled with -finstrument-functions.  INNER is the name of a function, and
 * PADDING how many bytes of code stand before it.
 */
void padding_function(void);
void INNER(void);
void library_function(void);

void padding_function(void)
{
	__asm__ volatile(".skip " PADDING ", 0x90");
}

__attribute__((noinline)) void INNER(void)
{
	__asm__ volatile("");
}

void library_function(void)
{
	INNER();
}
