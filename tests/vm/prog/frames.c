// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Makes system calls, getpid(), at the end of calls that are known: main(), outer(), middle()
 * and inner() have frame pointers, and inner() makes the call itself.
 */
#include <sys/syscall.h>
#include <unistd.h>

#define FRAME __attribute__((noinline, noclone))

FRAME static long inner(void)
{
#ifdef __x86_64__
	long result;

	/* A use of the frame, without which the function would have none. */
	__asm__ volatile("syscall" : "=a" (result) : "0" (SYS_getpid), "r" (__builtin_frame_address(0)) :
			 "rcx", "r11", "memory");
	return result;
#else
	return syscall(SYS_getpid);
#endif
}

FRAME static long middle(void)
{
	return inner() + 1;
}

FRAME static long outer(void)
{
	return middle() + 1;
}

int main(void)
{
	long sum = 0;
	int i;

	for (i = 0; i < 20; i++)
		sum += outer();
	return sum == 0;
}
