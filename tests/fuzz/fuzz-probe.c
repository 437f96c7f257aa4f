// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The parsers of dynamic probes, for libFuzzer.
 *
 * A case is a text.  It is parsed as a definition, whose values are resolved at a place without
 * types, and as the arguments of a usdt note.
 */
#include "must.h"

#include "../../userspace/lttctl/probe/usdt.h"

/* Each word lies in the text. */
static bool is_within(struct probe_word word, const char *text, size_t size)
{
	return !word.len || (word.at >= text && word.at + word.len <= text + size);
}

static void check_definition(const char *text, size_t size)
{
	static struct probe_definition definition;
	char why[PROBE_WHY_SIZE];
	int i, j;

	if (!probe_parse(text, &definition, why)) {
		MUST(*why && strlen(why) < PROBE_WHY_SIZE);
		return;
	}
	MUST(ltt_name_valid(definition.name));
	MUST(*definition.symbol || *definition.path);
	MUST(definition.nr_arguments <= PROBE_ARGUMENTS_MAX);
	for (i = 0; i < definition.nr_arguments; i++) {
		const struct probe_argument *argument = &definition.argument[i];
		struct scene scene = { .kind = definition.kind, .function = "f", .at_entry = !definition.offset };
		struct field field;

		MUST(argument->name.len && is_within(argument->name, text, size));
		MUST(argument->nr_accesses <= PROBE_ACCESSES_MAX);
		for (j = 0; j < argument->nr_accesses; j++)
			MUST(is_within(argument->accesses[j].name, text, size));
		if (value_resolve(&scene, argument, &field, why))
			MUST(field.steps.len && field.steps.len < (int)sizeof(field.steps.text) && *field.type);
		else
			MUST(*why);
	}
}

static void check_operands(const char *text)
{
	static struct usdt_place place;
	int i;

	usdt_parse_operands(text, &place);
	MUST(place.nr_operands <= OPERANDS_MAX);
	for (i = 0; i < place.nr_operands; i++)
		if (place.operands[i].bits)
			MUST(place.operands[i].steps.len < (int)sizeof(place.operands[i].steps.text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	check_definition(text, size);
	check_operands(text);
	free(text);
	return 0;
}
