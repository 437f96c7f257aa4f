// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The fields of the kernel's events as the kernel prints them.
 *
 * Layer: lttctl view.
 */
#include "decode.h"
#include "kernel-names.h"
#include "kernel-symbols.h"
#include "print-format.h"
#include "view.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MINOR_BITS	20
#define MINOR_MASK	((1u << MINOR_BITS) - 1)

/**
 * struct format - the print format of an event
 * @event: the event's name
 * @next: the format of another system's event of this name
 * @print: the format
 */
struct format {
	char *event;
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

/* The event that is printed, and its format; NULL if it has none. */
static const bt_event *current_event;
static const struct print_format *current;

static bool shows_numbers;

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
		free(format);
	}
}

/* Without memory for the format, the fields of its event are numbers. */
static void add_format(const char *event, const char *text)
{
	struct format *format = calloc(1, sizeof(*format)), **known;

	if (!format)
		return;
	format->event = strdup(event);
	format->print = print_format_parse(text);
	known = format->event && format->print ? tsearch(format, &formats, compare_formats) : NULL;
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

void decode_learn(const bt_event *event)
{
	const char *name = bt_event_class_get_name(bt_event_borrow_class_const(event)), *text, *other;
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	int64_t number;

	if (!name || !payload)
		return;
	if (!strcmp(name, "state:event_format")) {
		text = field_string(payload, "event");
		other = field_string(payload, "format");
		if (text && other)
			add_format(text, other);
	} else if (!strcmp(name, "state:block_device")) {
		text = field_string(payload, "name");
		if (text && field_integer(payload, "dev", &number))
			add_device(number, text);
	} else if (!strcmp(name, "state:symbol")) {
		text = field_string(payload, "name");
		other = field_string(payload, "module");
		if (text && other && field_integer(payload, "address", &number))
			kernel_symbols_add(number, text, other);
	} else if (!strcmp(name, "state:kernel")) {
		text = field_string(payload, "boot_id");
		if (text && kernel_is_boot(text))
			kernel_symbols_are_running();
	}
}

/* ---- Printing ---- */

void decode_show_numbers(void)
{
	shows_numbers = true;
}

static bool has_field(const char *field, const void *payload)
{
	return bt_field_structure_borrow_member_field_by_name_const(payload, field);
}

void decode_set_event(const bt_event *event)
{
	const char *name = bt_event_class_get_name(bt_event_borrow_class_const(event));
	const bt_field *payload = bt_event_borrow_payload_field_const(event);
	const struct format wanted = { .event = (char *)name }, *const *known, *format;

	current = NULL;
	current_event = event;
	/* Of a recording without the state of the system, the clock names the boot. */
	if (kernel_is_same_boot(event))
		kernel_symbols_are_running();
	known = formats && name && payload ? tfind(&wanted, &formats, compare_formats) : NULL;
	for (format = known ? *known : NULL; format && !current; format = format->next)
		if (print_format_fields(format->print, has_field, payload))
			current = format->print;
}

static void print_device(uint32_t dev)
{
	const struct device wanted = { .dev = dev }, *const *device;

	printf("%u,%u", dev >> MINOR_BITS, dev & MINOR_MASK);
	device = tfind(&wanted, &devices, compare_devices);
	if (!device)
		return;
	fputs(" (", stdout);
	print_plain((*device)->name);
	putchar(')');
}

static bool integer_of(const bt_field *field, int64_t *value)
{
	bt_field_class_type type = bt_field_get_class_type(field);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		*value = bt_field_integer_unsigned_get_value(field);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		*value = bt_field_integer_signed_get_value(field);
	else
		return false;
	return true;
}

static bool is_code(const char *name)
{
	const char *event = bt_event_class_get_name(bt_event_borrow_class_const(current_event));
	size_t i;

	for (i = 0; event && i < sizeof(code_groups) / sizeof(code_groups[0]); i++)
		if (!strncmp(event, code_groups[i], strlen(code_groups[i])))
			break;
	if (!event || i == sizeof(code_groups) / sizeof(code_groups[0]))
		return false;
	for (i = 0; i < sizeof(code_fields) / sizeof(code_fields[0]); i++)
		if (!strcmp(name, code_fields[i]))
			return true;
	return false;
}

static bool print_code(uint64_t address, int64_t pid)
{
	return mapped_print(pid, address, false) || kernel_symbols_print(address);
}

bool decode_print(const char *name, const bt_field *field, int64_t pid)
{
	char text[1024];
	int64_t value;

	if (shows_numbers || !integer_of(field, &value))
		return false;
	if (is_code(name))
		return print_code(value, pid);
	if (!current)
		return false;
	switch (print_format_kind(current, name)) {
	case PRINT_TEXT:
		if (!print_format_text(current, name, value, text, sizeof(text)))
			return false;
		print_plain(text);
		return true;
	case PRINT_DEVICE:
		print_device(value);
		return true;
	case PRINT_ADDRESS:
		return kernel_symbols_print(value);
	case PRINT_NUMBER:
		break;
	}
	return false;
}

void decode_forget(void)
{
	tdestroy(formats, free_formats);
	tdestroy(devices, free);
	formats = devices = NULL;
	current = NULL;
	kernel_symbols_forget();
}
