#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: counters of perf as contexts count what happens on each CPU, also one that goes and comes
# vm: --smp 2 --loaded
# requires: taskset lttctl lttd ltt-control.ko ltt-sample.ko python3
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

CPU1=/sys/devices/system/cpu/cpu1/online

load_modules
load ltt-sample
cd "$TMP"

# A process that touches so many new pages between two events.
cat > touch.py <<'END'
import mmap, os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
for pages in 100, 400, 0:
    os.close(os.open('/dev/ltt-sample', os.O_WRONLY))
    if pages:
        memory = mmap.mmap(-1, pages * 4096)
        try:
            memory.madvise(mmap.MADV_NOHUGEPAGE)
        except OSError:     # the kernel has no huge pages
            pass
        for page in range(pages):
            memory[page * 4096] = 1
END

# differences FILE CPU: of perf_page_faults, from one of the last three events of the CPU to the next
differences()
{
	sed -n "s/.*\[00$2\].* sample:open: .*perf_page_faults=\([0-9]*\).*/\1/p" "$1" |
		tail -n 3 | awk 'NR > 1 { print $1 - last } { last = $1 }' | tr '\n' ' '
}

within()	# what, differences
{
	# Some more faults are those of the interpreter.
	assert "$1: the pages touched between the events are counted, not $2" \
		sh -c 'set -- $1; [ $# -eq 2 ] && [ $1 -ge 100 ] && [ $1 -lt 300 ] && [ $2 -ge 400 ] && [ $2 -lt 600 ]' - "$2"
}

for cpu in 0 1; do
	lttctl record -o cpu$cpu -e sample:open --context perf:page-faults -- python3 touch.py $cpu 2> said
	lttctl view cpu$cpu > view
	within "CPU $cpu" "$(differences view $cpu)"
done

lttctl record -o switches -e sched:sched_switch --context perf:context-switches,perf:cpu-clock \
	-- sh -c 'for n in 1 2 3 4 5; do sleep 0.01; done' 2> said
lttctl view switches > view
for cpu in 0 1; do
	assert_eq "CPU $cpu: no counter goes back" 0 "$(sed -n "s/.*\[00$cpu\].*perf_cpu_clock=\([0-9]*\).*perf_context_switches=\([0-9]*\).*/\1 \2/p" view |
		awk 'NR > 1 && ($1 < clock || $2 < switches) { n++ } { clock = $1; switches = $2 } END { print n + 0 }')"
done
assert 'there are switches' [ "$(grep -c perf_context_switches=[1-9] view)" -gt 10 ]

# A CPU that goes takes its counter along, and gets another one when it comes back.
# counts FOLDER: CPU 1 has its counter, which it gets soon after it has come
counts()
{
	taskset -c 1 sh -c ': > /dev/ltt-sample'
	put $DBG/traces/t/flush 1
	lttctl view "$1" > view 2> /dev/null || :
	grep '\[001\].* sample:open: ' view | tail -n 1 | grep -q 'perf_page_faults=[1-9]'
}

put $DBG/traces/create t
put $DBG/traces/t/channels/events/context perf:page-faults,kernel_stack,user_stack
put $DBG/traces/t/events sample:open
put $DBG/traces/t/state start
for n in 1 2 3; do
	echo 0 > $CPU1
	echo 1 > $CPU1
done
lttd -o back t > said 2>&1 &
lttd=$!
wait_until 20 opened t back
assert 'the CPU counts again' wait_until 40 counts back
python3 touch.py 1
echo 0 > $CPU1
python3 touch.py 0
echo 1 > $CPU1
# While a CPU is away, contexts come and go.
echo 0 > $CPU1
put $DBG/traces/t/channels/events/context none
put $DBG/traces/t/channels/events/context perf:page-faults
echo 1 > $CPU1
put $DBG/traces/remove t
assert 'lttd ends well' wait $lttd
lttctl view back > view
within 'a CPU that came back' "$(differences view 1)"
within 'while the other was away' "$(differences view 0)"

rmmod ltt-sample
assert 'everything can be unloaded' unload_modules
