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
 * struct ltt_relay_client - who uses a channel
 * @owner: the client's module, held by open readers: it cannot be unloaded while
 *	its callbacks can be needed, and its exit function can close channels
 * @begin: fill in a packet header; see struct ltt_ring_ops
 * @end: fill in the rest of it; see struct ltt_ring_ops
 * @ready: NULL, or called when a packet has become readable; hard interrupt
 * @release: the channel is gone (its last reader has closed); may sleep
 */
struct ltt_relay_client {
	struct module *owner;
	void (*begin)(struct ltt_relay_buf *buf, void *header, u64 time, u64 seq);
	void (*end)(struct ltt_relay_buf *buf, void *header, const struct ltt_packet_end *end);
	void (*ready)(struct ltt_relay_buf *buf);
	void (*release)(void *priv);
};

/**
 * struct ltt_relay_config - what a channel is to be
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
 * @chan: what it belongs to
 * @cpu: whose it is
 * @wake: wakes @wait from any context
 * @wait: readers that wait for a packet
 * @lock: guards the ring's read side, @spare and @nr_spare
 * @opened: a reader has it open; atomic bit 0
 * @room: threads that wait for the reader, see wait.c
 * @reader: the process that reads; written by readers, read by writers
 * @stalled_at: where the reader was when a wait was in vain; lockless
 * @waits: how many there were
 * @timeouts: of them in vain
 * @waited_us: microseconds, all together
 * @spare: pages that were in a pipe when their packet was freed
 * @nr_spare: how many
 * @charged: bytes that the channel's budget answers for; changed under @lock, and
 *	where nobody else knows the buffer
 */
struct ltt_relay_buf {
	struct ltt_ring ring;
	struct ltt_relay_chan *chan;
	int cpu;
	struct irq_work wake;
	wait_queue_head_t wait;
	struct mutex lock;
	unsigned long opened;
	wait_queue_head_t room;
	pid_t reader;
	u64 stalled_at;
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
 * @config: as it was created
 * @ref: the client's, and one for each open reader
 * @node: ltt-relay's, for CPU hotplug
 * @complete: all CPUs that were up have their buffers; written once, read by
 *	hotplug
 * @quiet: the client writes nothing now: a reader that has drained a buffer may
 *	ask it for a last packet with the refused count.  Written by the client
 * @closed: ltt_relay_close() was called: drained buffers are at end of file
 * @nr_waiting: threads that wait for a reader, see wait.c
 * @none_waiting: told when there are none
 */
struct ltt_relay_chan {
	struct ltt_relay_buf __percpu *bufs;
	struct ltt_relay_config config;
	struct kref ref;
	struct hlist_node node;
	bool complete;
	bool quiet;
	bool closed;
	unsigned int nr_waiting;
	wait_queue_head_t none_waiting;
};

/**
 * ltt_relay_create() - make a channel, with memory for all CPUs that are up
 * @config: copied
 *
 * CPUs that come later get theirs before they run anything.
 *
 * Context: sleeps; takes cpus_read_lock.
 * Return: the channel, or ERR_PTR: -EINVAL for sizes out of range, what the budget
 * says, -ENOMEM,
 * also, before anything is allocated, for more than half of the memory that is
 * available.
 */
struct ltt_relay_chan *ltt_relay_create(const struct ltt_relay_config *config);

/**
 * ltt_relay_close() - the client is done writing
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
 * ltt_relay_snapshot() - overwrite mode: let readers have what there is now
 * @chan: the channel
 * Context: as ltt_relay_flush().
 */
void ltt_relay_snapshot(struct ltt_relay_chan *chan);

/**
 * ltt_relay_set_quiet() - say whether the client may be writing
 * @chan: the channel
 * @quiet: no record is written until this is called with false
 *
 * Context: sleeps.  Becoming quiet ends all packets; in overwrite mode it is
 * also a snapshot.
 */
void ltt_relay_set_quiet(struct ltt_relay_chan *chan, bool quiet);

/* True when the CPU has memory in this channel; it never loses it again.  A true result
 * orders what is set up with it: as O(memory:A) in core/ring.h, pairs with O(init:A). */
static inline bool ltt_relay_has_cpu(struct ltt_relay_chan *chan, int cpu)
{
	return ltt_load_acquire(&per_cpu_ptr(chan->bufs, cpu)->ring.sb_mask);
}

/* ---- Lossless channels, see modules/relay/wait.c ---- */

/**
 * ltt_relay_pressed() - is the buffer half full, with a reader that moves?
 * Context: any; a hint.
 */
static inline bool ltt_relay_pressed(const struct ltt_relay_buf *buf)
{
	u64 read = READ_ONCE(buf->ring.read_pos), at = ltt_count_read(&buf->ring.offset);

	/* At the same place: nothing to read, or no memory and so no size. */
	return at != read && (at - read) << 1 >= 1ULL << buf->ring.buf_order &&
	       read != READ_ONCE(buf->stalled_at);
}

/**
 * ltt_relay_ask_to_wait() - have this thread wait before it returns to user space
 * @buf: where it has written, and which is pressed
 *
 * Does nothing where nobody can wait, and when it is asked already.
 *
 * Context: any, preemption off; the channel cannot be closed meanwhile.
 */
void ltt_relay_ask_to_wait(struct ltt_relay_buf *buf);

/**
 * ltt_relay_pause() - what a site that may sleep is to wait for
 * @buf: where it has written, and which is pressed
 *
 * After ltt_relay_ask_to_wait().
 *
 * Context: task, preemption off; the channel cannot be closed meanwhile.
 * Return: to be waited for, once; or NULL.
 */
struct ltt_pause *ltt_relay_pause(struct ltt_relay_buf *buf);

/**
 * ltt_relay_fops - the reader's file operations
 *
 * For a file whose inode's i_private is the struct ltt_relay_buf.  The caller
 * sees to it that the buffer is alive during open; the open file then holds the
 * channel itself.  read, pread, lseek forward, splice, poll; the reading
 * contract is in doc/format.md.
 */
extern const struct file_operations ltt_relay_fops;

/**
 * ltt_relay_open() - a descriptor of the caller's for reading a buffer
 * @buf: it is alive during the call; the descriptor then holds the channel itself
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
 * ltt_relay_open_snapshot() - a descriptor for a snapshot of a buffer
 * @buf: alive during the call; the descriptor then holds the channel
 * @flags: O_CLOEXEC
 *
 * Context: task; takes cpus_read_lock.
 * Return: the descriptor, see ltt_relay_snapshot_fops; -EMFILE; -ENOMEM, also for the
 * memory of a sub-buffer; what the channel's budget says.
 */
int ltt_relay_open_snapshot(struct ltt_relay_buf *buf, int flags);

#endif /* LTT_RELAY_H */
