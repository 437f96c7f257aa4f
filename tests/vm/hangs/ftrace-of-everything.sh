#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: ftrace's events are switched on and off under the same load without LTT: where this hangs, the fault is not LTT's
# vm: --parallel --smp 2
# timeout: 1500
# requires: taskset
. "$LTT/tests/vm/lib-hangs.sh"

events=/sys/kernel/tracing/events/enable

on_and_off()
{
	echo 1 > $events
	echo 0 > $events
}

at_exit "echo 0 > $events"
switch_under_load on_and_off
