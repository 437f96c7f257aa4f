#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: traces of all events come and go for LTT_MINUTES (default 15) under a load on both CPUs
# vm: --parallel --smp 2
# timeout: 1500
# requires: ltt-control.ko ltt-tracepoints.ko taskset
. "$LTT/tests/vm/lib-hangs.sh"

# A flight recorder, which needs no reader
come_and_go()
{
	put $DBG/traces/create all
	put $DBG/traces/all/channels/events/overwrite 1
	put $DBG/traces/all/events '*'
	put $DBG/traces/all/state start
	put $DBG/traces/all/state stop
	[ "$(trace_total all stored)" -gt 0 ] || die 'a trace of all events recorded none'
	put $DBG/traces/remove all
}

load_modules clock=tsc
at_exit "put $DBG/traces/remove all 2> /dev/null || :"
switch_under_load come_and_go
assert 'everything can be unloaded' unload_modules
