#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a filter with on_stack() records the events of which the recorded stack has the function
# when: all
# vm: --loaded
# requires: lttctl lttd ltt-control.ko ltt-sample.ko /sys/kernel/btf/vmlinux
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

load_modules
load ltt-sample
cd "$TMP"

open='sh -c ": > /dev/ltt-sample"'
for i in 1 2 3; do echo "$open"; done > act

# Two traces of the same events, of which the second has a filter.
lttctl create --context kernel_stack:64 -o stacks -e sched:sched_switch -e sample:open stacks 2> said || cat said
lttctl create --context kernel_stack:64 -o filtered -e sched:sched_switch -f 'prev_pid > 1 && on_stack("do_exit")' \
	-e sample:open -f 'on_stack("ksys_read", "chrdev_open") && !on_stack("ksys_read")' filtered 2> said || cat said
lttctl start stacks
lttctl start filtered
sh act
for trace in stacks filtered; do
	lttctl stop $trace
	lttctl destroy $trace 2> said || cat said
	lttctl view $trace > $trace.view
done

# exits TRACE: the switches from threads of the act in do_exit()
exits() { grep 'sched_switch: .*prev_comm="sh".*[[ ]do_exit+' $1.view | grep -o 'prev_comm=.*next_prio=[0-9]*' || :; }
exits stacks > expected
exits filtered > recorded
assert 'threads exit' [ "$(wc -l < expected)" -ge 3 ]
assert 'the switches in an exit are recorded' diff expected recorded
refute 'and no others' sh -c 'grep sched_switch: filtered.view | grep -v "[[ ]do_exit+"'
assert_eq 'a driver is called from there' 3 "$(grep -c sample:open: filtered.view)"

lttctl count --json -e sample:open -f 'on_stack("chrdev_open")' --by 'on_stack("do_exit")' -- sh act > table 2> said || cat said
assert_match 'a table' '"count": *3' "$(cat table)"

# refused EXPRESSION SENTENCE
refused()
{
	status=0
	lttctl record -o no -e sample:open -f "$1" -- true 2> said || status=$?
	assert "$1 is an error" [ $status -ne 0 ]
	assert_match "$1: the sentence" "$2" "$(cat said)"
}
refused 'on_stack("no_function_here")' 'column 10.*no_function_here'
refused 'on_stack(do_exit)' 'column 10.*quotes'
status=0
lttctl view -f 'on_stack("do_exit")' stacks > view 2> said || status=$?
assert 'view has none' [ $status -ne 0 ]
assert_match 'view: the sentence' 'column 1.*kernel' "$(cat said)"

rmmod ltt-sample
assert 'everything can be unloaded' unload_modules
