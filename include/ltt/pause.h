/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pause: an object on which a thread waits after it wrote to a buffer.
 *
 * Layer: none; below the buffers, which make pauses, and the sites of markers, which
 * wait for them.
 */
#ifndef LTT_PAUSE_H
#define LTT_PAUSE_H

/**
 * struct ltt_pause - a wait for room in a buffer
 * @wait: sleeps for a bounded time.  The caller of ltt_sink.pause must call it exactly
 *	once, at a place that may sleep; the structure is invalid afterwards
 */
struct ltt_pause {
	void (*wait)(struct ltt_pause *pause);
};

#endif /* LTT_PAUSE_H */
