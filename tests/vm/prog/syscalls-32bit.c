// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * System calls of a 32-bit program on a 64-bit kernel: getpid() once, and openat() of a file
 * that is not there.  Compiled with -m32, without a C library; see device-32bit.c.
 */
_Static_assert(sizeof(long) == 4, "this is to be compiled with -m32");

static int call(int number, int a, const void *b, int c, int d)
{
	int ret;

	__asm__ volatile("int $0x80" : "=a" (ret)
			 : "a" (number), "b" (a), "c" (b), "d" (c), "S" (d) : "memory");
	return ret;
}

#define EXIT	1
#define GETPID	20
#define OPENAT	295

void _start(void);
void _start(void)
{
	static const char path[] = "/absent/32";
	int pid = call(GETPID, 0, 0, 0, 0), ret;

	/* A page that nothing has used yet is not present. */
	(void)*(const volatile char *)path;
	ret = call(OPENAT, -100, path, 0x80000, 0);
	call(EXIT, pid > 0 && ret == -2 ? 0 : 1, 0, 0, 0);
}
