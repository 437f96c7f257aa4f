// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The tree in debugfs as a face: each command of the device has its file here.
 *
 * Layer: liblttctl.  A trace is held by a descriptor of its directory, so that no
 * request can reach a later trace of the same name.
 */
#include "internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <unistd.h>

#define DEBUGFS "/sys/kernel/debug"

/**
 * struct way - the file that does what a command of the device does
 * @verb: the command
 * @kind: the operation on the file
 * @file: its path below the trace's directory, or below the root for a command that
 *	is about no trace
 * @text: the text to write
 *
 * In @file and @text, $1 to $4 stand for arguments and $0 for the trace's name.
 */
static const struct way {
	const char *verb;
	enum { WRITE, READ, OPEN, FOLDERS, FILES, MARKERS, CHANNELS } kind;
	const char *file;
	const char *text;
} ways[] = {
	{ "traces",		FOLDERS,	"traces",		NULL },
	{ "create",		WRITE,		"traces/create",	"$1" },
	{ "markers",		MARKERS,	"markers",		NULL },
	{ "info",		READ,		"markers/$1/$2/info",	NULL },
	{ "wanted",		READ,		"markers/wanted",	NULL },
	{ "want",		WRITE,		"markers/wanted",	"$1" },
	{ "unwant",		WRITE,		"markers/wanted",	"!$1" },
	{ "mark",		WRITE,		"marker",		"$1" },
	{ "contexts",		READ,		"contexts",		NULL },
	{ "group-tasks",	WRITE,		"groups",		"tasks $1 $2" },
	{ "group-cpus",		WRITE,		"groups",		"cpus $1 $2" },
	{ "ungroup",		WRITE,		"groups",		"!$1" },
	{ "probe",		WRITE,		"probes",		"$1" },
	/* About a trace. */
	{ "destroy",		WRITE,		"../remove",		"$0" },
	{ "start",		WRITE,		"state",		"start" },
	{ "arm",		WRITE,		"state",		"arm $1" },
	{ "stop",		WRITE,		"state",		"stop" },
	{ "triggers",		READ,		"triggers",		NULL },
	{ "state",		READ,		"state",		NULL },
	{ "tasks",		WRITE,		"tasks",		"1" },
	{ "flush",		WRITE,		"flush",		"1" },
	{ "clock",		READ,		"clock",		NULL },
	{ "stats",		READ,		"stats",		NULL },
	{ "filter-set",		WRITE,		"pid",			"$1" },
	{ "limit",		WRITE,		"limit",		"$1" },
	{ "unlimit",		WRITE,		"limit",		"none" },
	{ "enable",		WRITE,		"events",		"$1" },
	{ "enable-in",		WRITE,		"channels/$1/events",	"$2" },
	{ "disable",		WRITE,		"events",		"!$1" },
	{ "probe-in",		WRITE,		"probes",		"$1" },
	{ "events",		READ,		"events",		NULL },
	{ "channels",		CHANNELS,	"channels",		NULL },
	{ "channel-add",	WRITE,		"channels/create",	"$1" },
	{ "channel-set",	WRITE,		"channels/$1/$2",	"$3" },
	{ "context-set",	WRITE,		"channels/$1/context",	"$2" },
	{ "context-for",	WRITE,		"context",		"$1 $2" },
	{ "filter",		WRITE,		"filter",		"$1 $2" },
	{ "unfilter",		WRITE,		"filter",		"!$1" },
	{ "filters",		READ,		"filters",		NULL },
	{ "filter-attach",	WRITE,		"filter_attach",	"$1 $2 $3 $4" },
	{ "buffers",		FILES,		".",			NULL },
	{ "open-buffer",	OPEN,		"$1_$2",		NULL },
	{ "open-snapshot",	OPEN,		"$1_$2.snapshot",	NULL },
	{ "open-metadata",	OPEN,		"metadata",		NULL },
};

/* ---- Life ---- */

static const char *root_path(void)
{
	const char *path = secure_getenv("LTT_DEBUGFS");

	return path && *path ? path : "/sys/kernel/debug/ltt";
}

static int mount_debugfs(struct lttctl *ctl)
{
	struct statfs fs;

	if (!statfs(DEBUGFS, &fs) && fs.f_type == DEBUGFS_MAGIC)
		return 0;
	if (mount("debugfs", DEBUGFS, "debugfs", 0, NULL) && errno != EBUSY)
		return lttctl_fail(ctl, -errno, "cannot mount debugfs on " DEBUGFS ": %s",
				   strerror(errno));
	return 0;
}

static int debugfs_connect(struct lttctl *ctl)
{
	const char *path = root_path();
	int err;

	err = ctl->mounts ? mount_debugfs(ctl) : 0;
	if (err)
		return err;
	ctl->root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (ctl->root >= 0)
		return 0;
	switch (errno) {
	case ENOENT:
		return lttctl_fail(ctl, -ENODEV,
				   "there is no %s: load LTT with `modprobe ltt-control` and mount debugfs, or use --via device",
				   path);
	case EACCES:
	case EPERM:
		return lttctl_fail(ctl, -EACCES,
				   "%s may not be entered: controlling the tracer takes root",
				   path);
	default:
		return lttctl_fail(ctl, -errno, "cannot open %s: %s", path, strerror(errno));
	}
}

static int debugfs_bind(struct lttctl_trace *trace)
{
	char path[sizeof("traces/") + LTTCTL_NAME_SIZE];

	if (trace->dir >= 0)
		return 0;
	snprintf(path, sizeof(path), "traces/%s", trace->name);
	trace->dir = openat(trace->ctl->root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (trace->dir >= 0)
		return 0;
	/* `traces/create` and `traces/remove` are files, hence no traces. */
	if (errno == ENOENT || errno == ENOTDIR)
		return lttctl_fail(trace->ctl, -ENOENT, "there is no trace \"%s\"", trace->name);
	return lttctl_fail(trace->ctl, -errno, "cannot open its directory: %s", strerror(errno));
}

static int debugfs_watch(struct lttctl_trace *trace, const char *kinds, bool *all)
{
	char path[32];
	int fd, err;

	(void)kinds;
	*all = false;
	err = debugfs_bind(trace);
	if (err)
		return err;
	fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (fd < 0)
		return lttctl_fail(trace->ctl, -errno, "cannot create an inotify instance: %s",
				   strerror(errno));
	/* By descriptor: the name may belong to another trace by now. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", trace->dir);
	if (inotify_add_watch(fd, path, IN_CREATE | IN_DELETE | IN_MOVED_TO |
			      IN_DELETE_SELF) < 0) {
		err = -errno;
		close(fd);
		return lttctl_fail(trace->ctl, err, "cannot watch trace %s: %s", trace->name,
				   strerror(-err));
	}
	return fd;
}

/* ---- Files ---- */

/* Why a control file cannot be opened, as a sentence. */
static const char *open_reason(int err)
{
	switch (err) {
	case ENOENT:
		return "there is no such thing";
	case EACCES:
		return "controlling the tracer takes root";
	case EPERM:
		return "the kernel is locked down, so the control files of debugfs cannot be opened; --via device works unless it is locked down to confidentiality";
	case EBUSY:
		return "it has a reader already";
	default:
		return strerror(err);
	}
}

static int open_file(struct lttctl *ctl, int dir, const char *path, int flags)
{
	int fd = openat(dir, path, flags | O_CLOEXEC);

	return fd < 0 ? lttctl_fail(ctl, -errno, "%s", open_reason(errno)) : fd;
}

/* Fail with the tracer's sentence about the write that it just rejected, or that of the errno. */
static int rejected(struct lttctl *ctl, int err)
{
	int fd = openat(ctl->root, "last_error", O_RDONLY | O_CLOEXEC);
	char reason[512];
	ssize_t len = -1;

	if (fd >= 0) {
		len = read(fd, reason, sizeof(reason) - 1);
		close(fd);
	}
	reason[len > 0 ? len : 0] = '\0';
	reason[strcspn(reason, "\n")] = '\0';
	if (!*reason)
		return lttctl_fail(ctl, err, "%s (%s)", strerror(-err), strerrorname_np(-err));
	return lttctl_fail(ctl, err, "%s", reason);
}

static int write_file(struct lttctl *ctl, int dir, const char *path,
		      const char *text)
{
	size_t len = strlen(text);
	ssize_t done;
	int fd, err;

	fd = open_file(ctl, dir, path, O_WRONLY | O_TRUNC);
	if (fd < 0)
		return fd;
	/* One write() is one operation: the tracer takes all of it or nothing. */
	do
		done = write(fd, text, len);
	while (done < 0 && errno == EINTR);
	err = done == (ssize_t)len ? 0 : done < 0 ? -errno : -EIO;
	close(fd);
	return err ? rejected(ctl, err) : 0;
}

static int read_all(int fd, char **text)
{
	size_t size = 4096, len = 0;
	char *buf = NULL, *bigger;
	ssize_t got;

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
	if (got < 0) {
		free(buf);
		return -errno;
	}
	buf[len] = '\0';
	*text = buf;
	return 0;
}

static int read_file(struct lttctl *ctl, int dir, const char *path, char **text)
{
	int fd, err;

	fd = open_file(ctl, dir, path, O_RDONLY);
	if (fd < 0)
		return fd;
	err = read_all(fd, text);
	close(fd);
	return err ? lttctl_fail(ctl, err, "%s", strerror(-err)) : 0;
}

/* ---- Directories, as the text that the device shows in their place ---- */

static int print_entries(struct lttctl *ctl, int dir, const char *path,
			 unsigned char type, FILE *out)
{
	int fd = open_file(ctl, dir, path, O_RDONLY | O_DIRECTORY);
	struct dirent *entry;
	DIR *entries;
	int err;

	if (fd < 0)
		return fd;
	entries = fdopendir(fd);
	if (!entries) {
		close(fd);
		return lttctl_fail(ctl, -ENOMEM, "out of memory");
	}
	while (errno = 0, (entry = readdir(entries)))
		if (entry->d_type == type && entry->d_name[0] != '.')
			fprintf(out, "%s\n", entry->d_name);
	err = -errno;
	closedir(entries);
	return err ? lttctl_fail(ctl, err, "cannot list %s: %s", path, strerror(-err)) : 0;
}

static int read_folder(struct lttctl *ctl, int dir, const char *path,
		       unsigned char type, char **text)
{
	size_t size;
	FILE *out;
	int err;

	*text = NULL;
	out = open_memstream(text, &size);
	if (!out)
		return lttctl_fail(ctl, -ENOMEM, "out of memory");
	err = print_entries(ctl, dir, path, type, out);
	if (fclose(out) && !err)
		err = lttctl_fail(ctl, -ENOMEM, "out of memory");
	if (err)
		free(*text);
	return err;
}

/* Print the markers of a group as the command `markers` does. */
static int print_group(struct lttctl *ctl, const char *group, FILE *out)
{
	char path[256], *names, *rest, *name, *enabled;
	int err;

	snprintf(path, sizeof(path), "markers/%s", group);
	err = read_folder(ctl, ctl->root, path, DT_DIR, &names);
	if (err)
		return err;
	rest = names;
	while (!err && (name = strsep(&rest, "\n")) && *name) {
		snprintf(path, sizeof(path), "markers/%s/%s/enable", group,
			 name);
		err = read_file(ctl, ctl->root, path, &enabled);
		if (!err) {
			fprintf(out, "%s:%s %s", group, name, enabled);
			free(enabled);
		} else if (err == -ENOENT) {	/* its module has just gone */
			err = 0;
		}
	}
	free(names);
	return err;
}

static int read_markers(struct lttctl *ctl, char **text)
{
	char *groups, *rest, *group;
	size_t size;
	FILE *out;
	int err;

	err = read_folder(ctl, ctl->root, "markers", DT_DIR, &groups);
	if (err)
		return err;
	rest = groups;
	*text = NULL;
	out = open_memstream(text, &size);
	if (!out)
		err = lttctl_fail(ctl, -ENOMEM, "out of memory");
	while (!err && (group = strsep(&rest, "\n")) && *group) {
		err = print_group(ctl, group, out);
		if (err == -ENOENT)
			err = 0;
	}
	free(groups);
	if (out && fclose(out) && !err)
		err = lttctl_fail(ctl, -ENOMEM, "out of memory");
	if (out && err)
		free(*text);
	return err;
}

/* Print a channel and its options as the command `channels` does. */
static int print_channel(struct lttctl *ctl, int dir, const char *name, FILE *out)
{
	static const char *const options[] = {
		"subbuf_size", "subbuf_count", "overwrite", "lossless_ms",
	};
	char path[256], *value;
	size_t i;
	int err;

	fputs(name, out);
	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		snprintf(path, sizeof(path), "channels/%s/%s", name, options[i]);
		err = read_file(ctl, dir, path, &value);
		if (err)
			return err;
		fprintf(out, " %s %.*s", options[i], (int)strcspn(value, "\n"), value);
		free(value);
	}
	fputc('\n', out);
	return 0;
}

static int read_channels(struct lttctl *ctl, int dir, char **text)
{
	char *names, *rest, *name;
	size_t size;
	FILE *out;
	int err;

	err = read_folder(ctl, dir, "channels", DT_DIR, &names);
	if (err)
		return err;
	rest = names;
	*text = NULL;
	out = open_memstream(text, &size);
	if (!out)
		err = lttctl_fail(ctl, -ENOMEM, "out of memory");
	while (!err && (name = strsep(&rest, "\n")) && *name)
		err = print_channel(ctl, dir, name, out);
	free(names);
	if (out && fclose(out) && !err)
		err = lttctl_fail(ctl, -ENOMEM, "out of memory");
	if (out && err)
		free(*text);
	return err;
}

/* ---- Commands ---- */

/* Put the trace's name and the arguments in their places. */
static int expand(struct lttctl *ctl, const char *template,
		  const struct lttctl_trace *trace, const char *const *args,
		  char *to, size_t size)
{
	size_t len = 0;

	for (; *template; template++) {
		const char *part = template;
		size_t more = 1;

		if (*template == '$') {
			template++;
			part = *template == '0' ? trace->name
						: args[*template - '1'];
			more = strlen(part);
		}
		if (more >= size - len)
			return lttctl_fail(ctl, -ENAMETOOLONG,
					   "`%.40s...` is too long", part);
		memcpy(to + len, part, more);
		len += more;
	}
	to[len] = '\0';
	return 0;
}

static const struct way *find_way(const char *verb)
{
	size_t i;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(ways[i].verb, verb))
			return &ways[i];
	return NULL;
}

static int debugfs_ask(struct lttctl *ctl, struct lttctl_trace *trace, const char *verb,
		       const char *const *args, char **text)
{
	const struct way *way = find_way(verb);
	char path[256], content[16384];
	int dir, err = 0;

	if (!way)
		return lttctl_fail(ctl, -ENOSYS, "debugfs has no `%s`: use --via device", verb);
	if (trace)
		err = debugfs_bind(trace);
	if (!err)
		err = expand(ctl, way->file, trace, args, path, sizeof(path));
	if (err)
		return err;
	dir = trace ? trace->dir : ctl->root;
	switch (way->kind) {
	case WRITE:
		err = expand(ctl, way->text, trace, args, content, sizeof(content));
		return err ? err : write_file(ctl, dir, path, content);
	case READ:
		return read_file(ctl, dir, path, text);
	case OPEN:
		return open_file(ctl, dir, path, O_RDONLY | O_NONBLOCK);
	case FOLDERS:
		return read_folder(ctl, dir, path, DT_DIR, text);
	case FILES:
		return read_folder(ctl, dir, path, DT_REG, text);
	case CHANNELS:
		return read_channels(ctl, dir, text);
	default:
		return read_markers(ctl, text);
	}
}

const struct lttctl_face lttctl_face_debugfs = {
	.connect = debugfs_connect,
	.bind = debugfs_bind,
	.watch = debugfs_watch,
	.ask = debugfs_ask,
};
