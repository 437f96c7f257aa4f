/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Per-CPU buffers and their readers: the API of ltt-relay.
 *
 * Layer: relay.  It moves packets and knows nothing of events: a client gives
 * the packet header and writes records through core/ring.h or core/record.h.
 */
#ifndef LTT_RELAY_H
#define LTT_RELAY_H

#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <ltt/budget.h>
#include <ltt/pause.h>

#include "../../../core/ring.h"

struct ltt_relay_buf;
struct ltt_relay_chan;

/* The longest wait of a writer: shorter than the kernel's patience with a thread that
 * is to be frozen (20 s) or that hangs (120 s). */
#define LTT_RELAY_WAIT_MAX_MS	10000

#define LTT_RELAY_NOT_STALLED	(~0ULL)

/* Pages that a pipe still held when their packet was freed, kept for reuse. */
#define LTT_RELAY_SPARE_PAGES	32

/**
 * struct ltt_relay_client - the callbacks of the owner of a channel
 * @owner: the client's module, held by open readers: it cannot be unloaded while
 *	its callbacks can be needed, and its exit function can close channels
 * @begin: fill in a packet header; see struct ltt_ring_ops
 * @end: fill in the rest of it; see struct ltt_ring_ops
 * @ready: NULL, or called in hard interrupt context when a packet has become readable
 * @release: called when the channel is gone (its last reader has closed); may sleep
 */
struct ltt_relay_client {
	struct module *owner;
	void (*begin)(struct ltt_relay_buf *buf, void *header, u64 time, u64 seq);
	void (*end)(struct ltt_relay_buf *buf, void *header, const struct ltt_packet_end *end);
	void (*ready)(struct ltt_relay_buf *buf);
	void (*release)(void *priv);
};

/**
 * struct ltt_relay_config - options of a new channel
 * @subbuf_size: bytes, a power of two, PAGE_SIZE to 256 MiB
 * @subbuf_count: sub-buffers per CPU, a power of two, at least 2
 * @overwrite: overwrite the oldest packets instead of refusing records
 * @wait_ms: how long a thread may wait for the reader, up to LTT_RELAY_WAIT_MAX_MS; 0
 *	for not at all.  Not with @overwrite
 * @header_size: bytes of a packet header, at most PAGE_SIZE / 2
 * @client: the callbacks
 * @priv: the client's own
 * @budget: is charged for the pages of each CPU's buffer from their allocation until
 *	they are freed, readers and hotplug included, and for open snapshots; NULL for none
 */
struct ltt_relay_config {
	size_t subbuf_size;
	unsigned int subbuf_count;
	bool overwrite;
	unsigned int wait_ms;
	u32 header_size;
	const struct ltt_relay_client *client;
	void *priv;
	struct ltt_budget *budget;
};

/**
 * struct ltt_relay_buf - one CPU's buffer and its reader
 * @ring: the ring; first, so that the fast path needs no addition
 * @chan: its channel
 * @cpu: the CPU that writes to it
 * @wake: wakes @wait from any context, and reports the packet to the client
 * @wake_work: the part of it that a worker does on PREEMPT_RT
 * @wait: readers that wait for a packet
 * @lock: guards the ring's read side, @spare and @nr_spare
 * @opened: a reader has it open; atomic bit 0
 * @room: threads that wait for the reader, see wait.c
 * @reader: thread group id of the process that reads; 0: none.  Lockless: written by
 *	readers, read by writers
 * @stalled_at: the reader's position when a wait timed out; lockless
 * @waits: number of waits
 * @timeouts: number of waits that timed out
 * @waited_us: microseconds of all waits
 * @spare: pages that were in a pipe when their packet was freed
 * @nr_spare: number of pages in @spare
 * @charged: bytes charged to the channel's budget; changed under @lock, and while no
 *	other thread can reach the buffer
 */
struct ltt_relay_buf {
	struct ltt_ring ring;
	struct ltt_relay_chan *chan;
	int cpu;
	struct irq_work wake;
	struct work_struct wake_work;
	wait_queue_head_t wait;
	struct mutex lock;
	unsigned long opened;
	wait_queue_head_t room;
	pid_t reader;
	ltt_u64 stalled_at;
	atomic64_t waits;
	atomic64_t timeouts;
	atomic64_t waited_us;
	struct page *spare[LTT_RELAY_SPARE_PAGES];
	unsigned int nr_spare;
	u64 charged;
};

/**
 * struct ltt_relay_chan - one channel: a buffer for each CPU
 * @bufs: the buffers; a CPU that has not been up yet has one without memory,
 *	whose records are refused
 * @config: its options
 * @ref: one for the client, and one for each open reader
 * @node: in the list of CPU hotplug, for CPUs that are about to come, and are dead
 * @online_node: in that for CPUs that are online
 * @complete: all CPUs that were up have their buffers; written once, read by
 *	hotplug
 * @quiet: the client writes nothing now: a reader that has drained a buffer may
 *	ask it for a last packet with the refused count.  Written by the client
 * @closed: ltt_relay_close() was called: drained buffers are at end of file
 * @nr_waiting: threads that wait for a reader, see wait.c
 * @none_waiting: woken when @nr_waiting becomes 0
 */
struct ltt_relay_chan {
	struct ltt_relay_buf __percpu *bufs;
	struct ltt_relay_config config;
	struct kref ref;
	struct hlist_node node;
	struct hlist_node online_node;
	bool complete;
	bool quiet;
	bool closed;
	unsigned int nr_waiting;
	wait_queue_head_t none_waiting;
};

/**
 * ltt_relay_create() - create a channel, with memory for all CPUs that are online
 * @config: copied; @config->budget gets another reference
 *
 * A CPU that comes online later gets its memory before it runs anything.
 *
 * Context: sleeps; takes cpus_read_lock.
 * Return: the channel, or ERR_PTR: -EINVAL for sizes out of range; an error of the budget;
 * -ENOMEM, also when the channel needs more than half of the available memory (nothing is
 * allocated then).
 */
struct ltt_relay_chan *ltt_relay_create(const struct ltt_relay_config *config);

/**
 * ltt_relay_close() - close a channel
 * @chan: not to be used by the client any more
 *
 * Ends all packets.  Readers drain what is there, then see end of file.  No
 * writer may be running or come later.
 *
 * Context: sleeps.
 */
void ltt_relay_close(struct ltt_relay_chan *chan);

/**
 * ltt_relay_flush() - end the packets being written, on every CPU
 * @chan: the channel
 *
 * Empty packets are left alone: an idle CPU gets no interrupt.  On return, readers find
 * all records that were committed before the call (unless a writer that the flush
 * interrupted has been stopped for tens of milliseconds).
 *
 * Context: sleeps; takes cpus_read_lock.
 */
void ltt_relay_flush(struct ltt_relay_chan *chan);

/**
 * ltt_relay_snapshot() - let readers read what a flight recorder holds now
 * @chan: a channel in overwrite mode
 *
 * Context: as ltt_relay_flush().
 */
void ltt_relay_snapshot(struct ltt_relay_chan *chan);

/**
 * ltt_relay_set_quiet() - declare whether the client may be writing
 * @chan: the channel
 * @quiet: true: the client writes no record until it calls this with false
 *
 * Becoming quiet ends all packets; in overwrite mode it is also a snapshot.
 *
 * Context: sleeps.
 */
void ltt_relay_set_quiet(struct ltt_relay_chan *chan, bool quiet);

/**
 * ltt_relay_has_cpu() - check whether a CPU has memory in a channel
 * @chan: the channel
 * @cpu: a possible CPU
 *
 * The CPU never loses the memory again.  A caller that sees true also sees the memory as it
 * was initialized: as O(memory:A) in core/ring.h, pairs with O(init:A).
 *
 * Context: any.
 * Return: true if it has.
 */
static inline bool ltt_relay_has_cpu(struct ltt_relay_chan *chan, int cpu)
{
	return ltt_load_acquire(&per_cpu_ptr(chan->bufs, cpu)->ring.sb_mask);
}

/* ---- Lossless channels, see modules/relay/wait.c ---- */

/**
 * ltt_relay_pressed() - check whether a buffer is half full, and its reader moves
 * @buf: the buffer; may have no memory
 *
 * Context: any; a hint while writers or a reader run.
 * Return: true if a thread should wait for the reader.
 */
static inline bool ltt_relay_pressed(const struct ltt_relay_buf *buf)
{
	u64 read = ltt_u64_read(&buf->ring.read_pos), at = ltt_count_read(&buf->ring.offset);

	/* At the same place: nothing to read, or no memory and so no size. */
	return at != read && (at - read) << 1 >= 1ULL << buf->ring.buf_order &&
	       read != ltt_u64_read(&buf->stalled_at);
}

/**
 * ltt_relay_ask_to_wait() - have this thread wait before it returns to user space
 * @buf: the buffer that the thread wrote to, and that is pressed
 *
 * Does nothing in an interrupt, for a thread that must not wait, and for a thread that has
 * been asked already.
 *
 * Context: any, preemption off; the channel cannot be closed meanwhile.
 */
void ltt_relay_ask_to_wait(struct ltt_relay_buf *buf);

/**
 * ltt_relay_pause() - get the pause that a site which may sleep waits for
 * @buf: the buffer that the thread wrote to, and that is pressed
 *
 * To be called after ltt_relay_ask_to_wait().
 *
 * Context: task, preemption off; the channel cannot be closed meanwhile.
 * Return: a pause, for which the caller must wait exactly once; NULL for no wait.
 */
struct ltt_pause *ltt_relay_pause(struct ltt_relay_buf *buf);

/**
 * ltt_relay_fops - the reader's file operations
 *
 * For a file whose inode's i_private is the struct ltt_relay_buf.  The caller keeps the
 * buffer alive during open; the open file then holds a reference to the channel.  The
 * operations are read, pread, lseek forward, splice and poll; the reading contract is in
 * doc/format.md.
 */
extern const struct file_operations ltt_relay_fops;

/**
 * ltt_relay_open() - open a descriptor of the calling process for reading a buffer
 * @buf: alive during the call; the open file then holds a reference to the channel
 * @flags: O_NONBLOCK, O_CLOEXEC
 *
 * Operations: see ltt_relay_fops; and mmap, read-only (map.c, ltt/mapping.h).
 *
 * Context: task.
 * Return: the descriptor; -EBUSY when the buffer has a reader; -EMFILE, -ENOMEM.
 */
int ltt_relay_open(struct ltt_relay_buf *buf, int flags);

/**
 * ltt_relay_snapshot_fops - file operations of a snapshot of a buffer
 *
 * For a file whose inode's i_private is the struct ltt_relay_buf, as with
 * ltt_relay_fops.  Opening it ends the packet that is being written.  read() returns
 * the packets that the buffer held then, oldest first, without those that were
 * overwritten or freed meanwhile, then end of file.  The buffer's reader still gets them
 * all.  Any number of snapshots can be open.
 */
extern const struct file_operations ltt_relay_snapshot_fops;

/**
 * ltt_relay_open_snapshot() - open a descriptor for a snapshot of a buffer
 * @buf: alive during the call; the open file then holds a reference to the channel
 * @flags: O_CLOEXEC
 *
 * Context: task; takes cpus_read_lock.
 * Return: the descriptor, see ltt_relay_snapshot_fops; -EMFILE; -ENOMEM, also for the
 * memory of a sub-buffer; -ENODEV when the client's module is being unloaded; an error of
 * the channel's budget.
 */
int ltt_relay_open_snapshot(struct ltt_relay_buf *buf, int flags);

#endif /* LTT_RELAY_H */
