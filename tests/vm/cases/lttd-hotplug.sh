#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttd serves a CPU that comes while it runs, and keeps the events of a CPU that goes
# vm: --loaded
# faces: debugfs
# also: device
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

cpu1=/sys/devices/system/cpu/cpu1/online
[ -e "$cpu1" ] || skip 'there is no second CPU to take away'
load_modules
cd "$TMP"
at_exit "echo 1 > $cpu1"
echo 0 > "$cpu1"

lttctl create -o out -e 'sched:*' -e 'raw_syscalls:*' --size 64k t
lttctl start t
echo 1 > "$cpu1"
assert 'lttd takes the buffer of the new CPU' wait_until 20 test -e out/kernel/events_1
taskset -c 1 ls -R /sys/bus > /dev/null
echo 0 > "$cpu1"
ls / > /dev/null
echo 1 > "$cpu1"
taskset -c 1 ls / > /dev/null
lttctl stop t
assert_conserved t
emitted=$(trace_total t emitted)
assert_eq 'nothing is lost' 0 "$(trace_total t refused)"
lttctl destroy t
assert_whole out "$emitted"
assert_sequential out
assert "there are events of the new CPU" grep -q "cpu_id = 1 }" "$TMP/text"

unload_modules
