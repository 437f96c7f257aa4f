#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: each event of threads that are preempted anywhere is stored or refused, exactly
# vm: --parallel --append preempt=full
# requires: lttd ltt-control.ko
# timeout: 120
#
# Linux 7 calls probes with preemption on.  Threads that make system calls preempt each other, on both
# CPUs; each call has one event at its begin and one at its end.  The host reads each of them.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

THREADS=4
CALLS=10000

load_modules clock=tsc
at_exit unload_modules

put $DBG/traces/create all
at_exit "put $DBG/traces/remove all 2> /dev/null || :"
put $DBG/traces/all/channels/events/subbuf_size 1M
put $DBG/traces/all/channels/events/subbuf_count 16
put $DBG/traces/all/events 'raw_syscalls:*'

# Readers of /dev/zero, one byte at a time: CALLS reads each, and as many writes.
put $DBG/traces/all/state start
i=0
while [ $i -lt $THREADS ]; do
	nice -n $((i * 3)) dd if=/dev/zero of=/dev/null bs=1 count=$CALLS 2> /dev/null &
	i=$((i + 1))
done
wait
put $DBG/traces/all/state stop
assert_conserved all
emitted=$(events_count all emitted)
assert "at least $((4 * THREADS * CALLS)) events, and $emitted there are" \
	[ "$emitted" -ge $((4 * THREADS * CALLS)) ]
assert_eq 'nothing is refused' 0 "$(events_count all refused)"

echo "$emitted" > "$OUT/emitted"
lttd -o "$OUT/all" all > "$OUT/lttd" 2>&1 &
lttd=$!
wait_until 20 opened all "$OUT/all"
put $DBG/traces/remove all
assert 'lttd drains' wait $lttd
