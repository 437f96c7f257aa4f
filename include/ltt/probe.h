/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Probes: functions of a program, or of a library that it loads, that its markers call
 * with the arguments of the event.
 *
 * Layer: markers, in programs.
 */
#ifndef LTT_PROBE_H
#define LTT_PROBE_H

#include "marker.h"

#ifndef LTT_DISABLED

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ltt_probe_fn - a function that a marker calls
 * @data: the @data of ltt_probe_connect(); `lttctl probe` passes a text
 * @site: the site: its group, name and format, and the types of its arguments
 * @args: the arguments, 64 bits each: signed ones sign-extended, strings and arrays as
 *	addresses, their lengths as arguments of their own; of a float or double its bits
 * @nr: number of elements in @args
 *
 * Context: that of the marker, signal handlers included.  Markers in the probe are
 * recorded but call no probes.  The probe must return: after a longjmp() or an exception
 * out of it, the thread calls no more probes.
 */
typedef void ltt_probe_fn(void *data, const struct ltt_site *site, const unsigned long long *args,
			  unsigned int nr);

/**
 * ltt_probe_connect() - make markers call a probe
 * @pattern: group:name, both with * ? [], or a name in any group.  It also matches
 *	markers of libraries that are loaded later.  The function copies it
 * @probe: the probe; it must never be unloaded
 * @data: passed to @probe
 *
 * A marker calls a probe once for each @data, however many patterns match the marker.
 *
 * Context: any thread, but not a signal handler.
 * Return: 0; -ENOMEM; -EEXIST if @pattern, @probe and @data are connected already.
 */
int ltt_probe_connect(const char *pattern, ltt_probe_fn *probe, void *data);

/**
 * ltt_probe_disconnect() - undo ltt_probe_connect()
 * @pattern: as for ltt_probe_connect()
 * @probe: as for ltt_probe_connect()
 * @data: as for ltt_probe_connect()
 *
 * Other threads may still be in the probe, or about to call it, when this returns.
 *
 * Context: any thread, but not a signal handler.
 * Return: 0; -ENOENT if @pattern, @probe and @data are not connected.
 */
int ltt_probe_disconnect(const char *pattern, ltt_probe_fn *probe, void *data);

#ifdef __cplusplus
}
#endif

#endif /* LTT_DISABLED */

#endif /* LTT_PROBE_H */
