// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A check of the file of a program: can libraries be preloaded into it?
 *
 * Layer: lttctl, on libelf.
 */
#include "program-file.h"
#include "lttctl/command.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* The kernel follows so many scripts from one to the next. */
#define SCRIPTS_MAX	4

#define LINE_SIZE	256

/* Reject a program; @why is what it is. */
static int reject(const char *file, const char *why)
{
	complain("--preload: cannot preload into %s: %s", file, why);
	return EXIT_USAGE;
}

/* Copy the path of the loader that a program names, "" if it names none.  Return: false if
 * this is not an ELF program. */
static bool read_loader(int fd, char loader[PATH_MAX])
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	size_t nr = 0, i;
	GElf_Phdr segment;
	bool is_elf;

	*loader = '\0';
	is_elf = elf_kind(elf) == ELF_K_ELF && !elf_getphdrnum(elf, &nr);
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &segment) || segment.p_type != PT_INTERP ||
		    segment.p_filesz >= PATH_MAX)
			continue;
		if (pread(fd, loader, segment.p_filesz, segment.p_offset) != (ssize_t)segment.p_filesz)
			is_elf = false;
		loader[segment.p_filesz] = '\0';
	}
	elf_end(elf);
	return is_elf;
}

/* A program whose loader is missing cannot be run, which the kernel finds by itself. */
static bool are_different(const char *one, const char *other)
{
	struct stat a, b;

	return !stat(one, &a) && !stat(other, &b) && (a.st_dev != b.st_dev || a.st_ino != b.st_ino);
}

static int check_elf(const char *file, const char *loader)
{
	char own[PATH_MAX], why[2 * PATH_MAX + 100];
	bool is_read;
	int fd;

	if (!*loader)
		return reject(file, "it is linked statically, so it has no loader");
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return complain("--preload: cannot read the program of lttctl: %s", strerror(errno));
	is_read = read_loader(fd, own);
	close(fd);
	if (!is_read || !are_different(loader, own))
		return 0;
	snprintf(why, sizeof(why), "its loader is %s, and LTT's libraries are for that of the C library in %s",
		 loader, own);
	return reject(file, why);
}

/* The loader drops LD_PRELOAD for a program that gets rights which its user does not have. */
static int check_rights(const char *file, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return 0;
	if (st.st_mode & S_ISUID && st.st_uid != getuid())
		return reject(file, "it is a setuid program");
	/* Without S_IXGRP the bit means something else. */
	if (st.st_mode & S_ISGID && st.st_mode & S_IXGRP && st.st_gid != getgid())
		return reject(file, "it is a setgid program");
	if (getuid() && fgetxattr(fd, "security.capability", NULL, 0) > 0)
		return reject(file, "its file has capabilities");
	return 0;
}

/* Copy the interpreter of a script.  Return: false if this is none. */
static bool read_interpreter(int fd, char interpreter[LINE_SIZE])
{
	char line[LINE_SIZE];
	ssize_t len = pread(fd, line, sizeof(line) - 1, 0);
	size_t blanks;

	if (len < 2 || memcmp(line, "#!", 2))
		return false;
	line[len] = '\0';
	blanks = strspn(line + 2, " \t");
	snprintf(interpreter, LINE_SIZE, "%.*s", (int)strcspn(line + 2 + blanks, " \t\n"), line + 2 + blanks);
	return true;
}

int program_file_check(const char *file)
{
	char interpreter[LINE_SIZE], loader[PATH_MAX];
	unsigned int scripts;
	int status = 0, fd;
	bool is_script;

	elf_version(EV_CURRENT);
	for (scripts = 0; scripts <= SCRIPTS_MAX; scripts++) {
		fd = open(file, O_RDONLY | O_CLOEXEC);
		/* It can be executed without being readable. */
		if (fd < 0)
			return 0;
		is_script = read_interpreter(fd, interpreter);
		if (!is_script) {
			status = check_rights(file, fd);
			if (!status && read_loader(fd, loader))
				status = check_elf(file, loader);
		}
		close(fd);
		if (!is_script)
			break;
		file = interpreter;
	}
	return status;
}
