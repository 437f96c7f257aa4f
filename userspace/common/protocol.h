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
 * There may be more sites later, of a library, which OBJECT tells of first, and when it
 * has gone; and BYE, of a program that exits.  When other events are
 * to be recorded than before, lttd says TELL, and the program tells of all sites again.
 * What the program cannot do of it, for lack of memory or descriptors, UNABLE says.
 *
 * lttctl connects to the same sockets and says ASK; lttd answers with TEXT, as often as
 * need be, and ANSWER.  And lttctl makes such a socket itself, and hears what programs
 * say, to list their markers; or says PROVE, hears CHALLENGE, says PROBE, and hears PROBED.
 *
 * Who is at the other end is asked of the kernel (SO_PEERCRED): programs talk to lttds
 * of root and of their own user, lttd of root to all, any other to programs of its user.
 */
#ifndef LTT_PROTOCOL_H
#define LTT_PROTOCOL_H

#include <stdint.h>

#include "include/ltt/marker-types.h"

#define LTT_PROGRAM_VERSION	2
#define LTT_PROGRAM_SYSTEM_DIR	"/run/lttd"
#define LTT_PROGRAM_SOCKET	"lttd-"		/* and lttd's pid */
#define LTT_PROGRAM_CALL	"program-"	/* and the program's pid, and more */
#define LTT_PROGRAM_MAX		16384		/* bytes in a message */
#define LTT_PROGRAM_NAME	16		/* as the kernel has it */

#define LTT_PROGRAM_STATUS_UNKNOWN	256	/* of who says BYE; others are below */

enum ltt_program_message {
	/* from programs */
	LTT_PROGRAM_HELLO,
	LTT_PROGRAM_SITE,
	LTT_PROGRAM_SITES_END,
	LTT_PROGRAM_BYE,
	LTT_PROGRAM_PROBED,
	LTT_PROGRAM_OBJECT,
	LTT_PROGRAM_CHALLENGE,
	LTT_PROGRAM_UNABLE,
	/* from lttd */
	LTT_PROGRAM_CHANNEL = 16,
	LTT_PROGRAM_LISTEN,
	LTT_PROGRAM_READY,
	LTT_PROGRAM_TELL,
	LTT_PROGRAM_PROVE,
	LTT_PROGRAM_PROBE,
	/* from lttctl, and to it */
	LTT_PROGRAM_ASK = 32,
	LTT_PROGRAM_TEXT,
	LTT_PROGRAM_ANSWER,
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
 * @recorded: an lttd listens to it
 * @nr_args: number of @args
 * @args: see &struct ltt_site
 * @text: group, name, format and file, each with a NUL
 */
struct ltt_program_site {
	uint32_t type;
	uint32_t number;
	uint32_t line;
	uint32_t recorded;
	uint32_t nr_args;
	uint32_t args[LTT_MARK_MAX_ARGS];
	char text[];
};

/**
 * struct ltt_program_end - how far the telling of sites has come
 * @type: LTT_PROGRAM_SITES_END or LTT_PROGRAM_READY
 * @number: all sites below have been told of, or dealt with
 * @end: that is all of them, if it is @number
 * @round: of the last LTT_PROGRAM_TELL; 0 before the first
 */
struct ltt_program_end {
	uint32_t type;
	uint32_t number;
	uint32_t end;
	uint32_t round;
};

/**
 * struct ltt_program_number - a message with a number
 * @type: LTT_PROGRAM_BYE: the exit status, if it is known; LTT_PROGRAM_UNABLE: an errno, why not all
 *	that the program emits is recorded; LTT_PROGRAM_TELL: the round, which is more than that of
 *	the one before; LTT_PROGRAM_ANSWER: see &enum ltt_program_ask
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
 * @lossless_ms: "
 * @context: "
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
	uint32_t lossless_ms;
	uint32_t context;
};

/**
 * struct ltt_program_listen - record a site, or no longer
 * @type: LTT_PROGRAM_LISTEN
 * @site: its number
 * @channel: where its events go
 * @id: the event's in that channel, if @on
 * @on: 0: no longer
 */
struct ltt_program_listen {
	uint32_t type;
	uint32_t site;
	uint32_t channel;
	uint32_t id;
	uint32_t on;
};

/**
 * enum ltt_program_ask - what lttctl asks of an lttd
 * @LTT_PROGRAM_ENABLE: events that match a pattern are to be recorded; the answer, which
 *	comes when programs have done so, is how many have not in LTT_PROGRAM_ASK_MS
 * @LTT_PROGRAM_DISABLE: they are not; the answer is the same
 * @LTT_PROGRAM_SNAPSHOT: write what the buffers hold; the answer is 0, once that is done
 * @LTT_PROGRAM_END: end the recording; the answer, 0 if all of it was written, comes then
 * @LTT_PROGRAM_STATUS: TEXT says "output DIR", then "enabled PATTERN" and "disabled
 *	PATTERN", the later before the earlier, and "user UID PROGRAMS STORED LOST", a line each
 */
enum ltt_program_ask {
	LTT_PROGRAM_ENABLE,
	LTT_PROGRAM_DISABLE,
	LTT_PROGRAM_SNAPSHOT,
	LTT_PROGRAM_STATUS,
	LTT_PROGRAM_END,
};

#define LTT_PROGRAM_ASK_MS	2000

/**
 * enum ltt_program_probing - what lttctl asks of a program
 * @LTT_PROGRAM_PROBE_LOAD: load the library of this name
 * @LTT_PROGRAM_PROBE_CONNECT: have, at markers that match a pattern, a function called,
 *	with a text as its data; three texts
 * @LTT_PROGRAM_PROBE_DISCONNECT: take that back
 */
enum ltt_program_probing {
	LTT_PROGRAM_PROBE_LOAD,
	LTT_PROGRAM_PROBE_CONNECT,
	LTT_PROGRAM_PROBE_DISCONNECT,
};

#define LTT_PROGRAM_PROOF	32	/* bytes */

/**
 * struct ltt_program_challenge - the answer to LTT_PROGRAM_PROVE
 * @type: LTT_PROGRAM_CHALLENGE
 * @size: 0
 * @address: in the program's memory, of the proof that LTT_PROGRAM_PROBE has to have
 */
struct ltt_program_challenge {
	uint32_t type;
	uint32_t size;
	uint64_t address;
};

/**
 * struct ltt_program_probe - have the program do something
 * @type: LTT_PROGRAM_PROBE
 * @what: enum ltt_program_probing
 * @proof: from the program's memory; good for once
 * @text: with a NUL each
 */
struct ltt_program_probe {
	uint32_t type;
	uint32_t what;
	uint8_t proof[LTT_PROGRAM_PROOF];
	char text[];
};

/**
 * struct ltt_program_text - text
 * @type: LTT_PROGRAM_ASK, LTT_PROGRAM_TEXT, LTT_PROGRAM_PROBED or LTT_PROGRAM_OBJECT
 * @what: enum ltt_program_ask; 0; 0 or an errno; 1: it has been loaded, 0: it has gone
 * @text: a pattern, with a NUL; lines, without; what went wrong, in words, if there are
 *	such, with a NUL; the library's file, with a NUL
 */
struct ltt_program_text {
	uint32_t type;
	uint32_t what;
	char text[];
};

#endif /* LTT_PROTOCOL_H */
