// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cheapest BPF programs that record the payloads of ltt-test-cost: each is attached to a
 * raw tracepoint, writes the time and the payload to a BPF ring buffer, and wakes no reader.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "events.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
} events SEC(".maps");

SEC("raw_tracepoint/cost_none")
int on_none(struct bpf_raw_tracepoint_args *at)
{
	struct none *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e)
		return 0;
	e->time = bpf_ktime_get_ns();
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
	return 0;
}

SEC("raw_tracepoint/cost_int2")
int on_int2(struct bpf_raw_tracepoint_args *at)
{
	struct int2 *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e)
		return 0;
	e->time = bpf_ktime_get_ns();
	e->a = at->args[0];
	e->b = at->args[1];
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
	return 0;
}

SEC("raw_tracepoint/cost_intstr")
int on_intstr(struct bpf_raw_tracepoint_args *at)
{
	struct intstr *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e)
		return 0;
	e->time = bpf_ktime_get_ns();
	e->a = at->args[0];
	bpf_probe_read_kernel_str(e->s, sizeof(e->s), (void *)at->args[1]);
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
	return 0;
}

SEC("raw_tracepoint/cost_bytes32")
int on_bytes32(struct bpf_raw_tracepoint_args *at)
{
	struct bytes32 *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e)
		return 0;
	e->time = bpf_ktime_get_ns();
	bpf_probe_read_kernel(e->v, sizeof(e->v), (void *)at->args[0]);
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
	return 0;
}
