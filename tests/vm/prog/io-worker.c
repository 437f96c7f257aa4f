// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Makes the kernel start a thread for io_uring in this process, and waits until that has done its request.
 */
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *map(int fd, size_t size, off_t offset)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, offset);
}

int main(void)
{
	struct io_uring_params params = { 0 };
	int fd = syscall(__NR_io_uring_setup, 1, &params);
	struct io_uring_sqe *request;
	uint8_t *ring;

	if (fd < 0) {
		perror("io_uring_setup");
		return 1;
	}
	ring = map(fd, params.sq_off.array + sizeof(uint32_t), IORING_OFF_SQ_RING);
	request = map(fd, sizeof(*request), IORING_OFF_SQES);
	if (ring == MAP_FAILED || request == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	memset(request, 0, sizeof(*request));
	request->opcode = IORING_OP_NOP;
	request->flags = IOSQE_ASYNC;	/* in a thread, in any case */
	*(uint32_t *)(ring + params.sq_off.array) = 0;
	/* The kernel reads the request after the tail; pairs with the acquire in its io_sqring_entries(). */
	__atomic_store_n((uint32_t *)(ring + params.sq_off.tail), 1, __ATOMIC_RELEASE);
	if (syscall(__NR_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1) {
		perror("io_uring_enter");
		return 1;
	}
	return 0;
}
