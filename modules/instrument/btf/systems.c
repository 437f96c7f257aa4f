// SPDX-License-Identifier: GPL-2.0-only
/*
 * The groups of a kernel's events, see systems.h.
 *
 * Layer: none; part of ltt-btf.
 *
 * The image has no symbols.  But an event is a struct trace_event_call in its data, which
 * points to its tracepoint, whose name is a string, and to its class, which points to the
 * name of the system.  Each word of the data is tried as the beginning of one.  It is one
 * if all of that is so, and the kernel has a tracepoint of that name.  (Images that are
 * relocated by a table have no addresses in their data: then nothing is found.)
 */
#include "systems.h"

#include <ctype.h>
#include <string.h>

#define MAX_SECTIONS	128
#define MAX_NAME	128

struct image {
	struct section sections[MAX_SECTIONS];
	unsigned int nr;
	unsigned int pointer;
};

/* Where the image has @size bytes of an address, NULL if nowhere. */
static const char *bytes_at(const struct image *im, uint64_t address, size_t size)
{
	unsigned int i;

	for (i = 0; i < im->nr; i++) {
		const struct section *s = &im->sections[i];
		const uint64_t at = address - s->address;

		if (address >= s->address && at < s->size && s->size - at >= size)
			return s->bytes + at;
	}
	return NULL;
}

/* The pointer at an address, 0 if there is none. */
static uint64_t pointer_at(const struct image *im, uint64_t address)
{
	const char *bytes = bytes_at(im, address, im->pointer);
	uint64_t wide = 0;
	uint32_t narrow = 0;

	if (!bytes)
		return 0;
	memcpy(&wide, bytes, im->pointer == 8 ? 8 : 0);
	memcpy(&narrow, bytes, 4);
	return im->pointer == 8 ? wide : narrow;
}

/* The name at an address, NULL if there is none. */
static const char *name_at(const struct image *im, uint64_t address)
{
	const char *name = bytes_at(im, address, MAX_NAME);
	unsigned int i;

	for (i = 0; name && i < MAX_NAME && name[i]; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("_-.", name[i]))
			return NULL;
	return name && i && i < MAX_NAME ? name : NULL;
}

/* The place of a member of a structure, 0 if there is none. */
static uint32_t place(const struct btf *b, const char *structure, const char *member)
{
	const struct btf_type *t = btf_type(b, btf_find(b, BTF_KIND_STRUCT, structure));
	uint32_t offset = 0;

	return btf_find_member(b, t, member, strlen(member), &offset) ? offset : 0;
}

void systems_find(const struct file *vmlinux, const struct btf *b, struct text *list)
{
	const uint32_t class = place(b, "trace_event_call", "class");
	const uint32_t tp = place(b, "trace_event_call", "tp");
	/* The first member of each of the other two structures is what is wanted. */
	struct image im = { .pointer = elf_pointer(vmlinux) };
	const struct section *data = NULL;
	struct set done = { 0 };
	const char *name;
	uint64_t at;
	unsigned int i;

	for (i = 0; im.nr < MAX_SECTIONS && !elf_section(vmlinux, i, &name, &im.sections[im.nr]); i++) {
		if (!im.sections[im.nr].address)
			continue;
		if (!strcmp(name, ".data"))
			data = &im.sections[im.nr];
		im.nr++;
	}
	if (!class || !tp || !data || place(b, "trace_event_class", "system") || place(b, "tracepoint", "name"))
		return;
	for (at = data->address; at - data->address < data->size; at += im.pointer) {
		const char *event = name_at(&im, pointer_at(&im, pointer_at(&im, at + tp)));
		const char *system = name_at(&im, pointer_at(&im, pointer_at(&im, at + class)));

		if (!event || !system || set_has(&done, event) ||
		    !btf_find(b, BTF_KIND_TYPEDEF, print("btf_trace_%s", event)))
			continue;
		set_add(&done, event);
		append(list, "%s %s\n", event, system);
	}
}
