#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: each event of threads that are preempted and moved to another CPU anywhere is stored, exactly
# vm: --parallel --append preempt=full
# requires: lttd ltt-control.ko python3
# timeout: 120
#
# Linux 7 calls probes with preemption on.  Threads that make system calls preempt each other, and
# another one moves them from CPU to CPU thousands of times a second.  Each call has one event at its
# begin and one at its end.  The host reads each of them.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

THREADS=4
CALLS=20000
MOVES=50000

load_modules clock=tsc
at_exit unload_modules

put $DBG/traces/create all
at_exit "put $DBG/traces/remove all 2> /dev/null || :"
put $DBG/traces/all/channels/events/subbuf_size 1M
put $DBG/traces/all/channels/events/subbuf_count 32
put $DBG/traces/all/events 'raw_syscalls:*'

# Readers of /dev/zero, one byte at a time: CALLS reads each, and as many writes.
readers=
i=0
put $DBG/traces/all/state start
while [ $i -lt $THREADS ]; do
	dd if=/dev/zero of=/dev/null bs=1 count=$CALLS 2> /dev/null &
	readers="$readers $!"
	i=$((i + 1))
done
# Its own calls, two for each move, are events, too: hence the end after as many moves.
moves=$(python3 - $MOVES $readers <<'PY'
import os, sys

moves, readers = 0, [int(pid) for pid in sys.argv[2:]]
while readers and moves < int(sys.argv[1]):
    for pid in list(readers):
        try:
            os.sched_setaffinity(pid, {moves // len(readers) & 1})
            moves += 1
        except ProcessLookupError:
            readers.remove(pid)
print(moves)
PY
)
for reader in $readers; do
	wait "$reader"
done
put $DBG/traces/all/state stop
assert_conserved all
assert "the readers were moved, $moves times" [ "$moves" -gt 1000 ]
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
