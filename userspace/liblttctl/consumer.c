// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Claims: which process moves which trace's data to disk.
 *
 * Layer: liblttctl.  A consumer holds a record lock on /run/ltt/<trace>, which
 * the kernel drops when the process ends, however that happens.  The file says how many
 * buffers the consumer holds and where it writes.
 *
 * Locking: fcntl(F_SETLK), so that F_GETLK returns the holder without disturbing
 * it.  Only the holder removes the file, before it drops the lock; a claimer
 * that has locked a removed file starts over.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *run_dir(void)
{
	const char *path = secure_getenv("LTT_RUN_DIR");

	return path && *path ? path : "/run/ltt";
}

static int claim_path(struct lttctl *ctl, const char *trace, char *path,
		      size_t size)
{
	if (!ltt_name_valid(trace))
		return lttctl_fail(ctl, -EINVAL, "`%.100s` cannot name a trace", trace);
	snprintf(path, size, "%s/%s", run_dir(), trace);
	return 0;
}

/* One line of constant length: one write replaces it as a whole. */
static int write_claim(struct lttctl *ctl, int claim, const char *dir,
		       unsigned int buffers)
{
	char line[sizeof(((struct lttctl_consumer *)0)->dir) + 16];
	int len = snprintf(line, sizeof(line), "%8u %s\n", buffers, dir);

	if (len >= (int)sizeof(line))
		return lttctl_fail(ctl, -ENAMETOOLONG,
				   "the directory name is too long");
	if (pwrite(claim, line, len, 0) != len)
		return lttctl_fail(ctl, -EIO, "cannot write in %s: %s",
				   run_dir(), strerror(errno));
	return 0;
}

/* The lock was refused.  Return: -EBUSY. */
static int refuse_claim(struct lttctl *ctl, int fd, const char *path, const char *trace)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (!fcntl(fd, F_GETLK, &lock) && lock.l_type == F_RDLCK)
		return lttctl_fail(ctl, -EBUSY, "a process that is not an lttd has a read lock on %s: end it, or remove the file", path);
	return lttctl_fail(ctl, -EBUSY, "another lttd serves trace %s", trace);
}

int lttctl_consumer_claim(struct lttctl *ctl, const char *trace,
			  const char *dir)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char path[4096];
	struct stat held, named;
	int fd, err;

	err = claim_path(ctl, trace, path, sizeof(path));
	if (err)
		return err;
	if (mkdir(run_dir(), 0755) && errno != EEXIST)
		return lttctl_fail(ctl, -errno, "cannot create %s: %s", run_dir(),
				   strerror(errno));
	for (;;) {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0)
			return lttctl_fail(ctl, -errno, "cannot open %s: %s",
					   path, strerror(errno));
		if (fcntl(fd, F_SETLK, &lock)) {
			err = errno == EAGAIN || errno == EACCES ?
				refuse_claim(ctl, fd, path, trace) :
				lttctl_fail(ctl, -errno, "cannot lock %s: %s", path, strerror(errno));
			close(fd);
			return err;
		}
		if (!fstat(fd, &held) && !stat(path, &named) &&
		    held.st_ino == named.st_ino)
			break;
		close(fd);
	}
	err = ftruncate(fd, 0) ? -errno : 0;
	if (err)
		lttctl_fail(ctl, err, "cannot empty %s: %s", path,
			    strerror(-err));
	else
		err = write_claim(ctl, fd, dir, 0);
	if (err) {
		lttctl_consumer_release(ctl, fd, trace);
		return err;
	}
	return fd;
}

int lttctl_consumer_update(struct lttctl *ctl, int claim, const char *dir,
			   unsigned int buffers)
{
	return write_claim(ctl, claim, dir, buffers);
}

void lttctl_consumer_release(struct lttctl *ctl, int claim, const char *trace)
{
	char path[4096];

	if (!claim_path(ctl, trace, path, sizeof(path)))
		unlink(path);
	close(claim);
}

/*
 * Read a claim and the lock on it; *@len is 0 when no lttd holds the lock.  A killed lttd leaves its claim, which all
 * users may open and have a read lock on.
 * Return: 0 or -errno.
 */
static int read_claim(int fd, struct flock *lock, char *line, size_t size, ssize_t *len)
{
	if (fcntl(fd, F_GETLK, lock))
		return -errno;
	*len = lock->l_type != F_WRLCK ? 0 : pread(fd, line, size - 1, 0);
	return *len < 0 ? -errno : 0;
}

int lttctl_consumer_find(struct lttctl *ctl, const char *trace,
			 struct lttctl_consumer *consumer)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char path[4096], line[sizeof(consumer->dir) + 16], *dir;
	ssize_t len = 0;
	int fd, err;

	err = claim_path(ctl, trace, path, sizeof(path));
	if (err)
		return err;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno != ENOENT)
		return lttctl_fail(ctl, -errno, "cannot open %s: %s", path,
				   strerror(errno));
	if (fd >= 0)
		err = read_claim(fd, &lock, line, sizeof(line), &len);
	if (fd >= 0)
		close(fd);
	if (err)
		return lttctl_fail(ctl, err, "cannot read %s: %s", path, strerror(-err));
	if (len <= 0 || line[len - 1] != '\n')
		return lttctl_fail(ctl, -ENOENT, "no lttd serves trace %s",
				   trace);
	line[len - 1] = '\0';
	consumer->pid = lock.l_pid;
	consumer->buffers = strtoul(line, &dir, 10);
	snprintf(consumer->dir, sizeof(consumer->dir), "%s",
		 *dir ? dir + 1 : dir);
	return 0;
}
