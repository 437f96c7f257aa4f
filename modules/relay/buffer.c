// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of one CPU's buffer: single pages, from the CPU's node, mapped
 * nowhere but in the kernel's linear map.
 *
 * Layer: relay.  Context: task.  Pages can be in a pipe (splice) when their
 * packet is freed.  The pipe's reference keeps them alive for as long as it
 * likes; the ring goes on with other pages.
 */
#include "relay.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include <ltt/raise.h>

static u32 pages_per_subbuf(const struct ltt_relay_buf *buf)
{
	return buf->chan->config.subbuf_size >> PAGE_SHIFT;
}

static u32 page_sets(const struct ltt_relay_buf *buf)
{
	return buf->chan->config.subbuf_count + buf->chan->config.overwrite;
}

/**
 * ltt_relay_buf_pages() - count the pages of a buffer's ring
 * @buf: the buffer; may have no memory yet
 *
 * Return: the number of pages.
 */
u32 ltt_relay_buf_pages(const struct ltt_relay_buf *buf)
{
	return page_sets(buf) * pages_per_subbuf(buf);
}

/* Fails rather than make the OOM killer choose a victim. */
static void *alloc_page_for(int cpu)
{
	struct page *page = alloc_pages_node(cpu_to_node(cpu),
					     GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN |
					     __GFP_RETRY_MAYFAIL, 0);

	return page ? page_address(page) : NULL;
}

static void ring_begin(struct ltt_ring *ring, void *header, u64 time, u64 seq)
{
	struct ltt_relay_buf *buf = container_of(ring, struct ltt_relay_buf, ring);

	buf->chan->config.client->begin(buf, header, time, seq);
}

static void ring_end(struct ltt_ring *ring, void *header, const struct ltt_packet_end *end)
{
	struct ltt_relay_buf *buf = container_of(ring, struct ltt_relay_buf, ring);

	buf->chan->config.client->end(buf, header, end);
}

static void ring_deliver(struct ltt_ring *ring, u64 at)
{
	struct ltt_relay_buf *buf = container_of(ring, struct ltt_relay_buf, ring);

	if (ring->overwrite) {
		/* No reader waits for the packets of a flight recorder, except for one
		 * that a snapshot has found unfinished. */
		/* O(limit:A): FULL before the limit; pairs with O(limit:B). */
		smp_mb();
		if ((s64)(at - ltt_u64_read(&ring->read_limit)) >= 0)
			return;
	}
	ltt_raise(&buf->wake);
}

static const struct ltt_ring_ops ring_ops = {
	.begin = ring_begin,
	.end = ring_end,
	.deliver = ring_deliver,
};

/**
 * ltt_relay_buf_free() - free what ltt_relay_buf_alloc() allocated, or a part
 * @buf: no writer and no reader can reach it
 */
void ltt_relay_buf_free(struct ltt_relay_buf *buf)
{
	struct ltt_ring *ring = &buf->ring;
	u32 i, nr = ltt_relay_buf_pages(buf);

	for (i = 0; ring->page && i < nr; i++)
		if (ring->page[i])
			put_page(virt_to_page(ring->page[i]));
	while (buf->nr_spare)
		put_page(buf->spare[--buf->nr_spare]);
	kvfree(ring->page);
	kvfree(ring->content);
	kvfree(ring->slot);
	ring->page = NULL;
	ring->content = NULL;
	ring->slot = NULL;
	ltt_relay_buf_uncharge(buf);
}

/**
 * ltt_relay_buf_alloc() - give a CPU's buffer its memory
 * @buf: one without
 *
 * Context: sleeps; also in the hotplug prepare step, so it takes no lock.
 * Return: 0, -ENOMEM, or what the channel's budget says.
 */
int ltt_relay_buf_alloc(struct ltt_relay_buf *buf)
{
	const struct ltt_relay_config *config = &buf->chan->config;
	u32 i, sets = page_sets(buf), nr = ltt_relay_buf_pages(buf);
	int node = cpu_to_node(buf->cpu);
	struct ltt_ring *ring = &buf->ring;
	int err;

	err = ltt_relay_buf_charge(buf, (u64)nr << PAGE_SHIFT);
	if (err)
		return err;
	ring->slot = kvcalloc(config->subbuf_count, sizeof(*ring->slot), GFP_KERNEL_ACCOUNT);
	ring->content = kvcalloc(sets, sizeof(*ring->content), GFP_KERNEL_ACCOUNT);
	ring->page = kvzalloc_node(array_size(nr, sizeof(*ring->page)), GFP_KERNEL_ACCOUNT, node);
	if (!ring->slot || !ring->content || !ring->page)
		goto err_alloc;
	for (i = 0; i < nr; i++) {
		ring->page[i] = alloc_page_for(buf->cpu);
		if (!ring->page[i])
			goto err_alloc;
	}
	ring->ops = &ring_ops;
	ltt_ring_init(ring, ilog2(config->subbuf_size), ilog2(config->subbuf_count),
		      config->header_size, config->overwrite);
	return 0;

err_alloc:
	ltt_relay_buf_free(buf);
	return -ENOMEM;
}

/* A page that no pipe holds any more, from the spare pages, else a new one; its
 * place among the spare pages goes to the busy one. */
static void *replacement(struct ltt_relay_buf *buf, struct page *busy)
{
	unsigned int i;
	void *address;

	for (i = 0; i < buf->nr_spare; i++) {
		if (page_count(buf->spare[i]) == 1) {
			address = page_address(buf->spare[i]);
			buf->spare[i] = busy;
			return address;
		}
	}
	address = alloc_page_for(buf->cpu);
	if (!address)
		return NULL;
	/* Else it is the pipe's alone. */
	if (buf->nr_spare < LTT_RELAY_SPARE_PAGES && !ltt_relay_buf_charge(buf, PAGE_SIZE))
		buf->spare[buf->nr_spare++] = busy;
	else
		put_page(busy);
	return address;
}

/**
 * ltt_relay_buf_recycle() - make the pages of the packet that is out writable
 * @buf: with a packet out (ltt_ring_get()); @lock held
 *
 * Replace a page that is still in a pipe: a reader of the pipe must see what was spliced.
 * A page whose only reference is the ring's is in no pipe, and no other thread can take a
 * reference.
 *
 * Return: 0, or -ENOMEM: the packet stays out, try again.
 */
int ltt_relay_buf_recycle(struct ltt_relay_buf *buf)
{
	void **page = &buf->ring.page[buf->ring.read_base];
	u32 i;

	for (i = 0; i < pages_per_subbuf(buf); i++) {
		struct page *busy = virt_to_page(page[i]);
		void *address;

		if (page_count(busy) == 1)
			continue;
		address = replacement(buf, busy);
		if (!address)
			return -ENOMEM;
		page[i] = address;
	}
	return 0;
}
