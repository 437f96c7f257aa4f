/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A connected program.
 *
 * Layer: lttd.
 */
#ifndef LTTD_PROGRAM_H
#define LTTD_PROGRAM_H

#include <sys/queue.h>

#include "patterns.h"
#include "user.h"

/**
 * struct program - a connected program, or lttctl
 * @all: entry in the list of all programs, or of those that were removed
 * @same_pid: entry in the list of those whose process id has the same hash
 * @pending: entry in the list of those that are waited for until @until
 * @is_pending: it is in that list
 * @removed: it is freed after this round of the loop
 * @fd: the connection; -1: closed
 * @pidfd: the process, after the connection has closed; -1: none
 * @until: end of the wait for @pidfd, for HELLO or for @asker's answer: milliseconds of the
 *	monotonic clock
 * @pid: process id when it connected
 * @uid: user id when it connected
 * @name: name from HELLO, printable
 * @socket: number of its socket, from HELLO; 0: none
 * @user: owner of its trace; NULL before HELLO
 * @set: its buffers; NULL: it has none
 * @heir: its process was recorded before it connected, as before an exec()
 * @nr_sites: number of sites received in this round
 * @share: events of the trace that it has added
 * @nr_objects: number of OBJECT and MAPPED messages received, up to a limit
 * @round: number of TELL messages sent
 * @listed: number of its sites, all of which it has sent in this round; 0: not yet
 * @settled: it has acknowledged all LISTEN messages of this round
 * @running: it ran when it found lttd, and has not settled yet
 * @lttctl: it is an lttctl, which has sent a request
 * @asker: lttctl, which waits until all programs have settled, or until @until
 * @bye: it has sent BYE
 * @status: exit status from BYE
 * @wanted: one of its sites is recorded, or was
 * @late: it began before lttd had answered for the sites of this round
 * @unlisted: it has more sites in this round than it has described
 * @lacking: events of it are missing, which lttd has reported
 */
struct program {
	LIST_ENTRY(program) all;
	LIST_ENTRY(program) same_pid;
	LIST_ENTRY(program) pending;
	bool is_pending;
	bool removed;
	int fd;
	int pidfd;
	uint64_t until;
	pid_t pid;
	uid_t uid;
	char name[17];
	uint64_t socket;
	struct user *user;
	struct buffer_set *set;
	bool heir;
	unsigned int nr_sites;
	struct event_share share;
	unsigned int nr_objects;
	uint32_t round;
	uint32_t listed;
	bool settled;
	bool running;
	bool lttctl;
	bool asker;
	bool bye;
	int status;
	bool wanted;
	bool late;
	bool unlisted;
	bool lacking;
};

LIST_HEAD(program_list, program);

/**
 * struct program_host - callbacks and data of the recording
 * @user: find or make the user with this id; returns NULL with the failure logged
 * @wants: find out if a process is to be recorded; @heir is true if it says that it is a child
 *	of one that is
 * @patterns: select the events to record
 * @filters: select the occurrences of these
 * @joined: note that a program which ran before has settled
 * @late: report a program whose events up to now are missing
 * @ask: process a &struct ltt_program_text of lttctl; returns as program_hear()
 * @refused: a program with another version of libltt is not recorded
 */
struct program_host {
	struct user *(*user)(struct program_host *host, uid_t uid);
	bool (*wants)(struct program_host *host, pid_t pid, bool heir);
	struct patterns *patterns;
	struct filters *filters;
	void (*joined)(struct program_host *host, struct program *program);
	void (*late)(struct program_host *host, struct program *program);
	int (*ask)(struct program_host *host, struct program *program, const void *data, size_t size);
	bool refused;
};

/**
 * program_hear() - receive and process one message
 * @program: the program; its @fd is open
 * @host: the recording
 *
 * Return: 0; -EAGAIN: there is no message; -ECONNRESET: the program has closed the
 * connection, or lttd is to close it, with the reason logged; -1: the recording cannot
 * continue, with the failure logged.
 */
int program_hear(struct program *program, struct program_host *host);

/**
 * program_tell() - make a program send all its sites again
 * @program: the program; it has sent HELLO
 *
 * Return: 0; -ECONNRESET: lttd is to close the connection, with the reason logged.
 */
int program_tell(struct program *program);

#endif /* LTTD_PROGRAM_H */
