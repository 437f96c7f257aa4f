/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What programs and lttd say to each other: messages of a SOCK_SEQPACKET socket, each a
 * structure below in native byte order.
 *
 * lttd listens at a socket for each trace, in /run/lttd (root's) or in a folder of its
 * user; programs connect to all of those that they find there.  So that they look again,
 * each has a datagram socket in its user's folder, which lttd calls when it has begun.
 * A program says HELLO, then tells of its sites, a message each, and SITES_END.  lttd
 * answers with CHANNEL, and LISTEN for each site that is to be recorded, then READY.
 * There may be more sites later; and BYE, of a program that exits.
 *
 * Who is at the other end is asked of the kernel (SO_PEERCRED): programs talk to lttds
 * of root and of their own user, lttd of root to all, any other to programs of its user.
 */
#ifndef LTT_PROTOCOL_H
#define LTT_PROTOCOL_H

#include <stdint.h>

#include "../../include/ltt/marker-types.h"

#define LTT_PROGRAM_VERSION	1
#define LTT_PROGRAM_SYSTEM_DIR	"/run/lttd"
#define LTT_PROGRAM_SOCKET	"lttd-"		/* and lttd's pid */
#define LTT_PROGRAM_CALL	"program-"	/* and the program's pid, and more */
#define LTT_PROGRAM_MAX		16384		/* bytes in a message */
#define LTT_PROGRAM_NAME	16		/* as the kernel has it */

enum ltt_program_message {
	/* from programs */
	LTT_PROGRAM_HELLO,
	LTT_PROGRAM_SITE,
	LTT_PROGRAM_SITES_END,
	LTT_PROGRAM_BYE,
	/* from lttd */
	LTT_PROGRAM_CHANNEL = 16,
	LTT_PROGRAM_LISTEN,
	LTT_PROGRAM_READY,
};

/**
 * struct ltt_program_hello - the first message
 * @type: LTT_PROGRAM_HELLO
 * @version: LTT_PROGRAM_VERSION; lttd ends the connection if it does not know it
 * @name: the program's, NUL-terminated
 */
struct ltt_program_hello {
	uint32_t type;
	uint32_t version;
	char name[LTT_PROGRAM_NAME];
};

/**
 * struct ltt_program_site - a marker that the program has
 * @type: LTT_PROGRAM_SITE
 * @number: the program's, for as long as it lives
 * @line: in the source
 * @nr_args: number of @args
 * @args: see &struct ltt_site
 * @text: group, name, format and file, each with a NUL
 */
struct ltt_program_site {
	uint32_t type;
	uint32_t number;
	uint32_t line;
	uint32_t nr_args;
	uint32_t args[LTT_MARK_MAX_ARGS];
	char text[];
};

/**
 * struct ltt_program_number - a message with a number
 * @type: LTT_PROGRAM_SITES_END or LTT_PROGRAM_READY: all sites below @number have been
 *	told of, or dealt with; LTT_PROGRAM_BYE: the exit status
 * @number: see @type
 */
struct ltt_program_number {
	uint32_t type;
	uint32_t number;
};

/**
 * struct ltt_program_channel - buffers; comes with the descriptor of their memfd
 * @type: LTT_PROGRAM_CHANNEL
 * @channel: number in the trace
 * @trace: uuid; with @channel, tells a program that it has these buffers already, from
 *	before a fork()
 * @nr_cpus: see &struct ltt_shm, as for the others
 * @nr_rings: "
 * @nr_sb: "
 * @sb_order: "
 * @overwrite: "
 */
struct ltt_program_channel {
	uint32_t type;
	uint32_t channel;
	uint8_t trace[16];
	uint32_t nr_cpus;
	uint32_t nr_rings;
	uint32_t nr_sb;
	uint32_t sb_order;
	uint32_t overwrite;
};

/**
 * struct ltt_program_listen - record a site, or no longer
 * @type: LTT_PROGRAM_LISTEN
 * @site: its number
 * @channel: where its events go
 * @id: the event's in that channel
 * @on: 0: no longer
 */
struct ltt_program_listen {
	uint32_t type;
	uint32_t site;
	uint32_t channel;
	uint32_t id;
	uint32_t on;
};

#endif /* LTT_PROTOCOL_H */
