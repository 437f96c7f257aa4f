#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The cost of an event of LTT, in a VM with --icount. In files of $OUT:
#
#	ltt-discard ltt-overwrite ltt-2traces ltt-4traces ltt-8traces
#	ltt-full ltt-outside-tasks ltt-outside-cpus ltt-inside-tasks ltt-inside-cpus
#	site not-started stopped	lines "CASE COMMON MEAN" of ltt-test-cost
#	site-alone			the same of int2, with a probe that does nothing
#	enabled-1 ... enabled-1000	the mean cost of so many events in turn

. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-cost.sh"

many=/sys/kernel/debug/ltt-test-many

with_traces()		# name of the file, overwrite, traces...
{
	file=$OUT/$1 overwrite=$2
	shift 2
	for trace; do cost_trace "$trace" "$overwrite" 'cost:*'; done
	measure $COST "$file" "$@"
	for trace; do put $DBG/traces/remove "$trace"; done
}

enabled_events()	# number, pattern
{
	cost_trace many 0 "$2"
	echo "$1" > $many/count
	measure $many/cost "$OUT/enabled-$1" many
	put $DBG/traces/remove many
}

load_cost
insmod "$LTT/tests/modules/many/ltt-test-many.ko"
at_exit 'rmmod ltt-test-many'

cat $COST > "$OUT/site"
with_traces ltt-discard 0 a
with_traces ltt-overwrite 1 a
with_traces ltt-2traces 0 a b
with_traces ltt-4traces 0 a b c d
with_traces ltt-8traces 0 a b c d e f g h
without_running_trace "$OUT"
refused_cost "$OUT/ltt-full"
cat $COST_SITE > "$OUT/site-alone"
limit_groups
limited_out "$OUT/ltt-outside-tasks" absent
limited_out "$OUT/ltt-outside-cpus" other
limited_in "$OUT/ltt-inside-tasks" all
limited_in "$OUT/ltt-inside-cpus" this
enabled_events 1 many:e000
enabled_events 10 'many:e00?'
enabled_events 100 'many:e0??'
enabled_events 1000 'many:*'
