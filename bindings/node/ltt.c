// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The Node.js addon ltt: events that lttctl records.  README.md describes it.
 *
 * ltt.event() returns a function, which emits the event with its arguments.  While the event is
 * not recorded, the function loads a byte and returns.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <node_api.h>

#include <ltt/event.h>

#define FIELDS_MAX	12
#define TEXT_SIZE	4097	/* of a text that libltt cuts, with a NUL */

/* Fails only if the engine is about to end, or with a pending exception. */
#define CALL(call)	do { if ((call) != napi_ok) return NULL; } while (0)

static const struct {
	const char *name;
	unsigned int type;
} types[] = {
	{ "bool", LTT_EVENT_BOOL }, { "s8", LTT_EVENT_S8 }, { "u8", LTT_EVENT_U8 }, { "s16", LTT_EVENT_S16 },
	{ "u16", LTT_EVENT_U16 }, { "s32", LTT_EVENT_S32 }, { "u32", LTT_EVENT_U32 }, { "s64", LTT_EVENT_S64 },
	{ "u64", LTT_EVENT_U64 }, { "float", LTT_EVENT_FLOAT }, { "double", LTT_EVENT_DOUBLE },
	{ "string", LTT_EVENT_STRING }, { "blob", LTT_EVENT_BLOB },
};

/**
 * struct event - an event
 * @event: of libltt, which is never freed
 * @nr_functions: functions of JavaScript that have it
 * @nr: number of @type
 * @type: of each field
 */
struct event {
	struct ltt_event *event;
	unsigned int nr_functions;
	size_t nr;
	unsigned int type[FIELDS_MAX];
};

/* ---- Values ---- */

static bool take_integer(napi_env env, napi_value from, struct ltt_event_value *value)
{
	napi_valuetype type;
	bool lossless;
	int64_t s;

	if (napi_typeof(env, from, &type) != napi_ok)
		return false;
	/* The low bits. */
	if (type == napi_bigint) {
		if (napi_get_value_bigint_uint64(env, from, (uint64_t *)&value->u, &lossless) != napi_ok)
			return false;
	} else if (napi_get_value_int64(env, from, &s) == napi_ok) {
		value->s = s;
	} else {
		return false;
	}
	return true;
}

static bool take_blob(napi_env env, napi_value from, struct ltt_event_value *value)
{
	bool is_buffer = false;
	void *data;

	if (napi_is_buffer(env, from, &is_buffer) != napi_ok || !is_buffer ||
	    napi_get_buffer_info(env, from, &data, &value->length) != napi_ok)
		return false;
	value->p = data;
	return true;
}

/* @text: TEXT_SIZE bytes. */
static bool take_text(napi_env env, napi_value from, struct ltt_event_value *value, char *text)
{
	size_t len;

	value->p = text;
	return napi_get_value_string_utf8(env, from, text, TEXT_SIZE, &len) == napi_ok;
}

static bool take_value(napi_env env, unsigned int type, napi_value from, struct ltt_event_value *value,
		       char *text)
{
	double real;
	bool truth;

	switch (type) {
	case LTT_EVENT_STRING:
		return take_text(env, from, value, text);
	case LTT_EVENT_BLOB:
		return take_blob(env, from, value);
	case LTT_EVENT_BOOL:
		if (napi_get_value_bool(env, from, &truth) != napi_ok)
			return false;
		value->u = truth;
		return true;
	case LTT_EVENT_DOUBLE:
		return napi_get_value_double(env, from, &value->d) == napi_ok;
	case LTT_EVENT_FLOAT:
		if (napi_get_value_double(env, from, &real) != napi_ok)
			return false;
		value->f = (float)real;
		return true;
	}
	return take_integer(env, from, value);
}

/* Out of line, for the texts take 48 KiB of stack. */
static __attribute__((noinline)) void write_event(napi_env env, const struct event *event, const napi_value *args)
{
	struct ltt_event_value values[FIELDS_MAX];
	char text[FIELDS_MAX][TEXT_SIZE], message[80];
	size_t i;

	for (i = 0; i < event->nr; i++) {
		if (!take_value(env, event->type[i], args[i], &values[i], text[i])) {
			snprintf(message, sizeof(message), "argument %zu does not have the type of its field", i + 1);
			napi_throw_type_error(env, NULL, message);
			return;
		}
	}
	ltt_event_write(event->event, values);
}

static napi_value emit(napi_env env, napi_callback_info info)
{
	napi_value args[FIELDS_MAX];
	size_t nr = FIELDS_MAX;
	struct event *event;

	CALL(napi_get_cb_info(env, info, &nr, args, NULL, (void **)&event));
	if (!ltt_event_enabled(event->event))
		return NULL;
	if (nr != event->nr)
		napi_throw_type_error(env, NULL, "the event has another number of fields");
	else
		write_event(env, event, args);
	return NULL;
}

static napi_value is_enabled(napi_env env, napi_callback_info info)
{
	struct event *event;
	napi_value result;

	CALL(napi_get_cb_info(env, info, NULL, NULL, NULL, (void **)&event));
	CALL(napi_get_boolean(env, ltt_event_enabled(event->event), &result));
	return result;
}

/* ---- Describing an event ---- */

/* Return: a copy, to be freed; NULL if @value is not a string. */
static char *copy_text(napi_env env, napi_value value)
{
	size_t len;
	char *text;

	if (napi_get_value_string_utf8(env, value, NULL, 0, &len) != napi_ok)
		return NULL;
	text = malloc(len + 1);
	if (text)
		napi_get_value_string_utf8(env, value, text, len + 1, &len);
	return text;
}

static unsigned int find_type(const char *name)
{
	size_t i;

	for (i = 0; name && i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i].name, name))
			return types[i].type;
	return 0;
}

/* @spec: the name of a type, or an object { type, hex, labels }.  Return: false: malformed. */
static bool describe(napi_env env, struct ltt_event_field *field, napi_value name, napi_value spec)
{
	napi_value type = spec, hex, labels;
	bool has_labels = false, is_hex = false;
	napi_valuetype kind;
	char *text;

	if (napi_typeof(env, spec, &kind) != napi_ok)
		return false;
	if (kind == napi_object &&
	    (napi_get_named_property(env, spec, "type", &type) != napi_ok ||
	     napi_get_named_property(env, spec, "hex", &hex) != napi_ok ||
	     napi_coerce_to_bool(env, hex, &hex) != napi_ok || napi_get_value_bool(env, hex, &is_hex) != napi_ok ||
	     napi_has_named_property(env, spec, "labels", &has_labels) != napi_ok ||
	     (has_labels && napi_get_named_property(env, spec, "labels", &labels) != napi_ok)))
		return false;
	text = copy_text(env, type);
	field->type = find_type(text);
	free(text);
	field->name = copy_text(env, name);
	if (has_labels)
		field->labels = copy_text(env, labels);
	if (!field->type || !field->name || (has_labels && !field->labels))
		return false;
	field->type |= is_hex ? LTT_EVENT_HEX : 0;
	return true;
}

static bool describe_all(napi_env env, struct ltt_event_field *fields, uint32_t *nr, napi_value specs)
{
	napi_value names, name, spec;
	uint32_t i;

	if (napi_get_property_names(env, specs, &names) != napi_ok ||
	    napi_get_array_length(env, names, nr) != napi_ok || *nr > FIELDS_MAX)
		return false;
	for (i = 0; i < *nr; i++)
		if (napi_get_element(env, names, i, &name) != napi_ok ||
		    napi_get_property(env, specs, name, &spec) != napi_ok || !describe(env, &fields[i], name, spec))
			return false;
	return true;
}

static void forget(napi_env env, void *data, void *hint)
{
	struct event *event = data;

	(void)env;
	(void)hint;
	if (!--event->nr_functions)
		free(event);
}

static napi_value make_function(napi_env env, const char *name, napi_callback callback, struct event *event)
{
	napi_value function;

	CALL(napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, event, &function));
	CALL(napi_add_finalizer(env, function, event, forget, NULL, NULL));
	event->nr_functions++;
	return function;
}

/* The function that emits the event, with a member enabled(). */
static napi_value make_functions(napi_env env, struct event *event)
{
	napi_value function = make_function(env, "event", emit, event), enabled;

	if (!function) {
		free(event);
		return NULL;
	}
	enabled = make_function(env, "enabled", is_enabled, event);
	if (enabled)
		CALL(napi_set_named_property(env, function, "enabled", enabled));
	return enabled ? function : NULL;
}

static napi_value create(napi_env env, const char *group, const char *name, struct ltt_event_field *fields,
			 uint32_t nr)
{
	char message[256] = "memory is out";
	struct ltt_event_options options = {
		.size = sizeof(options), .message = message, .message_size = sizeof(message),
	};
	struct event *event = calloc(1, sizeof(*event));
	uint32_t i;

	if (event)
		event->event = ltt_event_create_with(group, name, fields, nr, &options);
	if (!event || !event->event) {
		free(event);
		napi_throw_error(env, NULL, message);
		return NULL;
	}
	event->nr = nr;
	for (i = 0; i < nr; i++)
		event->type[i] = fields[i].type & ~LTT_EVENT_HEX;
	return make_functions(env, event);
}

static napi_value describe_event(napi_env env, napi_callback_info info)
{
	struct ltt_event_field fields[FIELDS_MAX] = { { 0 } };
	char *group = NULL, *name = NULL;
	napi_value args[3], result = NULL;
	uint32_t nr = 0;
	size_t i, given = 3;

	CALL(napi_get_cb_info(env, info, &given, args, NULL, NULL));
	if (given >= 2) {
		group = copy_text(env, args[0]);
		name = copy_text(env, args[1]);
	}
	if (!group || !name || (given >= 3 && !describe_all(env, fields, &nr, args[2])))
		napi_throw_type_error(env, NULL, "usage: event(group, name, { field: type, ... }), with at most 12 fields");
	else
		result = create(env, group, name, fields, nr);
	for (i = 0; i < FIELDS_MAX; i++) {
		free((char *)fields[i].name);
		free((char *)fields[i].labels);
	}
	free(group);
	free(name);
	return result;
}

NAPI_MODULE_INIT()
{
	napi_value function;

	CALL(napi_create_function(env, "event", NAPI_AUTO_LENGTH, describe_event, NULL, &function));
	CALL(napi_set_named_property(env, exports, "event", function));
	return exports;
}
