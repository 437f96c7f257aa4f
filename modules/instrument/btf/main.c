// SPDX-License-Identifier: GPL-2.0-only
/*
 * ltt-btf: makes C for LTT's build of the types of a kernel, its BTF.
 *
 *	ltt-btf kernel DIR FILE
 *		Write DIR/vmlinux.btf and DIR/systems ("EVENT SYSTEM" lines) from the kernel's
 *		ELF file; or from its BTF alone (/sys/kernel/btf/vmlinux) or an image of another
 *		format, which have no systems.
 *	ltt-btf modules DIR FILE...
 *		Write DIR/NAME.btf for each module that has tracepoints.
 *	ltt-btf events DIR KNOWN MEMBERS HAVE SYSTEMS OUT PARTS
 *		Write event headers OUT1.h to OUTn.h for all tracepoints of the files in DIR that
 *		HAVE does not list (one a line).  SYSTEMS has their groups ("EVENT SYSTEM" lines).
 *		OUTn.events has "EVENT SYMBOL" lines, OUT.refused "EVENT REASON" lines.  Sources
 *		with these headers know what KNOWN defines, see known.h.  MEMBERS is the table of
 *		what is recorded of structures.
 *	ltt-btf types DIR KNOWN EVENTS NAMES
 *		Print definitions of the types in NAMES ("struct file", "loff_t", one a line) that KNOWN
 *		does not have, as the code knows them that has one of the tracepoints in EVENTS.
 *
 * Exit status: 0, or 1 with one sentence on stderr.
 */
#define _GNU_SOURCE
#include "declare.h"
#include "elf.h"
#include "events.h"
#include "headers.h"
#include "known.h"
#include "systems.h"
#include "types.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "ltt-btf: %s: %s\n", what, why);
	return 1;
}

/* A file as a text of its own, which ends with a 0; NULL, with a sentence, if it cannot be read. */
static char *read_text(const char *path, size_t *size)
{
	struct file f;
	int err = file_open(&f, path);
	char *text;

	if (err) {
		fail(path, strerror(-err));
		return NULL;
	}
	text = keep(f.size + 1);
	if (f.size)
		memcpy(text, f.bytes, f.size);
	if (size)
		*size = f.size;
	file_close(&f);
	return text;
}

static int write_file(const char *path, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return fail(path, strerror(errno));
	if (fwrite(bytes, 1, size, f) != size) {
		fclose(f);
		return fail(path, strerror(errno));
	}
	return fclose(f) ? fail(path, strerror(errno)) : 0;
}

static int write_text(const char *path, const struct text *t)
{
	return write_file(path, text_of(t), t->len);
}

/* Read the BTF of a file that "kernel" or "modules" has written. */
static int read_btf(struct btf *b, const char *path, const struct btf *base)
{
	const char *problem;
	size_t size;
	char *bytes = read_text(path, &size);

	if (!bytes)
		return 1;
	problem = btf_read(b, bytes, size, base);
	return problem ? fail(path, problem) : 0;
}

/* Some machines have images of other formats than ELF: find the BTF by its first bytes, up to the length of its header. */
static const char *scan_for(uint32_t hdr_len, const struct file *f, struct section *s, struct btf *b)
{
	const struct btf_header h = { .magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = hdr_len };
	const char *at = f->bytes, *end = f->bytes + f->size, *found;

	while ((found = memmem(at, end - at, &h, offsetof(struct btf_header, type_off)))) {
		size_t size = end - found;
		char *copy = malloc(size);

		if (!copy)
			return "out of memory";
		memcpy(copy, found, size);
		if (!btf_read(b, copy, size, NULL) && btf_find(b, BTF_KIND_STRUCT, "task_struct")) {
			const struct btf_header *has = (const void *)copy;

			*s = (struct section) { copy, hdr_len + has->str_off + has->str_len, 0 };
			return NULL;
		}
		free(b->types);
		free(copy);
		at = found + 4;
	}
	return "it has no BTF";
}

static const char *scan(const struct file *f, struct section *s, struct btf *b)
{
	const uint16_t magic = BTF_MAGIC;
	/* The header of Linux 7 has two members more. */
	const char *problem = scan_for(BTF_HEADER_MIN, f, s, b);

	if (problem)
		problem = scan_for(BTF_HEADER_MIN + 8, f, s, b);
	/* Elsewhere, other data may have these bytes. */
	if (problem && f->size >= sizeof(magic) && !memcmp(f->bytes, &magic, sizeof(magic)))
		return btf_read(b, f->bytes, f->size, NULL) ?: "they are not the types of a kernel";
	return problem;
}

static int do_kernel(const char *dir, const char *path)
{
	struct section section = { 0 };
	struct text systems = { 0 };
	const char *problem;
	struct file f;
	struct btf b;
	int err = file_open(&f, path);

	if (err)
		return fail(path, strerror(-err));
	if (!elf_pointer(&f))
		problem = scan(&f, &section, &b);
	else if (elf_find(&f, ".BTF", &section))
		problem = "it has no BTF";
	else
		problem = btf_read(&b, section.bytes, section.size, NULL);
	if (problem)
		return fail(path, problem);
	if (elf_pointer(&f))
		systems_find(&f, &b, &systems);
	err = write_file(print("%s/vmlinux.btf", dir), section.bytes, section.size) ||
	      write_text(print("%s/systems", dir), &systems);
	free(b.types);
	file_close(&f);
	return err;
}

/* "nf_conntrack" of "net/netfilter/nf-conntrack.ko" */
static char *module_name(const char *path)
{
	const char *from = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char *name = print("%.*s", (int)strcspn(from, "."), from), *c;

	for (c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

static bool has_tracepoints(const struct btf *b)
{
	uint32_t id;

	for (id = b->first; id < b->end; id++)
		if (events_tracepoint(b, id))
			return true;
	return false;
}

/* A file whose BTF is wrong has no events, as one without. */
static int do_module(const char *dir, const char *path, const struct btf *kernel)
{
	struct section section;
	struct btf b = { 0 };
	struct file f;
	void *copy;
	int err = file_open(&f, path);

	if (err)
		return fail(path, strerror(-err));
	if (!elf_find(&f, ".BTF", &section)) {
		/* The section may begin at any address. */
		copy = malloc(section.size);
		if (!copy)
			err = fail(path, "out of memory");
		else if (!btf_read(&b, memcpy(copy, section.bytes, section.size), section.size, kernel) &&
			 has_tracepoints(&b))
			err = write_file(print("%s/%s.btf", dir, module_name(path)), copy, section.size);
		free(b.types);
		free(copy);
	}
	file_close(&f);
	return err;
}

static int do_modules(const char *dir, char **paths)
{
	struct btf kernel;

	if (read_btf(&kernel, print("%s/vmlinux.btf", dir), NULL))
		return 1;
	for (; *paths; paths++)
		if (do_module(dir, *paths, &kernel))
			return 1;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the modules in DIR, in order, NULL at the end; NULL with a sentence on failure. */
static char **modules_in(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char **names;
	size_t n = 0;

	if (!d) {
		fail(dir, strerror(errno));
		return NULL;
	}
	while (readdir(d))
		n++;
	names = keep((n + 1) * sizeof(*names));
	rewinddir(d);
	n = 0;
	while ((e = readdir(d)))
		if (strstr(e->d_name, ".btf") && strcmp(e->d_name, "vmlinux.btf"))
			names[n++] = module_name(e->d_name);
	closedir(d);
	qsort(names, n, sizeof(*names), by_name);
	return names;
}

/* "NAME VALUE" lines, or "NAME" lines. */
static int read_set(struct set *s, const char *path)
{
	char *text = read_text(path, NULL), *line;

	if (!text)
		return 1;
	while ((line = strtok_r(text, "\n", &text))) {
		char *name = strtok_r(line, " ", &line);

		if (name)
			*set_add(s, name) = line;
	}
	return 0;
}

static int do_events(char **argv)
{
	const char *dir = argv[0], *out = argv[5];
	const unsigned int parts = atoi(argv[6]);
	char *known_text = read_text(argv[1], NULL), *table = read_text(argv[2], NULL);
	struct set known = { 0 }, have = { 0 }, systems = { 0 }, members = { 0 };
	char **modules = modules_in(dir);
	struct text refused = { 0 };
	struct header *headers;
	struct btf kernel, own;
	unsigned int i;

	if (!parts || !known_text || !table || !modules || read_set(&have, argv[3]) ||
	    read_set(&systems, argv[4]) ||
	    read_btf(&kernel, print("%s/vmlinux.btf", dir), NULL))
		return 1;
	known_read(&known, known_text);
	members_read(&members, table);
	headers = keep(parts * sizeof(*headers));
	/* The kernel, then its modules. */
	for (i = 0; i == 0 || modules[i - 1]; i++) {
		struct source src = { .module = i ? modules[i - 1] : "", .have = &have, .systems = &systems,
				      .members = &members };

		if (i && read_btf(&own, print("%s/%s.btf", dir, src.module), &kernel))
			return 1;
		src.scope = (struct scope) { .b = i ? &own : &kernel, .known = &known };
		if (!events_write(&src))
			continue;
		if (!headers_add(headers, parts, &src))
			append(&refused, "%s: its types clash with those of other modules\n", src.module);
		append(&refused, "%s", text_of(&src.refused));
	}
	for (i = 0; i < parts; i++)
		if (write_text(print("%s%u.h", out, i + 1), header_text(&headers[i])) ||
		    write_text(print("%s%u.events", out, i + 1), &headers[i].list))
			return 1;
	return write_text(print("%s.refused", out), &refused);
}

/* The lines of a file, NULL at the end; NULL with a sentence on failure. */
static char **read_lines(const char *path)
{
	char *text = read_text(path, NULL), *c, **lines;
	size_t n = 1;

	if (!text)
		return NULL;
	for (c = text; *c; c++)
		n += *c == '\n';
	lines = keep((n + 1) * sizeof(*lines));
	for (n = 0; (c = strtok_r(text, "\n", &text)); n++)
		lines[n] = c;
	return lines;
}

static bool has_any(const struct btf *b, char **events)
{
	while (*events && !types_has_tracepoint(b, *events))
		events++;
	return *events;
}

static int do_types(char **argv)
{
	const char *dir = argv[0];
	char *known_text = read_text(argv[1], NULL);
	char **events = read_lines(argv[2]), **names = read_lines(argv[3]), **modules = modules_in(dir);
	const struct declaration *d;
	struct set known = { 0 };
	struct btf kernel, own;
	struct scope s = { .known = &known, .enumerators = true };

	if (!known_text || !events || !names || !modules ||
	    read_btf(&kernel, print("%s/vmlinux.btf", dir), NULL))
		return 1;
	known_read(&known, known_text);
	if (has_any(&kernel, events))
		s.b = &kernel;
	for (; *modules && !s.b; modules++) {
		if (read_btf(&own, print("%s/%s.btf", dir, *modules), &kernel))
			return 1;
		if (has_any(&own, events))
			s.b = &own;
		else
			free(own.types);
	}
	if (!s.b)
		return 0;
	types_define(&s, events, names);
	for (d = s.declarations; d; d = d->next)
		printf("%s", d->text);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "kernel"))
		return do_kernel(argv[2], argv[3]);
	if (argc >= 4 && !strcmp(argv[1], "modules"))
		return do_modules(argv[2], argv + 3);
	if (argc == 9 && !strcmp(argv[1], "events"))
		return do_events(argv + 2);
	if (argc == 6 && !strcmp(argv[1], "types"))
		return do_types(argv + 2);
	return fail("usage", "ltt-btf kernel|modules|events|types ..., see main.c");
}
