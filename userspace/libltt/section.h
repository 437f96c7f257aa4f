/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Sections of a thread of the program that no handler of a signal interrupts, and no cancellation ends. A handler that exits
 * or forks takes ltt_lock, too, and one that emits an event uses the thread's ring. A cancelled thread would keep ltt_lock.
 */
#ifndef LTT_SECTION_H
#define LTT_SECTION_H

#include <pthread.h>
#include <signal.h>

/**
 * struct ltt_section - what the thread had before the section
 * @signals: the signals that were blocked
 * @cancel: whether the thread could be cancelled
 */
struct ltt_section {
	sigset_t signals;
	int cancel;
};

/**
 * ltt_section_begin() - block all signals and the cancellation of the thread
 * @section: for ltt_section_end(); sections may be nested
 *
 * Context: any thread, and its signal handlers. Preserves errno.
 */
static inline void ltt_section_begin(struct ltt_section *section)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &section->signals);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &section->cancel);
}

/**
 * ltt_section_end() - restore both
 * @section: as ltt_section_begin() set it
 */
static inline void ltt_section_end(const struct ltt_section *section)
{
	int disabled;

	/* Before the signals: the handlers of pending ones run as soon as they are open, and may leave by siglongjmp(). */
	pthread_setcancelstate(section->cancel, &disabled);
	pthread_sigmask(SIG_SETMASK, &section->signals, NULL);
}

#endif /* LTT_SECTION_H */
