// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The code of filters that libltt gets, for libFuzzer.
 *
 * A case is a byte that a marker is made of, one that its events are made of, a number of instructions, the
 * instructions, and their texts.  The check rejects the code, or the code does no harm: it ends, and reads nothing
 * beyond the event and itself.  Texts of events are in blocks of just their size.
 */
#include "must.h"

#include <errno.h>

#include "../libltt/arguments.h"
#include "libltt/filter.h"

#define EVENTS 4
#define CONTEXT	(64 | UINT64_C(7) << 32)	/* thread 64 of process 7 */

/* The counts may be larger than there is room for. */
static void take_code(struct rest *rest, struct ltt_filter_code *code)
{
	size_t bytes;

	/* No NUL hides that a text goes on behind the last byte. */
	memset(code, 'x', sizeof(*code));
	code->nr = take_byte(rest);
	bytes = code->nr * sizeof(code->insn[0]);
	if (bytes > sizeof(code->insn))
		bytes = sizeof(code->insn);
	if (bytes > rest->left)
		bytes = rest->left;
	memset(code->insn, 0, sizeof(code->insn));
	memcpy(code->insn, rest->at, bytes);
	rest->at += bytes;
	rest->left -= bytes;
	code->size = rest->left < sizeof(code->text) ? rest->left : UINT32_MAX;
	memcpy(code->text, rest->at, rest->left < sizeof(code->text) ? rest->left : sizeof(code->text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char payload[PAYLOAD_MAX];
	static struct ltt_filter_code code;
	struct rest rest = { data, size };
	uint64_t event = take_byte(&rest), values = take_byte(&rest);
	struct arguments arguments;
	struct ltt_filter *filter;
	struct layout layout;
	int i, err;

	take_code(&rest, &code);
	draw_marker(&event, &layout);
	for (i = 0; i < EVENTS; i++) {
		draw_payload(&values, &layout, payload);
		arguments_make(&arguments, &layout, payload);
		filter = ltt_filter_new(&code, &arguments.fields, &err);
		MUST(filter ? !err : err == -EBADMSG);
		if (filter)
			MUST(ltt_filter_passes(filter, arguments.fields.step, arguments.words, CONTEXT) ==
			     ltt_filter_passes(filter, arguments.fields.step, arguments.words, CONTEXT));
		free(filter);
		arguments_free(&arguments);
	}
	return 0;
}
