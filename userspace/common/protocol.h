/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The protocol between programs, lttd and lttctl: messages on a SOCK_SEQPACKET socket, each
 * one of the structures below in native byte order.
 *
 * Each lttd listens on a socket of its own, in root's folder /run/lttd or in its user's
 * folder.  A program connects to all such sockets when it starts.  It also has a datagram
 * socket in its user's folder: a new lttd writes to it, and the program looks again.
 *
 *  1. The program sends HELLO, SITE for each of its sites, and SITES_END.
 *  2. lttd sends CHANNEL, LISTEN for each site that it records, and READY.  The program waits
 *     for that before it runs main(), but not long.
 *  3. The program loads or unloads a library: it sends OBJECT, then the new sites as in 1.
 *     When the program has all answers, it repeats its last SITES_END.
 *  4. The patterns of the recording change: lttd sends TELL, and the program repeats 1.
 *  5. The program lacks memory or descriptors for a request: it sends UNABLE.
 *  6. The program exits: it sends BYE.
 *  7. CHANNEL asks for the places of objects in memory: the program sends MAPPED for each, then
 *     MAPPED_END, and again when objects come or go.  lttd answers with NOTED when its
 *     recording has them.  The program waits for that as for READY.
 *
 * lttctl connects to the sockets of lttds and sends ASK.  lttd sends any number of TEXT,
 * then ANSWER.  lttctl also listens on such a socket itself, to list the programs' sites.
 * There it may send PROVE; the program sends CHALLENGE, lttctl PROBE, the program PROBED.
 *
 * Each side checks the peer's user (SO_PEERCRED).  A program accepts lttds of root and of
 * its own user; root's lttd accepts all programs, another lttd those of its user.
 */
#ifndef LTT_PROTOCOL_H
#define LTT_PROTOCOL_H

#include <stdint.h>

#include "filter.h"
#include "include/ltt/marker-types.h"

#define LTT_PROGRAM_VERSION	7
#define LTT_PROGRAM_SYSTEM_DIR	"/run/lttd"
#define LTT_PROGRAM_SOCKET	"lttd-"		/* then lttd's pid */
#define LTT_PROGRAM_CALL	"program-"	/* then the program's pid, "-", and a number in hex */
#define LTT_PROGRAM_MAX		16384		/* bytes in a message */
#define LTT_PROGRAM_OWN_GROUP	"ltt"		/* of lttd's own events; no marker may have it */
#define LTT_PROGRAM_NAME	16		/* the kernel's TASK_COMM_LEN */

#define LTT_PROGRAM_STATUS_UNKNOWN	256	/* in BYE; known statuses are smaller */

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
	LTT_PROGRAM_MAPPED,
	LTT_PROGRAM_MAPPED_END,
	/* from lttd */
	LTT_PROGRAM_CHANNEL = 16,
	LTT_PROGRAM_LISTEN,
	LTT_PROGRAM_READY,
	LTT_PROGRAM_TELL,
	LTT_PROGRAM_PROVE,
	LTT_PROGRAM_PROBE,
	LTT_PROGRAM_NOTED,
	/* from lttctl, and to it */
	LTT_PROGRAM_ASK = 32,
	LTT_PROGRAM_TEXT,
	LTT_PROGRAM_ANSWER,
};

/**
 * struct ltt_program_hello - the first message
 * @type: LTT_PROGRAM_HELLO
 * @version: LTT_PROGRAM_VERSION; lttd closes the connection if it differs
 * @name: the program's name, NUL-terminated
 * @socket: the number in the name of its datagram socket, which lttd removes when the process
 *	has died; 0: it has none
 * @heir: 1 if a process that this lttd records has made the program by fork()
 */
struct ltt_program_hello {
	uint32_t type;
	uint32_t version;
	char name[LTT_PROGRAM_NAME];
	uint64_t socket;
	uint64_t heir;
};

/**
 * struct ltt_program_site - a site of the program
 * @type: LTT_PROGRAM_SITE
 * @number: identifies the site while the program runs
 * @line: line in the source file
 * @recorded: 1 if an lttd records the site, else 0
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
 * struct ltt_program_end - progress of a list of sites
 * @type: LTT_PROGRAM_SITES_END or LTT_PROGRAM_READY
 * @number: all sites below this number have been sent, or processed
 * @end: number of sites; the list is complete when @number equals it.  The program sends such
 *	a SITES_END again after it has processed lttd's answers
 * @round: round of the last LTT_PROGRAM_TELL; 0 before the first
 */
struct ltt_program_end {
	uint32_t type;
	uint32_t number;
	uint32_t end;
	uint32_t round;
};

/**
 * struct ltt_program_number - a message with a number
 * @type: LTT_PROGRAM_BYE: exit status or LTT_PROGRAM_STATUS_UNKNOWN; LTT_PROGRAM_UNABLE: the errno
 *	because of which some events are not recorded, EBADMSG for a wrong filter, ETIMEDOUT if the program has begun without
 *	an answer for all sites, EINPROGRESS if it ran when it found the lttd; LTT_PROGRAM_TELL: round, larger than the
 *	previous one; LTT_PROGRAM_ANSWER: see &enum ltt_program_ask; LTT_PROGRAM_MAPPED_END: how
 *	often the program has sent it, from 1 on; LTT_PROGRAM_NOTED: the same number
 * @number: see @type
 */
struct ltt_program_number {
	uint32_t type;
	uint32_t number;
};

/**
 * struct ltt_program_channel - buffers; sent with the descriptor of their memfd
 * @type: LTT_PROGRAM_CHANNEL
 * @channel: number of the channel in the trace
 * @trace: uuid of the trace
 * @set: number of the buffer set in the recording.  The child of a fork() has its parent's
 *	buffers of this @trace and @channel until it gets another @set
 * @nr_cpus: see &struct ltt_shm, as for the others
 * @nr_rings: "
 * @nr_sb: "
 * @sb_order: "
 * @overwrite: "
 * @lossless_ms: "
 * @context: "
 * @objects: 1 if the program is to send LTT_PROGRAM_MAPPED, else 0
 */
struct ltt_program_channel {
	uint32_t type;
	uint32_t channel;
	uint8_t trace[16];
	uint64_t set;
	uint32_t nr_cpus;
	uint32_t nr_rings;
	uint32_t nr_sb;
	uint32_t sb_order;
	uint32_t overwrite;
	uint32_t lossless_ms;
	uint32_t context;
	uint32_t objects;
};

/**
 * struct ltt_program_mapped - an object in the program's memory
 * @type: LTT_PROGRAM_MAPPED
 * @is_there: 1; 0 if it has gone
 * @base: the address in memory of the file's address 0
 * @start: its first address
 * @end: the end of its last
 * @text: its file and its build id in hexadecimal, each with a NUL
 */
struct ltt_program_mapped {
	uint32_t type;
	uint32_t is_there;
	uint64_t base;
	uint64_t start;
	uint64_t end;
	char text[];
};

/**
 * struct ltt_program_listen - start or stop recording a site
 * @type: LTT_PROGRAM_LISTEN
 * @site: number of the site
 * @channel: number of the channel for its events
 * @id: id of the event in that channel, if @on
 * @on: 1: start; 0: stop
 * @nr: number of @insn; 0: the site has no filter
 * @insn: the filter (filter.h), which decides about each event; then its texts up to the end of the message.  A
 *	program that finds it wrong does not record the site, and sends UNABLE with EBADMSG
 */
struct ltt_program_listen {
	uint32_t type;
	uint32_t site;
	uint32_t channel;
	uint32_t id;
	uint32_t on;
	uint32_t nr;
	struct ltt_filter_insn insn[];
};

/**
 * enum ltt_program_ask - requests of lttctl to an lttd
 * @LTT_PROGRAM_ENABLE: record the events that match a pattern; lttd answers when all programs
 *	have acknowledged, or after LTT_PROGRAM_ASK_MS, with the number of programs that have not
 * @LTT_PROGRAM_DISABLE: stop recording the events that match a pattern; the same answer
 * @LTT_PROGRAM_SNAPSHOT: write the buffers' content; lttd then answers with 0, with 1 if that
 *	failed, or with LTT_PROGRAM_SNAPSHOT_EMPTY.  Of a flight recorder, TEXT has the name of the
 *	new directory
 * @LTT_PROGRAM_END: end the recording; lttd then answers, with 0 if it has written all
 * @LTT_PROGRAM_STATUS: TEXT has a line "output DIR", then lines "enabled PATTERN" and
 *	"disabled PATTERN" (the newest first), lines "filter PATTERN EXPRESSION" (likewise), and lines "user
 *	UID PROGRAMS STORED LOST FILTERED"
 * @LTT_PROGRAM_FILTER: record only those events that match a pattern for which an expression is true; the text is
 *	"PATTERN EXPRESSION", in one line.  The same answer as to ENABLE; or LTT_PROGRAM_REFUSED, when TEXT has
 *	the reason, and nothing has changed
 * @LTT_PROGRAM_UNFILTER: remove the filter of a pattern; the same answers
 */
enum ltt_program_ask {
	LTT_PROGRAM_ENABLE,
	LTT_PROGRAM_DISABLE,
	LTT_PROGRAM_SNAPSHOT,
	LTT_PROGRAM_STATUS,
	LTT_PROGRAM_END,
	LTT_PROGRAM_FILTER,
	LTT_PROGRAM_UNFILTER,
};

#define LTT_PROGRAM_REFUSED	UINT32_MAX

#define LTT_PROGRAM_ASK_MS	2000
#define LTT_PROGRAM_SNAPSHOT_EMPTY	2	/* no program has joined the flight recorder yet */

/* The child of a fork() connects with its first event, or after so long. */
#define LTT_PROGRAM_QUIET_MS	20

/**
 * enum ltt_program_probing - requests of lttctl to a program
 * @LTT_PROGRAM_PROBE_LOAD: load a library; one text: its name
 * @LTT_PROGRAM_PROBE_CONNECT: connect a function to the markers that match a pattern; three
 *	texts: pattern, function, data for the function
 * @LTT_PROGRAM_PROBE_DISCONNECT: disconnect it; the same texts
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
 * @address: where the program's memory holds the proof that LTT_PROGRAM_PROBE must carry
 */
struct ltt_program_challenge {
	uint32_t type;
	uint32_t size;
	uint64_t address;
};

/**
 * struct ltt_program_probe - a request to a program
 * @type: LTT_PROGRAM_PROBE
 * @what: enum ltt_program_probing
 * @proof: read from the program's memory; valid once
 * @text: the request's texts, each with a NUL
 */
struct ltt_program_probe {
	uint32_t type;
	uint32_t what;
	uint8_t proof[LTT_PROGRAM_PROOF];
	char text[];
};

/**
 * struct ltt_program_text - a message with a text
 * @type: LTT_PROGRAM_ASK, LTT_PROGRAM_TEXT, LTT_PROGRAM_PROBED or LTT_PROGRAM_OBJECT
 * @what: ASK: enum ltt_program_ask; TEXT: 0; PROBED: 0 or an errno; OBJECT: 1 loaded, 0 unloaded
 * @text: ASK: a selection (selection.h) with a NUL; TEXT: lines without a NUL; PROBED: an error message with a
 *	NUL, or nothing; OBJECT: the library's file with a NUL
 */
struct ltt_program_text {
	uint32_t type;
	uint32_t what;
	char text[];
};

/* Programs of 32 and of 64 bits send the same: nowhere does a compiler pad. */
_Static_assert(sizeof(struct ltt_program_hello) == 40 && sizeof(struct ltt_program_channel) == 64 &&
	       sizeof(struct ltt_program_mapped) == 32 && sizeof(struct ltt_program_listen) == 24 &&
	       sizeof(struct ltt_program_challenge) == 16, "messages are the same for all");

#endif /* LTT_PROTOCOL_H */
