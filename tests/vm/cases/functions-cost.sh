#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: recording the entry of a function takes at most 30 % of the instructions of ftrace's function tracer, a call by function_graph less than ftrace's
# vm: --icount
# requires: ltt-control.ko ltt-probes.ko ltt-test-functions.ko /sys/kernel/tracing/available_filter_functions
# when: all
# timeout: 300
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-cost.sh"

CALL=$DBG/../ltt-test-functions
TRACING=/sys/kernel/tracing

# Both with the filter on one function, so that each has a trampoline of its own.
load_modules clock=tsc
insmod "$LTT/tests/modules/functions/ltt-test-functions.ko"

figure()	# name, tenths
{
	echo "figure: $1: ${2%?}.${2#"${2%?}"} instructions"
}

put $DBG/probes 'function:inner ltt_test_inner'
put $DBG/traces/create cost
put $DBG/traces/cost/channels/events/subbuf_size 1M
put $DBG/traces/cost/events function:inner
put $DBG/traces/cost/state start
ltt=$(cat $CALL)
put $DBG/traces/cost/state stop
assert_eq 'LTT records each call' 5000 \
	"$(awk '$1 == "events" { n += $6 } END { print n }' $DBG/traces/cost/stats)"
put $DBG/traces/remove cost
put $DBG/probes '!function:inner'
figure 'function, LTT' "$ltt"

echo ltt_test_inner > $TRACING/set_ftrace_filter
at_exit "echo nop > $TRACING/current_tracer; echo > $TRACING/set_ftrace_filter"
echo function > $TRACING/current_tracer
ftrace=$(cat $CALL)
echo nop > $TRACING/current_tracer
figure 'function, ftrace' "$ftrace"

echo "figure: function, LTT / ftrace: $((ltt * 100 / ftrace)) %"
assert "at most 30 % of ftrace, and $(rt_more) instructions" [ $((ltt * 100)) -le $((ftrace * 30 + $(rt_more) * 1000)) ]

# The graph: two events for each call.  register_fprobe() is for modules from 6.6 on.
if grep -q ' register_fprobe$' /proc/kallsyms; then
	put $DBG/probes 'function_graph:inner ltt_test_inner'
	put $DBG/traces/create cost
	put $DBG/traces/cost/channels/events/subbuf_size 1M
	put $DBG/traces/cost/events function_graph:inner
	put $DBG/traces/cost/state start
	ltt=$(cat $CALL)
	put $DBG/traces/cost/state stop
	assert_eq 'LTT records the entry and the exit of each call' 10000 \
		"$(awk '$1 == "events" { n += $6 } END { print n }' $DBG/traces/cost/stats)"
	put $DBG/traces/remove cost
	put $DBG/probes '!function_graph:inner'
	figure 'function_graph, LTT' "$ltt"

	echo function_graph > $TRACING/current_tracer
	ftrace=$(cat $CALL)
	echo nop > $TRACING/current_tracer
	figure 'function_graph, ftrace' "$ftrace"
	assert 'less than ftrace' [ "$ltt" -lt "$ftrace" ]
fi
rmmod ltt-test-functions
