// SPDX-License-Identifier: GPL-2.0-only
/*
 * A buffer in a program's memory: packets can be used where they lie, and written
 * from there with O_DIRECT.
 *
 * Layer: relay.  Context: task.
 *
 * The mapping is a page that says where the packet lies that is out (struct
 * ltt_mapping), then all pages of the ring in their order.  Reading stays a matter
 * of positions: a read() takes a packet out, and frees those before it.
 *
 * As long as there is a mapping, ring->page[] does not change: that is why
 * fault() needs no lock.  Pages in a pipe are replaced when their packet is freed
 * (ltt_relay_buf_recycle()), and how many hold a page tells which are; a mapping
 * holds them, too.  So splice() and a mapping exclude each other.
 *
 * Locking: mmap() and munmap() come with the program's mmap_lock held, which read()
 * takes under buf->lock when it copies to memory that is not there.  So mmap() only
 * tries buf->lock, and the end of a mapping does without.  map->vmas leaves 0 under
 * buf->lock; it can come back to 0 at any time, and whoever sees that late only
 * refuses once more, or leaves pages in their places that nobody holds.
 */
#include "relay.h"

#include <linux/mm.h>

#include <ltt/mapping.h>

static void map_open(struct vm_area_struct *vma)
{
	struct ltt_map *map = vma->vm_private_data;

	atomic_inc(&map->vmas);
}

/* Its pages have been let go of before. */
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
 * ltt_map_is_live() - is the buffer mapped?
 * Context: map->buf->lock held: then it does not become so.
 */
bool ltt_map_is_live(const struct ltt_map *map)
{
	return atomic_read(&map->vmas);
}

/**
 * ltt_map_tell() - tell the program which packet is out now
 * @map: mapped, or not
 * @position: of the packet that is out, or comes next
 *
 * Plain stores: the program is in a call, or looks when it should not.
 *
 * Context: map->buf->lock held.
 */
void ltt_map_tell(struct ltt_map *map, u64 position)
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
 * @map: of its reader
 * @vma: from its first page on, as much as is wanted
 * @position: as for ltt_map_tell()
 *
 * Context: mmap(), and map->buf->lock held.
 * Return: 0; -EPERM to be written to; -EINVAL not from the first page on, or more
 * than there is; -EBUSY mapped already, or pages are in a pipe; -ENOMEM.
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
	ltt_map_tell(map, position);
	/* Not for a child, which could keep it beyond the parent's munmap(). */
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP, VM_MAYWRITE);
	vma->vm_ops = &map_ops;
	vma->vm_private_data = map;
	atomic_set(&map->vmas, 1);
	return 0;
}

/**
 * ltt_map_free() - the reader is gone, and with it all mappings: they hold its file
 */
void ltt_map_free(struct ltt_map *map)
{
	/* A write that is under way may hold it for longer. */
	if (map->control)
		put_page(virt_to_page(map->control));
}
