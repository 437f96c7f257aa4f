#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a module whose allocation fails while it is loaded is not loaded
# vm: --slub-debug --smp 1
# requires: ltt-test-nth.ko ltt-sample.ko
# timeout: 900
#
# Where the module can do without the allocation, it is loaded, and can be unloaded.
. "$LTT/tests/vm/lib.sh"

unload_modules
insmod "$LTT/tests/modules/nth/ltt-test-nth.ko"
at_exit 'rmmod ltt-test-nth'

# A clock of 32 bits takes more than the others.
checks_of nth modules "$LTT/modules/timestamp/ltt-timestamp.ko clock=test32"
rmmod ltt-timestamp
files=
# Last the one with the many markers: each costs folders.
for layer in timestamp relay markers tracer heartbeat control instrument; do
	files="$files $(ls "$LTT/modules/$layer"/ltt-*.ko)"
done
# And a driver with markers of its own, which is loaded without them if need be.
files="$files $LTT/samples/ltt-sample.ko"
# shellcheck disable=SC2086
checks_of nth modules $files


# A second driver with the same marker, which is recorded.
put "$DBG/traces/create" t
at_exit "put $DBG/traces/remove t"
put "$DBG/traces/t/events" 'twin:*'
put "$DBG/traces/t/state" start
checks_of nth modules "$LTT/tests/modules/markers/ltt-test-twin-a.ko" "$LTT/tests/modules/markers/ltt-test-twin-b.ko"
rmmod ltt-test-twin-a ltt-test-twin-b

# Files that a folder lacked when its marker came are made a second later.
rmmod ltt-sample
for n in $(seq 60); do
	# Its own allocation may be the one that fails.
	sh -c 'echo "$0 1" > /proc/ltt-test-nth; exec insmod "$1"' "$n" "$LTT/samples/ltt-sample.ko" 2> /dev/null ||
		continue
	[ "$(head -c 1 /proc/ltt-test-nth)" != 0 ] || break
	for marker in $(lttctl --via device markers 'sample:*' | sed 's/^[a-z]* *sample://'); do
		wait_until 30 test -e "$DBG/markers/sample/$marker/info"
	done
	rmmod ltt-sample
done
assert "each of $((n - 1)) failures but delays a folder" [ "$n" -gt 10 ]
rmmod ltt-sample
