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

# with_filter NAME EXPRESSION WORD LIMIT: see filtered_cost
with_filter()
{
	filtered_cost "$OUT/filter-$1" "$2" "$3"
	grep int2 "$OUT/filter-$1" | while read -r case common mean; do
		echo "figure: filter-$1: $case: $common instructions, $mean in the mean"
	done
	for case in int2 marker-int2; do at_most "filter-$1" $case "$4"; done
}

# With a filter: one comparison, which drops the event, or lets it pass; and the name of the thread,
# which is that of cat: its beginning, a part of it, and its end.
with_filter false 'a > 100' filtered 90
with_filter true 'a < 100' stored 140
with_filter comm-false 'comm ~ "kworker*"' filtered $((90 + 50))
if [ "${LTT_LONG-}" ]; then
	with_filter comm-true 'comm ~ "cat*"' stored $((140 + 50))
	with_filter part-false 'comm ~ "*at0*"' filtered 190
	with_filter end-false 'comm ~ "c*s"' filtered 177
fi

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

# with_limit NAME FUNCTION GROUP...: limited_out or another such function, with those groups
with_limit()
{
	file=$1 function=$2
	shift 2
	$function "$OUT/$file" "$@"
	while read -r case common mean; do
		echo "figure: $file: $case: $common instructions, $mean in the mean"
	done < "$OUT/$file"
}

# Where a trace is limited, what it does not record costs little, however many members
# the group has.  Most of that is the site of the kernel, which calls the probe; a probe that
# does nothing shows it.  (A probe that calls functions saves registers first; a marker site
# builds a payload of integers.)
outside()	# name, group...
{
	with_limit "$1" limited_out "$2" ${3-}
	for case in none int2 bytes32; do
		at_most "$1" $case 26
	done
	at_most "$1" intstr 34
	at_most "$1" marker-int2 33
	at_most "$1" marker-intstr 35
	gate=$(($(tenths "$1" int2) - site))
	assert "$1: the gate costs ${gate%?}.${gate#"${gate%?}"}, at most $((10 + kernels))" \
		[ $gate -le $((100 + kernels * 10)) ]
}

# An event that a limited trace records costs not much more than one of a trace without a limit.
inside()	# name, limit of an event, group...
{
	file=$1 more=$2
	shift 2
	with_limit "$file" limited_in "$@"
	at_most "$file" int2 "$more"
	at_most "$file" marker-int2 $((more + 1))
}

limit_groups
outside outside-tasks absent
outside outside-cpus other
inside limited-both 82 all this
if [ "${LTT_LONG-}" ]; then
	outside outside-cpus-only all other
	inside limited-tasks 82 all
	inside limited-cpus 78 this

	# An event that two traces would record and that is outside the limits of both: each is asked,
	# with the payload built.
	with_limit outside-two limited_out_of_two absent
	for case in none int2 bytes32 marker-int2; do
		at_most outside-two $case 70
	done
	at_most outside-two intstr 135
	at_most outside-two marker-intstr 116
fi

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
for case in int2 intstr bytes32 marker-int2 marker-intstr; do
	further discard 1 traces-2 2 $case
done
if [ "${LTT_LONG-}" ]; then
	with_traces traces-4 0 a b c d
	for case in int2 intstr bytes32 marker-int2 marker-intstr; do
		further traces-2 2 traces-4 4 $case
	done
fi
