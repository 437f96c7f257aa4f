#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a trace that takes more of a CPU than it may is stopped, with the reason in its statistics; others go on
# requires: lttctl ltt-control.ko ltt-test-hog.ko python3
# vm: --icount
# timeout: 180
#
# Time is counted in instructions, so that the share does not depend on what else the
# host has to do.
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-markers.sh"
. "$LTT/tests/vm/lib-deadman.sh"

assert_eq 'by default tracing may take half of a CPU' 50 "$(cat $limits/deadman_percent)"
assert_eq 'for ten seconds' 10 "$(cat $limits/deadman_seconds)"

# D1, D3
put $limits/deadman_seconds 1
assert_halted gaps 0 40
assert_match 'the log has the reason' 'ltt: .*greedy.*deadman: ' "$(dmesg)"
assert_match 'lttctl shows it' 'deadman: ' "$(lttctl status --via debugfs greedy)"
assert_match 'in JSON, too' '"halted": *"deadman: ' "$(lttctl status --json greedy)"
assert 'it can be started again' put $DBG/traces/greedy/state start
put $DBG/traces/greedy/state stop
refute 'and is not called halted any more' grep ^halted $DBG/traces/greedy/stats

# D3, as the user of lttctl record sees it. lttd gets nothing to do meanwhile, so most events
# are refused, which takes longer than it is thought to.
put $limits/deadman_percent 10
at_exit "put $limits/deadman_percent 50"
status=0
lttctl record --json -o "$TMP/trace" -e 'hog:*' --size 64K -- \
	sh -c 'echo gaps 0 > /proc/ltt-test-hog; while ! grep -q ^over /proc/ltt-test-hog; do sleep 0.1; done' \
	> "$TMP/summary" 2> "$TMP/said" || status=$?
assert_eq 'record fails' 125 "$status"
assert_match 'and reports the reason' 'deadman: ' "$(cat "$TMP/said")"
assert_match 'in JSON, too' '^deadman: ' "$(json "$TMP/summary" 'd["halted"]')"

# Off.
put $limits/deadman_seconds 0
put $DBG/traces/greedy/state start
put /proc/ltt-test-hog 'gaps 0'
assert 'tasks still run in the gaps' sleep 3
assert_eq 'without a limit nothing is stopped' 'running running' \
	"$(cat /proc/ltt-test-hog) $(state_of greedy)"
put $DBG/traces/greedy/state stop
assert 'the hog ends' wait_until 10 is_over
