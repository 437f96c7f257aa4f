// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The markers in a file of machine code: the section ltt_sites of an ELF file.
 *
 * Layer: lttctl, on libelf.  The texts of a site are pointers.  In an executable that is
 * linked to fixed addresses they are in the file.  In a position-independent one, or in a
 * library, the loader computes them from relocations, and in an object file the linker does.
 * Packed relocations (RELR) leave the value to be relocated in the section itself.
 */
#include "binary.h"
#include "lttctl/command.h"

#include <ar.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LTT_DISABLED	/* only the layout of a site is needed */
#include "include/ltt/marker.h"

#define SECTION	"ltt_sites"

/* The pointers to texts in a site, in the order of their members. */
enum text {
	GROUP,
	NAME,
	FORMAT,
	SOURCE,
	NR_TEXTS
};

/**
 * struct stored_site - a struct ltt_site of 64 bits, whatever those of this lttctl have
 * @version: LTT_SITE_VERSION
 * @text: the pointers to texts; see enum text
 * @targets: 0 in a file
 */
struct stored_site {
	unsigned char enabled;
	unsigned char nr_args;
	uint16_t version;
	uint32_t line;
	uint64_t text[NR_TEXTS];
	uint64_t targets;
	uint32_t args[LTT_MARK_MAX_ARGS];
};

_Static_assert(sizeof(char *) != sizeof(uint64_t) ||
	       (sizeof(struct stored_site) == sizeof(struct ltt_site) &&
		offsetof(struct stored_site, version) == offsetof(struct ltt_site, version) &&
		offsetof(struct stored_site, text[GROUP]) == offsetof(struct ltt_site, group) &&
		offsetof(struct stored_site, text[NAME]) == offsetof(struct ltt_site, name) &&
		offsetof(struct stored_site, text[FORMAT]) == offsetof(struct ltt_site, format) &&
		offsetof(struct stored_site, text[SOURCE]) == offsetof(struct ltt_site, file) &&
		offsetof(struct stored_site, args) == offsetof(struct ltt_site, args)),
	       "both have the same layout");

/**
 * struct place - where a text is
 * @section: index of its section; SHN_UNDEF: @offset is an address of the running program
 * @offset: offset in @section, or the address
 */
struct place {
	size_t section;
	uint64_t offset;
};

/**
 * struct sites - the sites of one section
 * @elf: the ELF file
 * @file: its name, for messages
 * @header: its header
 * @index: index of the section
 * @address: address of the section; 0 in an object file
 * @site: its content
 * @text: where the texts of each site are
 * @nr: number of @site and of @text
 */
struct sites {
	Elf *elf;
	const char *file;
	GElf_Ehdr header;
	size_t index;
	uint64_t address;
	const struct stored_site *site;
	struct place (*text)[NR_TEXTS];
	size_t nr;
};

static int unreadable(const char *file, const char *why)
{
	complain("%s: %s", file, why);
	return EXIT_USAGE;
}

static int damaged(const char *file)
{
	int err = elf_errno();

	complain("%s: damaged ELF file%s%s", file, err ? ": " : "", err ? elf_errmsg(err) : "");
	return EXIT_USAGE;
}

/* ---- Relocations ---- */

/* The two types of relocations that pointers have. */
static bool is_relative(const struct sites *sites, uint32_t type)
{
	return type == (sites->header.e_machine == EM_X86_64 ? R_X86_64_RELATIVE : R_AARCH64_RELATIVE);
}

static bool is_of_symbol(const struct sites *sites, uint32_t type)
{
	return type == (sites->header.e_machine == EM_X86_64 ? R_X86_64_64 : R_AARCH64_ABS64);
}

/* Return: the place of the pointer at @offset; NULL if none of our pointers is there. */
static struct place *pointer_at(struct sites *sites, uint64_t offset)
{
	const size_t first = offsetof(struct stored_site, text);
	uint64_t within, number;

	if (offset < sites->address)
		return NULL;
	number = (offset - sites->address) / sizeof(struct stored_site);
	within = (offset - sites->address) % sizeof(struct stored_site);
	if (number >= sites->nr || within < first || (within - first) % sizeof(uint64_t) ||
	    (within - first) / sizeof(uint64_t) >= NR_TEXTS)
		return NULL;
	return &sites->text[number][(within - first) / sizeof(uint64_t)];
}

static void relocate(struct sites *sites, Elf_Data *symbols, const GElf_Rela *rela)
{
	struct place *place = pointer_at(sites, rela->r_offset);
	GElf_Sym symbol;

	if (!place)
		return;
	if (is_relative(sites, GELF_R_TYPE(rela->r_info)))
		*place = (struct place){ SHN_UNDEF, rela->r_addend };
	if (!is_of_symbol(sites, GELF_R_TYPE(rela->r_info)) || !symbols ||
	    !gelf_getsym(symbols, GELF_R_SYM(rela->r_info), &symbol))
		return;
	/* A symbol's value is an address, in an object file an offset in its section. */
	*place = (struct place){ sites->header.e_type == ET_REL ? symbol.st_shndx : SHN_UNDEF,
				 symbol.st_value + rela->r_addend };
}

/* Apply the relocations of one section, if they may be for the sites. */
static void relocate_all(struct sites *sites, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Scn *link = elf_getscn(sites->elf, header->sh_link);
	Elf_Data *symbols = link ? elf_getdata(link, NULL) : NULL, *data = NULL;
	GElf_Rela rela;
	size_t nr, i;

	if (sites->header.e_type == ET_REL && header->sh_info != sites->index)
		return;
	while ((data = elf_getdata(section, data))) {
		nr = header->sh_entsize ? data->d_size / header->sh_entsize : 0;
		for (i = 0; i < nr && gelf_getrela(data, i, &rela); i++)
			relocate(sites, symbols, &rela);
	}
}

/* ---- Texts ---- */

/* Return: the section that the program's memory has at @address; NULL: none with content. */
static Elf_Scn *section_at(Elf *elf, uint64_t address, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) && header->sh_flags & SHF_ALLOC &&
		    header->sh_type != SHT_NOBITS && address >= header->sh_addr &&
		    address - header->sh_addr < header->sh_size)
			return section;
	return NULL;
}

/* Return: the text, which lives as long as the ELF file; NULL if there is none. */
static const char *text_at(const struct sites *sites, const struct place *place)
{
	Elf_Scn *section = elf_getscn(sites->elf, place->section);
	uint64_t offset = place->offset;
	GElf_Shdr header;
	Elf_Data *data;

	if (place->section == SHN_UNDEF) {
		section = section_at(sites->elf, place->offset, &header);
		offset -= section ? header.sh_addr : 0;
	}
	data = section ? elf_rawdata(section, NULL) : NULL;
	if (!data || !data->d_buf || offset >= data->d_size ||
	    !memchr((const char *)data->d_buf + offset, '\0', data->d_size - offset))
		return NULL;
	return (const char *)data->d_buf + offset;
}

/* ---- Sites ---- */

static int report(const struct sites *sites, size_t number, binary_fn *fn, void *arg)
{
	const struct stored_site *from = &sites->site[number];
	const char *text[NR_TEXTS];
	struct site site;
	unsigned int i;

	for (i = 0; i < NR_TEXTS; i++) {
		text[i] = text_at(sites, &sites->text[number][i]);
		if (!text[i])
			return unreadable(sites->file, "damaged: a marker lacks a text");
	}
	site = (struct site){
		.number = number,
		.marker = { .group = text[GROUP], .name = text[NAME], .format = text[FORMAT],
			    .nr_args = from->nr_args },
		.file = text[SOURCE],
		.line = from->line,
	};
	/* A malformed one is in the result as it is: marker_fields() rejects it. */
	for (i = 0; i < from->nr_args && i < LTT_MARK_MAX_ARGS; i++)
		site_arg(from->args[i], &site.marker.args[i]);
	return fn(sites->file, &site, arg);
}

static void read_pointers(const struct stored_site *site, struct place text[NR_TEXTS])
{
	unsigned int i;

	for (i = 0; i < NR_TEXTS; i++)
		text[i] = (struct place){ SHN_UNDEF, site->text[i] };
}

static int read_texts(struct sites *sites, binary_fn *fn, void *arg)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int status = 0;
	size_t i;

	for (i = 0; i < sites->nr; i++)
		read_pointers(&sites->site[i], sites->text[i]);
	while ((section = elf_nextscn(sites->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA)
			relocate_all(sites, section, &header);
	for (i = 0; i < sites->nr && !status; i++)
		status = report(sites, i, fn, arg);
	return status;
}

static int read_sites(struct sites *sites, Elf_Scn *section, const GElf_Shdr *header, binary_fn *fn,
		      void *arg)
{
	Elf_Data *data = elf_rawdata(section, NULL);
	int status;

	if (!header->sh_size)
		return 0;
	/* Another version may have another size, but its place in a site is the same. */
	if (!data || !data->d_buf || data->d_size < sizeof(struct stored_site))
		return damaged(sites->file);
	sites->site = data->d_buf;
	if (sites->site->version != LTT_SITE_VERSION)
		return complain("%s: its markers have version %u, not %u: build it with the installed <ltt/marker.h>",
				sites->file, sites->site->version, LTT_SITE_VERSION);
	if (data->d_size % sizeof(struct stored_site))
		return damaged(sites->file);
	sites->index = elf_ndxscn(section);
	sites->address = sites->header.e_type == ET_REL ? 0 : header->sh_addr;
	sites->nr = data->d_size / sizeof(struct stored_site);
	sites->text = calloc(sites->nr, sizeof(*sites->text));
	if (!sites->text)
		return complain("out of memory");
	status = read_texts(sites, fn, arg);
	free(sites->text);
	return status;
}

/* ---- Files ---- */

static int check_header(const struct sites *sites)
{
	const GElf_Ehdr *header = &sites->header;
	size_t nr;

	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
	    (header->e_machine != EM_X86_64 && header->e_machine != EM_AARCH64))
		return unreadable(sites->file, "for another machine than x86-64 and arm64");
	if (header->e_type != ET_REL && header->e_type != ET_EXEC && header->e_type != ET_DYN)
		return unreadable(sites->file, "not a program, library or object file");
	if (!header->e_shoff || elf_getshdrnum(sites->elf, &nr) || !nr)
		return unreadable(sites->file, "lacks its table of sections, which shows where markers are");
	return 0;
}

static int read_object(Elf *elf, const char *file, binary_fn *fn, void *arg)
{
	struct sites sites = { .elf = elf, .file = file };
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	const char *name;
	size_t names;
	int status;

	if (!gelf_getehdr(elf, &sites.header))
		return damaged(file);
	status = check_header(&sites);
	if (!status && elf_getshdrstrndx(elf, &names))
		status = damaged(file);
	while (!status && (section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header))
			return damaged(file);
		name = elf_strptr(elf, names, header.sh_name);
		if (name && header.sh_type == SHT_PROGBITS && !strcmp(name, SECTION))
			status = read_sites(&sites, section, &header, fn, arg);
	}
	return status;
}

/* An archive may also have members that are not ELF files. */
static int read_member(Elf *member, const char *archive, binary_fn *fn, void *arg)
{
	Elf_Arhdr *header = elf_getarhdr(member);
	char *file;
	int status;

	if (!header || elf_kind(member) != ELF_K_ELF)
		return 0;
	if (asprintf(&file, "%s(%s)", archive, header->ar_name) < 0)
		return complain("out of memory");
	status = read_object(member, file, fn, arg);
	free(file);
	return status;
}

/* Return: the offset of the next member, which is even. */
static size_t end_of(Elf *member)
{
	Elf_Arhdr *header = elf_getarhdr(member);
	size_t end = elf_getbase(member) + (header ? header->ar_size : 0);

	return end + (end & 1);
}

static int read_archive(Elf *archive, int fd, const char *path, binary_fn *fn, void *arg)
{
	size_t size = 0, end = SARMAG;
	Elf_Cmd next = ELF_C_READ;
	int status = 0;
	Elf *member;

	elf_rawfile(archive, &size);
	while (!status && (member = elf_begin(fd, next, archive))) {
		status = read_member(member, path, fn, arg);
		end = end_of(member);
		next = elf_next(member);
		elf_end(member);
	}
	/* libelf ends at a member with a damaged header as at the end of the file. */
	if (!status && end != size)
		status = damaged(path);
	return status;
}

int binary_read(const char *path, binary_fn *fn, void *arg)
{
	struct stat st = { 0 };
	int fd, status;
	Elf *elf;

	elf_version(EV_CURRENT);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return unreadable(path, strerror(errno));
	elf = fstat(fd, &st) || !S_ISREG(st.st_mode) ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (!S_ISREG(st.st_mode))
		status = unreadable(path, "not a file");
	else if (!elf)
		status = unreadable(path, elf_errmsg(-1));
	else if (elf_kind(elf) == ELF_K_AR)
		status = read_archive(elf, fd, path, fn, arg);
	else if (elf_kind(elf) == ELF_K_ELF)
		status = read_object(elf, path, fn, arg);
	else
		status = unreadable(path, "not an ELF file, nor an archive of such files");
	elf_end(elf);
	close(fd);
	return status;
}
