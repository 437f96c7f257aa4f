#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# timeout: 120
# when: all
# description: lttd reports a trace that is removed while it opens the buffers
# requires: lttd ltt-control.ko ltt-test-markers.ko
# vm: --parallel --smp 4
# faces: debugfs
# also: device
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

load_modules
load ltt-test-markers
cd "$TMP"

filled() { find "$1/kernel" -name '*_*' -size +0 | wc -l; }

# Removes the trace as soon as a file is there, with nothing but built-in commands between.
try()	# file
{
	round=$((round + 1))
	begin t 4K 4 0
	put /proc/ltt-test-markers "10 $SEQUENCES"
	put "$DBG/traces/t/state" stop
	buffers=$(grep -c '^[a-z]* [0-9]* emitted [1-9]' "$DBG/traces/t/stats")
	lttd -o $round t > $round.said 2>&1 &
	lttd=$!
	until [ -e "$round/kernel$1" ]; do
		kill -0 $lttd || die "lttd has ended: $(cat $round.said)"
	done
	echo t > "$DBG/traces/remove"
	if wait $lttd; then
		assert_eq "round $round: it has every buffer" "$buffers" "$(filled $round)"
		whole=$((whole + 1))
	else
		assert_match "round $round: it says what is lost" \
			'^lttd: .* t( |:)' \
			"$(tail -n 1 $round.said)"
		reported=$((reported + 1))
	fi
}

late() { try /metadata; [ $reported -gt 0 ]; }

whole=0 reported=0 round=0
for sign in '' /metadata /events_0 /events_3 /state_0; do
	try "$sign"
done
assert 'some are too late' wait_until 60 late
echo "$whole whole, $reported reported as incomplete"
rmmod ltt-test-markers
unload_modules
