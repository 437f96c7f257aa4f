#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: over a suspension the clock never goes backwards, and shows the right time afterwards
# when: all
# vm: --parallel
# requires: ltt-timestamp.ko ltt-test-clock.ko
# timeout: 60
#
# Here only the preparation and its undoing: the shared root would not survive
# more. The suspensions themselves are rehearsed in clock-suspend.host, in a VM
# that has only an initramfs.
. "$LTT/tests/vm/lib-clock.sh"

[ -e /sys/power/pm_test ] || skip 'this kernel cannot rehearse suspensions (PM_DEBUG)'
at_exit 'echo none > /sys/power/pm_test'
echo 1 > /sys/module/suspend/parameters/pm_test_delay
echo freezer > /sys/power/pm_test

for clock in tsc mono; do
	load_clock "clock=$clock"
	assert "clock=$clock goes right" clock_goes slack_us=20000 watch=1 run_ms=200
	assert 'tasks are frozen and thawed' sh -c 'echo freeze > /sys/power/state'
	assert "clock=$clock goes right after it" clock_still_goes
	drop ltt-test-clock
	unload_modules
done
