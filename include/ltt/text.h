/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Text with a level, in programs: for what is a sentence and not a list of fields.
 *
 *	trace_printf(app, warning, "%s: %d of %d done", path, done, all);
 *
 * Layer: markers, in programs.
 */
#ifndef LTT_TEXT_H
#define LTT_TEXT_H

#include "marker.h"

/**
 * enum ltt_level - the levels of trace_printf(), as of syslog(3)
 * @ltt_level_emerg: the system cannot be used
 * @ltt_level_alert: act at once
 * @ltt_level_crit: critical
 * @ltt_level_err: an error
 * @ltt_level_warning: a warning
 * @ltt_level_notice: normal and important
 * @ltt_level_info: information
 * @ltt_level_debug: for developers
 */
enum ltt_level {
	ltt_level_emerg,
	ltt_level_alert,
	ltt_level_crit,
	ltt_level_err,
	ltt_level_warning,
	ltt_level_notice,
	ltt_level_info,
	ltt_level_debug
};

#ifndef LTT_DISABLED
#ifdef __cplusplus
extern "C" {
#endif

/**
 * ltt_text() - format a text and write it as an event
 * @site: a site with one argument, which points to text
 * @format: of printf(3); its arguments follow
 *
 * Context: any thread; in a signal handler as far as snprintf() works there.  Uses up to
 *	9 KiB of stack, or 14 with other contexts than tid and pid.  Preserves errno.
 */
void ltt_text(struct ltt_site *site, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif

/* An empty text is an event, too. */
#define LTT_TEXT_BEGIN							\
	_Pragma("GCC diagnostic push")					\
	_Pragma("GCC diagnostic ignored \"-Wformat-zero-length\"")
#define LTT_TEXT_END	_Pragma("GCC diagnostic pop")

/**
 * trace_printf() - emit a text
 * @group: see trace_mark()
 * @level: one of emerg, alert, crit, err, warning, notice, info, debug
 * @...: a format of printf(3), and its arguments
 *
 * The event is GROUP:text.LEVEL, with the field "text": the pattern 'user:app:text.err'
 * records the errors of a program.  The text is formatted, and its arguments are evaluated,
 * only while it is recorded.  A text of more than 4095 bytes is cut, and ends with a mark.
 *
 * Context: as for ltt_text().
 */
#ifdef LTT_DISABLED
#define trace_printf(group, level, ...)					\
	do {								\
		(void)ltt_level_##level;				\
		LTT_MARK_CHECK_TEXTS(#group, "text." #level, "");	\
		LTT_TEXT_BEGIN						\
		if (0)							\
			ltt_mark_check_format(__VA_ARGS__);		\
		LTT_TEXT_END						\
	} while (0)
#else
#define trace_printf(group, level, ...)					\
	do {								\
		struct ltt_site *ltt_site;				\
									\
		(void)ltt_level_##level;				\
		LTT_MARK_CHECK_TEXTS(#group, "text." #level, "");	\
		LTT_SITE(#group, "text." #level, "text %s", (const char *)0); \
		LTT_TEXT_BEGIN						\
		if (__builtin_expect(__atomic_load_n(&ltt_site->enabled, __ATOMIC_RELAXED), 0)) \
			ltt_text(ltt_site, __VA_ARGS__);		\
		LTT_TEXT_END						\
	} while (0)
#endif

#endif /* LTT_TEXT_H */
