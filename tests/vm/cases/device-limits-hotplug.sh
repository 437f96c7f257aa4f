#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: the buffers of a CPU that comes up later count for their user, and are not made beyond the user's limit
# vm: --parallel --append maxcpus=1
# requires: ltt-control.ko
# timeout: 120
. "$LTT/tests/vm/lib.sh"

cpu1=/sys/devices/system/cpu/cpu1/online
[ "$(cat /sys/devices/system/cpu/online)" = 0 ] || skip 'there is more than one CPU up'
[ -e $cpu1 ] || skip 'there is no second CPU'

at_exit "echo 0 > $cpu1"
load_modules
checks_of device-limits hotplug $cpu1
assert_match 'the kernel says that there is no buffer' 'CPU 1\>.*EDQUOT' "$(dmesg)"
assert 'everything can be unloaded' unload_modules
