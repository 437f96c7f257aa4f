#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a 32-bit clock is right on a CPU that comes late, and on one that was away for several wraps
# when: all
# vm: --parallel
# requires: ltt-heartbeat.ko ltt-control.ko ltt-test-clock.ko
# timeout: 60
. "$LTT/tests/vm/lib-clock.sh"

cpu1=/sys/devices/system/cpu/cpu1/online
[ -e "$cpu1" ] || skip 'there is no second CPU to take away'
at_exit "echo 1 > $cpu1"

echo 0 > "$cpu1"
load_modules clock=test32 test32_ghz=4
assert 'on the first CPU' clock_goes silence_ms=1000 run_ms=3000
echo 1 > "$cpu1"
assert 'on a CPU that came late' clock_still_goes
echo 0 > "$cpu1"
sleep 4	# several wraps
echo 1 > "$cpu1"
assert 'on a CPU that was away' clock_still_goes
