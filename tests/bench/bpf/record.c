// SPDX-License-Identifier: GPL-2.0-only
/*
 * record OBJECT COMMAND [ARGUMENT...]
 *
 * Run a command with the programs of cost.bpf.o attached, then print the number of events that
 * they recorded.  A wrong payload in the ring buffer, or a time before that of the event before,
 * is an error.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <stdio.h>

#include <bpf/libbpf.h>

#include "events.h"

static unsigned long recorded;

static int int2_is_right(const struct int2 *e)
{
	return e->a == e->b;
}

static int intstr_is_right(const struct intstr *e)
{
	return !strcmp(e->s, "hello world");
}

static int bytes32_is_right(const struct bytes32 *e)
{
	return e->v[0] == 1 && e->v[3] == 4;
}

static int is_right(const void *event, size_t size)
{
	switch (size) {
	case sizeof(struct none):
		return 1;
	case sizeof(struct int2):
		return int2_is_right(event);
	case sizeof(struct intstr):
		return intstr_is_right(event);
	case sizeof(struct bytes32):
		return bytes32_is_right(event);
	default:
		return 0;
	}
}

static int look(void *unused, void *event, size_t size)
{
	static __u64 last;
	const struct none *e = event;

	if (!is_right(event, size) || e->time < last)
		errx(1, "event %lu in the ring buffer is not what was fired", recorded);
	last = e->time;
	recorded++;
	return 0;
}

static struct bpf_object *load(const char *path)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);
	struct bpf_program *program;

	if (!object || bpf_object__load(object))
		err(1, "%s cannot be loaded", path);
	bpf_object__for_each_program(program, object)
		if (!bpf_program__attach(program))
			err(1, "%s cannot be attached", bpf_program__name(program));
	return object;
}

static void run(char **command)
{
	int status;
	pid_t child = fork();

	if (child < 0)
		err(1, "fork");
	if (!child) {
		execvp(command[0], command);
		err(127, "%s", command[0]);
	}
	if (waitpid(child, &status, 0) != child || status)
		errx(1, "%s failed", command[0]);
}

int main(int argc, char **argv)
{
	struct bpf_object *object;
	struct ring_buffer *ring;

	if (argc < 3)
		errx(2, "usage: record OBJECT COMMAND [ARGUMENT...]");
	object = load(argv[1]);
	ring = ring_buffer__new(bpf_object__find_map_fd_by_name(object, "events"), look, NULL, NULL);
	if (!ring)
		err(1, "the ring buffer cannot be read");
	run(argv + 2);
	if (ring_buffer__consume(ring) < 0)
		err(1, "the ring buffer cannot be read");
	printf("recorded %lu\n", recorded);
	return 0;
}
