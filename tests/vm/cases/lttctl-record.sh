#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttctl record loses nothing, reports exact counts, and leaves nothing behind
# vm: --loaded
# faces: device
# also: debugfs
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

status=0
lttctl record --json -o out -- sh -c 'ls -laR /sys/bus > /dev/null; exit 3' > summary || status=$?
assert_eq "the command's status" 3 "$status"
assert_eq 'nothing is lost' 0 "$(json summary 'd["total"]["refused"]')"
assert_whole out "$(json summary 'd["total"]["emitted"]')"
assert_sequential out
assert_eq 'no trace is left' '' "$(lttctl list)"

lttctl view out > view
assert_eq 'lttctl view shows every event' "$(wc -l < "$TMP/text")" "$(wc -l < view)"
assert_eq 'every thread has a name' '' "$(awk '$4 == "-"' view | head -n 3)"
assert_match 'events carry CPU, time, thread and name' \
	'^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{9} \[00[01]\] +[0-9]+ ls +sys_enter: id=' \
	"$(grep -m 1 ' ls .*sys_enter' view)"
assert_match 'the idle thread is that of its CPU' '\[001\] +0 swapper/1 ' \
	"$(grep -m 1 '\[001\] *0 ' view)"

# In a VM the temporary files are on an overlay.
cp -r out cut
truncate -s -1 cut/kernel/events_0
status=0
lttctl view cut > view 2> said || status=$?
assert_eq 'lttctl view shows a trace that is cut off' 0 "$status"
assert_match 'up to its last whole packet' "cut/kernel/events_0" "$(cat said)"
assert 'and other files wholly' grep -q '\[001\]' view

echo 0 > rounds
sh -c 'while ls / > /dev/null; do n=$((n + 1)); echo $n > rounds; done' &
pid=$!
at_exit "kill $pid"
cat > five_rounds <<'END'
read first < rounds
until read now < rounds && [ "$now" -gt $((first + 5)) ]; do ls / > /dev/null; done
END
lttctl record -o pid -e 'raw_syscalls:*' -p $pid -- sh five_rounds 2> said
lttctl view pid > view
assert 'with -p the process and its children are there' grep -q ' ls  *sys_enter' view
assert_eq 'and no other' '' "$(awk '/sys_(enter|exit):/ && $4 != "ls" && $4 != "sh"' view | head -n 3)"

status=0
lttctl record -o refused --size 256M --count 8 -- touch ran 2> said || status=$?
assert_eq 'tracing fails' 125 "$status"
assert_match "in the kernel's words" subbuf_size "$(cat said)"
refute 'then the command does not run' test -e ran
refute 'then there is no directory' test -e refused
assert_eq 'then there is no trace' '' "$(lttctl list)"

lttctl record -o interrupted -e 'sched:*' 2> said &
pid=$!
assert 'it runs' wait_until 20 test -e interrupted/kernel/events_0
# Over debugfs the trace is one that every user sees; over the device it is private.
listed() { lttctl list > list && grep -q "^record-$pid running, .*$PWD/interrupted" list; }
assert 'list shows it' wait_until 20 listed
lttctl status --json "record-$pid" > status
assert_eq 'status has its directory and its events' "$PWD/interrupted True" \
	"$(json status '(d[0]["output"], d[0]["total"]["emitted"] > 0)' | tr -d "(',)")"
# Far less than a sub-buffer of 1 MiB: lttd flushes.
readable() { decode interrupted early && grep -q sched_switch early; }
assert 'events are on disk while it runs' wait_until 20 readable
assert 'status shows it among all' sh -c "lttctl status | grep -q 'record-$pid\\>'"
if [ "$LTT_VIA" = device ]; then
	assert_eq 'it is private, and has a process' "True $pid" \
		"$(json status '(d[0]["private"], d[0]["pid"])' | tr -d "(',)")"
fi
kill -INT $pid
status=0
wait $pid || status=$?
assert_eq 'interrupted, it ends well' 0 "$status"
assert_whole interrupted "$(sed -n 's/^events *\([0-9,]*\).*/\1/p' said | tr -d ,)"
assert_eq 'and leaves no trace' '' "$(lttctl list)"

# At a terminal it shows its progress; without a command, until SIGINT.
script -qefc 'lttctl record -o terminal -e "sched:*"' drawn > /dev/null < /dev/null &
pid=$!
draws() { grep -q '[0-9,]* events .*\<0 lost' drawn; }
assert 'at a terminal it draws its progress' wait_until 20 draws
assert 'and shows how to end it' grep -qF '^C' drawn
pkill -INT -x lttctl
assert 'it ends well after a signal' wait $pid
assert_match 'with a summary of whole lines' '^events +[0-9,]+' "$(tr '\r' '\n' < drawn)"

unload_modules
