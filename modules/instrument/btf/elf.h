/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sections of ELF files: of the kernel, and of its modules.
 *
 * Layer: none; part of ltt-btf.
 */
#ifndef LTT_BTF_ELF_H
#define LTT_BTF_ELF_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct file - the contents of a file
 */
struct file {
	const char *bytes;
	size_t size;
};

/**
 * struct section - a section of a file
 * @bytes: its contents
 * @size: their number
 * @address: where it is in memory
 */
struct section {
	const char *bytes;
	size_t size;
	uint64_t address;
};

/* Read a file.  Return: 0, or a negative errno. */
int file_open(struct file *f, const char *path);
void file_close(struct file *f);

/* Bytes of a pointer in the machine of an ELF file; 0 if it is none of this byte order. */
unsigned int elf_pointer(const struct file *f);

/**
 * elf_section() - get a section
 * @f: the file, an ELF file
 * @number: the number of the section, from 0 on
 * @name: receives its name
 * @s: filled in; of no bytes if the file has none for it
 *
 * Return: 0, or -1 if there is no such section.
 */
int elf_section(const struct file *f, unsigned int number, const char **name, struct section *s);

/* Find a section by its name.  Return: 0, or -1. */
int elf_find(const struct file *f, const char *name, struct section *s);

#endif /* LTT_BTF_ELF_H */
