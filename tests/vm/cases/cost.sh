#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: what an event costs, in instructions: no more than LTT promises
# vm: --icount
# requires: ltt-test-cost.ko
# timeout: 2000
#
# With -icount the TSC counts instructions, so the figures are exact. Whenever the
# guest waits for a file its clock leaps ahead: hence the time-out, in its seconds.
# "make bench" does the same at length, and with other tracers beside.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-cost.sh"

TOLERANCE=3	# percent: compilers differ

tenths()	# file, case: of an instruction, in the common case
{
	awk -v name="$2" '$1 == name { sub(/\./, "", $2); print $2 }' "$OUT/$1"
}

at_most()	# file, case, limit
{
	cost=$(tenths "$1" "$2")
	assert "$1: $2 costs ${cost%?}.${cost#"${cost%?}"}, at most $3" \
		[ $((cost * 100)) -le $(($3 * 10 * (100 + TOLERANCE))) ]
}

with_traces()	# name of the file, overwrite, traces...
{
	file=$1 overwrite=$2
	shift 2
	for trace; do cost_trace "$trace" "$overwrite" 'cost:*'; done
	measure $COST "$OUT/$file" "$@"
	for trace; do put $DBG/traces/remove "$trace"; done
	while read -r case common mean; do
		echo "figure: $file: $case: $common instructions, $mean in the mean"
	done < "$OUT/$file"
}

load_cost
cat $COST > "$OUT/disabled"
for case in none int2 intstr bytes32 marker-int2; do
	at_most disabled $case 1
done

with_traces discard 0 a
with_traces overwrite 1 a
for mode in discard overwrite; do
	at_most $mode int2 100
	at_most $mode marker-int2 110
	at_most $mode intstr 160
	at_most $mode marker-intstr 160
done

with_traces traces-2 0 a b
with_traces traces-4 0 a b c d
for case in none int2 intstr bytes32 marker-int2; do
	one=$(tenths discard $case)
	at_most traces-2 $case $(((2 * one + 9) / 10))
	at_most traces-4 $case $(((4 * one + 9) / 10))
done
