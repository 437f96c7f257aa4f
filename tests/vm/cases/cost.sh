#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: an event costs no more instructions than LTT promises
# vm: --icount
# requires: lttctl ltt-test-cost.ko
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
	# Hundreds of awks would take a third of the time of this case.
	while read -r name common _; do
		[ "$name" != "$2" ] || echo "${common%.*}${common#*.}"
	done < "$OUT/$1"
}

at_most()	# file, case, limit
{
	cost=$(tenths "$1" "$2")
	limit=$(($3 + kernels))
	assert "$1: there is a figure of $2" [ -n "$cost" ]
	assert "$1: $2 costs ${cost%?}.${cost#"${cost%?}"}, at most $limit" \
		[ $((cost * 100)) -le $((limit * 10 * (100 + TOLERANCE))) ]
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
kernels=0
cat $COST > "$OUT/disabled"
without_running_trace "$OUT"
for file in disabled not-started stopped; do
	for case in none int2 intstr bytes32 marker-int2; do
		at_most $file $case 1
	done
done

# A probe that does nothing shows what the kernel's own site takes.  Kernels that call probes with
# preemption on, and those with PREEMPT_RT, have a longer site; in the former a probe switches
# preemption off and on.
cat $COST_SITE > "$OUT/site"
site=$(tenths site int2)
assert 'the site of the kernel is measured' [ "$site" -gt 0 ]
echo "figure: site: int2: ${site%?}.${site#"${site%?}"} instructions with a probe that does nothing"
if [ "$site" -gt 170 ]; then
	kernels=$(((site - 170) / 10))
	[ $kernels -ge 8 ] || kernels=8
fi

with_traces discard 0 a
with_traces overwrite 1 a
for mode in discard overwrite; do
	at_most $mode int2 78
	at_most $mode marker-int2 79
	at_most $mode intstr 150
	at_most $mode marker-intstr 141
done

# With a filter: one comparison, which drops the event, or lets it pass; and the name of the thread,
# which is that of cat: its beginning, a part of it, and its end.
filtered_cost "$OUT/filter-false" 'a > 100' filtered
filtered_cost "$OUT/filter-true" 'a < 100' stored
filtered_cost "$OUT/filter-comm-false" 'comm ~ "kworker*"' filtered
filtered_cost "$OUT/filter-comm-true" 'comm ~ "cat*"' stored
filtered_cost "$OUT/filter-part-false" 'comm ~ "*at0*"' filtered
filtered_cost "$OUT/filter-end-false" 'comm ~ "c*s"' filtered
for file in filter-false filter-true filter-comm-false filter-comm-true filter-part-false filter-end-false; do
	grep int2 "$OUT/$file" | while read -r case common mean; do
		echo "figure: $file: $case: $common instructions, $mean in the mean"
	done
done
for case in int2 marker-int2; do
	at_most filter-false $case 90
	at_most filter-true $case 140
	at_most filter-comm-false $case $((90 + 50))
	at_most filter-comm-true $case $((140 + 50))
	at_most filter-part-false $case 190
	at_most filter-end-false $case 177
done

# An event that a full buffer refuses costs less than one that it stores.
refused_cost "$OUT/refused"
while read -r case common mean; do
	echo "figure: refused: $case: $common instructions, $mean in the mean"
done < "$OUT/refused"
for case in none int2 bytes32 marker-none marker-int2; do
	at_most refused $case 60
done
for case in intstr marker-intstr; do	# the text is not even looked at
	at_most refused $case 50
done

# Where a trace is limited, what it does not record costs little, however many members
# the group has.  Most of that is the site of the kernel, which calls the probe; a probe that
# does nothing shows it.  (A probe that calls functions saves registers first; a marker site
# builds a payload of integers.)  What it records costs not much more than without a limit.
limit_groups
limited_out "$OUT/outside-tasks" absent
limited_out "$OUT/outside-cpus" other
limited_out "$OUT/outside-cpus-only" all other
limited_in "$OUT/limited-tasks" all
limited_in "$OUT/limited-cpus" this
limited_in "$OUT/limited-both" all this
for file in outside-tasks outside-cpus outside-cpus-only limited-tasks limited-cpus \
	limited-both; do
	while read -r case common mean; do
		echo "figure: $file: $case: $common instructions, $mean in the mean"
	done < "$OUT/$file"
done
for file in outside-tasks outside-cpus outside-cpus-only; do
	for case in none int2 bytes32; do
		at_most $file $case 26
	done
	at_most $file intstr 34
	at_most $file marker-int2 33
	at_most $file marker-intstr 35
	gate=$(($(tenths "$file" int2) - site))
	assert "$file: the gate costs ${gate%?}.${gate#"${gate%?}"}, at most $((10 + kernels))" \
		[ $gate -le $((100 + kernels * 10)) ]
done
for file in limited-tasks limited-both; do
	at_most $file int2 82
	at_most $file marker-int2 83
done
at_most limited-cpus int2 78
at_most limited-cpus marker-int2 79

# An event that two traces would record and that is outside the limits of both: each is asked,
# with the payload built.
limited_out_of_two "$OUT/outside-two" absent
while read -r case common mean; do
	echo "figure: outside-two: $case: $common instructions, $mean in the mean"
done < "$OUT/outside-two"
for case in none int2 bytes32 marker-int2; do
	at_most outside-two $case 70
done
at_most outside-two intstr 135
at_most outside-two marker-intstr 116

# Each further trace takes no more than the event alone, and 4 instructions for the way
# to it.
further()	# file, its traces, file, its traces, case
{
	more=$((($(tenths "$3" "$5") - $(tenths "$1" "$5")) / ($4 - $2)))
	limit=$(($(tenths discard "$5") + 40))
	assert "$3: $5: a further trace takes ${more%?}.${more#"${more%?}"}, at most ${limit%?}" \
		[ $((more * 100)) -le $((limit * (100 + TOLERANCE))) ]
}

with_traces traces-2 0 a b
with_traces traces-4 0 a b c d
for case in int2 intstr bytes32 marker-int2 marker-intstr; do
	further discard 1 traces-2 2 $case
	further traces-2 2 traces-4 4 $case
done
