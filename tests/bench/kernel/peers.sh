#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The cost of an event of each other tracer, in a VM with --icount, at the tracepoints
# of ltt-test-cost, with no other tracer active. In files of $OUT:
#
#	TOOL		lines "CASE COMMON MEAN" of ltt-test-cost, and "recorded N": the
#			events that the tool has by its own account
#	TOOL.error	the rest of its output

. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-cost.sh"

tsc_is_the_clock()
{
	grep -qx tsc /sys/devices/system/clocksource/clocksource0/current_clocksource
}

peer()		# tool, script, arguments...
{
	tool=$1 script=$LTT/tests/bench/kernel/peer-$2.sh
	shift 2
	sh -eu "$script" "$COST" "$@" > "$OUT/$tool" 2> "$OUT/$tool.error" || echo "$tool failed"
}

load_cost
# The kernel changes to it a second after it booted.
assert 'the clock source is the TSC' wait_until 1000 tsc_is_the_clock

peer ftrace-tsc ftrace x86-tsc
peer ftrace-mono ftrace mono
for what in full outside-tasks outside-cpus inside-tasks inside-cpus; do
	peer ftrace-$what ftrace-limits $what
done
peer perf perf
peer bpf bpf
peer lttng-discard lttng discard
peer lttng-overwrite lttng overwrite
