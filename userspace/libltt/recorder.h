/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Recorders: the connection to each lttd, and the buffers that this lttd provides.
 *
 * Context of all functions, unless the function says otherwise: ltt_lock held, by the
 * library's thread, or by a thread that finds that there is none.  None of them waits.
 */
#ifndef LTT_RECORDER_H
#define LTT_RECORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "channel.h"

/**
 * struct recorder - the connection to an lttd
 * @next: the next recorder
 * @address: the address of the lttd's socket
 * @fd: the connection, in the descriptor table of the library's thread; -1: connect
 * @told: sites with a lower number are announced
 * @heir: lttd recorded the process that has made this one by fork()
 * @said_hello: the program's name is announced
 * @round: the round of announcements; lttd can start a new one
 * @told_objects: libraries whose first site has a lower number are announced
 * @told_gone: so many unloaded libraries are announced
 * @said_end: the number of sites that the last SITES_END message gave
 * @ready: lttd has answered for all sites with a lower number; no site from @said_end on
 *	is announced before that, or the answers would not fit into the socket
 * @answered: an lttd has answered in this round for all sites with a lower number, to this
 *	process or to the one that has made it by fork()
 * @said_all: a SITES_END was sent in this round
 * @confirmed: it was sent again after lttd's answers
 * @late: a thread waited in vain for the lttd's answer for all sites, which is still due
 * @unable: the errno that keeps lttd from getting all events; 0 once lttd knows it
 * @challenge: a random text; a process that can read it here may have this program run code
 * @challenged: @challenge is set
 * @wants_objects: lttd records code addresses
 * @told_mapped: objects with a lower number are announced
 * @ended_mapped: the same, and a MAPPED_END message was sent after them
 * @said_mapped: number of MAPPED_END messages sent
 * @noted: lttd has recorded all objects before the MAPPED_END with this number
 * @slow: a thread waited in vain for @noted, which is still due
 * @channels: the buffers that lttd provides
 */
struct recorder {
	struct recorder *next;
	struct sockaddr_un address;
	int fd;
	uint32_t told;
	bool heir;
	bool said_hello;
	uint32_t round;
	uint32_t told_objects;
	uint64_t told_gone;
	uint32_t said_end;
	uint32_t ready;
	uint32_t answered;
	bool said_all;
	bool confirmed;
	bool late;
	int unable;
	uint8_t challenge[LTT_PROGRAM_PROOF];
	bool challenged;
	bool wants_objects;
	uint64_t told_mapped;
	uint64_t ended_mapped;
	uint32_t said_mapped;
	uint32_t noted;
	bool slow;
	struct ltt_channel *channels;
};

/* All recorders, in no order. */
extern struct recorder *ltt_recorders;

/* The number in the name of the program's socket; 0: it has none in the rendezvous folder. */
extern uint64_t ltt_recorders_socket;

/* Calls @fn, which loads libraries, and returns when it has returned. */
typedef void recorder_load_fn(void (*fn)(void *arg), void *arg);

/**
 * ltt_recorder_new() - add the lttd that listens on a socket
 * @folder: the folder of the socket
 * @name: the name of the socket
 * @err: an errno to report to the lttd, as LTT_PROGRAM_UNABLE has it, or 0
 *
 * Does nothing if the recorder is known, or if the path is too long for a socket.
 *
 * Return: 0 or -ENOMEM.
 */
int ltt_recorder_new(const char *folder, const char *name, int err);

/**
 * ltt_recorders_set_error() - report to all recorders that events of this program are missing
 * @err: the cause, an errno
 *
 * Context: any thread, ltt_lock held.  ltt_listener_announce() has the thread send it.
 *
 * Return: false: it was reported before.
 */
void ltt_recorders_set_error(int err);

/**
 * ltt_recorders_set_error_for_good() - report it to all recorders, also to later ones
 * @err: the cause, an errno
 *
 * Context: any thread, ltt_lock held.
 */
bool ltt_recorders_set_error_for_good(int err);

/**
 * ltt_recorder_is_behind() - find out if an lttd still has to answer for some sites
 * @recorder: with or without a connection
 *
 * Context: any thread, ltt_lock held.
 */
bool ltt_recorder_is_behind(const struct recorder *recorder);

/**
 * ltt_recorder_lacks_objects() - find out if an lttd still has to record where objects are
 * @recorder: with or without a connection
 *
 * Context: any thread, ltt_lock held.
 */
bool ltt_recorder_lacks_objects(const struct recorder *recorder);

/**
 * ltt_recorder_set_late() - report to an lttd that events of sites that it did not answer
 *	for may be missing
 * @recorder: it is behind
 *
 * Context: any thread, ltt_lock held.
 */
void ltt_recorder_set_late(struct recorder *recorder);

/**
 * ltt_recorder_connect() - connect to an lttd
 * @recorder: without a connection
 *
 * Return: 0; -EAGAIN if it may succeed later; another -errno if the lttd has gone or may
 *	not record this program.
 */
int ltt_recorder_connect(struct recorder *recorder);

/**
 * ltt_recorder_send() - send all announcements that are due
 * @recorder: with a connection
 *
 * Return: 0; -EAGAIN if the socket is full and the rest is due; another -errno if the
 *	connection is broken.
 */
int ltt_recorder_send(struct recorder *recorder);

/**
 * ltt_recorder_receive() - receive one message and act on it
 * @recorder: with a connection
 * @load: called for a message that has the program load libraries; may release ltt_lock
 *	meanwhile
 *
 * Return: 0; -EAGAIN if there is no message; -ECONNRESET at the end of the connection;
 *	another -errno if the connection is broken.
 */
int ltt_recorder_receive(struct recorder *recorder, recorder_load_fn *load);

/**
 * ltt_recorder_send_rest() - describe all sites that are left, without waiting for answers
 * @recorder: after ltt_recorder_send()
 *
 * Return: 0; -EAGAIN if they do not fit in the socket; another -errno if the connection is broken.
 */
int ltt_recorder_send_rest(struct recorder *recorder);

/**
 * ltt_recorder_send_exit() - report that the program exits
 * @recorder: with a connection
 * @status: the exit status
 */
void ltt_recorder_send_exit(struct recorder *recorder, int status);

/**
 * ltt_recorder_forked() - drop the parent's connection and connect anew
 * @recorder: as fork() copied it
 * @has_it: the connection is in this process's descriptor table, too
 *
 * Context: the child, before the library's thread exists.
 */
void ltt_recorder_forked(struct recorder *recorder, bool has_it);

/**
 * ltt_recorder_end() - forget an lttd that has gone
 * @recorder: freed; its channels record nothing any more
 */
void ltt_recorder_end(struct recorder *recorder);

#endif /* LTT_RECORDER_H */
