// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Copies of the files of a trace that are a trace of their own.
 *
 * Layer: common.
 */
#include "copy.h"
#include "packet.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define CHUNK_BYTES	(64 * 1024)
#define UUID_TEXT	36

int copy_new_uuid(uint8_t *uuid)
{
	ssize_t got;

	do {
		got = getrandom(uuid, 16, 0);
	} while (got < 0 && errno == EINTR);
	return got < 0 ? -1 : 0;
}

/* Return: the bytes read, fewer than @size at the end of the file; -1 with errno set. */
static ssize_t read_full(int fd, void *to, size_t size)
{
	size_t done = 0;
	ssize_t got;

	while (done < size) {
		got = read(fd, (char *)to + done, size - done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (!got)
			break;
		done += got;
	}
	return done;
}

static int write_full(int fd, const void *from, size_t size)
{
	size_t done = 0;
	ssize_t part;

	while (done < size) {
		part = write(fd, (const char *)from + done, size - done);
		if (part < 0 && errno != EINTR)
			return -1;
		if (part > 0)
			done += part;
	}
	return 0;
}

ssize_t copy_read(int from, struct ltt_ctf_packet **packet)
{
	struct ltt_ctf_packet header;
	ssize_t got = read_full(from, &header, sizeof(header));
	size_t size;
	char *whole;

	if (got < (ssize_t)sizeof(header))
		return got < 0 ? -1 : 0;
	if (!packet_valid(&header)) {
		errno = EBADMSG;
		return -1;
	}
	if (packet_bytes(&header) > SSIZE_MAX) {
		errno = EBADMSG;
		return -1;
	}
	size = packet_bytes(&header);
	whole = malloc(size);
	if (!whole)
		return -1;
	memcpy(whole, &header, sizeof(header));
	got = read_full(from, whole + sizeof(header), size - sizeof(header));
	if (got < (ssize_t)(size - sizeof(header))) {
		free(whole);
		return got < 0 ? -1 : 0;
	}
	*packet = (struct ltt_ctf_packet *)whole;
	return size;
}

int copy_write(int to, struct ltt_ctf_packet *packet, const uint8_t *uuid)
{
	memcpy(packet->uuid, uuid, sizeof(packet->uuid));
	return write_full(to, packet, packet_bytes(packet));
}

int copy_packets(int from, int to, const uint8_t *uuid, uint64_t before)
{
	struct ltt_ctf_packet *packet;
	ssize_t got;
	int ret = 0;

	while (!ret && (got = copy_read(from, &packet)) != 0) {
		if (got < 0)
			return -1;
		if (packet->packet_seq_num >= before) {
			free(packet);
			break;
		}
		ret = copy_write(to, packet, uuid);
		free(packet);
	}
	return ret;
}

/* Replace the UUID of the trace, which comes before that of the clock.  Return: 0; -1: not found. */
static int replace_uuid(char *text, size_t len, const uint8_t *uuid)
{
	static const char name[] = "uuid = \"";
	char *at = memmem(text, len, name, strlen(name)), hex[3];
	int i;

	if (at)
		at += strlen(name);
	if (!at || (size_t)(text + len - at) <= UUID_TEXT || at[UUID_TEXT] != '"')
		return -1;
	for (i = 0; i < 16; i++) {
		snprintf(hex, sizeof(hex), "%02x", uuid[i]);
		at += *at == '-';
		memcpy(at, hex, 2);
		at += 2;
	}
	return 0;
}

/* The UUID is within the first chunk: only the packet header's layout may come before it. */
int copy_metadata(int from, int to, const uint8_t *uuid)
{
	char chunk[CHUNK_BYTES];
	ssize_t got = read_full(from, chunk, sizeof(chunk));

	if (got < 0)
		return -1;
	if (replace_uuid(chunk, got, uuid)) {
		errno = EBADMSG;
		return -1;
	}
	while (got > 0) {
		if (write_full(to, chunk, got))
			return -1;
		got = read_full(from, chunk, sizeof(chunk));
	}
	return got;
}
