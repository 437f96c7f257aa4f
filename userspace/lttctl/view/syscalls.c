// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The fields of system calls, with names in place of numbers.
 *
 * Layer: lttctl view.
 */
#include "syscall-names.h"
#include "view.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define ERRNO_MAX	4095

/* The kernel's own errors, which a program sees only when it is traced: the call is to be
 * restarted. */
static const char *const restarts[] = {
	"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND", "ENOIOCTLCMD", "ERESTART_RESTARTBLOCK",
};
#define FIRST_RESTART	512

/* The call of the event that is being printed; NULL if it is not a system call. */
static const char *call;
static bool raw;

void syscall_show_numbers(void)
{
	raw = true;
}

void syscall_begin(const char *event)
{
	static const char *const groups[] = { "syscall:", "syscall_time:" };
	size_t i, len;

	call = NULL;
	for (i = 0; event && !raw && i < sizeof(groups) / sizeof(groups[0]); i++) {
		len = strlen(groups[i]);
		if (!strncmp(event, groups[i], len))
			call = event + len;
	}
	if (call && !strncmp(call, "compat_", strlen("compat_")))
		call += strlen("compat_");
}

static const char *error_name(int error)
{
	size_t restart = error - FIRST_RESTART;

	return restart < sizeof(restarts) / sizeof(restarts[0]) ? restarts[restart]
								: strerrorname_np(error);
}

/* Print what a call returned, if that is an error. */
static bool print_error(int64_t ret)
{
	const char *name = ret < 0 && ret >= -ERRNO_MAX ? error_name(-ret) : NULL;

	if (name)
		printf("%" PRId64 " %s", ret, name);
	return name;
}

static const char *find_name(const struct number_name *names, long number)
{
	for (; names->name; names++)
		if (names->number == number)
			return names->name;
	return NULL;
}

/* Print the name of a value.  Return: false if it has none; then nothing is printed. */
static bool print_value(const struct number_names *names, long number)
{
	const char *name;

	if (names->values == NUMBER_SIGNALS) {
		name = number > 0 && number < NSIG ? sigabbrev_np(number) : NULL;
		if (name)
			printf("SIG%s", name);
		return name;
	}
	name = names->values ? find_name(names->values, number) : NULL;
	if (name)
		fputs(name, stdout);
	return name;
}

/* Print a number by the names of its parts.  Return: false if it has none; then nothing is
 * printed. */
static bool print_number(const struct number_names *names, long number)
{
	long value = number & names->mask, rest = number & ~names->mask;
	const char *between = "";
	const struct number_name *flag;

	if (names->mask == -1) {
		if (print_value(names, number))
			return true;
		if (!names->flags)
			return false;
		rest = number;
		value = 0;
	} else if (print_value(names, value)) {
		between = "|";
		value = 0;
	}
	for (flag = names->flags; flag->name; flag++) {
		if (!flag->number || (rest & flag->number) != flag->number)
			continue;
		printf("%s%s", between, flag->name);
		between = "|";
		rest &= ~flag->number;
	}
	rest |= value;
	if (rest || !*between)
		printf(*between ? "|0x%lx" : "0x%lx", rest);
	return true;
}

/* ---- Socket addresses ---- */

static size_t bytes_of(const bt_field *field, unsigned char *to, size_t size)
{
	uint64_t count = bt_field_array_get_length(field), i;

	for (i = 0; i < count && i < size; i++)
		to[i] = bt_field_integer_unsigned_get_value(
			bt_field_array_borrow_element_field_by_index_const(field, i));
	return i;
}

/* Return: false if the address is of a family that is not shown; then nothing is printed. */
static bool print_address(const bt_field *field)
{
	union {
		unsigned char bytes[sizeof(struct sockaddr_storage)];
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_un un;
	} address;
	char text[INET6_ADDRSTRLEN];
	const char *family;
	size_t len;

	memset(&address, 0, sizeof(address));
	len = bytes_of(field, address.bytes, sizeof(address));
	if (len < sizeof(address.any.sa_family))
		return false;
	family = find_name(number_families(), address.any.sa_family);
	switch (address.any.sa_family) {
	case AF_INET:
		inet_ntop(AF_INET, &address.in.sin_addr, text, sizeof(text));
		printf("{%s %s:%u}", family, text, ntohs(address.in.sin_port));
		return true;
	case AF_INET6:
		inet_ntop(AF_INET6, &address.in6.sin6_addr, text, sizeof(text));
		printf("{%s [%s]:%u}", family, text, ntohs(address.in6.sin6_port));
		return true;
	case AF_UNIX:
		/* An abstract name begins with a NUL. */
		address.un.sun_path[sizeof(address.un.sun_path) - 1] = '\0';
		printf("{%s \"", family);
		if (len > offsetof(struct sockaddr_un, sun_path) && !*address.un.sun_path) {
			putchar('@');
			print_plain(address.un.sun_path + 1);
		} else {
			print_plain(address.un.sun_path);
		}
		fputs("\"}", stdout);
		return true;
	}
	return false;
}

bool syscall_print(const char *name, const bt_field *field)
{
	const struct number_names *names;
	bt_field_class_type type;
	int64_t value;

	if (!call)
		return false;
	type = bt_field_get_class_type(field);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		value = bt_field_integer_signed_get_value(field);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		value = bt_field_integer_unsigned_get_value(field);
	else
		return bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY) && print_address(field);
	if (!strcmp(name, "ret"))
		return print_error(value);
	names = number_names_of(call, name);
	return names && print_number(names, value);
}
