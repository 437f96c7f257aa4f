// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The fields of the kernel's events as the kernel prints them.
 *
 * Layer: lttctl view.
 */
#include "decode.h"

#include "kernel-names.h"
#include "kernel-symbols.h"
#include "payload.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#define MINOR_BITS	20
#define MINOR_MASK	((1u << MINOR_BITS) - 1)

/**
 * struct format - the print format of an event
 * @event: the event's name
 * @system: the kernel's name for its group
 * @next: the format of another system's event of this name
 * @print: the format
 */
struct format {
	char *event;
	char *system;
	struct format *next;
	struct print_format *print;
};

/* A block device. */
struct device {
	uint32_t dev;
	char name[];
};

/* Both are trees of tsearch(). */
static void *formats;
static void *devices;

/* Events of these groups have addresses in the kernel, in fields of these names. */
static const char *const code_groups[] = { "function:", "function_graph:", "sample:" };
static const char *const code_fields[] = { "function", "caller", "ip" };

/* ---- Learning ---- */

static int compare_formats(const void *one, const void *other)
{
	return strcmp(((const struct format *)one)->event, ((const struct format *)other)->event);
}

static int compare_devices(const void *one, const void *other)
{
	uint32_t a = ((const struct device *)one)->dev, b = ((const struct device *)other)->dev;

	return a < b ? -1 : a > b;
}

static void free_formats(void *formats)
{
	struct format *format;

	while ((format = formats)) {
		formats = format->next;
		print_format_free(format->print);
		free(format->event);
		free(format->system);
		free(format);
	}
}

/* Without memory for the format, the fields of its event are numbers. */
static void add_format(const char *event, const char *system, const char *text)
{
	struct format *format = calloc(1, sizeof(*format)), **known;

	if (!format)
		return;
	format->event = strdup(event);
	format->system = strdup(system);
	format->print = print_format_parse(text);
	known = format->event && format->system && format->print ? tsearch(format, &formats, compare_formats) : NULL;
	if (!known) {
		free_formats(format);
	} else if (*known != format) {
		format->next = (*known)->next;
		(*known)->next = format;
	}
}

/* The first name of a device stays: a later state may have another with its number. */
static void add_device(uint32_t dev, const char *name)
{
	struct device *device = malloc(sizeof(*device) + strlen(name) + 1), **known;

	if (!device)
		return;
	device->dev = dev;
	strcpy(device->name, name);
	known = tsearch(device, &devices, compare_devices);
	if (!known || *known != device)
		free(device);
}

static void learn_format(const struct ltttrace_record *record)
{
	char *event = payload_text(record, "event"), *text = payload_text(record, "format");
	char *system = payload_text(record, "system");

	if (event && text && system)
		add_format(event, system, text);
	free(event);
	free(system);
	free(text);
}

static void learn_device(const struct ltttrace_record *record)
{
	char *name = payload_text(record, "name");
	int64_t number;

	if (name && payload_integer(record, "dev", &number))
		add_device(number, name);
	free(name);
}

static void learn_symbol(const struct ltttrace_record *record)
{
	char *name = payload_text(record, "name"), *module = payload_text(record, "module");
	int64_t address;

	if (name && module && payload_integer(record, "address", &address))
		kernel_symbols_add(address, name, module);
	free(name);
	free(module);
}

static void learn_kernel(const struct ltttrace_record *record)
{
	char *boot_id = payload_text(record, "boot_id");

	if (boot_id && kernel_is_boot(boot_id))
		kernel_symbols_are_running();
	free(boot_id);
}

void decode_learn(const struct ltttrace_record *record)
{
	static const struct {
		const char *event;
		void (*learn)(const struct ltttrace_record *record);
	} kinds[] = {
		{ "state:event_format", learn_format },
		{ "state:block_device", learn_device },
		{ "state:symbol", learn_symbol },
		{ "state:kernel", learn_kernel },
	};
	size_t i;

	if (strncmp(record->event->name, "state:", strlen("state:")))
		return;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(record->event->name, kinds[i].event))
			kinds[i].learn(record);
}

/* ---- Classes of events ---- */

static bool has_field(const char *field, const void *event)
{
	return ltttrace_payload_field(event, field) >= 0;
}

/* Return: the format of the event's fields; NULL if there is none. */
static const struct format *find_format(const struct ltttrace_event *event)
{
	const struct format wanted = { .event = (char *)event->name }, *const *known, *format;

	known = formats ? tfind(&wanted, &formats, compare_formats) : NULL;
	for (format = known ? *known : NULL; format; format = format->next)
		if (print_format_fields(format->print, has_field, event))
			return format;
	return NULL;
}

const struct print_format *decode_format(const struct ltttrace_event *event)
{
	const struct format *format = find_format(event);

	/* Of a recording without the state of the system, the clock names the boot. */
	if (kernel_is_same_boot(event->part))
		kernel_symbols_are_running();
	return format ? format->print : NULL;
}

const char *decode_system(const struct ltttrace_event *event)
{
	const struct format *format = find_format(event);

	return format ? format->system : NULL;
}

bool decode_is_code(const char *event, const char *field)
{
	size_t i;

	for (i = 0; i < sizeof(code_groups) / sizeof(code_groups[0]); i++)
		if (!strncmp(event, code_groups[i], strlen(code_groups[i])))
			break;
	if (i == sizeof(code_groups) / sizeof(code_groups[0]))
		return false;
	for (i = 0; i < sizeof(code_fields) / sizeof(code_fields[0]); i++)
		if (!strcmp(field, code_fields[i]))
			return true;
	return false;
}

/* ---- Values ---- */

void decode_put_device(struct out *out, uint32_t dev)
{
	const struct device wanted = { .dev = dev }, *const *device;

	out_unsigned(out, dev >> MINOR_BITS);
	out_char(out, ',');
	out_unsigned(out, dev & MINOR_MASK);
	device = tfind(&wanted, &devices, compare_devices);
	if (!device)
		return;
	out_text(out, " (");
	out_plain(out, (*device)->name, strlen((*device)->name));
	out_char(out, ')');
}

/* The texts of a field are few, and take long to make. */
bool decode_put_text(struct out *out, const struct print_format *format, const char *field, int64_t value,
		     struct decode_texts *texts)
{
	struct decode_text *known = &texts->text[(uint64_t)value % DECODE_TEXTS];
	char text[1024];
	size_t before = out->len, len;

	if (known->len && known->value == value) {
		out_bytes(out, known->text, known->len);
		return true;
	}
	if (!print_format_text(format, field, value, text, sizeof(text)))
		return false;
	out_room(out, 4 * sizeof(text));	/* so that what was written stays in memory */
	before = out->len;
	out_plain(out, text, strlen(text));
	len = out->len - before;
	if (len && len <= sizeof(known->text)) {
		known->value = value;
		known->len = len;
		memcpy(known->text, out->data + before, len);
	}
	return true;
}

void decode_forget(void)
{
	tdestroy(formats, free_formats);
	tdestroy(devices, free);
	formats = devices = NULL;
	kernel_symbols_forget();
}
