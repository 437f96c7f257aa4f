#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: every event reaches the sink once and in order, from tasks, softirqs and hardirqs that nest, on 4 CPUs
# vm: --smp 4
# timeout: 90
# requires: ltt-markers.ko ltt-test-sink.ko ltt-test-markers.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load ltt-test-markers period_us=20
load ltt-markers
load ltt-test-sink
put /proc/ltt-test-markers 100
assert_eq 'a disabled marker evaluates nothing' '' \
	"$(awk '$4 != 0' /proc/ltt-test-markers)"
put $SINK '+test:*'
put /proc/ltt-test-markers '5000 task text softirq hardirq'

for sequence in task text softirq hardirq; do
	emitted=$(awk -v sequence=$sequence '$1 == sequence { n += $4 } END { print n }' /proc/ltt-test-markers)
	assert_eq "test:$sequence: emitted on 4 CPUs" 20000 "$emitted"
	assert_eq "test:$sequence: all came" "$emitted" "$(tap test:$sequence calls)"
	assert_eq "test:$sequence: none was wrong, skipped or out of order" '0 0' \
		"$(tap test:$sequence bad) $(tap test:$sequence missing)"
done
assert_errno EINVAL put /proc/ltt-test-markers '10 nmi'
