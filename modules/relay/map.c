// SPDX-License-Identifier: GPL-2.0-only
/*
 * A buffer mapped into a program's memory: the program uses packets in place, and can write
 * them to a file with O_DIRECT.
 *
 * Layer: relay.  Context: task.
 *
 * The first page of the mapping holds struct ltt_mapping, which gives the place of the packet
 * that is out.  The ring's pages follow in order.  The program still reads by positions: a
 * read() takes a packet out, and frees the packets before it.
 *
 * map_fault() needs no lock, because ring->page[] does not change while the buffer is mapped.
 * Without a mapping, ltt_relay_buf_recycle() replaces the pages of a packet that a pipe still
 * holds.  It finds them by their reference counts: a page that a pipe holds has a further
 * reference.  So has a mapped page, so splice() and a mapping exclude each other.
 *
 * Locking: the kernel calls mmap() and munmap() with the program's mmap_lock held, which read()
 * takes under buf->lock when it copies to memory that is not there.  So mmap() only tries
 * buf->lock, and the end of a mapping takes no lock.  map->vmas leaves 0 under buf->lock, and
 * can become 0 at any time.  A thread that sees the 0 late refuses one call more, or keeps
 * pages that no pipe holds, which does no harm.
 */
#include "relay.h"

#include <linux/mm.h>

#include <ltt/mapping.h>

static void map_open(struct vm_area_struct *vma)
{
	struct ltt_map *map = vma->vm_private_data;

	atomic_inc(&map->vmas);
}

/* The pages were unmapped before. */
static void map_close(struct vm_area_struct *vma)
{
	struct ltt_map *map = vma->vm_private_data;

	atomic_dec(&map->vmas);
}

static vm_fault_t map_fault(struct vm_fault *vmf)
{
	struct ltt_map *map = vmf->vma->vm_private_data;
	void *address = vmf->pgoff ? map->buf->ring.page[vmf->pgoff - 1] : map->control;

	vmf->page = virt_to_page(address);
	get_page(vmf->page);
	return 0;
}

/* A mapping may be taken apart and moved, it cannot grow. */
static const struct vm_operations_struct map_ops = {
	.open = map_open,
	.close = map_close,
	.fault = map_fault,
};

static bool any_page_held(const struct ltt_relay_buf *buf)
{
	u32 i, nr = ltt_relay_buf_pages(buf);

	for (i = 0; i < nr; i++)
		if (page_count(virt_to_page(buf->ring.page[i])) != 1)
			return true;
	return false;
}

/**
 * ltt_map_is_live() - check whether the buffer is mapped
 * @map: of the buffer's reader
 *
 * Context: map->buf->lock held, so that no mapping begins.
 * Return: true if it is.
 */
bool ltt_map_is_live(const struct ltt_map *map)
{
	return atomic_read(&map->vmas);
}

/**
 * ltt_map_publish() - store the place of the packet that is out for the program
 * @map: of the buffer's reader; does nothing if it was never mapped
 * @position: of the packet that is out, or comes next
 *
 * Plain stores are enough: the program looks at them only after its call returns.
 *
 * Context: map->buf->lock held.
 */
void ltt_map_publish(struct ltt_map *map, u64 position)
{
	const struct ltt_ring *ring = &map->buf->ring;
	struct ltt_mapping *control = map->control;

	if (!control)
		return;
	control->position = position;
	control->offset = ring->reading ? ((u64)ring->read_base + 1) << PAGE_SHIFT : 0;
	control->content = ring->reading ? ring->read_content : 0;
	control->length = PAGE_ALIGN(control->content);
}

/**
 * ltt_map_begin() - map a buffer
 * @map: of the buffer's reader
 * @vma: begins at the first page of the mapping; may be shorter than the buffer
 * @position: as for ltt_map_publish()
 *
 * Context: mmap(), and map->buf->lock held.
 * Return: 0; -EPERM if @vma is writable; -EINVAL if @vma does not begin at the first page, or
 * is larger than the buffer; -EBUSY if the buffer is mapped already, or a pipe holds pages;
 * -ENOMEM.
 */
int ltt_map_begin(struct ltt_map *map, struct vm_area_struct *vma, u64 position)
{
	u64 pages = (u64)ltt_relay_buf_pages(map->buf) + 1;

	lockdep_assert_held(&map->buf->lock);
	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	if (vma->vm_pgoff || vma_pages(vma) > pages)
		return -EINVAL;
	if (ltt_map_is_live(map) || any_page_held(map->buf))
		return -EBUSY;
	if (!map->control)
		map->control = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!map->control)
		return -ENOMEM;
	map->control->size = pages << PAGE_SHIFT;
	ltt_map_publish(map, position);
	/* A child does not get it: it could keep the mapping beyond the parent's munmap(). */
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP, VM_MAYWRITE);
	vma->vm_ops = &map_ops;
	vma->vm_private_data = map;
	atomic_set(&map->vmas, 1);
	return 0;
}

/**
 * ltt_map_free() - free the first page of a mapping
 * @map: of a reader that is gone, and with it all mappings, which hold the reader's file
 */
void ltt_map_free(struct ltt_map *map)
{
	/* A write that is under way may hold it for longer. */
	if (map->control)
		put_page(virt_to_page(map->control));
}
