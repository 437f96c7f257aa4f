#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the limits of a user and of a connection that doc/device.md lists
# requires: ltt-control.ko ltt-test-markers.ko
# timeout: 120
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

# Without ltt-tracepoints: LTT compares thousands of patterns with each marker.
for layer in ltt-timestamp ltt-relay ltt-markers ltt-tracer ltt-probes ltt-heartbeat ltt-control; do
	load $layer
done
load ltt-test-markers
checks_of device-limits
rmmod ltt-test-markers
assert 'everything can be unloaded' unload_modules
