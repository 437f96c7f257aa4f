// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The state of a recording of programs, which its parts share.
 *
 * Layer: lttd.
 */
#include "state.h"
#include "lttd/log.h"
#include "lttd/state/clock.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

void programs_sample(struct programs *programs)
{
	if (programs->sampler)
		sampler_look(programs->sampler);
	else if (programs->users && !programs->is_sampled)
		programs->sampler = sampler_begin(programs->pieces.path, &programs->clock);
	programs->is_sampled |= programs->users != NULL;
}

uint64_t programs_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
}

int programs_wait_for(struct programs *programs, int fd, void *what)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = what };

	return epoll_ctl(programs->epoll, EPOLL_CTL_ADD, fd, &event) ?
	       fail("cannot wait for programs: %s", strerror(errno)) : 0;
}
