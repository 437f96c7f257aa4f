// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names of functions of the kernel.
 *
 * Layer: lttctl view.
 */
#include "kernel-symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function of the kernel is not larger: an address so far behind the last symbol is not of it. */
#define FUNCTION_MAX	(1 << 16)
#define PAGE		4096

/**
 * struct symbol - a function
 * @address: its address
 * @name: offset of its name in &table.names; that of its module follows, which may be empty
 */
struct symbol {
	uint64_t address;
	size_t name;
};

/**
 * struct table - all functions
 * @symbols: by address, if @is_sorted
 * @nr: number of @symbols
 * @room: room in @symbols
 * @names: all names
 * @len: bytes of @names
 * @names_room: room in @names
 * @is_sorted: see @symbols
 * @is_this_boot: the recording is of this boot, whose functions are read if it has none itself
 * @is_read: they have been read; they are none for users who may not see them
 */
static struct {
	struct symbol *symbols;
	size_t nr;
	size_t room;
	char *names;
	size_t len;
	size_t names_room;
	bool is_sorted;
	bool is_this_boot;
	bool is_read;
} table;

static bool grow(void **array, size_t *room, size_t wanted, size_t size)
{
	size_t more = *room ? *room : 1024;
	void *grown;

	if (wanted <= *room)
		return true;
	while (more < wanted)
		more *= 2;
	grown = reallocarray(*array, more, size);
	if (!grown)
		return false;
	*array = grown;
	*room = more;
	return true;
}

void kernel_symbols_add(uint64_t address, const char *name, const char *module)
{
	size_t len = strlen(name) + 1, module_len = strlen(module) + 1;

	if (!grow((void **)&table.symbols, &table.room, table.nr + 1, sizeof(*table.symbols)) ||
	    !grow((void **)&table.names, &table.names_room, table.len + len + module_len, 1))
		return;
	table.symbols[table.nr++] = (struct symbol){ address, table.len };
	memcpy(table.names + table.len, name, len);
	memcpy(table.names + table.len + len, module, module_len);
	table.len += len + module_len;
	table.is_sorted = false;
}

void kernel_symbols_are_running(void)
{
	table.is_this_boot = true;
}

/* All addresses are 0 where the user must not see them. */
static void read_running(void)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[1024], name[512], module[128], type;
	uint64_t address;

	while (file && fgets(line, sizeof(line), file)) {
		*module = '\0';
		if (sscanf(line, "%" SCNx64 " %c %511s [%127[^]]", &address, &type, name, module) >= 3 && address &&
		    strchr("tTwW", type))
			kernel_symbols_add(address, name, module);
	}
	if (file)
		fclose(file);
}

static int compare(const void *one, const void *other)
{
	const struct symbol *a = one, *b = other;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void prepare(void)
{
	if (!table.nr && table.is_this_boot && !table.is_read) {
		table.is_read = true;
		read_running();
	}
	if (!table.is_sorted && table.nr)
		qsort(table.symbols, table.nr, sizeof(*table.symbols), compare);
	table.is_sorted = true;
}

/*
 * Behind the last symbol of a module another one may lie whose symbols are not known, as those of a
 * module that was loaded later.  Modules begin with a page.
 */
static bool is_behind_module(const struct symbol *symbol, uint64_t address)
{
	const char *name = table.names + symbol->name, *module = name + strlen(name) + 1, *next = "";
	const struct symbol *end = table.symbols + table.nr, *other = symbol;

	while (other < end && other->address <= address)
		other++;
	if (other < end)
		next = table.names + other->name + strlen(table.names + other->name) + 1;
	return *module && strcmp(module, next) && (address ^ symbol->address) >= PAGE;
}

/* The symbols where a section of code ends. */
static bool is_end(const char *name)
{
	return !strcmp(name, "_etext") || !strcmp(name, "_einittext") || !strcmp(name, "__init_end");
}

const char *kernel_symbols_find(uint64_t address, const char **module, uint64_t *offset)
{
	size_t low = 0, high, middle;
	const char *name;

	prepare();
	for (high = table.nr; low < high; ) {
		middle = low + (high - low) / 2;
		if (table.symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	/* The first of several names for one address, as the kernel does. */
	while (low > 1 && table.symbols[low - 2].address == table.symbols[low - 1].address)
		low--;
	name = table.names + table.symbols[low - 1].name;
	*offset = address - table.symbols[low - 1].address;
	*module = name + strlen(name) + 1;
	return *offset >= FUNCTION_MAX || is_end(name) || is_behind_module(&table.symbols[low - 1], address) ?
		NULL : name;
}

bool kernel_symbols_put(struct out *out, uint64_t address)
{
	const char *module;
	uint64_t offset;
	const char *name = kernel_symbols_find(address, &module, &offset);

	if (!name)
		return false;
	out_plain(out, name, strlen(name));
	out_char(out, '+');
	out_hex(out, offset);
	if (*module) {
		out_text(out, " [");
		out_plain(out, module, strlen(module));
		out_char(out, ']');
	}
	return true;
}

void kernel_symbols_forget(void)
{
	free(table.symbols);
	free(table.names);
	memset(&table, 0, sizeof(table));
}
