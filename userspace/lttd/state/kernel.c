// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The kernel: its version and build id, modules and functions.
 *
 * Layer: lttd state.
 */
#include "core/version.h"
#include "dump.h"
#include "proc.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

static const struct ltt_field kernel_fields[] = {
	WRITER_STRING("release"),
	WRITER_STRING("version"),
	WRITER_STRING("machine"),
	WRITER_STRING("build_id"),
	WRITER_STRING("boot_id"),
	WRITER_STRING("command_line"),
	WRITER_STRING("clock_source"),
	WRITER_STRING("tracer"),
};
WRITER_EVENT(kernel_event, "kernel", kernel_fields);

static const struct ltt_field module_fields[] = {
	WRITER_STRING("name"),
	WRITER_HEX("address", 8),
	WRITER_NUMBER("size", 8),
};
WRITER_EVENT(module_event, "module", module_fields);

static const struct ltt_field symbol_fields[] = {
	WRITER_HEX("address", 8),
	WRITER_STRING("name"),
	WRITER_STRING("module"),
};
WRITER_EVENT(symbol_event, "symbol", symbol_fields);

/* The notes of the kernel's ELF file: a header, a name and data, each padded to 4 bytes. */
static void read_build_id(char *hex, size_t size)
{
	char notes[4096];
	ssize_t len = proc_read(AT_FDCWD, "/sys/kernel/notes", notes, sizeof(notes)), at = 0, data, i;
	Elf32_Nhdr note;

	*hex = '\0';
	while (at + (ssize_t)sizeof(note) <= len) {
		memcpy(&note, notes + at, sizeof(note));
		data = at + sizeof(note) + ((note.n_namesz + 3ull) & ~3ull);
		at = data + ((note.n_descsz + 3ull) & ~3ull);
		if (data > len || at > len || at < data)
			return;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp(notes + data - sizeof(ELF_NOTE_GNU), ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) ||
		    2 * note.n_descsz >= size)
			continue;
		for (i = 0; i < (ssize_t)note.n_descsz; i++)
			sprintf(hex + 2 * i, "%02x", (unsigned char)notes[data + i]);
	}
}

static void put_line(struct dump *dump, const char *path)
{
	char text[4096];
	ssize_t got = proc_line(AT_FDCWD, path, text, sizeof(text));

	if (got < 0)
		dump_missed(dump, got);
	writer_string(&dump->writer, text);
}

void dump_kernel(struct dump *dump)
{
	struct writer *writer = &dump->writer;
	struct utsname uts = { .release = "" };
	char build_id[129];

	uname(&uts);
	writer_begin(writer, STATE_KERNEL, 0);
	writer_string(writer, uts.release);
	writer_string(writer, uts.version);
	writer_string(writer, uts.machine);
	read_build_id(build_id, sizeof(build_id));
	writer_string(writer, build_id);
	put_line(dump, "/proc/sys/kernel/random/boot_id");
	put_line(dump, "/proc/cmdline");
	put_line(dump, "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	writer_string(writer, "LTT " LTT_VERSION);
	dump_end(dump);
}

/* The address is 0 where the user must not see it. */
static void write_module(struct dump *dump, const char *line)
{
	struct writer *writer = &dump->writer;
	uint64_t address, size;
	char name[128];

	if (sscanf(line, "%127s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &size, &address) != 3)
		return;
	if (!address)
		dump_missed(dump, -EACCES);
	writer_begin(writer, STATE_MODULE, 0);
	writer_string(writer, name);
	writer_number(writer, address);
	writer_number(writer, size);
	dump_end(dump);
}

static void write_symbol(struct dump *dump, const char *line)
{
	char name[512], module[128] = "";
	struct writer *writer = &dump->writer;
	uint64_t address;
	char type;

	if (sscanf(line, "%" SCNx64 " %c %511s [%127[^]]", &address, &type, name, module) < 3 || !strchr("tTwW", type))
		return;
	if (!address) {
		dump_missed(dump, -EACCES);
		return;
	}
	writer_begin(writer, STATE_SYMBOL, 0);
	writer_number(writer, address);
	writer_string(writer, name);
	writer_string(writer, module);
	dump_end(dump);
}

static void write_lines(struct dump *dump, const char *path, void (*write)(struct dump *dump, const char *line))
{
	struct lines lines;
	char *line;
	int err;

	err = lines_open(&lines, AT_FDCWD, path);
	if (err) {
		dump_missed(dump, err);
		return;
	}
	while (!dump->writer.err && (line = lines_next(&lines)))
		write(dump, line);
	dump_missed(dump, lines.err);
	lines_close(&lines);
}

void dump_modules(struct dump *dump)
{
	write_lines(dump, "/proc/modules", write_module);
}

void dump_symbols(struct dump *dump)
{
	write_lines(dump, "/proc/kallsyms", write_symbol);
}
