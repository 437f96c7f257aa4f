// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A reader of a trace that is removed:
 *
 *	reader-outlives NAME	a running trace with packets in events_0 and events_1;
 *				ends with it removed and all modules of LTT unloaded
 */
#include "reader.h"

/* Read to the end, and check that the state of poll() is that of read(). */
static void drain_removed(int fd)
{
	unsigned int n = 0, wrong = 0, dirty = 0;
	uint64_t sizes[2];
	size_t i;
	long ret;

	for (;;) {
		short events = polled(fd);

		ret = sys(read(fd, buf, sizeof(buf)));
		wrong += events != (ret > 0 ? POLLIN : POLLHUP);
		if (ret <= 0)
			break;
		n++;
		memcpy(sizes, buf + 40, sizeof(sizes));
		wrong += (long)sizes[1] != ret * 8;
		for (i = sizes[0] / 8; i < (size_t)ret; i++)
			dirty += !!buf[i];
	}
	check("a removed trace is drained, then there is end of file", 0, ret);
	check("it had some packets", 1, n >= 2);
	check("POLLIN as long as there are any, POLLHUP then; packet_size is what is read", 0, wrong);
	check("padding is zero", 0, dirty);
	check("end of file stays", 0, sys(read(fd, buf, 1)));
}

static void test_metadata(void)
{
	int fd = open_data("metadata", 0);
	void *volatile nowhere = (void *)1;
	long len;

	check("metadata to where there is no memory: EFAULT", -EFAULT, sys(read(fd, nowhere, 100)));
	check("nothing is gone by that", 0, sys(lseek(fd, 0, SEEK_CUR)));
	check("and then it is read", 100, sys(read(fd, buf, 100)));
	check("as CTF has it", 0, memcmp(buf, "/* CTF 1.8", 10));
	check("before its beginning there is nothing: EINVAL", -EINVAL, sys(pread(fd, buf, 1, -1)));
	len = sys(lseek(fd, 1 << 30, SEEK_SET));
	check("nor after its end", 0, len < 0 ? len : sys(read(fd, buf, 1)));
	close(fd);
}

static void test_trace(const char *name)
{
	static unsigned char kept[MUCH];
	int data = open_data("events_0", O_NONBLOCK), empty = open_data("events_1", O_NONBLOCK);
	int pipefd[2], copy[2];
	long len, ret;
	pid_t pid;

	make_pipe(pipefd);
	make_pipe(copy);
	len = sys(pread(data, kept, sizeof(kept), 0));
	check("a packet of the trace", 1, len > 0 && len % PAGE == 0);
	check("goes into a pipe", len, sys(splice(data, NULL, pipefd[1], NULL, MUCH, 0)));
	check("and by tee into another", len, sys(tee(pipefd[0], copy[1], MUCH, 0)));

	drain(empty);
	check("poll: nothing in a drained trace that runs", 0, polled(empty));
	fcntl(empty, F_SETFL, 0);
	pid = reading_child(empty);
	put(path_of("state"), "stop");
	check("stop wakes a read that waits: the sub-buffer with room left", 1, end_of(pid));
	fcntl(empty, F_SETFL, O_NONBLOCK);
	drain(empty);
	check("poll: nothing in a drained trace that is stopped", 0, polled(empty));
	fcntl(empty, F_SETFL, 0);
	pid = reading_child(empty);
	put("/sys/kernel/debug/ltt/traces/remove", name);
	check("removal wakes a read that waits: end of file", 0, end_of(pid));
	check("poll: POLLHUP, no POLLIN", POLLHUP, polled(empty));
	check("splice: end of file", 0, sys(splice(empty, NULL, copy[1], NULL, MUCH, 0)));
	drain_removed(data);
	close(empty);
	close(data);

	check("the trace is gone; the pipe has the packet", len,
	      read_all(pipefd[0], buf, sizeof(buf)));
	check("as it was", 0, memcmp(buf, kept, len));
	ret = system("$LTT/tests/vm/ltt-load --unload");
	check("all modules can be unloaded with pages in a pipe", 0, ret);
	check("the pipe still has the packet", len, read_all(copy[0], buf, sizeof(buf)));
	check("as it was then", 0, memcmp(buf, kept, len));
	close_pipe(pipefd);
	close_pipe(copy);
}

int main(int argc, char **argv)
{
	static char trace_dir[128];

	if (argc != 2)
		return 2;
	snprintf(trace_dir, sizeof(trace_dir), "/sys/kernel/debug/ltt/traces/%s", argv[1]);
	dir = trace_dir;
	test_metadata();
	test_trace(argv[1]);
	return 0;
}
