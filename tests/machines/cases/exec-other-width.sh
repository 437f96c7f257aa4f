#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: an execve() between programs of 64 and 32 bits ends as the call that it began as
# machines: arm64
# requires: ltt-control.ko ltt-syscalls.ko lttctl lttd
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"
lttctl record -o out -e syscall:execve -e 'syscall:compat_fcntl64*' -e syscall:listxattr -e syscall_time:execve -- \
	"$LTT/build/tests/exec-arm" /bin/true
lttctl view out > view
tid=$(sed -n 's/^[^ ]* \[[0-9]*\] *\([0-9]*\) .* syscall:compat_execve: .*/\1/p' view)
# The events of that thread, by their names; the ends have their results, and the durations whether they are known.
sed -n "s/^[^ ]* \[[0-9]*\] *$tid .* \(syscall[a-z_]*:[a-z0-9_]*\):\( ret=[-0-9]*\)\{0,1\}.*/\1\2/p" view > names
grep ' syscall_time:' view | sed -n "s/^[^ ]* \[[0-9]*\] *$tid .*duration=\(.*\)/\1/p" > durations
assert_eq 'each call has its beginning and its end' 'syscall:execve
syscall_time:execve ret=0
syscall:execve_exit ret=0
syscall:compat_fcntl64
syscall:compat_fcntl64_exit ret=0
syscall:compat_execve
syscall_time:compat_execve ret=0
syscall:compat_execve_exit ret=0' "$(cat names)"
assert_eq 'and its duration' 2 "$(grep -vcx 0 durations)"
