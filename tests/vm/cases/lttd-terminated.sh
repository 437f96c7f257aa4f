#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: after SIGTERM and SIGINT lttd has every event on disk that was stored before, while the trace goes on
# when: all
# vm: --loaded
# faces: device
# also: debugfs
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko ltt-test-markers.ko
# timeout: 180
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

load_modules
load ltt-test-markers
cd "$TMP"

# --flush 0: nothing but the signal ends a sub-buffer that is not full.
serve()
{
	lttd --flush 0 -o out t > said 2>&1 &
	lttd=$!
	assert 'lttd serves the trace' wait_until 20 serves_all t
}

# The events of the driver on disk.
on_disk()
{
	decode out text || die "babeltrace2 cannot read the trace: $(cat text.err)"
	grep -c ' test:' text || :
}

# end SIGNAL: lttd ends soon and well
end()
{
	began=$(date +%s)
	kill -"$1" $lttd || die "lttd has ended: $(cat said)"
	assert "$1 ends lttd well" wait $lttd
	assert "$1 ends lttd soon" [ $(($(date +%s) - began)) -lt $((20 * ${LTT_SLOW:-1})) ]
}

begin t 64K 8 0
for signal in TERM INT HUP; do
	serve
	put /proc/ltt-test-markers "7 $SEQUENCES"
	end $signal
	assert_eq "$signal: every event is on disk" "$(driver_emitted)" "$(on_disk)"
	assert_eq 'the trace goes on' running "$(cat "$DBG/traces/t/state")"
done

# The same while the driver goes on, faster than a sub-buffer is read.
emit() { put /proc/ltt-test-markers "500 $SEQUENCES"; }
serve
: > storm
while_stormy emit &
emitter=$!
has_grown() { [ "$(events_count t bytes)" -gt $((grown + 300000)) ]; }
grown=$(events_count t bytes)
assert 'the driver emits' wait_until 20 has_grown
# Exact when the trace stands still; the driver's own count is behind, never ahead.
least=$(($(driver_emitted) - $(events_count t refused) - 1))
end TERM
assert "no less than $least events are on disk" [ "$(on_disk)" -ge $least ]
rm storm
wait $emitter

serve
lttctl stop t
stored=$(events_count t stored)
assert_conserved t
put "$DBG/traces/remove" t
assert 'lttd ends with the trace' wait $lttd
assert_eq 'the next lttd has the rest' "$stored" "$(on_disk)"
assert_sequential out
rmmod ltt-test-markers
unload_modules
