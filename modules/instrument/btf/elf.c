// SPDX-License-Identifier: GPL-2.0-only
/* Sections of ELF files, see elf.h.  Whatever a file has, nothing outside of it is read. */
#include "elf.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_open(struct file *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	struct stat st;
	ssize_t got;
	char *bytes;

	*f = (struct file) { 0 };
	if (fd < 0)
		return -errno;
	/* Not mapped: most kernels cannot map the files in /sys. */
	bytes = fstat(fd, &st) ? NULL : malloc(st.st_size + 1);
	err = bytes ? 0 : -errno;
	f->bytes = bytes;
	while (!err && f->size < (size_t)st.st_size) {
		got = read(fd, bytes + f->size, st.st_size - f->size);
		if (got <= 0) {
			err = got ? -errno : 0;
			break;
		}
		f->size += got;
	}
	close(fd);
	if (err)
		file_close(f);
	return err;
}

void file_close(struct file *f)
{
	free((void *)f->bytes);
	*f = (struct file) { 0 };
}

unsigned int elf_pointer(const struct file *f)
{
	const unsigned char order = __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;

	if (f->size < sizeof(Elf64_Ehdr) || memcmp(f->bytes, ELFMAG, SELFMAG) || f->bytes[EI_DATA] != order)
		return 0;
	return f->bytes[EI_CLASS] == ELFCLASS64 ? 8 : 4;
}

/* The header of a section, as one of 64 bits. */
static int header(const struct file *f, unsigned int number, Elf64_Shdr *to)
{
	const bool wide = elf_pointer(f) == 8;
	const size_t size = wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	Elf64_Ehdr e64;
	Elf32_Ehdr e32;
	Elf32_Shdr s32;
	uint64_t at;

	memcpy(&e64, f->bytes, sizeof(e64));
	memcpy(&e32, f->bytes, sizeof(e32));
	at = (wide ? e64.e_shoff : e32.e_shoff) + (uint64_t)number * size;
	if (number >= (wide ? e64.e_shnum : e32.e_shnum) || at > f->size || f->size - at < size)
		return -1;
	if (wide) {
		memcpy(to, f->bytes + at, size);
		return 0;
	}
	memcpy(&s32, f->bytes + at, size);
	*to = (Elf64_Shdr) { .sh_name = s32.sh_name, .sh_type = s32.sh_type, .sh_addr = s32.sh_addr,
			     .sh_offset = s32.sh_offset, .sh_size = s32.sh_size };
	return 0;
}

static int contents(const struct file *f, const Elf64_Shdr *h, struct section *s)
{
	*s = (struct section) { "", 0, h->sh_addr };
	if (h->sh_type == SHT_NOBITS)
		return 0;
	if (h->sh_offset > f->size || h->sh_size > f->size - h->sh_offset)
		return -1;
	s->bytes = f->bytes + h->sh_offset;
	s->size = h->sh_size;
	return 0;
}

int elf_section(const struct file *f, unsigned int number, const char **name, struct section *s)
{
	Elf64_Shdr h, names;
	struct section strings;
	Elf64_Ehdr e64;
	Elf32_Ehdr e32;

	if (!elf_pointer(f) || header(f, number, &h) || contents(f, &h, s))
		return -1;
	memcpy(&e64, f->bytes, sizeof(e64));
	memcpy(&e32, f->bytes, sizeof(e32));
	if (header(f, elf_pointer(f) == 8 ? e64.e_shstrndx : e32.e_shstrndx, &names) ||
	    contents(f, &names, &strings) || !strings.size || strings.bytes[strings.size - 1] ||
	    h.sh_name >= strings.size)
		return -1;
	*name = strings.bytes + h.sh_name;
	return 0;
}

int elf_find(const struct file *f, const char *name, struct section *s)
{
	const char *has;
	unsigned int i;

	for (i = 0; !elf_section(f, i, &has, s); i++)
		if (!strcmp(has, name))
			return 0;
	return -1;
}
