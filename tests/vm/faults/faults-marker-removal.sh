#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a trace that is destroyed while the kernel has no memory for a shorter list of probes is not used any more
# vm: --slub-debug --smp 1
# requires: ltt-test-nth.ko ltt-test-twin-a.ko
# timeout: 400
#
# The kernel then keeps the probe in the list, and slub_debug has the freed memory of the trace
# overwritten, so that a site which reads it cannot go on.
. "$LTT/tests/vm/lib.sh"

insmod "$LTT/tests/modules/nth/ltt-test-nth.ko"
at_exit 'rmmod ltt-test-nth'
load_modules
insmod "$LTT/tests/modules/markers/ltt-test-twin-a.ko"
at_exit 'rmmod ltt-test-twin-a'

more_than()
{
	[ "$(trace_total stays emitted)" -gt "$1" ]
}

put "$DBG/traces/create" stays
at_exit "put $DBG/traces/remove stays"
put "$DBG/traces/stays/events" 'twin:*'
put "$DBG/traces/stays/state" start
failures=0
for n in $(seq 40); do
	put "$DBG/traces/create" goes
	put "$DBG/traces/goes/events" 'twin:*'
	put "$DBG/traces/goes/state" start
	sh -c 'echo "$0 1" > /proc/ltt-test-nth; printf goes > "$1"' "$n" "$DBG/traces/remove" || :
	failed=$(head -c 1 /proc/ltt-test-nth)
	! test -e "$DBG/traces/goes" || put "$DBG/traces/remove" goes
	wait_until 30 more_than "$(trace_total stays emitted)"
	[ "$failed" != 0 ] || break
	failures=$((failures + 1))
done
assert 'an allocation has failed while a trace was removed' test "$failures" -gt 0
assert 'the other trace goes on' wait_until 30 more_than "$(trace_total stays emitted)"
