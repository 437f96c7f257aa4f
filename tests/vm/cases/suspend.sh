#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a machine that is suspended while it is traced wakes up, and the trace is whole
# when: all
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# timeout: 120
#
# Here only programs are frozen, lttd among them: the shared root would not survive
# more. The deeper levels are rehearsed in suspend.host, in a VM that has only an
# initramfs.
. "$LTT/tests/vm/lib-record.sh"

[ -e /sys/power/pm_test ] || skip 'this kernel cannot rehearse suspensions (PM_DEBUG)'
at_exit 'echo none > /sys/power/pm_test'
echo 1 > /sys/module/suspend/parameters/pm_test_delay
echo freezer > /sys/power/pm_test

load_modules
cd "$TMP"
lttctl record --json -o out -e 'sched:*' -e 'power:*' -- sh -c 'echo freeze > /sys/power/state && sleep 0.1 &&
	echo freeze > /sys/power/state' > summary
assert_eq 'record ends well' 0 "$(json summary 'd["command_status"]')"
assert_eq 'nothing was lost' 0 "$(json summary 'd["total"]["refused"]')"
assert_whole out "$(json summary 'd["total"]["stored"]')"
assert_sequential out
assert 'the suspensions are in the trace' [ "$(grep -c ' suspend_resume: ' text)" -ge 4 ]
unload_modules
