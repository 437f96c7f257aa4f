// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The fields of system calls, with names in place of numbers.
 *
 * Layer: lttctl view.
 */
#include "syscalls.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
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

const char *syscall_of(const char *event)
{
	static const char *const groups[] = { "syscall:", "syscall_time:" };
	const char *call = NULL;
	size_t i, len;

	for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		len = strlen(groups[i]);
		if (!strncmp(event, groups[i], len))
			call = event + len;
	}
	if (call && !strncmp(call, "compat_", strlen("compat_")))
		call += strlen("compat_");
	return call;
}

static const char *error_name(int error)
{
	size_t restart = error - FIRST_RESTART;

	return restart < sizeof(restarts) / sizeof(restarts[0]) ? restarts[restart]
								: strerrorname_np(error);
}

bool syscall_put_error(struct out *out, int64_t ret)
{
	const char *name = ret < 0 && ret >= -ERRNO_MAX ? error_name(-ret) : NULL;

	if (!name)
		return false;
	out_signed(out, ret);
	out_char(out, ' ');
	out_text(out, name);
	return true;
}

static const char *find_name(const struct number_name *names, int64_t number)
{
	for (; names->name; names++)
		if (names->number == number)
			return names->name;
	return NULL;
}

/* Write the name of a value.  Return: false if it has none; then nothing is written. */
static bool put_value(struct out *out, const struct number_names *names, int64_t number)
{
	const char *name;

	if (names->values == NUMBER_SIGNALS) {
		name = number > 0 && number < NSIG ? sigabbrev_np(number) : NULL;
		if (!name)
			return false;
		out_text(out, "SIG");
		out_text(out, name);
		return true;
	}
	name = names->values ? find_name(names->values, number) : NULL;
	if (name)
		out_text(out, name);
	return name;
}

bool syscall_put_number(struct out *out, const struct number_names *names, int64_t number)
{
	int64_t value = number & names->mask, rest = number & ~names->mask;
	const char *between = "";
	const struct number_name *flag;

	if (names->mask == -1) {
		if (put_value(out, names, number))
			return true;
		if (!names->flags)
			return false;
		rest = number;
		value = 0;
	} else if (put_value(out, names, value)) {
		between = "|";
		value = 0;
	}
	for (flag = names->flags; flag->name; flag++) {
		if (!flag->number || (rest & flag->number) != flag->number)
			continue;
		out_text(out, between);
		out_text(out, flag->name);
		between = "|";
		rest &= ~flag->number;
	}
	rest |= value;
	if (rest || !*between) {
		out_text(out, between);
		out_hex(out, rest);
	}
	return true;
}

/* ---- Socket addresses ---- */

bool syscall_put_address(struct out *out, const void *bytes, size_t len)
{
	union {
		struct sockaddr_storage storage;
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_un un;
	} address;
	char text[INET6_ADDRSTRLEN];
	const char *family, *path;

	if (len > sizeof(address.storage))
		len = sizeof(address.storage);
	if (len < sizeof(address.any.sa_family))
		return false;
	memset(&address, 0, sizeof(address));
	memcpy(&address, bytes, len);
	family = find_name(number_families(), address.any.sa_family);
	switch (address.any.sa_family) {
	case AF_INET:
		inet_ntop(AF_INET, &address.in.sin_addr, text, sizeof(text));
		out_printf(out, "{%s %s:%u}", family, text, ntohs(address.in.sin_port));
		return true;
	case AF_INET6:
		inet_ntop(AF_INET6, &address.in6.sin6_addr, text, sizeof(text));
		out_printf(out, "{%s [%s]:%u}", family, text, ntohs(address.in6.sin6_port));
		return true;
	case AF_UNIX:
		/* An abstract name begins with a NUL. */
		path = address.un.sun_path;
		address.un.sun_path[sizeof(address.un.sun_path) - 1] = '\0';
		out_printf(out, "{%s \"", family);
		if (len > offsetof(struct sockaddr_un, sun_path) && !*path) {
			out_char(out, '@');
			path++;
		}
		out_plain(out, path, strlen(path));
		out_text(out, "\"}");
		return true;
	}
	return false;
}
