// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Reads the notes of usdt probes.
 *
 * Layer: lttctl.  The notes of the section .note.stapsdt have the owner "stapsdt" and the type 3.
 * A note is three addresses (of the instruction; of the section .stapsdt.base when the file was
 * linked, which shows how far prelinking has moved it; of the semaphore) and three texts (the
 * provider, the name, and the arguments).
 */
#include "usdt.h"
#include "lttctl/nearest.h"
#include "registers.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTE_TYPE	3
#define OPERAND_LEN	200	/* longer ones cannot be meant */

/* ---- Arguments: SIZE@OPERAND, in the syntax of the assembler ---- */

static bool add_register(struct steps *steps, const char **text, bool first)
{
	struct probe_word word = { *text + 1, 0 };
	struct probe_register reg;

	if (**text != '%')
		return false;
	while (isalnum((unsigned char)word.at[word.len]))
		word.len++;
	reg = probe_register(word);
	/* Addresses are whole registers. */
	if (!reg.name || (!first && reg.bits != 64))
		return false;
	*text = word.at + word.len;
	steps_add(steps, first ? "%%%s" : "+%%%s", reg.name);
	if (first && reg.from)
		steps_add(steps, "b%d.%d", reg.from, reg.bits);
	return true;
}

/* [OFFSET](BASE[,INDEX[,SCALE]]): the word becomes the address, but for the offset. */
static bool parse_address(struct steps *steps, const char *text)
{
	const char *base = text + 1, *index, *at;
	long scale = 1;
	char *end;

	if (*text != '(')
		return false;
	index = strchr(text, ',');
	if (!index)
		return add_register(steps, &base, true) && !strcmp(base, ")");
	at = index + 1;
	if (!add_register(steps, &at, true))
		return false;
	if (*at == ',') {
		scale = strtol(at + 1, &end, 10);
		at = end;
	}
	if (strcmp(at, ")") || (scale != 1 && scale != 2 && scale != 4 && scale != 8))
		return false;
	if (scale != 1)
		steps_add(steps, "*%ld", scale);
	return add_register(steps, &base, false) && base == index;
}

static bool parse_operand(const char *text, struct operand *operand)
{
	struct steps *steps = &operand->steps;
	char *end;
	long long number;

	if (*text == '%')
		return add_register(steps, &text, true) && !*text;
	if (*text == '$') {
		number = strtoll(text + 1, &end, 0);
		steps_add(steps, "=%lld", number);
		return end != text + 1 && !*end;
	}
	number = strtoll(text, &end, 0);
	if (!parse_address(steps, end))
		return false;
	steps->offset = number;
	steps_load(steps, true, operand->bits / 8);
	return true;
}

static void parse_argument(const char *text, struct operand *operand)
{
	char *at;
	long size = strtol(text, &at, 10);

	memset(operand, 0, sizeof(*operand));
	if (*at != '@' || strlen(at) > OPERAND_LEN || size < -8 || size > 8)
		return;
	operand->sign = size < 0 ? 's' : 'u';
	operand->bits = labs(size) * 8;
	if ((operand->bits != 8 && operand->bits != 16 && operand->bits != 32 && operand->bits != 64) ||
	    !parse_operand(at + 1, operand))
		operand->bits = 0;
}

void usdt_parse_operands(const char *text, struct usdt_place *place)
{
	char *copy = strdup(text), *rest = copy, *word;

	place->nr_operands = 0;
	while (rest && (word = strsep(&rest, " ")) && place->nr_operands < OPERANDS_MAX)
		if (*word)
			parse_argument(word, &place->operands[place->nr_operands++]);
	free(copy);
}

/* ---- Notes ---- */

/**
 * struct note - a note
 * @address: of the instruction
 * @base: see above
 * @semaphore: its address, or 0
 * @provider: text
 * @name: text
 * @arguments: text
 */
struct note {
	uint64_t address;
	uint64_t base;
	uint64_t semaphore;
	const char *provider;
	const char *name;
	const char *arguments;
};

/* Return: the text at *@at, which is moved behind it; NULL if it has no end before @end. */
static const char *take_text(const char **at, const char *end)
{
	const char *text = *at, *nul = text < end ? memchr(text, '\0', end - text) : NULL;

	*at = nul ? nul + 1 : end;
	return nul ? text : NULL;
}

static bool parse_note(const char *at, size_t size, struct note *note)
{
	const char *end = at + size;
	uint64_t numbers[3];

	if (size < sizeof(numbers))
		return false;
	memcpy(numbers, at, sizeof(numbers));
	at += sizeof(numbers);
	note->address = numbers[0];
	note->base = numbers[1];
	note->semaphore = numbers[2];
	note->provider = take_text(&at, end);
	note->name = take_text(&at, end);
	note->arguments = take_text(&at, end);
	return note->arguments;
}

/* How far the file was moved after it was linked. */
static uint64_t moved(const struct program *program, uint64_t base)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;
	const char *name;

	if (elf_getshdrstrndx(program->elf, &names))
		return 0;
	while ((section = elf_nextscn(program->elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(program->elf, names, header.sh_name);
		if (name && base && !strcmp(name, ".stapsdt.base"))
			return header.sh_addr - base;
	}
	return 0;
}

/**
 * struct search - a search for the places of a probe
 * @program: the file
 * @definition: has the provider and the name
 * @places: see usdt_find()
 * @nr: number of @places
 * @nearest: names of other probes, PROVIDER:NAME
 */
struct search {
	const struct program *program;
	const struct probe_definition *definition;
	struct usdt_place *places;
	int nr;
	struct nearest nearest;
};

/* Return: false without memory. */
static bool add_place(struct search *search, const struct note *note)
{
	uint64_t by = moved(search->program, note->base);
	struct usdt_place place = { .semaphore = 0 }, *grown;

	if (!program_offset(search->program, note->address + by, &place.offset))
		return true;
	if (note->semaphore && !program_offset(search->program, note->semaphore + by, &place.semaphore))
		return true;
	usdt_parse_operands(note->arguments, &place);
	grown = realloc(search->places, (search->nr + 1) * sizeof(*grown));
	if (!grown)
		return false;
	search->places = grown;
	grown[search->nr++] = place;
	return true;
}

static bool look_at(struct search *search, const struct note *note)
{
	const struct probe_definition *wanted = search->definition;
	char full[512], here[512];

	if (!strcmp(note->provider, wanted->module) && !strcmp(note->name, wanted->symbol))
		return add_place(search, note);
	snprintf(full, sizeof(full), "%s:%s", wanted->module, wanted->symbol);
	snprintf(here, sizeof(here), "%s:%s", note->provider, note->name);
	nearest_offer(&search->nearest, full, strlen(full), here, strlen(here));
	return true;
}

static bool search_section(struct search *search, Elf_Data *data)
{
	size_t at = 0, name, desc;
	GElf_Nhdr header;
	struct note note;

	while (data && (at = gelf_getnote(data, at, &header, &name, &desc)))
		if (header.n_type == NOTE_TYPE && header.n_namesz == sizeof("stapsdt") &&
		    !memcmp((char *)data->d_buf + name, "stapsdt", sizeof("stapsdt")) &&
		    parse_note((char *)data->d_buf + desc, header.n_descsz, &note) &&
		    !look_at(search, &note))
			return false;
	return true;
}

int usdt_find(const struct program *program, const char *path, const struct probe_definition *definition,
	      struct usdt_place **places, int *nr, char why[PROBE_WHY_SIZE])
{
	struct search search = { .program = program, .definition = definition };
	char near[NEAREST_TEXT];
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int err;

	while ((section = elf_nextscn(program->elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
			continue;
		if (!search_section(&search, elf_getdata(section, NULL))) {
			snprintf(why, PROBE_WHY_SIZE, "out of memory");
			err = -ENOMEM;
			goto err;
		}
	}
	if (!search.nr) {
		nearest_text(&search.nearest, "", near);
		snprintf(why, PROBE_WHY_SIZE, "%s has no usdt probe %.63s:%.200s%s", path, definition->module,
			 definition->symbol, near);
		err = -EINVAL;
		goto err;
	}
	*places = search.places;
	*nr = search.nr;
	return 0;

err:
	free(search.places);
	return err;
}
