#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a trace that begins in the initramfs has what the first process did there, and is recorded later without a gap
# when: all
# vm: --loaded --control 'boot="create boot; enable boot raw_syscalls:*; enable boot sched:sched_process_*; start boot"'
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
. "$LTT/tests/vm/lib-record.sh"

[ -d "$DBG/traces/boot" ] || skip 'modules are not loaded in the initramfs in a tree that counts lines'
cd "$TMP"
assert_eq 'the trace runs' running "$(cat "$DBG/traces/boot/state")"
assert_eq 'nothing is lost before lttd' 0 "$(trace_total boot refused)"
lttctl record --attach --name boot -o out --json -- true > summary
assert_eq 'the recording is complete' True "$(json summary 'd["complete"]')"
assert_whole out/kernel "$(json summary 'd["total"]["stored"]')"
# Before it ran the first program, init entered the root with chroot().
assert 'it has what init did in the initramfs' grep -q 'sys_enter.* id = 161' text
sed '/sched_process_exec/q' text | grep -c 'sys_enter' > early
assert 'before the first exec' [ "$(cat early)" -gt 20 ]
# As the guest was found.
lttctl create boot
