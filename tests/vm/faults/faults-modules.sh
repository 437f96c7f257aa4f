#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: whatever a module asks the kernel for as it is loaded may fail: it is not loaded, then
# vm: --slub-debug --smp 1
# requires: ltt-test-nth.ko ltt-sample.ko
# timeout: 900
#
# Or it is loaded without, and can be unloaded.
. "$LTT/tests/vm/lib.sh"

unload_modules
insmod "$LTT/tests/modules/nth/ltt-test-nth.ko"
at_exit 'rmmod ltt-test-nth'
files=
# Last the one with the many markers: each costs folders.
for layer in timestamp relay markers tracer heartbeat control instrument; do
	files="$files $(ls "$LTT/modules/$layer"/ltt-*.ko)"
done
# And a driver with markers of its own, which is loaded without them if need be.
files="$files $LTT/samples/ltt-sample.ko"
# shellcheck disable=SC2086
checks_of nth modules $files
