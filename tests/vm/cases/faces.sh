#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttctl takes the face that works; for one that is asked for and does not work it prints an error that names the other
# requires: lttctl lttd babeltrace2 ltt-control.ko
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

lttctl --via debugfs create one
assert_eq 'a trace made by one face is visible to the other' 'one configuring' "$(lttctl --via device list)"
lttctl destroy --via=device one
assert_eq 'and the other way round' '' "$(lttctl list --via debugfs)"
lttctl --via device create two
assert_eq 'the environment names one, too' 'two configuring' "$(LTT_VIA=debugfs lttctl list)"
assert_eq 'a trace of debugfs' configuring "$(cat $DBG/traces/two/state)"
refute 'another is refused' env LTT_VIA=usb lttctl list 2> said
assert_match 'by its name' LTT_VIA "$(cat said)"

# By default, every trace records what was enabled, private ones included.
lttctl enable 'irq:*' sched:sched_switch
lttctl disable 'irq:irq_handler_exit'
for face in debugfs device; do
	lttctl --via $face record -o $face -e sched:sched_waking -- ls / > list 2> said
	lttctl view $face > view
	assert "$face: what was asked for is there" grep -q sched_waking view
	assert "$face: what is enabled by default is, too" grep -q sched_switch view
	refute "$face: what was disabled is not" grep -q irq_handler_exit view
done
lttctl disable 'irq:*' sched:sched_switch

# Both faces say the same of everything.
for command in list 'list --json' status markers 'markers --info sched:sched_switch' 'markers irq:*'; do
	# Words of a command.
	# shellcheck disable=SC2086
	lttctl --via debugfs $command > said
	assert "lttctl $command: it says something" [ -s said ]
	# shellcheck disable=SC2086
	assert_eq "lttctl $command: the same" "$(cat said)" "$(lttctl --via device $command)"
done
for refused in 'start none' 'create two' 'stop two' 'snapshot -o out two' 'disable -t two never' \
		'enable -t two !sched:*' 'enable !sched:*' \
		'create -p 4000000 three' 'create -p 4194305 three' 'create --size 2 three'; do
	# shellcheck disable=SC2086
	refute "lttctl --via debugfs $refused" lttctl --via debugfs $refused 2> said
	# shellcheck disable=SC2086
	refute "lttctl --via device $refused" lttctl --via device $refused 2> said2
	assert_eq "lttctl $refused: in the same words" "$(cat said)" "$(cat said2)"
done

# A group of events is a pattern in both.
put "$DBG/groups" 'events calls raw_syscalls:sys_enter raw_syscalls:sys_exit'
for face in debugfs device; do
	assert "$face: a group is recorded" lttctl --via $face record -o "group-$face" -e @calls -- sh -c 'ls / > list' 2> said
	assert "$face: it is read" decode "group-$face" text
	assert "$face: it has the group's events" grep -q 'sys_enter' text
done
put "$DBG/groups" '!calls'

# Without the device.
mv /dev/ltt /dev/ltt-hidden
at_exit 'mv /dev/ltt-hidden /dev/ltt 2> /dev/null || :'
assert_eq 'without the device, debugfs is used' 'two configuring' "$(lttctl list)"
assert 'also by record' lttctl record -o hidden -- sh -c 'ls / > list' 2> said
refute 'the device, if asked for, is not there' lttctl --via device list 2> said
assert_match 'lttctl names it' /dev/ltt "$(cat said)"
refute 'by lttd, too' lttd --via device -o out two 2> said
assert_match 'in the same words' /dev/ltt "$(cat said)"
mv /dev/ltt-hidden /dev/ltt

# Without debugfs.
lttctl destroy two
mount -t tmpfs none /sys/kernel/debug
at_exit 'umount /sys/kernel/debug'
assert_eq 'without debugfs, the device is used' '' "$(lttctl list)"
refute 'debugfs, if asked for, is not there' lttctl --via debugfs list 2> said
assert_match 'lttctl names it' debugfs "$(cat said)"
lttctl create -o out t
lttctl start t
ls / > list
lttctl stop t
assert_eq 'status' 'trace t: stopped' "$(lttctl status t | sed -n '1s/,.*//p')"
lttctl destroy t
assert 'all that takes a trace can be done' decode out text
assert_eq 'debugfs was not mounted for it' tmpfs "$(stat -f -c %T /sys/kernel/debug)"

unload_modules
