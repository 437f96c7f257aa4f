// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Encode messages of Protocol Buffers: tags, varints, lengths.
 *
 * Layer: common.
 */
#include "proto.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

enum { WIRE_VARINT, WIRE_64, WIRE_BYTES };

#define VARINT_MAX 10

/* Return: room for @bytes at the end; NULL if memory is out. */
static unsigned char *make_room(struct proto *proto, size_t bytes)
{
	unsigned char *data;
	size_t room = proto->room;

	while (room - proto->len < bytes)
		room = room ? 2 * room : 256;
	if (room != proto->room) {
		data = realloc(proto->data, room);
		if (!data) {
			proto->failed = true;
			return NULL;
		}
		proto->data = data;
		proto->room = room;
	}
	return proto->data + proto->len;
}

static size_t encode(unsigned char *to, uint64_t value)
{
	size_t len = 0;

	for (; value > 0x7f; value >>= 7)
		to[len++] = value | 0x80;
	to[len++] = value;
	return len;
}

static void put_varint(struct proto *proto, uint64_t value)
{
	unsigned char *to = make_room(proto, VARINT_MAX);

	if (to)
		proto->len += encode(to, value);
}

static void put_bytes(struct proto *proto, const void *bytes, size_t size)
{
	unsigned char *to = make_room(proto, size);

	if (to && size)
		memcpy(to, bytes, size);
	if (to)
		proto->len += size;
}

void proto_number(struct proto *proto, uint32_t field, uint64_t value)
{
	put_varint(proto, field << 3 | WIRE_VARINT);
	put_varint(proto, value);
}

void proto_fixed64(struct proto *proto, uint32_t field, uint64_t value)
{
	unsigned char bytes[8];
	int i;

	for (i = 0; i < 8; i++)
		bytes[i] = value >> 8 * i;
	put_varint(proto, field << 3 | WIRE_64);
	put_bytes(proto, bytes, sizeof(bytes));
}

void proto_double(struct proto *proto, uint32_t field, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	proto_fixed64(proto, field, bits);
}

void proto_text(struct proto *proto, uint32_t field, const char *text, size_t size)
{
	const size_t begin = proto_begin(proto, field);
	size_t len;

	while (size) {
		len = utf8_valid(text, size);
		put_bytes(proto, text, len);
		text += len;
		size -= len;
		if (size) {
			put_bytes(proto, UTF8_REPLACEMENT, strlen(UTF8_REPLACEMENT));
			text++;
			size--;
		}
	}
	proto_end(proto, begin);
}

void proto_append(struct proto *proto, const struct proto *fields)
{
	proto->failed |= fields->failed;
	put_bytes(proto, fields->data, fields->len);
}

size_t proto_begin(struct proto *proto, uint32_t field)
{
	put_varint(proto, field << 3 | WIRE_BYTES);
	return proto->len;
}

/* The length, which is known only now, has from one byte to ten; what follows makes room for it. */
void proto_end(struct proto *proto, size_t begin)
{
	const size_t size = proto->failed ? 0 : proto->len - begin;
	unsigned char length[VARINT_MAX];
	const size_t bytes = encode(length, size);

	if (proto->failed || !make_room(proto, bytes))
		return;
	memmove(proto->data + begin + bytes, proto->data + begin, size);
	memcpy(proto->data + begin, length, bytes);
	proto->len += bytes;
}
