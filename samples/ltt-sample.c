// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-sample: a small driver with markers.
 *
 * A simulated block device with a cache of eight sectors.  A number written to
 * /dev/ltt-sample is the number of requests to serve:
 *
 *	echo 1000 > /dev/ltt-sample
 *
 * For N requests these markers of the group "sample" fire:
 *
 *	open		1	the process that opened the device
 *	request		N	the sector
 *	lookup		N	hit or miss
 *	evict		one for each lookup that missed in a slot in use
 *	complete	N	the result
 *	idle		1	(without fields) all requests are served
 *	close		1
 *
 * It is an ordinary driver: it includes <ltt/marker.h>, it calls nothing of LTT,
 * and it loads and works without it.
 *
 * Locking: sample_lock guards the cache and the numbers of requests.
 */
#include <ltt/marker.h>

#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>

#define CACHE_SLOTS	8
#define SECTOR_BYTES	512

enum request_kind { READ_AHEAD, READ_NOW, WRITE_BACK, NR_KINDS };

struct request {
	u32 id;
	enum request_kind kind;
	sector_t sector;
	size_t bytes;
	ktime_t began;
};

struct slot {
	sector_t sector;
	u16 uses;
	bool used;
};

static const char *const kind_names[NR_KINDS] = { "read-ahead", "read", "write-back" };

static DEFINE_MUTEX(sample_lock);
static struct slot cache[CACHE_SLOTS];
static u32 nr_requests;

/* A walk over 24 sectors that now and then comes back to one. */
static void next_request(struct request *rq)
{
	rq->id = ++nr_requests;
	rq->kind = rq->id % NR_KINDS;
	rq->sector = rq->id * 7 % 24;
	rq->bytes = (1 + rq->id % 4) * SECTOR_BYTES;
	rq->began = ktime_get();
	trace_mark(sample, request, "id %u kind %s sector %llu bytes %zu",
		   rq->id, kind_names[rq->kind], rq->sector, rq->bytes);
}

static bool look_up(const struct request *rq)
{
	struct slot *slot = &cache[rq->sector % CACHE_SLOTS];
	bool hit = slot->used && slot->sector == rq->sector;

	trace_mark(sample, lookup, "id %u hit %d slot %p", rq->id, hit, slot);
	if (hit) {
		slot->uses++;
		return true;
	}
	if (slot->used)
		trace_mark(sample, evict, "sector %#llx uses %hu", slot->sector, slot->uses);
	slot->sector = rq->sector;
	slot->uses = 1;
	slot->used = true;
	return false;
}

static void serve_request(void)
{
	struct request rq;
	int error;

	next_request(&rq);
	error = look_up(&rq) || rq.kind != WRITE_BACK ? 0 : -EAGAIN;
	trace_mark(sample, complete, "id %u error %d nsec %lld", rq.id, error,
		   ktime_to_ns(ktime_sub(ktime_get(), rq.began)));
}

static ssize_t sample_write(struct file *file, const char __user *text, size_t count, loff_t *pos)
{
	unsigned long requests;
	int ret;

	ret = kstrtoul_from_user(text, count, 0, &requests);
	if (ret)
		return ret;
	while (requests--) {
		mutex_lock(&sample_lock);
		serve_request();
		mutex_unlock(&sample_lock);
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	trace_mark(sample, idle, "");
	return count;
}

static int sample_open(struct inode *inode, struct file *file)
{
	trace_mark(sample, open, "pid %d comm %s mode %c flags %#o", current->pid, current->comm,
		   file->f_mode & FMODE_READ ? 'r' : 'w', file->f_flags);
	return nonseekable_open(inode, file);
}

static int sample_release(struct inode *inode, struct file *file)
{
	trace_mark(sample, close, "pid %d", current->pid);
	return 0;
}

static const struct file_operations sample_fops = {
	.owner = THIS_MODULE,
	.open = sample_open,
	.write = sample_write,
	.release = sample_release,
};

static struct miscdevice sample_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "ltt-sample",
	.fops = &sample_fops,
	.mode = 0600,
};

module_misc_device(sample_device);

MODULE_DESCRIPTION("A sample driver with LTT markers");
MODULE_LICENSE("GPL");
