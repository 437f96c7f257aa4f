#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: where the clock is the bare TSC, a trace of one process has its events and no others
# vm: --loaded
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-sample.ko
#
# With this clock, other code writes the events.
. "$LTT/tests/vm/lib-clock.sh"
. "$LTT/tests/vm/lib-markers.sh"

load_clock clock=tsc
load_modules
load ltt-sample
assert 'there is a trace of one process' lttctl create -o "$TMP/out" -e 'sample:*' one
sh -c 'until [ -e "$0" ]; do sleep 0.05; done; echo 20 > /dev/ltt-sample' "$TMP/go" &
one=$!
put "$DBG/traces/one/pid" $one
lttctl start one
put /dev/ltt-sample 30
: > "$TMP/go"
wait $one
assert 'it ends well' lttctl destroy one
assert_eq 'the events are those of the one' "20 $one" \
	"$(babeltrace2 "$TMP/out" | sed -n 's/.*sample:request: .* tid = \([0-9]*\).*/\1/p' | uniq -c | sed 's/^ *//')"
assert_match 'by the TSC' 'name = "?tsc' "$(grep -A4 '^clock' "$TMP/out"/*/metadata)"
