#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: dynamic probes of the kernel record what the kernel did, and refuse what must not be probed
# vm: --loaded
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko ltt-probes.ko ltt-sample.ko
# timeout: 150
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-markers.sh"

load_modules
cd "$TMP"

# fields EVENT PATTERN: how many of the event match
fields()
{
	grep -c -- " $1: .*$2" text || :
}

# (To a regular file, cat would copy without reading.)
# Arguments, members, registers, memory and strings, beside what the program did.
echo 'some text' > file
inode=$(stat -c %i file)
lttctl record -o out -e 'kprobe:do_sys_openat2(dfd, filename:ustring)' \
	-e 'kretprobe:vfs_read(ret, inode=file->f_inode->i_ino, count)' \
	-e 'kprobe:reader=vfs_read(by_register=%si, by_number=arg2, buf, below=8(%sp), one=1)' \
	-e 'kprobe:vfs_open(name=path->dentry->d_name.name:string, start=path->dentry->d_name.name:text[2], len=path->dentry->d_name.len)' \
	-e 'kprobe:inside=vfs_read+0x0' -- cat file | cat > cat.out
babeltrace2 out > text
assert_eq 'a string of the program' 1 "$(fields kprobe:do_sys_openat2 'dfd = -100, filename = "file"')"
assert_eq 'the returned value and a chain of members' 1 \
	"$(fields kretprobe:vfs_read "ret = 10, inode = $inode,")"
assert_eq 'the end of the file' 1 "$(fields kretprobe:vfs_read "ret = 0, inode = $inode,")"
assert_eq 'a string and a text of the kernel, and its length' 1 \
	"$(fields kprobe:vfs_open 'name = "file", start = "fi", len = 4 ')"
assert_eq 'a register, an argument by number and by name are the same' 0 \
	"$(grep ' kprobe:reader: ' text | grep -cv 'by_register = \(0x[0-9A-F]*\), by_number = \1, buf = \1, below = 0x[0-9A-F]*, one = 1 ' || :)"
assert_eq 'two probes of one function see the same calls' "$(grep -c ' kprobe:reader: ' text)" \
	"$(grep -c ' kprobe:inside: ' text)"
assert_eq 'the probes went with the trace' '' "$(cat $DBG/probes)"

# refused STATUS WORD PROBE: with a sentence that has the word
refused()
{
	status=0
	said=$(lttctl record -o no -e "$3" -- true 2>&1) || status=$?
	assert_eq "$3 is refused" "$1" "$status"
	assert_match "$3: the sentence" "$2" "$said"
}
refused 2 'vfs_read' 'kprobe:vfs_reed(x)'
refused 2 'column 17.*file, buf, count, pos' 'kprobe:vfs_read(nothing)'
refused 2 'column 21.*f_inode' 'kprobe:vfs_read(file->f_inodes)'
refused 2 'column 23' 'kprobe:vfs_read(file->)'
refused 2 'entry' 'kprobe:vfs_read+4(file)'
refused 2 'register' 'kprobe:vfs_read(%nothing)'
refused 125 'instruction' 'kprobe:vfs_read+1(%di)'
refused 125 'let' 'kprobe:notify_die'
refused 125 'tracer' 'kprobe:ltt_relay_open'
assert_eq 'a probe that is refused leaves nothing' '' "$(cat $DBG/probes)"

# By hand: one line makes a probe, one removes it.
put $DBG/probes 'kprobe:hand vfs_read+0 count=u64:arg3 head=u8[4]:arg2,u bad=u64:=16,k8 badtext=string:=16,k'
assert_eq 'the file shows the line' 'kprobe:hand vfs_read+0 count=u64:arg3 head=u8[4]:arg2,u bad=u64:=16,k8 badtext=string:=16,k' \
	"$(cat $DBG/probes)"
assert_match 'the marker has its fields' '^field head array u8 base 10 count 4' "$(cat $DBG/markers/kprobe/hand/info)"
lttctl record -o hand -e kprobe:hand -- cat file > cat.out
babeltrace2 hand > text
assert_match 'memory that cannot be read is zero or empty' 'bad = 0, badtext = "" ' "$(grep -m 1 ' kprobe:hand: ' text)"
assert_match 'and is counted' 'failed reads [1-9]' "$(cat $DBG/markers/kprobe/hand/info)"
# Each of these is malformed in one way.
for line in 'kprobe:hand vfs_write+0' 'kprobe vfs_read' 'kprobe:x' 'kprobe:x vfs_read f=u7:arg1' 'kprobe:x vfs_read f=u8' \
	'kprobe:x vfs_read f=u8:arg9' 'kprobe:x vfs_read f=u8:k8' 'kprobe:x vfs_read f=string:arg1' 'kprobe:x vfs_read f=u8:arg1,k' \
	'kprobe:x vfs_read f=u8[2000]:arg1,k' 'kprobe:x vfs_read f=u8:ret' 'kprobe:x vfs_read 1f=u8:arg1' \
	'kprobe:x vfs_read f=u8:arg1 f=u8:arg1' 'kprobe:x vfs_read f=u8:arg1,b60.5' "kprobe:x vfs_read f=u8:arg1$(printf ',+1%.0s' $(seq 30))" \
	'kretprobe:x vfs_read+40' 'kprobe:x no_such_function_at_all' 'uprobe:x 0x0:0:/no/such/file' 'uprobe:x nothing' \
	'kprobe:x vfs_read+99999' "$(printf 'kprobe:x\vvfs_read\vf0=u8:=0\vf1=u8:=1')" "$(printf 'kprobe:x vfs_read f=u8:=0\240g=u8:=1')"; do
	refute "refused: $line" put $DBG/probes "$line" 2> /dev/null
done
put $DBG/probes '!kprobe:hand'
assert_eq 'the line is gone' '' "$(cat $DBG/probes)"
put $DBG/probes ' kprobe:hand vfs_read+0'
put $DBG/probes '!kprobe:hand'
assert_eq 'blanks before a description do not count' '' "$(cat $DBG/probes)"
refute 'it cannot be removed twice' put $DBG/probes '!kprobe:hand' 2> /dev/null

# Stacks begin at the probe, by whatever way the kernel gets from there to its handler.
lttctl record -o stacks -e kprobe:vfs_read -e kretprobe:vfs_read -e kprobe:ksys_read --context kernel_stack:3 \
	-- cat file > cat.out
lttctl view stacks > view
assert 'at the function' grep -q ' kprobe:vfs_read: kernel_stack=\[vfs_read+' view
assert 'where it was called from' grep -q ' kprobe:vfs_read: kernel_stack=\[vfs_read+[^,]*, ksys_read+' view
assert 'where it returns to' grep -q ' kretprobe:vfs_read: kernel_stack=\[ksys_read+' view
refute 'none begins in the handler' grep -q 'kernel_stack=\[hit' view

# Many at once, in one trace.
nr=$(at_length 10 50)
i=0
set --
for function in vfs_read $(awk '$2 ~ /[tT]/ && $3 ~ /^vfs_/ && $3 != "vfs_read" && !seen[$3]++ { print $3 }' /proc/kallsyms); do
	[ $i -lt "$nr" ] || break
	printf 'kprobe:%s %s+0 first=x64:arg1\n' "$function" "$function" > line
	! cat line > $DBG/probes 2> /dev/null || { i=$((i + 1)); set -- "$@" "kprobe:$function"; }
done
assert_eq 'so many probes' "$nr" $i
lttctl record -o many -e 'kprobe:*' -- cat file > cat.out
babeltrace2 many > text
assert_match 'each that is hit is recorded' 'kprobe:vfs_read:' "$(cat text)"
# Each waits for the kernel to forget the probe: at once.
for probe; do put $DBG/probes "!$probe" & done
wait
assert_eq 'all are gone' '' "$(cat $DBG/probes)"

# More calls at a time than the kernel keeps track of: the others are counted as lost.
cat > sleep.py <<'END'
import glob, os, threading, time
for _ in range(600):
    threading.Thread(target=time.sleep, args=(1000,)).start()
# All at once: the calls return when the process ends.
while sum(open(file).read() == 'hrtimer_nanosleep' for file in glob.glob('/proc/self/task/*/wchan')) < 600:
    pass
os._exit(0)
END
status=0
lttctl record --json --strict -o missed -e 'kretprobe:hrtimer_nanosleep(ret)' -- python3 sleep.py > summary || status=$?
babeltrace2 missed > text
assert_eq 'a recording that misses returns is not whole' 124 "$status"
assert_match 'the missed returns' '^[1-9]' "$(json summary 'd["total"]["missed"]')"
assert_eq 'no return is neither recorded nor counted' 600 \
	"$(($(grep -c ' kretprobe:hrtimer_nanosleep: ' text) + $(json summary 'd["total"]["missed"]')))"

# A module goes while it is probed: the recording goes on.
load ltt-sample
function=$(awk '$4 == "[ltt_sample]" && $2 ~ /[tT]/ && $3 !~ /init|exit|cleanup|^__/ { print $3; exit }' /proc/kallsyms)
lttctl create -e "kprobe:ltt_sample:$function" -e kprobe:vfs_read t
lttctl start t
assert_match 'the probe is in the module' "ltt_sample:$function" "$(cat $DBG/probes)"
assert 'the module goes' rmmod ltt-sample
refute 'its probe has gone with it' grep -q ltt_sample $DBG/probes
cat file > cat.out
lttctl stop t
assert_match 'its event waits' "^\? kprobe:$function" "$(cat $DBG/traces/t/events)"
assert_conserved t
lttctl destroy t
assert_eq 'the probes of the trace are gone with it' '' "$(cat $DBG/probes)"

# The descriptor of a private probe is killed.
mkfifo commands
sh -c 'exec lttctl stream < commands > replies' &
stream=$!
exec 7> commands
printf '%s\n' 'probe "kprobe:private vfs_read+0"' >&7
deadline=$(($(date +%s) + 30))
until grep -q private $DBG/probes || [ "$(date +%s)" -gt $deadline ]; do :; done
assert_match 'a connection made a probe' '^kprobe:private ' "$(cat $DBG/probes)"
kill -9 $stream
exec 7>&-
wait $stream || :
until ! grep -q private $DBG/probes || [ "$(date +%s)" -gt $deadline ]; do :; done
assert_eq 'it is gone with its connection' '' "$(cat $DBG/probes)"

assert 'everything can be unloaded' unload_modules
