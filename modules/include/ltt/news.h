/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * News of buffers and triggers.
 *
 * Layer: tracer.  Locking: see ltt/trace.h.
 */
#ifndef LTT_NEWS_H
#define LTT_NEWS_H

#include <linux/types.h>

struct ltt_channel;
struct ltt_trace;

/**
 * struct ltt_news - a piece of news
 * @what: LTT_NEWS_FULL: a sub-buffer became full; LTT_NEWS_LOST: events were refused; LTT_NEWS_TRIGGER: a
 *	trigger fired
 * @trace: the trace
 * @channel: the channel of the buffer; NULL for a trigger
 * @number: the CPU of the buffer, or the slot of the trigger
 * @count: the number of full sub-buffers; or the number of events refused since the first start;
 *	or how often the trigger fired
 */
struct ltt_news {
	enum {
		LTT_NEWS_FULL,
		LTT_NEWS_LOST,
		LTT_NEWS_TRIGGER,
	} what;
	struct ltt_trace *trace;
	struct ltt_channel *channel;
	int number;
	u64 count;
};

/**
 * typedef ltt_news_fn - a function that ltt_trace_take_news() calls
 * @arg: the caller's
 * @news: what happened
 *
 * Context: task, registry lock held.
 */
typedef void (*ltt_news_fn)(void *arg, const struct ltt_news *news);

/**
 * ltt_trace_set_news_receiver() - set the function that is called when buffers have news
 * @fn: called in hard interrupt context when there are news, and then not until
 *	ltt_trace_take_news() has taken them.  NULL removes the receiver; when this function
 *	returns, the receiver is not running
 *
 * There is one receiver.  Only what happens from now on is news.
 *
 * Context: task, registry lock held.
 */
void ltt_trace_set_news_receiver(void (*fn)(void));

/**
 * ltt_trace_take_news() - report what has happened since the last call
 * @fn: called for each piece of news, of all traces; NULL drops the news
 * @arg: passed to @fn
 *
 * Flight recorders have no full buffers.
 *
 * Context: task, registry lock held.
 */
void ltt_trace_take_news(ltt_news_fn fn, void *arg);

#endif /* LTT_NEWS_H */
