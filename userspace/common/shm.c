// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Mapping the buffers of a channel.
 */
#include "shm.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

static size_t data_offset(uint32_t nr_sb)
{
	size_t size = offsetof(struct ltt_shm_ring, sub) + nr_sb * sizeof(struct ltt_shm_sub);

	return (size + LTT_SHM_PAGE - 1) & ~(size_t)(LTT_SHM_PAGE - 1);
}

/**
 * ltt_shm_size() - what ltt_shm_map() maps: the size of the file, in bytes
 */
size_t ltt_shm_size(uint32_t nr_rings, uint32_t nr_sb, uint32_t sb_order)
{
	return nr_rings * (data_offset(nr_sb) + ((size_t)nr_sb << sb_order));
}

/**
 * ltt_shm_map() - map a channel's buffers
 * @shm: to be told where; its members @overwrite, @lossless_ms and @context are the caller's
 * @fd: a memfd of ltt_shm_size(), zero at first, sealed with F_SEAL_SHRINK: nobody can
 *	take away what others have mapped
 * @nr_cpus: see &struct ltt_shm
 * @nr_rings: at least @nr_cpus
 * @nr_sb: sub-buffers of a ring, a power of two
 * @sb_order: of their size in bytes; a page at least
 * Return: 0 or -errno; -EPERM when it is not sealed, -EINVAL when it is too small, or a number is
 * not within its limits.
 */
int ltt_shm_map(struct ltt_shm *shm, int fd, uint32_t nr_cpus, uint32_t nr_rings, uint32_t nr_sb,
		uint32_t sb_order)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat st;
	size_t size;
	void *base;

	if (seals < 0 || fstat(fd, &st))
		return -errno;
	if (!(seals & F_SEAL_SHRINK))
		return -EPERM;
	/* Within these the size does not overflow. */
	if (!nr_cpus || nr_cpus > nr_rings || nr_rings > LTT_SHM_NR_RINGS_MAX || nr_sb < 2 ||
	    nr_sb > LTT_SHM_NR_SB_MAX || nr_sb & (nr_sb - 1) || sb_order < 12 ||
	    sb_order > LTT_SHM_SB_ORDER_MAX)
		return -EINVAL;
	size = ltt_shm_size(nr_rings, nr_sb, sb_order);
	if (st.st_size < 0 || (size_t)st.st_size < size)
		return -EINVAL;
	/* Of who has said mlockall(MCL_FUTURE), all of it would be made now. */
	base = mmap(NULL, size, PROT_NONE, MAP_SHARED, fd, 0);
	if (base == MAP_FAILED)
		return -errno;
	munlock(base, size);
	if (mprotect(base, size, PROT_READ | PROT_WRITE)) {
		munmap(base, size);
		return -ENOMEM;
	}
	/* A core dump of a program is about the program. */
	madvise(base, size, MADV_DONTDUMP);
	shm->base = base;
	shm->size = size;
	shm->stride = size / nr_rings;
	shm->data = data_offset(nr_sb);
	shm->nr_cpus = shm->sequence_cpus = nr_cpus;
	shm->nr_rings = nr_rings;
	shm->nr_sb = nr_sb;
	shm->sb_order = sb_order;
	return 0;
}

/**
 * ltt_shm_unlock() - nothing of this need be in memory, even after mlockall()
 */
void ltt_shm_unlock(struct ltt_shm *shm)
{
	munlock(shm->base, shm->size);
	madvise(shm->base, shm->size, MADV_DONTNEED);
}

void ltt_shm_unmap(struct ltt_shm *shm)
{
	munmap(shm->base, shm->size);
}
