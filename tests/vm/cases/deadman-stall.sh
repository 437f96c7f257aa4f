#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a trace under which a CPU runs no task and no timer is stopped by another CPU
# requires: ltt-control.ko ltt-test-hog.ko
# vm: --smp 2
# timeout: 120
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"
. "$LTT/tests/vm/lib-deadman.sh"

# D2: any share would do for D1.
put $limits/deadman_seconds 2
put $limits/deadman_percent 0
# A busy host lets a virtual CPU do little in a second.
put $limits/deadman_stall_percent 0
at_exit "put $limits/deadman_stall_percent 10"
at_exit "put $limits/deadman_percent 50"
# Where workers may run that are not bound to a CPU: on the worst one.
unbound=/sys/devices/virtual/workqueue/cpumask
at_exit "put $unbound $(cat $unbound)"
put $unbound 2
make_trace greedy hog:event
make_trace modest sched:sched_switch
put /proc/ltt-test-hog 'stall 1'
assert 'a CPU that does nothing else is given back' wait_until 60 is_over
assert_match 'by the deadman' 'ended by itself$' "$(cat /proc/ltt-test-hog)"
assert 'the trace was stopped' wait_until 5 is_stopped greedy
assert_match 'and its statistics have the reason' \
	'^halted deadman: .*[0-9]+% .*CPU 1' \
	"$(grep ^halted $DBG/traces/greedy/stats)"
assert_conserved greedy
assert_eq 'the other trace goes on' running "$(state_of modest)"
