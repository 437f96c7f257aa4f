/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Probes: functions of a program, or of a library that it loads, which are called at its
 * markers, with the arguments of the event.
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
 * ltt_probe_fn - is called at a marker
 * @data: as given to ltt_probe_connect(); `lttctl probe` gives a text
 * @site: the marker: its group, name and format, and the types of its arguments
 * @args: the arguments, each 64 bits, a signed one sign-extended, strings by their address
 * @nr: how many
 *
 * Context: that of the marker, handlers of signals included.  Markers in it are recorded,
 * but call no probes.  It is to return: after a longjmp() or an exception out of it the
 * thread calls no probes any more.
 */
typedef void ltt_probe_fn(void *data, const struct ltt_site *site, const unsigned long long *args,
			  unsigned int nr);

/**
 * ltt_probe_connect() - have a probe called at markers
 * @pattern: group:name, both with * ? [], or a name in any group; also of markers that
 *	come later, with libraries
 * @probe: is never to be unloaded
 * @data: for it
 *
 * A marker calls a probe once for each @data, whatever number of patterns it matches.
 *
 * Context: any thread, but no handlers of signals.
 * Return: 0, -ENOMEM, or -EEXIST when that is so already.
 */
int ltt_probe_connect(const char *pattern, ltt_probe_fn *probe, void *data);

/**
 * ltt_probe_disconnect() - take a ltt_probe_connect() back
 *
 * Other threads may be in the probe, or about to call it, for a while yet.
 *
 * Return: 0, or -ENOENT.
 */
int ltt_probe_disconnect(const char *pattern, ltt_probe_fn *probe, void *data);

#ifdef __cplusplus
}
#endif

#endif /* LTT_DISABLED */

#endif /* LTT_PROBE_H */
