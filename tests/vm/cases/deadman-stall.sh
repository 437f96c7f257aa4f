#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
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
# Workers that are not bound to a CPU run on the hog's CPU, the worst one.
unbound=/sys/devices/virtual/workqueue/cpumask
at_exit "put $unbound $(cat $unbound)"
put $unbound 2
assert_halted stall 1 60
