// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Announce sites, and wait until the lttds know them.
 */
#include "listener.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "listener-state.h"
#include "recorder.h"
#include "sites.h"
#include "thread.h"

#define START_MS	2000		/* wait for the lttd that LTT_START names */

void ltt_listener_announce(void)
{
	int err;

	if (ltt_listener.exiting)
		return;
	err = ltt_listener.running ? 0 : ltt_listener_start();
	if (err) {
		ltt_listener_unable(err);
		return;
	}
	ltt_set_process_active();
	ltt_search_starter();
	ltt_search_lttds();
	ltt_call_listener();
}

static bool is_starter(const struct recorder *recorder)
{
	return !strcmp(recorder->address.sun_path, ltt_listener.starter);
}

/* Is there an lttd that has not answered for all sites, and has time left to do so?
 * @waited: how long the caller has waited, in ms */
static bool is_any_awaited(uint64_t waited)
{
	struct recorder *recorder;

	for (recorder = ltt_recorders; recorder; recorder = recorder->next)
		if (((ltt_recorder_is_behind(recorder) && !recorder->late) ||
		     (ltt_recorder_lacks_objects(recorder) && !recorder->slow)) &&
		    waited < (is_starter(recorder) ? START_MS : OTHERS_MS))
			return true;
	return waited < OTHERS_MS && (ltt_listener.look_again || ltt_listener.lacks_starter);
}

/* Events that the program emits now are missing in the recordings of lttds that are behind. */
static void give_up_waiting(void)
{
	struct recorder *recorder;

	for (recorder = ltt_recorders; recorder; recorder = recorder->next) {
		recorder->slow |= ltt_recorder_lacks_objects(recorder);
		if (!ltt_recorder_is_behind(recorder) || recorder->late)
			continue;
		ltt_recorder_set_late(recorder);
		ltt_call_listener();
	}
	if (ltt_listener.uncalled)	/* the sites are not recorded until the thread wakes up */
		ltt_recorders_set_error(EAGAIN);
}

/* While the thread loads a library for a probe, it answers no caller, and this one may hold a
 * lock of the loader: so it does not wait.
 * Signals and cancellation are blocked only while the lock is held, which is never long. */
void ltt_listener_wait(void)
{
	uint64_t began = ltt_listener_ms();
	struct ltt_section before;
	bool awaited;

	do {
		ltt_sites_lock(&before);
		if (ltt_listener.uncalled)
			ltt_call_listener();
		awaited = ltt_listener.running && !ltt_listener.loading && is_any_awaited(ltt_listener_ms() - began);
		if (awaited)
			ltt_listener_step();
		else if (ltt_listener.running && !(ltt_listener.loading && pthread_equal(pthread_self(), ltt_listener.load_thread)))
			give_up_waiting();
		ltt_listener.begun |= !awaited;
		ltt_sites_unlock(&before);
	} while (awaited);
}
