/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading BTF, the types of a kernel and of its modules.
 *
 * Layer: none; part of ltt-btf, a program that runs while LTT is built.  It uses the C
 * library only, because the machine that builds modules (DKMS) has little else.
 *
 * The types of a module continue those of the kernel: its ids begin where the kernel's
 * end, and so do the offsets of its strings.
 */
#ifndef LTT_BTF_H
#define LTT_BTF_H

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of the shortest header.  Linux 7 has added members to it: the kernel's header and that of <linux/btf.h> may each be longer. */
#define BTF_HEADER_MIN (offsetof(struct btf_header, str_len) + sizeof(uint32_t))

/**
 * struct btf - the types of the kernel or of a module
 * @base: the kernel's, NULL if these are the kernel's
 * @strings: the own strings
 * @strings_first: offset of the first of them
 * @strings_len: their bytes; the last one is 0
 * @types: the own types
 * @first: id of the first of them
 * @end: the id behind the last
 */
struct btf {
	const struct btf *base;
	const char *strings;
	uint32_t strings_first;
	uint32_t strings_len;
	const struct btf_type **types;
	uint32_t first;
	uint32_t end;
};

/**
 * btf_read() - read BTF
 * @b: filled in
 * @data: as in a section .BTF; kept as long as @b is used
 * @size: bytes of @data
 * @base: the kernel's types, for those of a module; else NULL
 *
 * Return: NULL, or what is wrong.
 */
const char *btf_read(struct btf *b, const void *data, size_t size, const struct btf *base);

/* The type of an id: "void" for 0 and for ids that do not exist. */
const struct btf_type *btf_type(const struct btf *b, uint32_t id);

/* A string; "" for offsets that do not exist. */
const char *btf_string(const struct btf *b, uint32_t offset);

/**
 * btf_find() - find a type by its name, own types first
 * @b: where
 * @kind: BTF_KIND_...
 * @name: its name
 *
 * Return: its id, 0 if there is none.
 */
uint32_t btf_find(const struct btf *b, unsigned int kind, const char *name);

/* The same, 0 also if several have the name. */
uint32_t btf_find_only(const struct btf *b, unsigned int kind, const char *name);

/* Skip const, volatile, restrict and tags, and typedefs as well if @typedefs. */
uint32_t btf_strip(const struct btf *b, uint32_t id, bool typedefs);

/* As wide as in Linux 7. In earlier kernels, and for BTF_INFO_KIND() and BTF_INFO_VLEN() of earlier headers, the upper bits are unused. */
static inline unsigned int btf_kind(const struct btf_type *t)
{
	return t->info >> 24 & 0x7f;
}

static inline unsigned int btf_count(const struct btf_type *t)
{
	return t->info & 0xffffff;
}

static inline const struct btf_param *btf_params(const struct btf_type *t)
{
	return (const void *)(t + 1);
}

static inline const struct btf_member *btf_members(const struct btf_type *t)
{
	return (const void *)(t + 1);
}

static inline const struct btf_array *btf_array(const struct btf_type *t)
{
	return (const void *)(t + 1);
}

static inline bool btf_is_composite(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_STRUCT || btf_kind(t) == BTF_KIND_UNION;
}

static inline bool btf_is_enum(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_ENUM || btf_kind(t) == BTF_KIND_ENUM64;
}

/* The place of a member in bits, and its bits if it is a bit-field, else 0. */
static inline uint32_t btf_member_bit(const struct btf_type *t, const struct btf_member *m)
{
	return BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BIT_OFFSET(m->offset) : m->offset;
}

static inline uint32_t btf_member_bits(const struct btf_type *t, const struct btf_member *m)
{
	return BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BITFIELD_SIZE(m->offset) : 0;
}

/**
 * btf_find_member() - find a member of a structure, also inside of those without a name
 * @b: where its type is
 * @t: the structure or union; what is neither has no members
 * @name: the member's name
 * @len: bytes of @name
 * @offset: its place in bytes is added
 *
 * Return: the member, NULL if there is none or it is a bit-field.
 */
const struct btf_member *btf_find_member(const struct btf *b, const struct btf_type *t,
					 const char *name, size_t len, uint32_t *offset);

/**
 * struct btf_range - the least and the greatest value of an enumeration
 */
struct btf_range {
	int64_t least;
	uint64_t greatest;
};

struct btf_range btf_enum_range(const struct btf_type *t);

#endif /* LTT_BTF_H */
