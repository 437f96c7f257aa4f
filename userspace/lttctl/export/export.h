/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * lttctl export: recordings in the formats of other programs.
 *
 * Layer: lttctl export, above lttctl model.  Functions that return int return an exit status, after a message.
 */
#ifndef LTTCTL_EXPORT_EXPORT_H
#define LTTCTL_EXPORT_EXPORT_H

#include "lttctl/model/output-file.h"

/**
 * export_ctf_lttng() - write a trace with the names of LTTng, whose data files are links
 * @dir: the recording
 * @out: the directory to create
 */
int export_ctf_lttng(const char *dir, const char *out);

#endif /* LTTCTL_EXPORT_EXPORT_H */
