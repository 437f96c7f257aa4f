// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The address of a collector.
 *
 * Layer: relay.
 */
#include "address.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool take(char *to, size_t size, const char *from, size_t len)
{
	if (!len || len >= size)
		return false;
	memcpy(to, from, len);
	to[len] = '\0';
	return true;
}

/* Take `:PORT' at *@at, if it is there.  Return: false if it is not a port. */
static bool take_port(char *port, const char **at)
{
	size_t len;

	if (**at != ':')
		return true;
	len = strspn(++*at, "0123456789");
	if (!take(port, RELAY_PORT_SIZE, *at, len) || atoi(port) < 1 || atoi(port) > 65535)
		return false;
	*at += len;
	return true;
}

/* Take the host at *@at, which may be missing. */
static bool take_host(char *host, const char **at)
{
	const bool brackets = **at == '[';
	size_t len;

	*at += brackets;
	len = strcspn(*at, brackets ? "]" : ":/");
	if (brackets && (*at)[len] != ']')
		return false;
	if ((len || brackets) && !take(host, RELAY_HOST_SIZE, *at, len))
		return false;
	*at += len + brackets;
	return true;
}

bool relay_name_valid(const char *name)
{
	const char *at;

	if (!*name || *name == '.' || strlen(name) >= RELAY_NAME_SIZE)
		return false;
	for (at = name; *at; at++)
		if (*at == '/' || (unsigned char)*at < ' ' || *at == 0x7f)
			return false;
	return true;
}

const char *relay_address_parse(struct relay_address *address, const char *url)
{
	const char *at = url;

	*address = (struct relay_address){ "localhost", RELAY_CONTROL_PORT, RELAY_DATA_PORT, "", false };
	if (!strncmp(at, "net6://", 7))
		address->ipv6 = true;
	else if (strncmp(at, "net://", 6))
		return "must be net://HOST[:CONTROL-PORT[:DATA-PORT]][/NAME] (net6:// for IPv6 only)";
	at = strstr(at, "://") + 3;
	if (!take_host(address->host, &at))
		return "the host is malformed or too long (an IPv6 address is in brackets, as in net://[::1])";
	if (!take_port(address->control, &at) || !take_port(address->data, &at))
		return "a port must be a number from 1 to 65535";
	if (!*at || !strcmp(at, "/"))
		return NULL;
	if (*at++ != '/')
		return "must be net://HOST[:CONTROL-PORT[:DATA-PORT]][/NAME] (an IPv6 address is in brackets)";
	if (!relay_name_valid(at))
		return "the name must have 1 to 199 characters, no `/', and no dot at its begin";
	strcpy(address->name, at);
	return NULL;
}

bool relay_address_stamp(struct relay_address *address)
{
	const time_t now = time(NULL);
	char stamp[32];

	strftime(stamp, sizeof(stamp), "-%Y%m%d-%H%M%S", localtime(&now));
	if (!*address->name)
		strcpy(address->name, "ltt");
	if (strlen(address->name) + strlen(stamp) >= sizeof(address->name))
		return false;
	strcat(address->name, stamp);
	return true;
}
