#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: uprobes, uretprobes and usdt record each call of a program that runs already, and of one that starts later
# vm: --loaded
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-probes.ko
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"
cp "$LTT/build/tests/probed" 'a program'

# One started later.
lttctl record -o out -e 'uprobe:a program:probed_add(a=arg1:s32, arg2:string, b=arg3:s64)' \
	-e 'uretprobe:a program:probed_add(ret)' -e 'uprobe:by_register=a program:probed_add(di=%edi)' \
	-e 'usdt:a program:probed:counted' -e 'usdt:a program:probed:twice(value=arg1)' -- './a program' 100 > sum
babeltrace2 out > text
assert_eq 'the program computed its sum' -4950 "$(cat sum)"
count()
{
	grep -c -- " $1: " text || :
}
for event in uprobe:probed_add uretprobe:probed_add uprobe:by_register usdt:probed.counted; do
	assert_eq "$event: each call" 100 "$(count $event)"
done
assert_eq 'both places of a usdt probe' 100 "$(grep -c -- ' usdt:probed.twice' text)"
assert_match 'the arguments of a call' 'uprobe:probed_add: .*{ a = 7, arg2 = "a text", b = -14 }' \
	"$(grep 'uprobe:probed_add: .*a = 7,' text)"
assert_eq 'its result' 1 "$(grep -c 'uretprobe:probed_add: .*{ ret = -7 }' text)"
assert_eq 'its first register' 1 "$(grep -c 'by_register: .*{ di = 0x7 }' text)"
assert_match 'the arguments of a usdt probe, with their signs' '{ arg1 = 9, arg2 = [0-9]+, arg3 = -18 }' \
	"$(grep 'usdt:probed.counted: .*arg1 = 9,' text)"
assert_eq 'an argument of 16 bits' 1 "$(grep -c 'usdt:probed.twice.*{ value = -99 }' text)"

# One that runs already: only what it does while it is recorded.
mkfifo steps
'./a program' 100 steps > sum &
exec 6> steps
printf 12345 >&6
lttctl create -e 'usdt:a program:probed:counted(n=arg1)' t
lttctl start t
program=$!
# The semaphore is raised.  The program has gone as far as its input allowed.
printf 1234567 >&6
emitted()
{
	trace_total t emitted
}
deadline=$(($(date +%s) + 60))
events=0
until [ "$events" -ge 7 ] || [ "$(date +%s)" -gt $deadline ]; do
	events=$(lttctl status --json t > status; json status 'd[0]["total"]["emitted"]')
done
lttctl stop t
assert_conserved t
exec 6>&-
wait $program
lttctl destroy t
assert_eq 'no probe is left' '' "$(cat $DBG/probes)"

# The file is replaced while its probe lives: a probe of the new one cannot share it.
lttctl create -e 'uprobe:a program:probed_add' t
cp 'a program' new
mv new 'a program'
refute 'it is not taken for the old file' lttctl enable -t t 'uprobe:a program:probed_add' 2> said
assert_match 'but for another one' 'another file' "$(cat said)"
lttctl enable -t t 'uprobe:again=a program:probed_add'
lttctl start t
'./a program' 3 > /dev/null
lttctl stop t
assert_eq 'with a name of its own, it records' 3 "$(awk '$1 == "events" { n += $4 } END { print n }' $DBG/traces/t/stats)"
lttctl destroy t

refused()
{
	status=0
	said=$(lttctl record -o no -e "$2" -- true 2>&1) || status=$?
	assert_eq "$2 is refused" 2 "$status"
	assert_match "$2: the sentence" "$1" "$said"
}
refused 'probed_add' 'uprobe:a program:probed_ad'
refused 'probed:counted' 'usdt:a program:probed:countd'
refused '3 arguments' 'usdt:a program:probed:counted(arg4)'
refused 'cannot open' 'uprobe:nowhere/at/all:main'
refused 'not a program' "uprobe:$LTT/README.md:main"
refused 'names' 'uprobe:a program:probed_add(a)'

# A file system that does not answer delays the probe of its file, and nothing else.
cat > silent.py <<'END'
import ctypes, os, time
fd = os.open('/dev/fuse', os.O_RDWR)
os.mkdir('silent')
options = b'fd=%d,rootmode=40000,user_id=0,group_id=0' % fd
if ctypes.CDLL(None, use_errno=True).mount(b'silent', b'silent', b'fuse', 0, options):
    raise OSError(ctypes.get_errno(), 'mount')
while True:
    time.sleep(100)
END
modprobe fuse
python3 silent.py &
silent=$!
wait_until 20 grep -q ' fuse ' /proc/mounts
echo "uprobe:late 0x0:0:$PWD/silent/file" > line
sh -c 'cat line > "$1"' - $DBG/probes 2> said &
late=$!
in_fuse() { grep -qs 'fuse_' /proc/[0-9]*/stack; }
wait_until 20 in_fuse
assert 'other commands do not wait for the file' timeout 20 lttctl create t
lttctl destroy t
kill -9 $silent
refute 'the probe fails when the file system ends' wait $late
assert_match 'with a sentence' 'silent/file cannot be opened' "$(reason)"
umount -l silent
assert 'everything can be unloaded' unload_modules
