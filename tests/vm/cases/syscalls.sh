#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: system calls are recorded by name with the arguments that strace shows, and every call exactly once; memory that is not present is marked
# vm: --loaded
# requires: ltt-control.ko ltt-syscalls.ko lttctl lttd strace babeltrace2 python3
# timeout: 240
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

# The kernel's own descriptions are those of SYSCALL_DEFINE; names may be others.
lttctl markers --info 'syscall:*' > info
if [ -d /sys/kernel/tracing/events/syscalls ]; then
	python3 "$LTT/tests/vm/syscalls.py" fields info /sys/kernel/tracing/events/syscalls > compared || echo failed >> compared
	assert_eq 'fields: nothing differs' '' "$(sed '$d' compared | head -n 10)"
	echo "figure: fields: $(tail -n 1 compared) compared"
	assert 'most calls are compared' [ "$(tail -n 1 compared)" -gt 250 ]
fi

lttctl record -o out -e 'syscall:*' -- strace -f -X raw -s 4096 -o strace.txt ls -la /etc > ls.txt
# The host compares both.
mv out strace.txt "$OUT"

# Numbers have names.
lttctl record -o named -e 'syscall:openat' -e syscall:kill -e syscall:socket -e syscall:connect \
	-e syscall:wait4 -e syscall:clone3 -- \
	python3 -c 'import ctypes, os, socket
try: os.open("/absent", os.O_WRONLY | os.O_CLOEXEC)
except OSError: pass
os.kill(os.getpid(), 0)
os.kill(os.getppid(), 23)
s = socket.socket()
try: s.connect(("127.0.0.1", 9))
except OSError: pass
# A flag in the sign of an int, and one above 32 bits, with another that the kernel does not allow beside it.
try: os.waitpid(-1, os.WNOHANG | -1 << 31)
except OSError: pass
ctypes.CDLL(None).syscall(435, (ctypes.c_uint64 * 11)(0x100000000 | 0x800), 88)'
lttctl view named > view
assert 'flags' grep -q 'syscall:openat: dfd=AT_FDCWD, filename="/absent", flags=O_WRONLY|O_CLOEXEC' view
assert 'errors' grep -q 'syscall:openat_exit: ret=-2 ENOENT$' view
assert 'signals' grep -q 'syscall:kill: pid=[0-9]*, sig=SIGURG$' view
assert 'a flag that is the sign' grep -q 'syscall:wait4: .*options=WNOHANG|__WCLONE,' view
assert 'a flag of 64 bits' grep -q 'syscall:clone3: .*uargs_flags=CLONE_SIGHAND|CLONE_CLEAR_SIGHAND,' view
assert 'families' grep -q 'syscall:socket: family=AF_INET, type=SOCK_STREAM|SOCK_CLOEXEC' view
assert 'addresses' grep -q 'uservaddr={AF_INET 127.0.0.1:9}, addrlen=16' view

# Bad memory
lttctl record -o bad -e 'syscall:*' -- "$LTT/build/tests/syscalls-bad"
lttctl view bad | grep ' syscalls-bad ' > view
opened=$(sed -n 's/.*syscall:openat: dfd=AT_FDCWD, filename=\(.*\), flags=O_RDONLY, mode=00, unread=\(.*\)/\1 \2/p' view)
assert_eq 'each string that is not present is marked, and no other' '"(null)" 0x0
"" 0x2
"" 0x2
"/last" 0x0
"/crosses" 0x0' "$opened"
assert 'a structure that is not present' \
	grep -q 'syscall:nanosleep: rqtp=0x10, rqtp_tv_sec=0, rqtp_tv_nsec=0, rmtp=0x0, unread=0x1' view
assert 'a socket address that is not present' grep -q 'uservaddr=\[\], addrlen=16, unread=0x2' view
assert 'a long string is cut' grep -Eq 'syscall:statx: dfd=AT_FDCWD, path="y{3500,4095}", .* unread=0x0' view
assert_match 'they are counted' 'not present: [1-9]' "$(cat $DBG/markers/syscall/openat/info)"

# Each call exactly once, while other traces come and go.
: > "$TMP/storm"
another()
{
	lttctl record -o other -e 'syscall:get*' -e 'syscall_time:*' -- true 2> /dev/null
	rm -rf other
}
while_stormy another &
lttctl record --json -o many --size 1M --count 16 -e syscall:getppid -e syscall:close -e syscall_time:getppid -- \
	"$LTT/build/tests/syscalls-many" 3 20000 > summary
rm "$TMP/storm"
wait
assert_eq 'nothing is lost' 0 "$(json summary 'd["total"]["refused"]')"
lttctl view many | grep ' syscalls-many ' > view
assert_eq 'beginnings' 60000 "$(grep -c 'syscall:getppid:' view)"
assert_eq 'ends' 60000 "$(grep -c 'syscall:getppid_exit: ret=[1-9]' view)"
assert_eq 'ends with a duration' 60000 "$(grep -c 'syscall_time:getppid: ret=[0-9]*, duration=[1-9]' view)"
assert_eq 'errors' 3 "$(grep -c 'syscall:close_exit: ret=-9 EBADF$' view)"

# Durations: a call that a child returns from has none, because the child did not begin it.
lttctl record -o timed -e 'syscall_time:*nanosleep' -e 'syscall_time:clone' -e 'syscall_time:vfork' -- \
	sh -c 'sleep 0.3; : & wait'
lttctl view timed > view
slept=$(sed -n 's/.* sleep .*nanosleep: ret=0, duration=\([0-9]*\)$/\1/p' view)
assert "sleeping took $slept ns" [ "${slept:-0}" -ge 300000000 ]
assert 'and not much longer' [ "$slept" -lt 30000000000 ]
assert 'the parent has a duration' grep -q 'syscall_time:clone: ret=[1-9][0-9]*, duration=[1-9]' view
assert 'the child has none' grep -q 'syscall_time:clone: ret=0, duration=0$' view
refute 'and no other has none' grep -q 'ret=[1-9][0-9]*, duration=0$' view

# A buffer that is too small: every call is accounted for.
put $DBG/traces/create small
at_exit "put $DBG/traces/remove small"
put $DBG/traces/small/channels/events/subbuf_size 4K
put $DBG/traces/small/channels/events/subbuf_count 2
put $DBG/traces/small/events 'syscall:*'
put $DBG/traces/small/state start
ls -laR /sys/bus > /dev/null
put $DBG/traces/small/state stop
assert_conserved small
assert 'some were lost' [ "$(trace_total small refused)" -gt 100 ]

# A pattern for the name matches the beginning, the end, and those of 32-bit programs.
put $DBG/traces/create names
at_exit "put $DBG/traces/remove names"
enabled()
{
	sed -n 's/^+ \(syscall.*\) events$/\1/p' $DBG/traces/names/events | sort | tr '\n' ' '
}
compat=
[ ! -e $DBG/markers/syscall/compat_openat ] || compat='syscall:compat_openat syscall:compat_openat_exit '
put $DBG/traces/names/events syscall:openat
assert_eq 'a name' "${compat}syscall:openat syscall:openat_exit " "$(enabled)"
put $DBG/traces/names/events !syscall:openat_exit
assert_eq 'less one marker' "${compat}syscall:openat " "$(enabled)"
put $DBG/traces/names/events syscall:getppid
assert_match 'it stays away' "${compat}.*syscall:getppid syscall:getppid_exit syscall:openat \$" "$(enabled)"
put $DBG/traces/names/events '!syscall:openat !syscall:getppid'
assert_eq 'all are gone' '' "$(enabled)"

if [ "$compat" ] && [ -x "$LTT/build/tests/syscalls-32bit" ]; then
	lttctl record -o compat -e 'syscall:openat' -e 'syscall:getpid' -- "$LTT/build/tests/syscalls-32bit"
	lttctl view compat | grep ' syscalls-32bit ' > view
	assert 'a call of a 32-bit program' grep -q \
		'syscall:compat_openat: dfd=AT_FDCWD, filename="/absent/32", flags=O_RDONLY|O_CLOEXEC, mode=00, unread=0x0$' view
	assert 'its end' grep -q 'syscall:compat_openat_exit: ret=-2 ENOENT$' view
	assert_eq 'no call is taken for another' 'compat_getpid compat_getpid_exit compat_openat compat_openat_exit ' \
		"$(sed -n 's/.* syscall:\([a-z_]*\): .*/\1/p' view | sort -u | tr '\n' ' ')"
fi
