# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# For the cases about exact counts: the statistics and the trace must agree with the counts of
# ltt-test-markers. Include it after lib.sh.
# shellcheck shell=sh

. "$LTT/tests/vm/lib-markers.sh"

SEQUENCES='task text softirq hardirq'

# begin TRACE SIZE COUNT OVERWRITE: a trace of the test driver's markers, running
begin()
{
	put "$DBG/traces/create" "$1"
	at_exit "put $DBG/traces/remove $1 2> /dev/null || :"
	put "$DBG/traces/$1/channels/events/subbuf_size" "$2"
	put "$DBG/traces/$1/channels/events/subbuf_count" "$3"
	put "$DBG/traces/$1/channels/events/overwrite" "$4"
	put "$DBG/traces/$1/events" 'test:*'
	put "$DBG/traces/$1/state" start
}

# The number of events that the driver has emitted.
driver_emitted()
{
	awk '{ n += $4 } END { print n + 0 }' /proc/ltt-test-markers
}

# Its markers, on all CPUs.
driver_sequences()
{
	wc -l < /proc/ltt-test-markers
}

# events_count TRACE WORD: of the channel events, all CPUs
events_count()
{
	awk -v word="$2" '$1 == "events" { for (i = 3; i < NF; i += 2) if ($i == word) n += $(i + 1) }
		END { print n + 0 }' "$DBG/traces/$1/stats"
}

# Does an lttd hold all buffers of the trace?
serves_all()	# trace
{
	read -r held rest 2> /dev/null < /run/ltt/"$1" &&
		[ "$held" -eq "$(ls "$DBG/traces/$1" | grep -c '_[0-9]*$')" ]
}

# Leave the host what it needs: the trace in $OUT/NAME, the driver's counts and
# the statistics beside it. The trace ends here.
hand_over()	# trace, name
{
	cp /proc/ltt-test-markers "$OUT/$2.emitted"
	cp "$DBG/traces/$1/stats" "$OUT/$2.stats"
	lttd -o "$OUT/$2" "$1" > "$OUT/$2.lttd" 2>&1 &
	lttd=$!
	wait_until 20 serves_all "$1"
	put "$DBG/traces/remove" "$1"
	assert "lttd drains $2" wait $lttd
}
