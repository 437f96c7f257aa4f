/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The address of a collector: net://HOST[:CONTROL[:DATA]][/NAME], as LTTng writes it.
 *
 * Layer: relay.
 */
#ifndef LTT_RELAY_ADDRESS_H
#define LTT_RELAY_ADDRESS_H

#include <stdbool.h>

#define RELAY_CONTROL_PORT	"5342"
#define RELAY_DATA_PORT		"5343"

/* Sizes with the NUL: that of a name is LTTng's. */
#define RELAY_HOST_SIZE		256
#define RELAY_PORT_SIZE		6
#define RELAY_NAME_SIZE		200

/**
 * struct relay_address - where to send a recording
 * @host: name or address of the machine; localhost if the URL has none
 * @control: port of control connections
 * @data: port of data connections
 * @name: name of the session; empty if the URL has none
 * @ipv6: use IPv6 only
 */
struct relay_address {
	char host[RELAY_HOST_SIZE];
	char control[RELAY_PORT_SIZE];
	char data[RELAY_PORT_SIZE];
	char name[RELAY_NAME_SIZE];
	bool ipv6;
};

/**
 * relay_address_parse() - parse the URL of a collector
 * @address: receives its parts
 * @url: net://HOST[:CONTROL[:DATA]][/NAME], or net6:// for IPv6 only; an IPv6 address is in brackets
 *
 * Return: NULL, or the reason why @url is rejected.
 */
const char *relay_address_parse(struct relay_address *address, const char *url);

/**
 * relay_address_stamp() - append the date and the time to the name of the session, as LTTng does
 * @address: the address; without a name, that is "ltt"
 *
 * Return: false if the name is too long.
 */
bool relay_address_stamp(struct relay_address *address);

/**
 * relay_name_valid() - check the name of a session, which becomes that of a directory at the collector
 * @name: the name
 *
 * Return: true if it is not empty, short enough, has no `/', no control characters, and does not begin with a dot.
 */
bool relay_name_valid(const char *name);

#endif /* LTT_RELAY_ADDRESS_H */
