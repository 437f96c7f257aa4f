// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Reads files of machine code with libelf.
 *
 * Layer: lttctl.
 */
#include "program.h"
#include "lttctl/nearest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int program_open(struct program *program, const char *path, char why[PROBE_WHY_SIZE])
{
	int err;

	elf_version(EV_CURRENT);
	program->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (program->fd < 0) {
		err = -errno;
		snprintf(why, PROBE_WHY_SIZE, "cannot open %s: %s", path, strerror(-err));
		return err;
	}
	program->elf = elf_begin(program->fd, ELF_C_READ_MMAP, NULL);
	if (program->elf && elf_kind(program->elf) == ELF_K_ELF && gelf_getclass(program->elf) == ELFCLASS64)
		return 0;
	snprintf(why, PROBE_WHY_SIZE, "%s is not a program or library of 64 bits", path);
	program_close(program);
	return -EINVAL;
}

void program_close(struct program *program)
{
	elf_end(program->elf);
	close(program->fd);
}

bool program_offset(const struct program *program, uint64_t address, uint64_t *offset)
{
	size_t nr, i;
	GElf_Phdr phdr;

	if (elf_getphdrnum(program->elf, &nr))
		return false;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(program->elf, i, &phdr) || phdr.p_type != PT_LOAD ||
		    address < phdr.p_vaddr || address - phdr.p_vaddr >= phdr.p_filesz)
			continue;
		*offset = address - phdr.p_vaddr + phdr.p_offset;
		return true;
	}
	return false;
}

/* Look for a function in one table of symbols.  Return: true if it is there. */
static bool find_in(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *symbol,
		    uint64_t *address, struct nearest *nearest)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t i, nr = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	const char *name;
	GElf_Sym sym;

	for (i = 0; data && i < nr; i++) {
		if (!gelf_getsym(data, i, &sym) || sym.st_shndx == SHN_UNDEF ||
		    (GELF_ST_TYPE(sym.st_info) != STT_FUNC && GELF_ST_TYPE(sym.st_info) != STT_GNU_IFUNC))
			continue;
		name = elf_strptr(elf, header->sh_link, sym.st_name);
		if (!name)
			continue;
		if (!strcmp(name, symbol)) {
			*address = sym.st_value;
			return true;
		}
		nearest_offer(nearest, symbol, strlen(symbol), name, strlen(name));
	}
	return false;
}

static bool find_symbol(Elf *elf, const char *symbol, uint64_t *address, struct nearest *nearest)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) &&
		    find_in(elf, section, &header, symbol, address, nearest))
			return true;
	return false;
}

bool program_function(const struct program *program, const char *path, const char *symbol,
		      uint64_t *offset, char why[PROBE_WHY_SIZE])
{
	struct nearest nearest = { .nr = 0 };
	char near[NEAREST_TEXT];
	uint64_t address;

	if (!find_symbol(program->elf, symbol, &address, &nearest)) {
		nearest_text(&nearest, "", near);
		snprintf(why, PROBE_WHY_SIZE, "%s has no function %.200s%s", path, symbol, near);
		return false;
	}
	if (program_offset(program, address, offset))
		return true;
	snprintf(why, PROBE_WHY_SIZE, "the function %.200s is not in the file %s", symbol, path);
	return false;
}
