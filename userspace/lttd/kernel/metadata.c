// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Copy a trace's metadata to disk.
 *
 * Layer: lttd.
 */
#include "metadata.h"
#include "lttd/disk.h"
#include "lttd/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More than one read takes, so that one write() holds all that is new. */
#define CHUNK (64 * 1024)

/* True: the directory has a data file (any file but `metadata`). */
static bool holds_data(int dir)
{
	struct dirent **entries;
	bool found = false;
	int count, i;

	count = scandirat(dir, ".", &entries, NULL, NULL);
	for (i = 0; i < count; i++) {
		if (entries[i]->d_name[0] != '.' &&
		    strcmp(entries[i]->d_name, "metadata"))
			found = true;
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return found;
}

/*
 * The trace's metadata contains its random uuid and only grows.  So a file whose content is
 * not a prefix of it belongs to another trace.
 */
static int continues(struct metadata *metadata, const char *path)
{
	char ours[4096], theirs[4096];
	ssize_t got, want;

	for (;;) {
		got = pread(metadata->out, ours, sizeof(ours), metadata->size);
		if (got < 0)
			return fail("cannot read %s/metadata: %s", path,
				    strerror(errno));
		if (!got)
			return 0;
		want = pread(metadata->in, theirs, got, metadata->size);
		if (want < 0)
			return fail("cannot read the trace's metadata: %s",
				    strerror(errno));
		if (!want || memcmp(ours, theirs, want))
			return fail("%s holds another trace: choose another directory",
				    path);
		metadata->size += want;
	}
}

int metadata_open(struct metadata *metadata, struct lttctl *ctl,
		  struct lttctl_trace *trace, int dir, const char *path)
{
	struct stat st;

	metadata->size = 0;
	metadata->out = -1;
	metadata->in = lttctl_metadata_open(trace);
	if (metadata->in < 0)
		return fail("%s", lttctl_error(ctl));
	metadata->out = openat(dir, "metadata", O_RDWR | O_CREAT | O_CLOEXEC,
			       0644);
	if (metadata->out < 0 || fstat(metadata->out, &st))
		return fail("cannot open %s/metadata: %s", path,
			    strerror(errno));
	if (!st.st_size && holds_data(dir))
		return fail("%s has files but no metadata: choose another directory",
			    path);
	return continues(metadata, path);
}

/* Read the text from @metadata->size on.  Return: its bytes; 0: no new text; -1: logged. */
static ssize_t read_new(struct metadata *metadata, char **text)
{
	size_t room = 0, len = 0;
	char *buf = NULL, *bigger;
	ssize_t got;

	for (;;) {
		if (room - len < CHUNK) {
			room += 2 * CHUNK;
			bigger = realloc(buf, room);
			if (!bigger)
				break;
			buf = bigger;
		}
		got = pread(metadata->in, buf + len, room - len,
			    metadata->size + len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		if (!got) {
			*text = buf;
			return len;
		}
		len += got;
	}
	free(buf);
	return fail("cannot read the trace's metadata: %s", strerror(errno));
}

int metadata_drain(struct metadata *metadata)
{
	char *text = NULL;
	char probe;
	ssize_t len, done, part;

	/* Usually there is no new text: check before allocating. */
	if (!pread(metadata->in, &probe, 1, metadata->size))
		return 0;
	len = read_new(metadata, &text);
	if (len < 0)
		return -1;
	for (done = 0; done < len; done += part) {
		part = pwrite(metadata->out, text + done, len - done,
			      metadata->size + done);
		if (part < 0 && errno == EINTR)
			part = 0;
		if (part < 0)
			break;
	}
	free(text);
	if (done < len) {
		int err = errno;

		/* Half a block would make the whole trace unreadable. */
		if (ftruncate(metadata->out, metadata->size))
			notice("cannot cut the metadata back: %s",
			       strerror(errno));
		return fail("cannot write the metadata: %s", strerror(err));
	}
	metadata->size += len;
	return 0;
}

int metadata_move(struct metadata *metadata, int dir)
{
	close(metadata->out);
	metadata->size = 0;
	metadata->out = openat(dir, "metadata", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (metadata->out < 0)
		return fail("cannot create the metadata: %s", strerror(errno));
	return metadata_drain(metadata);
}

int metadata_finish(struct metadata *metadata)
{
	int err;

	if (metadata_drain(metadata))
		return -1;
	err = disk_sync(metadata->out);
	return err ? fail("cannot write the metadata: %s", strerror(err)) : 0;
}

void metadata_close(struct metadata *metadata)
{
	if (metadata->in >= 0)
		close(metadata->in);
	if (metadata->out >= 0)
		close(metadata->out);
	metadata->in = metadata->out = -1;
}
