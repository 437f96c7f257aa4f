// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Virtual machines of KVM: how the counter of each virtual CPU differs from that of this machine.
 *
 * Layer: lttd state.  Source: arch/x86/kvm/debugfs.c.  A virtual CPU reads
 * (counter * ratio >> bits) + offset.
 */
#include "clock-sources.h"
#include "proc.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KVM "/sys/kernel/debug/kvm"

static const struct ltt_field fields[] = {
	WRITER_NUMBER("pid", 4),
	WRITER_NUMBER("vcpu", 4),
	WRITER_SIGNED("tsc_offset", 8),
	WRITER_NUMBER("ratio", 8),
	WRITER_NUMBER("bits", 4),
};
WRITER_EVENT(kvm_event, "kvm", fields);

/* A machine that is being walked. */
struct machine {
	struct writer *writer;
	uint32_t pid;
};

static bool put_vcpu(int dir, const char *name, void *arg)
{
	const struct machine *machine = arg;
	struct writer *writer = machine->writer;
	uint64_t ratio = 0, bits = 0;
	char text[32];
	int vcpu;

	if (strncmp(name, "vcpu", strlen("vcpu")))
		return true;
	vcpu = proc_folder(dir, name);
	if (vcpu < 0)
		return true;
	if (proc_line(vcpu, "tsc-offset", text, sizeof(text)) > 0) {
		proc_number(vcpu, "tsc-scaling-ratio", &ratio);
		proc_number(vcpu, "tsc-scaling-ratio-frac-bits", &bits);
		writer_begin(writer, CLOCK_KVM, 0);
		writer_number(writer, machine->pid);
		writer_number(writer, atoi(name + strlen("vcpu")));
		writer_number(writer, strtoll(text, NULL, 10));
		writer_number(writer, ratio);
		writer_number(writer, bits);
		writer_end(writer);
	}
	close(vcpu);
	return true;
}

/* The name is PID-DESCRIPTOR. */
static bool put_machine(int dir, const char *name, void *arg)
{
	struct machine machine = { .writer = arg, .pid = atoi(name) };
	int folder = strchr(name, '-') ? proc_folder(dir, name) : -1;

	if (folder < 0)
		return true;
	proc_walk(folder, put_vcpu, &machine);
	close(folder);
	return true;
}

void kvm_put(struct writer *writer)
{
	proc_walk_path(KVM, put_machine, writer);
}
