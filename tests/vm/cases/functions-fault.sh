#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: when ftrace has found a fault in itself, and cannot stop its calls any more, the probe of function: and its module stay, and so do kprobes that it calls
# requires: lttctl ltt-control.ko ltt-probes.ko ltt-test-functions.ko /sys/kernel/tracing/available_filter_functions
# vm: --warns
# timeout: 60
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

# The files of LTT go with ltt-control.
CALL=/sys/kernel/debug/ltt-test-functions

load_modules
load ltt-test-functions
cd "$TMP"
put $DBG/probes 'function:inner ltt_test_inner'
put $DBG/probes 'function:outer ltt_test_outer'
for name in inner outer; do
	put $DBG/traces/create $name
	put $DBG/traces/$name/events function:$name
done
# A kprobe at the entry of a function is called by ftrace.  The kernel calls this one to the end of the test.
put $DBG/probes 'kprobe:still do_sys_openat2'
put $DBG/traces/create still
put $DBG/traces/still/events kprobe:still
put $DBG/traces/still/state start
put $DBG/traces/inner/state start
put $CALL 'task 10'
put $CALL 'fault 0'
put $CALL 'task 10'
assert_eq 'calls go on when ftrace is out of order' 20 "$(events_count inner emitted)"
refute 'no other probe is armed' put $DBG/traces/outer/state start 2> /dev/null
refute 'and none is placed' put $DBG/probes 'function:new ltt_test_outer' 2> /dev/null
put $DBG/traces/inner/state stop
# The kernel warns that it cannot disarm the kprobe, which would end the VM, or count as a fault on its console.
level=$(cut -f1 /proc/sys/kernel/printk)
dmesg -n 1
put /proc/sys/kernel/panic_on_warn 0
put $DBG/traces/still/state stop
put $DBG/traces/remove still
put $DBG/probes '!kprobe:still'
put /proc/sys/kernel/panic_on_warn 1
dmesg -n "$level"
for name in inner outer; do
	put $DBG/traces/remove $name
	put $DBG/probes "!function:$name"
done
assert_eq 'the probes are gone for users' '' "$(cat $DBG/probes)"
dmesg > log
assert_eq 'the kernel log names the probe that is called for ever, and no other' 'function:inner: ftrace is out of order' \
	"$(grep -o 'function:.*: ftrace is out of order' log)"
# Kernels with this function call no kprobe after a fault of ftrace, and may disarm it.
grep -q ' kprobe_ftrace_kill$' /proc/kallsyms ||
	assert_match 'the kernel log names the kprobe that is called for ever' 'kprobe:still: the kernel cannot stop its hits' "$(cat log)"
# Memory that had been freed would have other contents soon.
for i in 1 2 3; do put $CALL "task 100"; ls -lR $DBG > /dev/null; done
rmmod ltt-control
rmmod ltt-heartbeat
refute 'the module that is still called cannot go' rmmod ltt-probes 2> /dev/null
put $CALL 'task 100'
