/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of cost.bpf.c in the ring buffer. Each kind of event has a size of its
 * own, which identifies it: a tag would cost one more store.
 */
#ifndef LTT_BENCH_BPF_EVENTS_H
#define LTT_BENCH_BPF_EVENTS_H

#include <linux/types.h>

struct none {
	__u64 time;
};

struct int2 {
	__u64 time;
	__u64 b;
	__u32 a;
};

struct intstr {
	__u64 time;
	__u32 a;
	char s[20];
};

struct bytes32 {
	__u64 time;
	__u64 v[4];
};

#endif
