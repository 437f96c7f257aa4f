/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Encode messages of Protocol Buffers.  Source: protobuf.dev/programming-guides/encoding.
 *
 *	size_t message = proto_begin(&proto, 3);
 *	proto_number(&proto, 1, value);
 *	proto_end(&proto, message);
 *
 * Layer: common.
 */
#ifndef LTT_COMMON_PROTO_H
#define LTT_COMMON_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct proto - a message that is being made
 * @data: its bytes, to be freed
 * @len: bytes of @data in use
 * @room: bytes of @data
 * @failed: memory is out; @data is not a message
 */
struct proto {
	unsigned char *data;
	size_t len;
	size_t room;
	bool failed;
};

/* An integer without zigzag encoding; a negative one has ten bytes. */
void proto_number(struct proto *proto, uint32_t field, uint64_t value);
void proto_double(struct proto *proto, uint32_t field, double value);
void proto_fixed64(struct proto *proto, uint32_t field, uint64_t value);
/* A text; bytes that are not UTF-8 become U+FFFD. */
void proto_text(struct proto *proto, uint32_t field, const char *text, size_t size);
/* Fields that have been encoded. */
void proto_append(struct proto *proto, const struct proto *fields);

/* Begin a message in a message.  Return: its begin, for proto_end(). */
size_t proto_begin(struct proto *proto, uint32_t field);
void proto_end(struct proto *proto, size_t begin);

#endif /* LTT_COMMON_PROTO_H */
