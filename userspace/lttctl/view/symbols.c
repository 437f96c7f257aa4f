// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names of functions in a file: a program or a library.
 *
 * Layer: lttctl, on libelf.
 */
#include "symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUILD_ID_MAX	64	/* bytes */

/**
 * struct function - a function
 * @start: its address
 * @size: in bytes; 0: up to the next function
 * @name: its name, in the file's data
 * @rank: of several names for one address, that of the highest rank is used
 */
struct function {
	uint64_t start;
	uint64_t size;
	const char *name;
	unsigned int rank;
};

struct symbols {
	int fd;
	Elf *elf;
	struct function *functions;	/* by @start */
	size_t nr;
};

/* ---- The file ---- */

/* A path in a trace can name anything: a pipe or a device must not block. */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

/* Is the build id in a segment of notes? */
static bool has_build_id(Elf_Data *notes, const char *build_id)
{
	size_t at = 0, name, text, i;
	char hex[2 * BUILD_ID_MAX + 1];
	const unsigned char *id;
	GElf_Nhdr note;

	while (notes && (at = gelf_getnote(notes, at, &note, &name, &text))) {
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp((char *)notes->d_buf + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) ||
		    note.n_descsz > BUILD_ID_MAX)
			continue;
		id = (const unsigned char *)notes->d_buf + text;
		for (i = 0; i < note.n_descsz; i++)
			sprintf(hex + 2 * i, "%02x", id[i]);
		return note.n_descsz && !strcmp(hex, build_id);
	}
	return false;
}

static bool is_build(Elf *elf, const char *build_id)
{
	GElf_Phdr segment;
	size_t nr, i;

	if (!*build_id)
		return true;
	if (elf_getphdrnum(elf, &nr))
		return false;
	for (i = 0; i < nr; i++)
		if (gelf_getphdr(elf, i, &segment) && segment.p_type == PT_NOTE &&
		    has_build_id(elf_getdata_rawchunk(elf, segment.p_offset, segment.p_filesz, ELF_T_NHDR), build_id))
			return true;
	return false;
}

/* ---- The table ---- */

static int compare(const void *one, const void *other)
{
	const struct function *a = one, *b = other;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	/* The last of several at one address is found. */
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static bool is_function(const GElf_Sym *symbol)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF;
}

/* A name that the linker exports comes before a weak or a local one. */
static unsigned int rank_of(const GElf_Sym *symbol)
{
	unsigned int bind = GELF_ST_BIND(symbol->st_info);

	return bind == STB_GLOBAL ? 2 : bind == STB_WEAK ? 1 : 0;
}

static bool read_table(struct symbols *symbols, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t nr = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0, i;
	const char *name;
	GElf_Sym symbol;

	symbols->functions = calloc(nr ? nr : 1, sizeof(*symbols->functions));
	if (!symbols->functions)
		return false;
	for (i = 0; i < nr; i++) {
		if (!gelf_getsym(data, i, &symbol) || !is_function(&symbol))
			continue;
		name = elf_strptr(symbols->elf, header->sh_link, symbol.st_name);
		if (!name || !*name)
			continue;
		symbols->functions[symbols->nr++] = (struct function){
			.start = symbol.st_value, .size = symbol.st_size, .name = name, .rank = rank_of(&symbol),
		};
	}
	qsort(symbols->functions, symbols->nr, sizeof(*symbols->functions), compare);
	return true;
}

/* Return: false if memory is out. */
static bool read_functions(struct symbols *symbols)
{
	GElf_Shdr header, found_header = { 0 };
	Elf_Scn *section = NULL, *found = NULL;

	while ((section = elf_nextscn(symbols->elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		if (found && header.sh_type != SHT_SYMTAB)
			continue;
		found = section;
		found_header = header;
	}
	return !found || read_table(symbols, found, &found_header);
}

struct symbols *symbols_open(const char *path, const char *build_id, const char **why)
{
	struct symbols *symbols = calloc(1, sizeof(*symbols));

	*why = "out of memory";
	if (!symbols)
		return NULL;
	elf_version(EV_CURRENT);
	symbols->fd = open_file(path);
	if (symbols->fd < 0) {
		*why = strerror(errno);
		goto err_free;
	}
	symbols->elf = elf_begin(symbols->fd, ELF_C_READ, NULL);
	if (elf_kind(symbols->elf) != ELF_K_ELF) {
		*why = "not an ELF file";
		goto err_close;
	}
	if (!is_build(symbols->elf, build_id)) {
		*why = "it is not the file of the recording: its build id is another";
		goto err_close;
	}
	if (read_functions(symbols)) {
		/* A trace can name any number of files, so none stays open; the names are in memory. */
		elf_cntl(symbols->elf, ELF_C_FDDONE);
		close(symbols->fd);
		return symbols;
	}

err_close:
	elf_end(symbols->elf);
	close(symbols->fd);
err_free:
	free(symbols);
	return NULL;
}

/* Return: the number of functions that begin at @address or before. */
static size_t count_before(const struct symbols *symbols, uint64_t address)
{
	size_t low = 0, high = symbols->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (symbols->functions[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const char *symbols_find(const struct symbols *symbols, uint64_t address, uint64_t *offset)
{
	size_t before = count_before(symbols, address);
	const struct function *function;

	if (!before)
		return NULL;
	function = &symbols->functions[before - 1];
	*offset = address - function->start;
	return !function->size || *offset < function->size ? function->name : NULL;
}

void symbols_close(struct symbols *symbols)
{
	if (!symbols)
		return;
	elf_end(symbols->elf);
	free(symbols->functions);
	free(symbols);
}
