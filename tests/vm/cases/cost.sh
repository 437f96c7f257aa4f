#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: an event costs no more instructions than LTT promises
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
	assert "$1: there is a figure of $2" [ -n "$cost" ]
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
without_running_trace "$OUT"
for file in disabled not-started stopped; do
	for case in none int2 intstr bytes32 marker-int2; do
		at_most $file $case 1
	done
done

with_traces discard 0 a
with_traces overwrite 1 a
for mode in discard overwrite; do
	at_most $mode int2 100
	at_most $mode marker-int2 110
	at_most $mode intstr 160
	at_most $mode marker-intstr 160
done

# An event that a full buffer refuses costs less than one that it stores.  A marker site builds its
# string before it looks at the buffer.
refused_cost "$OUT/refused"
while read -r case common mean; do
	echo "figure: refused: $case: $common instructions, $mean in the mean"
done < "$OUT/refused"
for case in none int2 intstr bytes32; do
	at_most refused $case 60
done
at_most refused marker-int2 75

# Where a trace is limited, what it does not record costs little, however many members
# the group has; and what it records, not much more than without.
put $DBG/groups "tasks nobody $(seq -f 'comm:nobody-%g' 64 | tr '\n' ' ')"
put $DBG/groups 'tasks all comm:*'
put $DBG/groups 'cpus all-cpus 0'
at_exit "for g in nobody all all-cpus; do put $DBG/groups !\$g; done"
cost_trace limited 0 'cost:*'
put $DBG/traces/limited/limit @nobody
put $DBG/traces/limited/state start
cat $COST > "$OUT/limited-out"
assert_eq 'no event of a thread outside the group' 0 \
	"$(awk '$1 == "events" { n += $4 } END { print n }' $DBG/traces/limited/stats)"
put $DBG/traces/limited/state stop
put $DBG/traces/remove limited
limited_in()	# name of the file, groups...
{
	file=$1
	shift
	cost_trace limited 0 'cost:*'
	for group; do put $DBG/traces/limited/limit "@$group"; done
	measure $COST "$OUT/$file" limited
	put $DBG/traces/remove limited
}

limited_in limited-tasks all
limited_in limited-cpus all-cpus
limited_in limited-both all all-cpus
for file in limited-out limited-tasks limited-cpus limited-both; do
	while read -r case common mean; do
		echo "figure: $file: $case: $common instructions, $mean in the mean"
	done < "$OUT/$file"
done
at_most limited-out int2 55
at_most limited-out marker-int2 65
for file in limited-tasks limited-cpus; do
	at_most $file int2 85
	at_most $file marker-int2 97
done
at_most limited-both int2 95

# Each further trace takes no more than the event alone.  (Without a payload that is
# so little that the way to a second trace takes 3 instructions more.)
further()	# file, its traces, file, its traces, case
{
	more=$((($(tenths "$3" "$5") - $(tenths "$1" "$5")) / ($4 - $2)))
	alone=$(tenths discard "$5")
	assert "$3: $5: a further trace takes ${more%?}.${more#"${more%?}"}, at most ${alone%?}" \
		[ $((more * 100)) -le $((alone * (100 + TOLERANCE))) ]
}

with_traces traces-2 0 a b
with_traces traces-4 0 a b c d
for case in int2 intstr bytes32 marker-int2 marker-intstr; do
	further discard 1 traces-2 2 $case
	further traces-2 2 traces-4 4 $case
done
