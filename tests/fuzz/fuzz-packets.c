// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Invariants of lttd for any content of the files that it continues, for libFuzzer.
 *
 * A case is a byte that chooses, then the file.  lttd finds the whole packets at the start of a
 * data file, and finds them again after it cut the file there.  It continues metadata only behind
 * a beginning of the same trace, and leaves any other file as it was.
 */
#include "must.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../userspace/lttd/log.h"
#include "../../userspace/lttd/kernel/metadata.h"
#include "../../userspace/common/packet.h"

static int kernels;	/* a descriptor of the trace's metadata */

int lttctl_metadata_open(struct lttctl_trace *trace)
{
	(void)trace;
	return dup(kernels);
}

const char *lttctl_error(const struct lttctl *ctl)
{
	(void)ctl;
	return "";
}

int fail(const char *fmt, ...)
{
	(void)fmt;
	return -1;
}

void notice(const char *fmt, ...)
{
	(void)fmt;
}

static int file_of(const void *bytes, size_t len)
{
	int fd = memfd_create("case", 0);

	MUST(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	return fd;
}

/* A packet a case can have without 4096 bytes of its own: what follows it is a hole. */
static void check_packets(const uint8_t *data, size_t size)
{
	struct ltt_ctf_packet last = {}, again = {};
	int fd = file_of(data, size);
	off_t whole, len = size + (size > 100 ? 8192 : 0);

	MUST(!ftruncate(fd, len));
	whole = packets_walk(fd, &last);
	MUST(whole >= 0 && whole <= len && !(whole % 4096));
	if (whole)
		MUST(packet_valid(&last) && (off_t)packet_bytes(&last) <= whole);
	MUST(!ftruncate(fd, whole));
	MUST(packets_walk(fd, &again) == whole && !memcmp(&last, &again, sizeof(last)));
	close(fd);
}

static void check_metadata(const uint8_t *data, size_t size, size_t there)
{
	char folder[] = "/tmp/ltt-fuzz-XXXXXX", path[64], now[8192];
	struct metadata metadata;
	bool begins;
	ssize_t got;
	int fd, dir;

	MUST(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/metadata", folder);
	/* The first half is the kernel's, the second what is on disk: or a part of it. */
	kernels = file_of(data, size / 2);
	if (there > size / 2)
		there = size / 2;
	fd = open(path, O_RDWR | O_CREAT, 0600);
	MUST(fd >= 0 && write(fd, data + size / 2, there) == (ssize_t)there);
	begins = !memcmp(data, data + size / 2, there);
	dir = open(folder, O_RDONLY | O_DIRECTORY);
	MUST(metadata_open(&metadata, NULL, NULL, dir, folder) == (begins ? 0 : -1));
	if (begins)
		MUST(!metadata_drain(&metadata) && metadata.size == (off_t)size / 2);
	got = pread(fd, now, sizeof(now), 0);
	if (begins)
		MUST(got == (ssize_t)size / 2 && !memcmp(now, data, got));
	else
		MUST(got == (ssize_t)there && !memcmp(now, data + size / 2, got));
	metadata_close(&metadata);
	close(dir);
	close(fd);
	close(kernels);
	unlink(path);
	rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1 || size > 8192)
		return 0;
	if (data[0] & 1)
		check_packets(data + 1, size - 1);
	else
		check_metadata(data + 1, size - 1, data[0] >> 1);
	return 0;
}
