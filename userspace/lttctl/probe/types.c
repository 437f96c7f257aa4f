// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Reads the types of the kernel with libbpf.
 *
 * Layer: lttctl.
 */
#include "types.h"
#include "lttctl/nearest.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "registers.h"

int types_open(struct types *types, const char *module)
{
	types->btf = types->kernel = btf__load_vmlinux_btf();
	if (!types->kernel)
		return -errno;
	if (!*module)
		return 0;
	types->btf = btf__load_module_btf(module, types->kernel);
	if (types->btf)
		return 0;
	btf__free(types->kernel);
	return -errno;
}

void types_close(struct types *types)
{
	if (types->btf != types->kernel)
		btf__free(types->btf);
	btf__free(types->kernel);
}

/* Without typedefs, const and the like. */
static uint32_t bare(const struct types *types, uint32_t type)
{
	const struct btf_type *t = btf__type_by_id(types->btf, type);

	while (t && (btf_is_mod(t) || btf_is_typedef(t) || btf_kind(t) == BTF_KIND_TYPE_TAG)) {
		type = t->type;
		t = btf__type_by_id(types->btf, type);
	}
	return type;
}

static const struct btf_type *bare_type(const struct types *types, uint32_t type)
{
	return btf__type_by_id(types->btf, bare(types, type));
}

int64_t types_size(const struct types *types, uint32_t type)
{
	return btf__resolve_size(types->btf, type);
}

static bool is_char(const struct types *types, uint32_t type)
{
	const struct btf_type *t = bare_type(types, type);

	/* The kernel's u8 is unsigned char. */
	return btf_is_int(t) && t->size == 1 && !strcmp(btf__name_by_offset(types->btf, t->name_off), "char");
}

static struct shape array_shape(const struct types *types, const struct btf_type *t)
{
	const struct btf_array *array = btf_array(t);
	struct shape element = types_shape(types, array->type);

	return (struct shape){
		.what = SHAPE_ARRAY,
		.count = array->nelems,
		.bits = element.bits,
		.is_signed = element.is_signed,
		.of_text = is_char(types, array->type),
		.of_integers = element.what == SHAPE_INTEGER || element.what == SHAPE_POINTER,
	};
}

struct shape types_shape(const struct types *types, uint32_t type)
{
	const struct btf_type *t = bare_type(types, type);

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		return (struct shape){ .what = t->size <= 8 ? SHAPE_INTEGER : SHAPE_OTHER, .bits = t->size * 8,
				       .is_signed = btf_int_encoding(t) & BTF_INT_SIGNED };
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		/* Without a flag for its sign, an enum of older compilers may be negative. */
		return (struct shape){ .what = SHAPE_INTEGER, .bits = t->size * 8, .is_signed = true };
	case BTF_KIND_PTR:
		return (struct shape){ .what = SHAPE_POINTER, .bits = 64 };
	case BTF_KIND_ARRAY:
		return array_shape(types, t);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return (struct shape){ .what = SHAPE_STRUCTURE };
	default:
		return (struct shape){ .what = SHAPE_OTHER };
	}
}

uint32_t types_target(const struct types *types, uint32_t type)
{
	const struct btf_type *t = bare_type(types, type);

	if (btf_is_ptr(t))
		return t->type;
	return btf_is_array(t) ? btf_array(t)->type : 0;
}

uint32_t types_function(const struct types *types, const char *name)
{
	int id = btf__find_by_name_kind(types->btf, name, BTF_KIND_FUNC);

	return id > 0 ? btf__type_by_id(types->btf, id)->type : 0;
}

uint32_t types_returned(const struct types *types, uint32_t prototype)
{
	return btf__type_by_id(types->btf, prototype)->type;
}

/*
 * An argument of up to 8 bytes takes a register, a structure of up to 16 bytes two if both are free; others are on
 * the stack.  System V ABI for x86-64, 3.2.3; of arm64 (AAPCS64, 6.8.2), rules B.4 and C.13 differ.
 */
bool types_argument(const struct types *types, uint32_t prototype, struct probe_word name,
		    uint32_t *type, int *where, int *stack, char *names, int size)
{
	const struct btf_type *t = btf__type_by_id(types->btf, prototype);
	const struct btf_param *param = btf_params(t);
	int i, used = 0, len = 0;

	*stack = probe_convention.stack;
	*names = '\0';
	for (i = 0; i < btf_vlen(t); i++, param++) {
		const char *this = btf__name_by_offset(types->btf, param->name_off);
		int64_t bytes = types_size(types, param->type);
		int words = bytes <= 8 ? 1 : (bytes + 7) / 8;
		bool by_reference = words > 2 && probe_convention.by_reference, on_stack;

		if (by_reference)
			words = 1;
		on_stack = words > 2 || used + words > probe_convention.registers;

		if (len < size)
			len += snprintf(names + len, size - len, "%s%s", i ? ", " : "", *this ? this : "...");
		if (strlen(this) == (size_t)name.len && !strncmp(this, name.at, name.len)) {
			*type = param->type;
			*where = by_reference ? TYPES_BY_REFERENCE : on_stack ? 0 : used + 1;
			return true;
		}
		if (on_stack)
			*stack += words * 8;
		else
			used += words;
		if (on_stack && probe_convention.in_order)
			used = probe_convention.registers;
	}
	return false;
}

/* In the structure itself, whose beginning is at @base bits. */
static bool find_member(const struct types *types, uint32_t type, struct probe_word name, uint32_t base,
			struct member *member, struct nearest *nearest, int depth)
{
	const struct btf_type *t = bare_type(types, type);
	const struct btf_member *m = btf_members(t);
	int i;

	for (i = 0; i < btf_vlen(t); i++, m++) {
		const char *this = btf__name_by_offset(types->btf, m->name_off);
		uint32_t offset = base + btf_member_bit_offset(t, i);

		if (!*this) {
			if (depth < 16 && types_shape(types, m->type).what == SHAPE_STRUCTURE &&
			    find_member(types, m->type, name, offset, member, nearest, depth + 1))
				return true;
			continue;
		}
		nearest_offer(nearest, name.at, name.len, this, strlen(this));
		if (strlen(this) == (size_t)name.len && !strncmp(this, name.at, name.len)) {
			*member = (struct member){ m->type, offset, btf_member_bitfield_size(t, i) };
			return true;
		}
	}
	return false;
}

bool types_member(const struct types *types, uint32_t type, struct probe_word name,
		  struct member *member, struct nearest *nearest)
{
	return find_member(types, type, name, 0, member, nearest, 0);
}

void types_name(const struct types *types, uint32_t type, char *to, int size)
{
	const struct btf_type *t = bare_type(types, type);
	const char *name = btf__name_by_offset(types->btf, t->name_off);

	snprintf(to, size, "%s%s", btf_is_struct(t) ? "struct " : btf_is_union(t) ? "union " : "",
		 *name ? name : "(without a name)");
}
