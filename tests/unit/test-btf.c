// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of modules/instrument/btf: from types in BTF to C.
 *
 * The compiler makes the BTF, of SOURCE, and is given what comes out, beside the same source.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../modules/instrument/btf/declare.h"
#include "../../modules/instrument/btf/elf.h"
#include "../../modules/instrument/btf/events.h"
#include "../../modules/instrument/btf/known.h"
#include "../../modules/instrument/btf/types.h"

static const char source[] =
	"typedef struct { int counter; } count_t;\n"
	"typedef unsigned long long sector_t;\n"
	"enum colour { RED = -1, BLUE = 7 };\n"
	"struct super_block { unsigned int s_dev; char s_id[8]; };\n"
	"struct inner { char a; long b; };\n"
	"struct inode {\n"
	"	short mode;\n"
	"	struct super_block *i_sb;\n"
	"	union { int nlink; unsigned char low; struct { short half; short other; }; };\n"
	"	unsigned int three : 3, five : 5, more : 20;\n"
	"	unsigned long i_ino;\n"
	"	int matrix[2][3];\n"
	"	int (*handler)(struct inode *, enum colour, ...);\n"
	"	count_t users;\n"
	"	sector_t sector;\n"
	"	enum colour colour;\n"
	"	struct inner inner;\n"
	"	struct { char x; void *y; } unnamed;\n"
	"	const volatile char *const name;\n"
	"	int (*row)[3];\n"
	"	char tail[];\n"
	"};\n"
	"struct wide { long bytes[3]; };\n"
	"struct small { unsigned int value; };\n"
	"typedef void (*btf_trace_open)(void *, const struct inode *, const char *, const enum colour, count_t *, struct small);\n"
	"typedef void (*btf_trace_shut)(void *, const struct inode *, const char *, const enum colour, count_t *, struct small);\n"
	"typedef void (*btf_trace_empty)(void *);\n"
	"typedef void (*btf_trace_large)(void *, struct wide);\n"
	"typedef void (*btf_trace_unnamed)(void *, int, unsigned long);\n"
	"typedef void (*btf_trace_recorded)(void *, int);\n";

static const char uses[] =
	"btf_trace_open p1; btf_trace_shut p2; btf_trace_empty p3; btf_trace_large p4; btf_trace_unnamed p5;\n"
	"btf_trace_recorded p6;\n"
	"int __traceiter_open(void *__data, const struct inode *inode, const char *name, const enum colour current,\n"
	"	count_t *data, struct small small) { return 0; }\n"
	"int __traceiter_shut(void *__data, const struct inode *inode, const char *name, const enum colour current,\n"
	"	count_t *data, struct small small) { return 0; }\n"
	"int __traceiter_empty(void *__data) { return 0; }\n"
	"int __traceiter_large(void *__data, struct wide wide) { return 0; }\n"
	"int __traceiter_recorded(void *__data, int state) { return 0; }\n"
	"int __traceiter_conditional(void *__data, int state) { return 0; }\n";

static char table[] =
	"# comment\n"
	"inode	ino	i_ino\n"
	"inode	dev	i_sb.s_dev\n"
	"inode	dev	i_sb.s_id\n"
	"inode	id	i_sb.s_id\n"
	"inode	half	half\n"
	"inode	gone	i_sb.no_such\n"
	"inode	bits	five\n"
	"inode	label	name\n";

static char folder[] = "/tmp/ltt-test-btf.XXXXXX";
static struct file object;
static struct section section;
static struct btf btf;

static void write_text(const char *name, const char *a, const char *b)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	fprintf(f, "%s%s", a, b);
	fclose(f);
}

static int compile(const char *options)
{
	char command[256];

	snprintf(command, sizeof(command), "cd %s && cc -w %s", folder, options);
	return system(command);
}

static void make_btf(void)
{
	char path[64];

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
	write_text("source.c", source, uses);
	CU_ASSERT_EQUAL_FATAL(compile("-gbtf -c -o source.o source.c"), 0);
	snprintf(path, sizeof(path), "%s/source.o", folder);
	CU_ASSERT_EQUAL_FATAL(file_open(&object, path), 0);
	CU_ASSERT_EQUAL_FATAL(elf_find(&object, ".BTF", &section), 0);
	CU_ASSERT_PTR_NULL_FATAL(btf_read(&btf, section.bytes, section.size, NULL));
}

/* A heap block of exactly this size, for ASan to see every byte beyond. */
static void *block(const void *bytes, size_t size)
{
	return memcpy(malloc(size), bytes, size);
}

/* The compiler writes the header of older kernels; <linux/btf.h> has a longer one here, as that of Linux 7. */
static void header_of_any_length(void)
{
	const struct btf_header *given = (const void *)section.bytes;
	const size_t least = given->hdr_len, longest = sizeof(struct btf_header) + 8;
	size_t length;

	CU_ASSERT(least <= sizeof(*given));
	for (length = least; length <= longest; length += 8) {
		size_t size = section.size - least + length;
		char *data = calloc(1, size);
		struct btf b;

		memcpy(data, section.bytes, least);
		memcpy(data + length, section.bytes + least, section.size - least);
		((struct btf_header *)data)->hdr_len = length;
		CU_ASSERT_PTR_NULL(btf_read(&b, data, size, NULL));
		CU_ASSERT(btf_find(&b, BTF_KIND_STRUCT, "inode"));
		free(b.types);
		free(data);
	}
}

/* Types of a kind that is not known, and of one with more than 65535 parts, as Linux 7 can have, with the table of layouts. */
static void kinds_to_come(void)
{
	enum { UNKNOWN = 100, PARTS = 70000, PART = 12 };
	static const char strings[] = "\0inode";
	const size_t types = 3 * sizeof(struct btf_type) + 4 + 2 * 8 + PARTS * PART, layouts = (UNKNOWN + 1) * 4;
	const size_t size = sizeof(struct btf_header) + types + sizeof(strings) + 1 + layouts;
	char *data = calloc(1, size), *at = data + sizeof(struct btf_header);
	struct btf_header *h = (void *)data;
	unsigned char *layout;
	struct btf b;

	*h = (struct btf_header) {
		.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(*h), .type_len = types,
		.str_off = types, .str_len = sizeof(strings), .layout_off = types + sizeof(strings) + 1, .layout_len = layouts,
	};
	*(struct btf_type *)at = (struct btf_type) { .info = (uint32_t)UNKNOWN << 24 | 2 };
	at += sizeof(struct btf_type) + 4 + 2 * 8;
	*(struct btf_type *)at = (struct btf_type) { .info = (uint32_t)BTF_KIND_DATASEC << 24 | PARTS };
	at += sizeof(struct btf_type) + PARTS * PART;
	*(struct btf_type *)at = (struct btf_type) { .name_off = 1, .info = (uint32_t)BTF_KIND_STRUCT << 24 };
	memcpy(data + sizeof(*h) + types, strings, sizeof(strings));
	layout = (unsigned char *)data + sizeof(*h) + h->layout_off + UNKNOWN * 4;
	layout[0] = 4;
	layout[1] = 8;

	CU_ASSERT_PTR_NULL(btf_read(&b, data, size, NULL));
	CU_ASSERT_EQUAL(btf_find(&b, BTF_KIND_STRUCT, "inode"), 3);
	free(b.types);

	/* The next type would not be aligned. */
	layout[1] = 7;
	CU_ASSERT_PTR_NOT_NULL(btf_read(&b, data, size, NULL));
	free(b.types);
	layout[1] = 8;

	/* A table that ends before, or lies beyond the data, says nothing. */
	h->layout_len -= 4;
	CU_ASSERT_PTR_NOT_NULL(btf_read(&b, data, size, NULL));
	free(b.types);
	h->layout_len += 8;
	CU_ASSERT_PTR_NOT_NULL(btf_read(&b, data, size, NULL));
	free(b.types);
	free(data);
}

/* Cut anywhere, with any byte changed: it is refused, or read within its bounds. */
static void damaged(void)
{
	struct set members = { 0 }, none = { 0 };
	unsigned int refused = 0;
	size_t size, i;

	for (size = 1; size < section.size; size++) {
		void *data = block(section.bytes, size);
		struct btf b;

		refused += !!btf_read(&b, data, size, NULL);
		free(b.types);
		free(data);
	}
	CU_ASSERT_EQUAL(refused, section.size - 1);

	for (i = 0; i < section.size; i += 7) {
		unsigned char *data = block(section.bytes, section.size);
		struct btf b;

		data[i] ^= 0x15;
		if (!btf_read(&b, data, section.size, NULL)) {
			struct source src = { .scope = { .b = &b, .known = &none }, .module = "",
					      .have = &none, .systems = &none, .members = &members };

			events_write(&src);
		}
		free(b.types);
		free(data);
	}
}

/* The definitions that are made, with names of their own, beside the source. */
static void definitions(void)
{
	char *const events[] = { "open", NULL };
	char *const names[] = { "struct inode", "BLUE", "sector_t", "struct no_such", NULL };
	static const char *const members[] = {
		"mode", "i_sb", "nlink", "low", "half", "other", "i_ino", "matrix", "handler", "users",
		"sector", "colour", "inner", "unnamed", "name", "row", "tail",
	};
	struct set known = { 0 };
	struct scope s = { .b = &btf, .known = &known, .enumerators = true };
	const struct declaration *d;
	struct text made = { 0 }, checks = { 0 };
	unsigned int i;

	types_define(&s, events, names);
	for (d = s.declarations; d; d = d->next)
		append(&made, "%s", d->text);
	append(&checks, "const unsigned long places[] = { sizeof(struct inode), BLUE, sizeof(sector_t), ");
	for (i = 0; i < sizeof(members) / sizeof(*members); i++)
		append(&checks, "__builtin_offsetof(struct inode, %s), sizeof(((struct inode *)0)->%s), ",
		       members[i], !strcmp(members[i], "tail") ? "mode" : members[i]);
	append(&checks, "};\nstruct inode bits = { .three = 5, .five = 21, .more = 0x54321 };\n");
	append(&checks, "int call(struct inode *i) { return i->handler(i, RED, 1) + (*i->row)[2] + i->name[0]; }\n");
	write_text("made.c", text_of(&made), text_of(&checks));
	write_text("given.c", source, text_of(&checks));
	CU_ASSERT_EQUAL(compile("-O1 -fno-asynchronous-unwind-tables -fno-ident -S -o made.s made.c"), 0);
	CU_ASSERT_EQUAL(compile("-O1 -fno-asynchronous-unwind-tables -fno-ident -S -o given.s given.c"), 0);
	/* The names and alignments of objects may differ; what they hold, and the code, may not. */
	CU_ASSERT_EQUAL(compile("-c -o made.o made.s && cc -c -o given.o given.s && "
				"objcopy -O binary made.o made.bin && objcopy -O binary given.o given.bin && "
				"cmp made.bin given.bin"), 0);
	CU_ASSERT_PTR_NULL(strstr(text_of(&made), "no_such"));
}

static char *events(struct text *refused, struct set *known)
{
	struct set have = { 0 }, systems = { 0 }, members = { 0 };
	char *text = print("%s", table);
	struct source src = { .scope = { .b = &btf, .known = known }, .module = "", .have = &have,
			      .systems = &systems, .members = &members };

	members_read(&members, text);
	*set_add(&systems, "open") = "files";
	set_add(&have, "recorded");
	CU_ASSERT_EQUAL(events_write(&src), 6);
	append(refused, "%s", text_of(&src.refused));
	return print("%s", text_of(&src.classes));
}

#define HAS(text, part)	CU_ASSERT_PTR_NOT_NULL(strstr(text, part))

static void prototypes(void)
{
	struct text refused = { 0 };
	struct set known = { 0 };
	char *made;

	set_add(&known, "macro current");
	made = events(&refused, &known);
	HAS(made, "TP_PROTO(const struct inode *arg_inode, const char *arg_name, const enum colour arg_current, "
		  "count_t *arg_data, struct small arg_small)");
	HAS(made, "__field(const void *, inode)\n");
	HAS(made, "__field(long unsigned int, inode_ino)\n");
	HAS(made, "__field(unsigned int, inode_dev)\n");
	HAS(made, "__array(char, inode_id, 8)\n");
	HAS(made, "__field(short int, inode_half)\n");
	HAS(made, "ltt_nofault_string(inode_label, ltt_nofault_pointer(arg_inode, ");
	HAS(made, "ltt_nofault_read(&__entry->inode_dev, sizeof(__entry->inode_dev), "
		  "ltt_nofault_pointer(arg_inode, 8), 0);\n");
	HAS(made, "ltt_nofault_string(name, arg_name)\n");
	/* A macro cannot be the name of a field; a constant cannot be assigned to. */
	HAS(made, "__field(enum colour, current_)\n");
	HAS(made, "__field(const void *, data)\n");
	HAS(made, "__field(u32, small)\n");
	CU_ASSERT_PTR_NULL(strstr(made, "TP_PROTO(void)"));
	HAS(made, "TP_PROTO(int arg_arg1, long unsigned int arg_arg2)");
	HAS(made, "#define TRACE_SYSTEM files\nDEFINE_EVENT(kernel__open, open,");
	/* Without a typedef. */
	HAS(made, "DEFINE_EVENT(kernel__conditional, conditional, TP_PROTO(int arg_state)");
	/* Events of the same arguments have one class. */
	HAS(made, "DEFINE_EVENT(kernel__open, shut,");
	CU_ASSERT_PTR_NULL(strstr(made, "recorded"));
	CU_ASSERT_PTR_NULL(strstr(made, "inode_gone"));
	CU_ASSERT_PTR_NULL(strstr(made, "inode_bits"));
	CU_ASSERT_PTR_NULL(strstr(made, "large,"));
	HAS(text_of(&refused), "large passes struct wide by value\n");
	HAS(text_of(&refused), "empty it has no arguments\n");
}

static void known_types(void)
{
	struct set known = { 0 };

	known_read(&known,
		   "# 1 \"file.h\"\n#define current get_current()\n#define f(x) x\n"
		   "struct declared;\nstruct defined { struct inside { int a; } b; };\n"
		   "struct __attribute__((packed, aligned(8))) attributed { int a; };\n"
		   "enum listed\n{ A, B };\nextern enum mentioned e;\n"
		   "typedef struct { char c; } counted_t;\ntypedef unsigned long plain_t;\n"
		   "void fn(struct parameter *p, union { int a; } u) { struct local *l; char c = ';'; }\n"
		   "const char *s = \"struct text {\";\nunion both { int a; };\n");
	CU_ASSERT(set_has(&known, "macro current"));
	CU_ASSERT(set_has(&known, "macro f"));
	CU_ASSERT(set_has(&known, "struct defined"));
	CU_ASSERT(set_has(&known, "struct inside"));
	CU_ASSERT(set_has(&known, "struct attributed"));
	CU_ASSERT(set_has(&known, "enum listed"));
	CU_ASSERT(set_has(&known, "typedef counted_t"));
	CU_ASSERT(set_has(&known, "typedef plain_t"));
	CU_ASSERT(set_has(&known, "union both"));
	CU_ASSERT(!set_has(&known, "struct declared"));
	CU_ASSERT(!set_has(&known, "enum mentioned"));
	CU_ASSERT(!set_has(&known, "struct parameter"));
	CU_ASSERT(!set_has(&known, "struct local"));
	CU_ASSERT(!set_has(&known, "struct text"));
}

/* A type that headers have is neither defined nor declared again. */
static void nothing_twice(void)
{
	char *const names[] = { "struct inode", NULL }, *const none[] = { NULL };
	struct set known = { 0 };
	struct scope s = { .b = &btf, .known = &known };
	const struct declaration *d;

	set_add(&known, "struct super_block");
	set_add(&known, "enum colour");
	set_add(&known, "typedef count_t");
	types_define(&s, none, names);
	for (d = s.declarations; d; d = d->next) {
		CU_ASSERT_STRING_NOT_EQUAL(d->name, "struct super_block");
		CU_ASSERT_STRING_NOT_EQUAL(d->name, "declared struct super_block");
		CU_ASSERT_STRING_NOT_EQUAL(d->name, "enum colour");
		CU_ASSERT_STRING_NOT_EQUAL(d->name, "typedef count_t");
	}
}

static void clean_up(void)
{
	char command[64];

	free(btf.types);
	file_close(&object);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	CU_ASSERT_EQUAL(system(command), 0);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		UNIT_TEST(make_btf),
		UNIT_TEST(header_of_any_length),
		UNIT_TEST(kinds_to_come),
		UNIT_TEST(damaged),
		UNIT_TEST(definitions),
		UNIT_TEST(nothing_twice),
		UNIT_TEST(prototypes),
		UNIT_TEST(known_types),
		UNIT_TEST(clean_up),
		{ NULL, NULL },
	};

	return unit_main(argv[0], tests);
}
