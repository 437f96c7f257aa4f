#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: what an event costs that 1, 8 and 64 traces record, or could: each further trace adds the same
# vm: --icount --mem 2048
# when: all
# requires: lttctl ltt-test-cost.ko
# timeout: 2000
#
# doc/fleet.md has the figures.  The clock of the guest leaps ahead: see cost.sh.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-cost.sh"

cost_of() { awk '$1 == "int2" { print $2 }' "$OUT/$1"; }

# many_traces NUMBER [GROUP]: the event is recorded by that many traces, or is outside the limits of each
many_traces()
{
	number=$1 group=${2-}
	traces=$(seq -f t%.0f "$number")
	for trace in $traces; do
		if [ "$group" ]; then limited_trace "$trace" "$group"; else cost_trace "$trace" 0 'cost:*'; fi
	done
	if [ "$group" ]; then
		for trace in $traces; do put "$DBG/traces/$trace/state" start; done
		cat $COST > "$OUT/outside-$number"
		for trace in $traces; do
			put "$DBG/traces/$trace/state" stop
			assert_eq "$trace of $number: no event" 0 "$(events_sum "$trace" emitted)"
		done
		echo "figure: outside $number traces: int2: $(cost_of "outside-$number") instructions"
	else
		# Words.
		# shellcheck disable=SC2086
		measure $COST "$OUT/recorded-$number" $traces
		echo "figure: recorded by $number traces: int2: $(cost_of "recorded-$number") instructions"
	fi
	for trace in $traces; do put $DBG/traces/remove "$trace"; done
}

# linear FILE MOST: a further trace, from 8 to 64, costs no more
linear()
{
	each=$(awk "BEGIN { printf \"%.1f\", ($(cost_of "$1-64") - $(cost_of "$1-8")) / 56 }")
	assert "$1: a further trace costs $each instructions, at most $2" awk "BEGIN { exit $each > $2 }"
}

load_cost
limit_groups
for number in 1 8 64; do many_traces $number; done
for number in 1 8 64; do many_traces $number absent; done
linear recorded 85
linear outside 30
