#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: stacks of events are those of the code, and each packet has what its stacks need
# vm: --loaded
# requires: lttctl lttd ltt-control.ko ltt-test-lossless.ko python3 nm /sys/kernel/btf/vmlinux
# timeout: 150
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

CHECK=$LTT/tests/vm/prog/contexts.py

load_modules
load ltt-test-lossless
cd "$TMP"

# A task that sleeps in the end, for which /proc has the stack.
mkfifo fifo
cat fifo > /dev/null &
sleeper=$!
exec 3> fifo
lttctl record -o kernel -e sched:sched_switch --context kernel_stack:32 -- \
	sh -c 'echo x >&3; sleep 0.3' 2> said
lttctl view kernel > view
checks_of "$CHECK" stacks view $sleeper
exec 3>&-
wait $sleeper

# A filter looks into the stack that is recorded.
lttctl record -o filtered -e sched:sched_switch -f 'on_stack("hrtimer_nanosleep")' --context kernel_stack:32 -- sleep 0.1 2> said
lttctl view filtered > view
assert 'threads that sleep are recorded' grep -q 'sched_switch: .*[[ ]hrtimer_nanosleep+' view
refute 'and no others' sh -c 'grep sched_switch: view | grep -v "[[ ]hrtimer_nanosleep+"'

# A program with frame pointers.
lttctl record --follow -o user -e raw_syscalls:sys_enter --context pid,user_stack -- \
	"$LTT/build/tests/frames" 2> said
lttctl view user > view
checks_of "$CHECK" user view "$LTT/build/tests/frames"

# Threads of the kernel that belong to a program.
lttctl record -o workers -e sched:sched_switch --context user_stack -- "$LTT/build/tests/io-worker" 2> said
lttctl view workers > view
checks_of "$CHECK" workers view

# Page faults while a user stack is read are events themselves.
lttctl record -o faults -e 'exceptions:*' -e 'raw_syscalls:*' --context user_stack,kernel_stack -- \
	sh -c 'ls -l / > list; sort < /etc/passwd > list' 2> said
assert 'babeltrace2 reads events of faults' decode faults text
assert_eq 'it has nothing to say' '' "$(cat text.err)"
assert 'there are some' grep -q page_fault text

# A flight recorder overwrites packets, and those that are left have all their stacks.
for overwrite in 0 1; do
	put $DBG/traces/create t
	put $DBG/traces/t/channels/events/subbuf_size 8K
	put $DBG/traces/t/channels/events/subbuf_count 8
	put $DBG/traces/t/channels/events/overwrite $overwrite
	put $DBG/traces/t/channels/events/context kernel_stack
	put $DBG/traces/t/events 'lossless:*'
	put $DBG/traces/t/state start
	for n in 1 2 3 4; do
		echo 'irq 2000' > /proc/ltt-test-lossless
		echo 'thread 2000' > /proc/ltt-test-lossless
	done
	put $DBG/traces/t/state stop
	assert_conserved t
	[ $overwrite = 0 ] || assert 'the recorder overwrites' [ "$(trace_total t overwritten)" -gt 5000 ]
	stored=$(trace_total t stored)
	lttd -o packets-$overwrite t > said 2>&1 &
	lttd=$!
	wait_until 20 opened t packets-$overwrite
	put $DBG/traces/remove t
	assert 'lttd ends well' wait $lttd
	checks_of "$CHECK" packets packets-$overwrite/kernel
	assert "overwrite $overwrite: babeltrace2 reads it" decode packets-$overwrite text
	assert_eq 'it has all events' "$stored" "$(wc -l < text)"
	lttctl view packets-$overwrite > view
	refute "overwrite $overwrite: lttctl view finds every stack" grep -qF '[...]' view
done

rmmod ltt-test-lossless
assert 'everything can be unloaded' unload_modules
