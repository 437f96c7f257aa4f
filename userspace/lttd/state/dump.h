/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A state that is being written: shared by the files of this folder, of which each writes the
 * events of one kind of thing.
 *
 * Layer: lttd state.  Nothing here needs a privilege.  An item that this user must not read is
 * left out, and counted.
 */
#ifndef LTTD_STATE_DUMP_H
#define LTTD_STATE_DUMP_H

#include "recording.h"
#include "writer.h"

struct build_ids;

/* The events, and their ids in the trace. */
enum {
	STATE_BEGIN,
	STATE_END,
	STATE_KERNEL,
	STATE_MODULE,
	STATE_SYMBOL,
	STATE_CPU,
	STATE_INTERRUPT,
	STATE_BLOCK_DEVICE,
	STATE_NET_DEVICE,
	STATE_MOUNT,
	STATE_EVENT_FORMAT,
	STATE_PROCESS,
	STATE_THREAD,
	STATE_FILE,
	STATE_MAP,
	STATE_EVENTS,
};

/**
 * struct dump - a state that is being written
 * @writer: its trace
 * @recording: the recording that it belongs to
 * @parts: the parts that are wanted, STATE_PROCESSES and so on
 * @records: records written
 * @unreadable: items that could not be read
 * @from: the first process that is not written yet
 * @hurried: leave out what another user can delay: the bound of bounded.h is exceeded
 * @build_ids: the build ids that maps.c has read
 */
struct dump {
	struct writer writer;
	const struct recording *recording;
	uint32_t parts;
	uint64_t records;
	uint64_t unreadable;
	int32_t from;
	bool hurried;
	struct build_ids *build_ids;
};

/**
 * dump_state() - write the state of the system
 * @root: the directory of a recording, in which the directory of the state is made
 * @parts: the parts to write
 *
 * The directory gets its name when the state is whole.  After a failure there is none.  From then on, the
 * memory of the process is limited.
 *
 * Return: 0; -1 with the failure logged.
 */
int dump_state(const char *root, uint32_t parts);

/* Count an item that could not be read, by -errno; not one that was gone. */
void dump_missed(struct dump *dump, int err);

/* As writer_end(). */
void dump_end(struct dump *dump);

/* ---- The kinds of things ---- */

extern const struct writer_event kernel_event, module_event, symbol_event;	/* kernel.c */
extern const struct writer_event cpu_event;					/* cpus.c */
extern const struct writer_event interrupt_event, block_device_event, net_device_event;	/* devices.c */
extern const struct writer_event mount_event;					/* mounts.c */
extern const struct writer_event event_format_event;				/* formats.c */
extern const struct writer_event process_event, thread_event;			/* processes.c */
extern const struct writer_event file_event;					/* files.c */
extern const struct writer_event map_event;					/* maps.c */

void dump_kernel(struct dump *dump);
void dump_modules(struct dump *dump);
void dump_symbols(struct dump *dump);
void dump_cpus(struct dump *dump);
void dump_interrupts(struct dump *dump);
void dump_block_devices(struct dump *dump);
void dump_net_devices(struct dump *dump);
void dump_mounts(struct dump *dump);
void dump_formats(struct dump *dump);

/* Each process from @from on, with its files and maps if those are wanted. */
void dump_processes(struct dump *dump);

/* @dir: the folder of process @pid in /proc */
void dump_files(struct dump *dump, int dir, int32_t pid);
void dump_maps(struct dump *dump, int dir, int32_t pid);

#endif /* LTTD_STATE_DUMP_H */
