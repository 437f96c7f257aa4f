// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * System calls with bad memory: openat() of NULL, of an address that is not mapped, of a string
 * that runs into a page that is not mapped, of one that ends just before it, and of one that
 * crosses a page; nanosleep() and connect() of an address that is not mapped; statx() of a
 * string of the length of PATH_MAX.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BAD	((void *)0x10)

int main(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *two = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char *end = two + 2 * page;

	if (two == MAP_FAILED || fd < 0 || munmap(end, page))
		return 1;
	memset(two, 'x', 2 * page);
	syscall(SYS_openat, AT_FDCWD, NULL, O_RDONLY, 0);
	syscall(SYS_openat, AT_FDCWD, BAD, O_RDONLY, 0);
	syscall(SYS_openat, AT_FDCWD, end - 100, O_RDONLY, 0);
	memcpy(end - 6, "/last", 6);
	syscall(SYS_openat, AT_FDCWD, end - 6, O_RDONLY, 0);
	memcpy(two + page - 4, "/crosses", 9);
	syscall(SYS_openat, AT_FDCWD, two + page - 4, O_RDONLY, 0);
	syscall(SYS_nanosleep, BAD, NULL);
	syscall(SYS_connect, fd, BAD, 16);
	memset(two, 'y', 2 * page);
	end[-1] = '\0';
	syscall(SYS_statx, AT_FDCWD, two, 0, 0, NULL);
	return 0;
}
