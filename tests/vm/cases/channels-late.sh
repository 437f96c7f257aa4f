#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a running trace gets a channel, other contexts and other limits, and what it records is as they say
# vm: --parallel --smp 2 --loaded
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-test-lossless.ko
# faces: device
# also: debugfs
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

emit() { echo "$1 $2" > /proc/ltt-test-lossless; }

# of CHANNEL: how many events it has got
of()
{
	awk -v channel="$1" '$1 == channel && $3 == "emitted" { n += $4 } END { print n + 0 }' $DBG/traces/t/stats
}

has_file()	# directory, channel
{
	[ -e "$1/kernel/$2_0" ] && [ -e "$1/kernel/$2_1" ]
}

load_modules
load ltt-test-lossless
cd "$TMP"

lttctl create -o out -e 'lossless:irq' t
lttctl channel --size 64k t early
lttctl start t
put $DBG/traces/t/heartbeat_ms 50
emit irq 100
lttctl channel --size 8k --count 16 --context comm t late
refute 'a second one of the name' lttctl channel t late 2> said
assert_match 'lttctl names it' late "$(cat said)"
assert 'it has no buffers yet' [ ! -e $DBG/traces/t/late_0 ]
emit thread 100
assert_eq 'nothing is recorded there' 0 "$(of late)"
put $DBG/traces/t/channels/late/subbuf_count 32
lttctl enable -t t -c late lossless:thread lossless:task
assert 'with its first pattern it has' [ -e $DBG/traces/t/late_0 ]
assert 'lttd writes them' wait_until 20 has_file out late
assert_errno EBUSY put $DBG/traces/t/channels/late/subbuf_count 16
emit thread 200
emit irq 100
emit task 50
lttctl enable -t t -c early lossless:task
emit task 30
refute 'a channel that there is not' lttctl enable -t t -c none lossless:irq 2> said
assert_match 'lttctl names it' none "$(cat said)"
refute 'nothing to set' lttctl set t 2> said
refute 'a context that there is not' lttctl set --context nothing t 2> said
assert_match 'lttctl names it and what there is' 'nothing.*kernel_stack' "$(cat said)"

# Limits and contexts.
lttctl set --task 'no-such-*' t
emit task 1000
lttctl set --all --context 'lossless:task=pid' t
emit task 7
lttctl set --cpu 1 t
lttctl set --cpu 0-1 --context 'lossless:task=default' --context uid -c late t 2> said && status=0 || status=$?
assert_eq 'set changes several at once' 0 $status
emit thread 9
assert 'and the limits are shown' grep -q '^cpus 0-1$' $DBG/traces/t/limit
assert_errno EEXIST put $DBG/traces/t/channels/late/context pid,pid
lttctl stop t
assert_conserved t
lttctl destroy t
lttctl view out > view
for wanted in 'irq 200' 'thread 209' 'task 87'; do
	assert_eq "${wanted% *}: all events are there" "${wanted#* }" "$(grep -c " lossless:${wanted% *}: " view)"
done
assert_eq 'with the contexts of the channel' 200 "$(grep -c ' lossless:thread: seq=[0-9]*, comm="' view)"
assert_eq 'with other ones' 9 "$(grep -c ' lossless:thread: seq=[0-9]*, uid=0$' view)"
assert_eq 'and those of the pattern' 7 "$(grep -c ' lossless:task: seq=[0-9]*, pid=[0-9]*$' view)"
assert 'the channel has a heartbeat' grep -q 'ltt:heartbeat' view

rmmod ltt-test-lossless
assert 'everything can be unloaded' unload_modules
