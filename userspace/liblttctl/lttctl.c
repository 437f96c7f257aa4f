// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The handle, its error sentence, and reading and writing control files.
 *
 * Layer: liblttctl.  Everything else of the library goes through the helpers
 * here, so that each failure ends as one sentence with the kernel's reason.
 */
#include "internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *lttctl_root_path(void)
{
	const char *path = secure_getenv("LTT_DEBUGFS");

	return path && *path ? path : "/sys/kernel/debug/ltt";
}

struct lttctl *lttctl_new(void)
{
	struct lttctl *ctl = calloc(1, sizeof(*ctl));

	if (ctl)
		ctl->root = -1;
	return ctl;
}

void lttctl_free(struct lttctl *ctl)
{
	if (!ctl)
		return;
	if (ctl->root >= 0)
		close(ctl->root);
	free(ctl);
}

const char *lttctl_error(const struct lttctl *ctl)
{
	return ctl->error;
}

int lttctl_fail(struct lttctl *ctl, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(ctl->error, sizeof(ctl->error), fmt, args);
	va_end(args);
	return err;
}

int lttctl_connect(struct lttctl *ctl)
{
	const char *path = lttctl_root_path();
	int fd;

	if (ctl->root >= 0)
		return 0;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		ctl->root = fd;
		return 0;
	}
	switch (errno) {
	case ENOENT:
		return lttctl_fail(ctl, -ENODEV,
				   "there is no %s: load LTT with `modprobe ltt-control` and mount debugfs",
				   path);
	case EACCES:
	case EPERM:
		return lttctl_fail(ctl, -EACCES,
				   "%s may not be entered: controlling the tracer takes root",
				   path);
	default:
		return lttctl_fail(ctl, -errno, "cannot open %s: %s", path,
				   strerror(errno));
	}
}

bool lttctl_name_valid(const char *name)
{
	static const char allowed[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789_.-";
	size_t len = strspn(name, allowed);

	return len && len < LTTCTL_NAME_SIZE && !name[len] && name[0] != '.';
}

/* The kernel's sentence about the write that was just refused, or strerror(). */
static const char *kernel_reason(struct lttctl *ctl, int err, char *buf,
				 size_t size)
{
	int fd = openat(ctl->root, "last_error", O_RDONLY | O_CLOEXEC);
	ssize_t len = -1;

	if (fd >= 0) {
		len = read(fd, buf, size - 1);
		close(fd);
	}
	if (len <= 0)
		return strerror(err);
	buf[len] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return *buf ? buf : strerror(err);
}

/* Why a control file cannot be opened. */
static const char *open_reason(int err)
{
	switch (err) {
	case ENOENT:
		return "there is no such thing";
	case EACCES:
		return "controlling the tracer takes root";
	case EPERM:
		return "the kernel is locked down, which closes debugfs: use `lttctl stream`";
	default:
		return strerror(err);
	}
}

int lttctl_write(struct lttctl *ctl, int dir, const char *path,
		 const char *text, const char *what, ...)
{
	size_t len = strlen(text);
	char action[512], reason[512];
	ssize_t done;
	va_list args;
	int fd, err;

	va_start(args, what);
	vsnprintf(action, sizeof(action), what, args);
	va_end(args);

	fd = openat(dir, path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return lttctl_fail(ctl, -errno, "cannot %s: %s", action,
				   open_reason(errno));
	/* One write() is one operation; the kernel takes all of it or nothing. */
	do
		done = write(fd, text, len);
	while (done < 0 && errno == EINTR);
	err = done == (ssize_t)len ? 0 : done < 0 ? -errno : -EIO;
	close(fd);
	if (err)
		lttctl_fail(ctl, err, "cannot %s: %s", action,
			    kernel_reason(ctl, -err, reason, sizeof(reason)));
	return err;
}

int lttctl_read(struct lttctl *ctl, int dir, const char *path, char **text)
{
	size_t size = 4096, len = 0;
	char *buf = NULL, *bigger;
	ssize_t got;
	int fd, err;

	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return lttctl_fail(ctl, -errno, "cannot open %s: %s", path,
				   open_reason(errno));
	do {
		if (!buf || size - len < 2) {
			size *= 2;
			bigger = realloc(buf, size);
			if (!bigger) {
				errno = ENOMEM;
				got = -1;
				break;
			}
			buf = bigger;
		}
		got = read(fd, buf + len, size - len - 1);
		if (got > 0)
			len += got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	err = got < 0 ? -errno : 0;
	close(fd);
	if (err) {
		free(buf);
		return lttctl_fail(ctl, err, "cannot read %s: %s", path,
				   strerror(-err));
	}
	buf[len] = '\0';
	*text = buf;
	return 0;
}

int lttctl_read_u64(struct lttctl *ctl, int dir, const char *path,
		    uint64_t *value)
{
	char *text, *end;
	int err;

	err = lttctl_read(ctl, dir, path, &text);
	if (err)
		return err;
	errno = 0;
	*value = strtoull(text, &end, 10);
	if (end == text || errno)
		err = lttctl_fail(ctl, -EPROTO, "%s holds `%.40s`, not a number",
				  path, text);
	free(text);
	return err;
}

int lttctl_for_each_entry(struct lttctl *ctl, int dir, const char *path,
			  int (*fn)(const char *name, bool is_dir, void *arg),
			  void *arg)
{
	struct dirent **entries;
	int count, i, ret = 0;

	count = scandirat(dir, path, &entries, NULL, versionsort);
	if (count < 0)
		return lttctl_fail(ctl, -errno, "cannot list %s: %s", path,
				   strerror(errno));
	for (i = 0; i < count; i++) {
		if (!ret && entries[i]->d_name[0] != '.')
			ret = fn(entries[i]->d_name,
				 entries[i]->d_type == DT_DIR, arg);
		free(entries[i]);
	}
	free(entries);
	return ret;
}
