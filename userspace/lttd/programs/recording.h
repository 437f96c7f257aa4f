/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The recording of programs: lttd --programs.
 *
 * Layer: lttd.
 */
#ifndef LTTD_RECORDING_H
#define LTTD_RECORDING_H

#include "state.h"

/**
 * programs_record() - record programs until a signal arrives, or lttctl ends the recording
 * @options: the options
 *
 * Return: 0; -1: the recording is not complete, with the reason logged.
 */
int programs_record(const struct programs_options *options);

#endif /* LTTD_RECORDING_H */
