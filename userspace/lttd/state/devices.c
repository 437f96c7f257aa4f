// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Interrupts, block devices and network interfaces.
 *
 * Layer: lttd state.  Network interfaces are those of lttd's network namespace.
 */
#include "dump.h"
#include "proc.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct ltt_field interrupt_fields[] = {
	WRITER_NUMBER("irq", 4),
	WRITER_STRING("chip"),
	WRITER_STRING("name"),
};
WRITER_EVENT(interrupt_event, "interrupt", interrupt_fields);

/* dev: as in the kernel's events, the major number and 20 bits of the minor. */
static const struct ltt_field block_device_fields[] = {
	WRITER_NUMBER("dev", 4),
	WRITER_NUMBER("major", 4),
	WRITER_NUMBER("minor", 4),
	WRITER_STRING("name"),
};
WRITER_EVENT(block_device_event, "block_device", block_device_fields);

static const struct ltt_field net_device_fields[] = {
	WRITER_NUMBER("ifindex", 4),
	WRITER_STRING("name"),
	WRITER_STRING("address"),
	WRITER_STRING("operstate"),
};
WRITER_EVENT(net_device_event, "net_device", net_device_fields);

#define MINOR_BITS	20

/* An interrupt that no driver has requested has no name. */
static bool write_interrupt(int dir, const char *name, void *arg)
{
	struct dump *dump = arg;
	struct writer *writer = &dump->writer;
	int64_t irq = proc_id(name);
	char path[64], chip[64], actions[1024];
	ssize_t got;

	if (irq < 0)
		return true;
	snprintf(path, sizeof(path), "%.20s/actions", name);
	got = proc_line(dir, path, actions, sizeof(actions));
	snprintf(path, sizeof(path), "%.20s/chip_name", name);
	if (got >= 0)
		got = proc_line(dir, path, chip, sizeof(chip));
	if (got < 0) {
		dump_missed(dump, got);
		return true;
	}
	writer_begin(writer, STATE_INTERRUPT, 0);
	writer_number(writer, irq);
	writer_string(writer, chip);
	writer_string(writer, actions);
	dump_end(dump);
	return !writer->err;
}

void dump_interrupts(struct dump *dump)
{
	dump_missed(dump, proc_walk_path("/sys/kernel/irq", write_interrupt, dump));
}

static bool write_block_device(int dir, const char *name, void *arg)
{
	struct dump *dump = arg;
	struct writer *writer = &dump->writer;
	unsigned int major, minor;
	char path[300], number[32];
	ssize_t got;

	snprintf(path, sizeof(path), "%s/dev", name);
	got = proc_line(dir, path, number, sizeof(number));
	if (got < 0 || sscanf(number, "%u:%u", &major, &minor) != 2) {
		dump_missed(dump, got < 0 ? got : 0);
		return true;
	}
	writer_begin(writer, STATE_BLOCK_DEVICE, 0);
	writer_number(writer, major << MINOR_BITS | minor);
	writer_number(writer, major);
	writer_number(writer, minor);
	writer_string(writer, name);
	dump_end(dump);
	return !writer->err;
}

void dump_block_devices(struct dump *dump)
{
	dump_missed(dump, proc_walk_path("/sys/class/block", write_block_device, dump));
}

static bool write_net_device(int dir, const char *name, void *arg)
{
	struct dump *dump = arg;
	struct writer *writer = &dump->writer;
	char path[300], address[128], state[32];
	uint64_t index;

	/* A file beside the interfaces has none. */
	snprintf(path, sizeof(path), "%s/ifindex", name);
	if (!proc_number(dir, path, &index))
		return true;
	snprintf(path, sizeof(path), "%s/address", name);
	proc_line(dir, path, address, sizeof(address));
	snprintf(path, sizeof(path), "%s/operstate", name);
	proc_line(dir, path, state, sizeof(state));
	writer_begin(writer, STATE_NET_DEVICE, 0);
	writer_number(writer, index);
	writer_string(writer, name);
	writer_string(writer, address);
	writer_string(writer, state);
	dump_end(dump);
	return !writer->err;
}

void dump_net_devices(struct dump *dump)
{
	dump_missed(dump, proc_walk_path("/sys/class/net", write_net_device, dump));
}
