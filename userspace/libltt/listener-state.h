/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Shared by the files of the library's thread:
 *
 *	call.c      the program's socket, which wakes the thread up
 *	search.c    finds lttds
 *	listener.c  the rounds of the thread
 *	life.c      start, fork, exit
 *	announce.c  threads of the program that have sites for the thread
 *
 * Functions are called with ltt_lock held, but for ltt_listener_run() and ltt_listener_ms().
 */
#ifndef LTT_LISTENER_STATE_H
#define LTT_LISTENER_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "common/folder.h"

/* How long to wait for lttds, of which one may be stopped, in ms. */
#define OTHERS_MS	300

struct recorder;

/**
 * struct ltt_listener - the state of the thread, guarded by ltt_lock
 * @running: the thread runs, or starts
 * @exiting: the program exits with @exit_status
 * @told_exit: lttds know the exit status
 * @exit_status: see @exiting
 * @loading: load_in_thread() runs, in @load_thread
 * @load_thread: see @loading
 * @quiet: in a forked child: the thread still waits for an event
 * @starter: LTT_START as it was at the start: the socket of the lttd of `lttctl record -- PROGRAM`; "": there is none
 * @own_folder: the rendezvous folder of the user; "": it has none
 * @called: the program's socket, in the thread's table
 * @address: the address of @called
 * @address_len: bytes of @address; 0: there is no socket
 * @uncalled: a datagram to @called is still to be sent
 * @look_again: the search for lttds met a shortage
 * @begun: the program may have emitted events
 * @lacks_starter: adding the lttd that LTT_START names met one, too
 * @failing_since: start of what is retried, in ms; 0: nothing is
 * @heard: the thread has finished a round; CLOCK_MONOTONIC
 */
struct ltt_listener {
	bool running;
	bool exiting;
	bool told_exit;
	int exit_status;
	bool loading;
	pthread_t load_thread;
	bool quiet;
	char starter[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
	char own_folder[LTT_FOLDER_SIZE];
	int called;
	struct sockaddr_un address;
	socklen_t address_len;
	bool uncalled;
	bool look_again;
	bool begun;
	bool lacks_starter;
	uint64_t failing_since;
	pthread_cond_t heard;
};

extern struct ltt_listener ltt_listener;

/* ---- call.c ---- */

/*
 * Bind the program's socket in the rendezvous folder, where lttds find it, or else to an abstract address, which only this
 * program's threads know.  After a failure @called is -1, and the thread tries again.
 */
void ltt_call_open(void);
void ltt_call_close(void);

/* Wake the thread up.  Any thread may call this; it uses a descriptor briefly. */
void ltt_call_listener(void);

/* Take all datagrams. */
void ltt_call_take(void);

/* ---- search.c ---- */

/* Add recorders for all lttds that are there, and for that which LTT_START names.  Sets @look_again and @lacks_starter. */
void ltt_search_lttds(void);
void ltt_search_starter(void);

/* ---- listener.c ---- */

/* The thread. */
void *ltt_listener_run(void *unused);

/* Connect if necessary, and send.  Return: 0; -EAGAIN: try later; another -errno. */
int ltt_listener_attend(struct recorder *recorder);

/* Report to the lttds that run at this moment that the thread cannot run. */
void ltt_listener_unable(int err);

/* Return: milliseconds of the monotonic clock. */
uint64_t ltt_listener_ms(void);

/* ---- life.c ---- */

/* Start the thread for the first time in the process, or again after a failure.  Return: 0 or an errno. */
int ltt_listener_start(void);

/* Wait for a round of the thread, but not long. */
void ltt_listener_step(void);

#endif /* LTT_LISTENER_STATE_H */
