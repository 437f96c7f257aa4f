#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the heartbeat keeps live readers going on every CPU and channel; a 32-bit clock stays exact through long silence
# vm: --parallel --loaded
# requires: lttctl ltt-control.ko ltt-sample.ko lttd python3
# faces: debugfs
# also: device
# timeout: 180
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

emitted()	# trace
{
	trace_total "$1" emitted
}

beats()		# trace, number: it has that many events
{
	[ "$(emitted "$1")" -ge "$2" ]
}

# Time passes, as another trace's beat tells: 15 of its periods.
time_passes()
{
	wait_until 20 beats witness $(($(emitted witness) + 15 * 4))
}

files=$(for cpu in 0 1; do echo "$OUT/beat/kernel/state_$cpu $OUT/beat/kernel/events_$cpu"; done)

grown()		# bytes: all files of the recording have more than that
{
	for file in $files; do
		[ -e "$file" ] && [ "$(stat -c %s "$file")" -gt "$1" ] || return 1
	done
}

load_modules
for trace in witness beat; do
	put $DBG/traces/create $trace
	at_exit "put $DBG/traces/remove $trace 2> /dev/null || :"
	assert_eq "$trace: none to begin with" 0 "$(cat $DBG/traces/$trace/heartbeat_ms)"
	put $DBG/traces/$trace/heartbeat_ms 20
	assert_eq "$trace: the period can be read" 20 "$(cat $DBG/traces/$trace/heartbeat_ms)"
done
assert_errno EINVAL put $DBG/traces/beat/heartbeat_ms 3600001
assert_eq 'a rejected period changes nothing' 20 "$(cat $DBG/traces/beat/heartbeat_ms)"
put $DBG/traces/beat/heartbeat_ms 50
# A beat ends a sub-buffer on each CPU, so many give a slow reader time.
for channel in state events; do
	put $DBG/traces/beat/channels/$channel/subbuf_size 64K
	put $DBG/traces/beat/channels/$channel/subbuf_count 128
done
put $DBG/traces/witness/state start

# Set before the start; nothing but the beat fills the buffers.
put $DBG/traces/beat/state start
lttd -o "$OUT/beat" beat > "$OUT/lttd" 2>&1 &
lttd=$!
assert 'an idle trace reaches a live reader, on every CPU, in each channel' wait_until 30 grown 40960

put $DBG/traces/beat/heartbeat_ms 0
assert_eq '0 can be read' 0 "$(cat $DBG/traces/beat/heartbeat_ms)"
before=$(awk '$1 == "events" { n += $4 } END { print n }' $DBG/traces/beat/stats)
assert 'time passes' time_passes
assert_eq '0: no more beats' "$before" "$(awk '$1 == "events" { n += $4 } END { print n }' $DBG/traces/beat/stats)"

before=$(emitted beat)
put $DBG/traces/beat/heartbeat_ms 50
assert 'set while it runs: it beats' wait_until 20 beats beat $((before + 40))
put $DBG/traces/beat/state stop
before=$(emitted beat)
assert 'time passes' time_passes
assert_eq 'stopped: no more beats' "$before" "$(emitted beat)"
put $DBG/traces/beat/heartbeat_ms 40
assert_eq 'set while it is stopped: it can be read' 40 "$(cat $DBG/traces/beat/heartbeat_ms)"
assert 'time passes' time_passes
assert_eq 'and it does not beat' "$before" "$(emitted beat)"
put $DBG/traces/beat/state start
# The start itself writes the list of tasks.
before=$(emitted beat)
assert 'started again: it beats' wait_until 20 beats beat $((before + 40))
put $DBG/traces/beat/state stop
assert_conserved beat
assert_eq 'nothing is lost' 0 "$(trace_total beat refused)"
put $DBG/traces/beat/state start
put $DBG/traces/remove beat
assert 'a trace goes with its beat; lttd drains' wait $lttd
assert_match 'no sub-buffer was full' '^less than 10 KiB a packet$' "$(
	sed -n 's/.* \([0-9]*\) packets, \([0-9]*\) bytes .*/\1 \2/p' "$OUT/lttd" |
		awk '{ print $2 < $1 * 10240 ? "less than 10 KiB a packet" : $0 }')"
put $DBG/traces/remove witness
unload_modules

# A 32-bit clock, and silence of up to several wraps. The times of the
# monotonic clock before and after each event are for the host to compare with.
ghz=$(wrap_ghz)
echo "$ghz" > "$OUT/ghz"
load_modules clock=test32 test32_ghz="$ghz"
load ltt-sample
put $DBG/traces/create wrap
at_exit "put $DBG/traces/remove wrap 2> /dev/null || :"
put $DBG/traces/wrap/events sample:idle
put $DBG/traces/wrap/state start
python3 - "$ghz" > "$OUT/brackets" <<'PY'
import os, sys, time
wrap = 2 ** 32 / 1e9 / int(sys.argv[1])
device = os.open('/dev/ltt-sample', os.O_WRONLY)
for wraps in (0, 0.3, 3.5, 0.8, 2.3, 0.1):
    time.sleep(wraps * wrap)
    for cpu in (0, 1):
        os.sched_setaffinity(0, {cpu})
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        os.write(device, b'0')
        print(cpu, before, time.clock_gettime_ns(time.CLOCK_MONOTONIC))
PY
put $DBG/traces/wrap/state stop
assert_conserved wrap
assert_eq 'the clock has 32 bits' 'test32' "$(sed -n 's/^\tname = "*\(test32\)"*;$/\1/p' $DBG/traces/wrap/metadata)"
lttd -o "$OUT/wrap" wrap > "$OUT/wrap.lttd" 2>&1 &
lttd=$!
wait_until 20 opened wrap "$OUT/wrap"
put $DBG/traces/remove wrap
assert 'lttd drains' wait $lttd
unload_modules
