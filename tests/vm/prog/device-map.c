// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The rules of doc/device.md about mapped buffers: device-map FOLDER, where files can be
 * written with O_DIRECT.  FOLDER/kernel becomes a trace of EVENTS events of each CPU.
 *
 * The events are those of ltt-test-markers.
 */
#include "device.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

/* The example of doc/device.md. */
#include "save-packets.h"

/* The table of doc/device.md. */
#define FIELD(at, name)	\
	_Static_assert(offsetof(struct ltt_mapping, name) == (at) && \
		       sizeof(((struct ltt_mapping *)0)->name) == 8, #name)
FIELD(0, size);
FIELD(8, position);
FIELD(16, offset);
FIELD(24, content);
FIELD(32, length);
_Static_assert(sizeof(struct ltt_mapping) == 40, "there is no padding");

#define PAGE		4096
#define SUBBUF		(4 * PAGE)
#define EVENTS		10000
#define DEADLINE_S	20

static unsigned char data[16 * SUBBUF];

static long sys(long ret)
{
	return ret < 0 ? -errno : ret;
}

/* Every CPU emits that many events. */
static void produce(unsigned int events)
{
	int fd = open("/proc/ltt-test-markers", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || dprintf(fd, "%u task", events) < 0)
		check("events can be had", 0, -errno);
	close(fd);
}

/* ---- Connections with a trace "t" ---- */

/* Its channel "events" has @count sub-buffers of SUBBUF. */
static int connect_with_trace(unsigned int count, bool overwrite)
{
	int fd = device(0);

	if (command(fd, "create t") ||
	    command(fd, "channel-set t events subbuf_size %u", SUBBUF) ||
	    command(fd, "channel-set t events subbuf_count %u", count) ||
	    command(fd, "channel-set t events overwrite %u", overwrite) ||
	    command(fd, "enable t test:task") || command(fd, "start t"))
		check(reply.text, 0, reply.error);
	return fd;
}

static int open_buffer(int fd)
{
	check("a buffer is opened", 0, command(fd, "open-buffer t events 0"));
	return reply.value;
}

static void *map_bytes(int buffer, size_t size)
{
	void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, buffer, 0);

	return map == MAP_FAILED ? NULL : map;
}

/* All of it. */
static struct ltt_mapping *map_buffer(int buffer)
{
	struct ltt_mapping *map = map_bytes(buffer, PAGE);
	size_t size;

	check("a buffer's first page can be mapped", 1, !!map);
	if (!map)
		exit(1);
	size = map->size;
	munmap(map, PAGE);
	map = map_bytes(buffer, size);
	check("and all of it", 1, !!map);
	if (!map)
		exit(1);
	return map;
}

static const unsigned char *packet(const struct ltt_mapping *map)
{
	return (const unsigned char *)map + map->offset;
}

/* Read what there is; the mapping has to be the same.  The number of packets that were
 * right, or -1. */
static int read_and_compare(int buffer, const struct ltt_mapping *map, off_t *position)
{
	int packets = 0;
	ssize_t n;

	while ((n = pread(buffer, data, sizeof(data), *position)) > 0) {
		uint64_t content;

		memcpy(&content, data + 40, sizeof(content));
		if (map->position != (uint64_t)*position || map->length != (uint64_t)n ||
		    !map->offset || map->offset % PAGE || map->content != content / 8 ||
		    map->offset + n > map->size || memcmp(packet(map), data, n))
			return -1;
		packets++;
		*position += n;
	}
	if (map->offset || map->length || map->position != (uint64_t)*position)
		return -1;
	return packets;
}

/* ---- Packets ---- */

static void test_packets(void)
{
	int fd = connect_with_trace(4, false), buffer = open_buffer(fd), packets = 0, n, i;
	struct ltt_mapping *map = map_buffer(buffer);
	off_t position = 0;

	check("its size is that of all sub-buffers, and a page", PAGE + 4 * SUBBUF, map->size);
	check("no packet is out", 0, map->offset);
	for (i = 0; i < 30; i++) {
		produce(1500);
		n = read_and_compare(buffer, map, &position);
		if (n < 0)
			break;
		packets += n;
	}
	check("read and mapped bytes are equal, many times round", 1, n >= 0 && packets > 40);
	check("poll says that there is nothing", 0,
	      poll(&(struct pollfd){ .fd = buffer, .events = POLLIN }, 1, 0));
	produce(1000);
	check("poll says that there is something", 1,
	      poll(&(struct pollfd){ .fd = buffer, .events = POLLIN }, 1, 0));
	check("one byte read takes a packet out", 1, pread(buffer, data, 1, position));
	check("the packet is in the mapping", 0xC1FC1FC1, *(const uint32_t *)packet(map));
	munmap(map, map->size);
	close(buffer);
	close(fd);
}

/* The packet that is out is in pages that no writer has. */
static void test_overwrite(void)
{
	int fd = connect_with_trace(2, true), buffer = open_buffer(fd), packets = 0, n = 0, i;
	struct ltt_mapping *map = map_buffer(buffer);
	off_t position = 0;

	check("overwrite mode has one set of pages more", PAGE + 3 * SUBBUF, map->size);
	for (i = 0; n >= 0 && i < 10; i++) {
		produce(5000);
		check("a snapshot", 0, command(fd, "snapshot t"));
		n = read_and_compare(buffer, map, &position);
		packets += n;
	}
	check("read and mapped bytes are equal, in each snapshot", 1, n >= 0 && packets > 10);
	produce(5000);
	command(fd, "snapshot t");
	check("a packet is out", 1, pread(buffer, data, 1, position));
	memcpy(data, packet(map), map->length);
	produce(5000);
	check("it stays as it was while writers go on", 0, memcmp(data, packet(map), map->length));
	munmap(map, map->size);
	close(buffer);
	close(fd);
}

/* ---- With O_DIRECT ---- */

static void save_metadata(int fd, const char *folder)
{
	char path[256];
	ssize_t n;
	int file;

	check("metadata", 0, command(fd, "open-metadata t"));
	snprintf(path, sizeof(path), "%s/kernel/metadata", folder);
	file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	while ((n = read(reply.value, data, sizeof(data))) > 0)
		if (write(file, data, n) != n)
			check("metadata is saved", 0, -errno);
	close(file);
	close(reply.value);
}

static void test_direct(const char *folder)
{
	static char names[sizeof(reply.text)];
	int fd = connect_with_trace(64, false), buffers[64], files[64], nr = 0, i;
	char path[512], *rest = names, *name;

	produce(EVENTS);
	command(fd, "stop t");
	save_metadata(fd, folder);
	check("buffers", 0, command(fd, "buffers t"));
	memcpy(names, reply.text, sizeof(names));
	while ((name = strsep(&rest, "\n")) && *name && nr < 64) {
		char *cpu = strrchr(name, '_');

		snprintf(path, sizeof(path), "%s/kernel/%s", folder, name);
		files[nr] = open(path, O_WRONLY | O_CREAT | O_DIRECT | O_CLOEXEC, 0600);
		check("a file that is written with O_DIRECT", 1, files[nr] >= 0);
		*cpu = ' ';
		check("a buffer", 0, command(fd, "open-buffer t %s", name));
		buffers[nr++] = reply.value;
	}
	close(fd);
	for (i = 0; i < nr; i++) {
		check("a buffer is written out of its mapping, when its trace is gone", 0,
		      sys(save_packets(buffers[i], files[i])));
		close(buffers[i]);
		close(files[i]);
	}
}

/* ---- What is refused ---- */

static void test_read_only(void)
{
	int fd = connect_with_trace(4, false), buffer = open_buffer(fd);
	struct ltt_mapping *map;

	check("it cannot be mapped to be written", -EACCES,
	      mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, buffer, 0) == MAP_FAILED ? -errno : 0);
	check("nor copied to be written", -EPERM,
	      mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, buffer, 0) == MAP_FAILED ? -errno : 0);
	check("nor from its middle on", -EINVAL,
	      mmap(NULL, PAGE, PROT_READ, MAP_SHARED, buffer, PAGE) == MAP_FAILED ? -errno : 0);
	check("nor more of it than there is", -EINVAL,
	      map_bytes(buffer, 2 * PAGE + 4 * SUBBUF) ? 0 : -errno);
	produce(1000);
	map = map_buffer(buffer);
	check("it cannot be made to be written", -EACCES,
	      sys(mprotect(map, PAGE, PROT_READ | PROT_WRITE)));
	check("nor read into", -EFAULT, sys(read(buffer, map, 1)));
	check("it cannot be mapped twice", -EBUSY, map_bytes(buffer, PAGE) ? 0 : -errno);
	check("it cannot grow", -EFAULT,
	      mremap(map, map->size, 2 * map->size, MREMAP_MAYMOVE) == MAP_FAILED ? -errno : 0);
	munmap(map, map->size);
	close(buffer);
	close(fd);
}

static void test_splice(void)
{
	int fd = connect_with_trace(4, false), buffer = open_buffer(fd), pipefd[2];
	loff_t position = 0;
	struct ltt_mapping *map;
	size_t size;

	if (pipe2(pipefd, O_NONBLOCK | O_CLOEXEC))
		exit(1);
	produce(2000);
	map = map_buffer(buffer);
	size = map->size;
	check("mapped pages are not spliced", -EBUSY,
	      sys(splice(buffer, &position, pipefd[1], NULL, SUBBUF, 0)));
	munmap((char *)map + PAGE, PAGE);
	check("nor if a page of it is not", -EBUSY,
	      sys(splice(buffer, &position, pipefd[1], NULL, SUBBUF, 0)));
	munmap(map, size);
	check("unmapped, it is", SUBBUF, sys(splice(buffer, &position, pipefd[1], NULL, SUBBUF, 0)));
	check("pages in a pipe are not mapped", -EBUSY, map_bytes(buffer, PAGE) ? 0 : -errno);
	check("nor if the packet has been freed", 1, sys(pread(buffer, data, 1, position)));
	check("unless its pages have been replaced", 1, !!(map = map_bytes(buffer, size)));
	check("the pipe has it still", SUBBUF, sys(read(pipefd[0], data, sizeof(data))));
	check("it is a packet", 0xC1FC1FC1, *(uint32_t *)data);
	check("and the mapping has the next", 0xC1FC1FC1, map ? *(const uint32_t *)packet(map) : 0);
	close(pipefd[0]);
	close(pipefd[1]);
	munmap(map, size);
	close(buffer);
	close(fd);
}

static void test_debugfs(void)
{
	int fd = device(0), buffer;

	check("the traces of debugfs", 0, command(fd, "share"));
	command(fd, "create map");
	check("one is started", 0, command(fd, "start map"));
	buffer = open("/sys/kernel/debug/ltt/traces/map/events_0", O_RDONLY | O_CLOEXEC);
	check("its file is opened", 1, buffer >= 0);
	check("and cannot be mapped", -ENODEV, map_bytes(buffer, PAGE) ? 0 : -errno);
	close(buffer);
	check("it is removed", 0, command(fd, "destroy map"));
	close(fd);
}

static bool asleep_in_read(pid_t pid)
{
	char path[64], text[128] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	f = fopen(path, "r");
	if (f && !fgets(text, sizeof(text), f))
		text[0] = '\0';
	if (f)
		fclose(f);
	return text[0] >= '0' && text[0] <= '9' && atol(text) == SYS_read;
}

/* A child that reads to memory that is not there and never will be. */
static pid_t hanging_reader(int buffer)
{
	void *nowhere = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t pid = fork();

	if (!pid) {
		struct uffdio_api api = { .api = UFFD_API };
		struct uffdio_register range = {
			.range = { (unsigned long)nowhere, PAGE },
			.mode = UFFDIO_REGISTER_MODE_MISSING,
		};
		int uffd = syscall(SYS_userfaultfd, O_CLOEXEC);

		if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api) ||
		    ioctl(uffd, UFFDIO_REGISTER, &range))
			_exit(1);
		_exit(read(buffer, nowhere, 1) == 1 ? 0 : 2);
	}
	munmap(nowhere, PAGE);
	return pid;
}

/* A reader may wait for its memory as long as it likes: no other thread waits for the reader. */
static void test_no_waiting(void)
{
	int fd = connect_with_trace(4, false), buffer = open_buffer(fd), status;
	time_t since = time(NULL);
	struct ltt_mapping *map;
	pid_t pid;

	produce(2000);
	pid = hanging_reader(buffer);
	while (!asleep_in_read(pid) && time(NULL) - since < DEADLINE_S)
		usleep(10000);
	check("a read waits for memory", 1, asleep_in_read(pid));
	check("mmap does not wait for it", -EAGAIN, map_bytes(buffer, PAGE) ? 0 : -errno);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	map = map_buffer(buffer);
	pid = hanging_reader(buffer);
	since = time(NULL);
	while (!asleep_in_read(pid) && time(NULL) - since < DEADLINE_S)
		usleep(10000);
	check("neither does munmap", 0, sys(munmap(map, map->size)));
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	check("it was waiting", SIGKILL, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	close(buffer);
	close(fd);
}

/* ---- The life of a mapping ---- */

static void test_life(void)
{
	int fd = connect_with_trace(4, false), buffer = open_buffer(fd), pipefd[2], status;
	struct ltt_mapping *map = map_buffer(buffer), *moved;
	size_t size = map->size;
	pid_t pid;

	if (pipe2(pipefd, O_NONBLOCK | O_CLOEXEC))
		exit(1);
	produce(2000);
	check("a packet is out", 1, pread(buffer, data, 1, 0));
	pid = fork();
	if (!pid)
		_exit(write(pipefd[1], map, 1) < 0 && errno == EFAULT ? 0 : 1);
	waitpid(pid, &status, 0);
	check("a child has no mapping", 0, status);
	moved = mremap(map, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
		       mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	check("it can be moved", 1, moved != MAP_FAILED && moved != map);
	map = moved;
	check("with what is in it", 0xC1FC1FC1, *(const uint32_t *)packet(map));
	madvise(map, size, MADV_DONTNEED);
	check("pages that were let go of come back", 0xC1FC1FC1, *(const uint32_t *)packet(map));
	/* Kernels of 7.x let no child have a mapping that cannot grow. */
	if (!madvise(map, size, MADV_DOFORK)) {
		pid = fork();
		if (!pid)
			_exit(*(const uint32_t *)packet(map) == 0xC1FC1FC1 ? 0 : 1);
		waitpid(pid, &status, 0);
		check("a child that is given it reads it", 0, status);
	} else {
		check("a child cannot be given it", EINVAL, errno);
	}
	check("its end takes nothing from us", 0xC1FC1FC1, *(const uint32_t *)packet(map));
	close(buffer);
	check("closed, the buffer is still in use", EBUSY, command(fd, "open-buffer t events 0"));
	memcpy(data, packet(map), SUBBUF);
	close(fd);
	check("and there, when the connection has ended", 0, memcmp(data, packet(map), SUBBUF));
	munmap(map, size);
	close(pipefd[0]);
	close(pipefd[1]);
}

static void test_unmapped(void)
{
	int fd = connect_with_trace(4, false), buffer = open_buffer(fd);
	struct ltt_mapping *map = map_buffer(buffer);
	size_t size = map->size;

	close(buffer);
	munmap(map, size);
	buffer = open_buffer(fd);
	munmap(map_buffer(buffer), size);
	close(buffer);
	close(fd);
}

/* Memory that is free, in KiB. */
static long free_memory(void)
{
	char line[128];
	long kib = 0;
	FILE *f;

	f = fopen("/proc/sys/vm/drop_caches", "w");
	if (f) {
		fputs("3", f);
		fclose(f);
	}
	f = fopen("/proc/meminfo", "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemFree: %ld", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib;
}

/* A child that touches all of a mapping of 4 MiB, and does not end. */
static void killed(void)
{
	int ready[2];
	pid_t pid;
	char byte;

	if (pipe(ready))
		exit(1);
	pid = fork();
	if (!pid) {
		int fd = connect_with_trace(256, false);
		struct ltt_mapping *map;
		size_t at;

		if (command(fd, "open-buffer t events 0"))
			_exit(1);
		map = map_bytes(reply.value, PAGE + 256 * SUBBUF);
		for (at = 0; map && at < map->size; at += PAGE)
			*(volatile char *)((char *)map + at);
		if (!map || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		check("a child has a mapping", 1, 0);
	close(ready[0]);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_killed(void)
{
	long before, after;
	int i;

	killed();
	before = free_memory();
	for (i = 0; i < 10; i++)
		killed();
	after = free_memory();
	printf("%ld KiB were free, now %ld\n", before, after);
	check("ten processes that were killed leave no memory in use", 1, before - after < 20480);
}

int main(int argc, char **argv)
{
	cpu_set_t one;

	if (argc != 2)
		return 2;
	/* Packets are in order of their CPU's writes; ours are of one. */
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return 1;
	vocabulary();
	test_packets();
	test_overwrite();
	test_direct(argv[1]);
	test_read_only();
	test_splice();
	test_debugfs();
	test_no_waiting();
	test_life();
	test_unmapped();
	test_killed();
	return 0;
}
