#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: events of the kernel and of programs in one recording are in the order in which things happened
# vm: --parallel --smp 2
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko ltt-syscalls.ko
# faces: device
# also: debugfs
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

# The counter that programs read; what the kernel would rather have is not it in a VM. Where that has 32 bits in
# the kernel, the two have different clocks, and their events no order.
clock=$(fast_clock)
load_modules "$clock"
cd "$TMP"

status=0
lttctl record --json -o out -e syscall:sched_get_priority_max -e 'user:causality:*' -- \
	"$LTT/build/tests/causality" 2000 > summary 2> said || status=$?
cat said
assert_eq 'exit status' 0 "$status"
assert_eq 'no event of the kernel is lost' 0 "$(json summary 'd["total"]["refused"]')"
assert_eq 'nor of the program' 0 "$(json summary 'd["programs"]["lost"]')"
assert_eq 'those of the program are all there' 4000 "$(json summary 'd["programs"]["stored"]')"
if [ "$clock" = clock=mono ]; then
	sampled='kernel user-0' samples='clock clock-2'
else
	sampled=kernel samples=clock
fi
assert_eq 'two traces, the state, and samples of each clock' "$samples kernel state user-0" "$(ls out | xargs)"

# The blocks of the metadata: of one trace, of several in any order.
clock_of() { sed -n '/^clock {/,/^}/p' "out/$1/metadata"; }
clocks_of() { for trace in $1; do clock_of "$trace"; done | sort; }
if [ "$clock" = clock=mono ]; then
	assert 'with two clocks' [ "$(clock_of kernel)" != "$(clock_of user-0)" ]
	assert 'lttd warns' grep -q 'another clock' said
else
	assert_eq 'with one clock' "$(clock_of kernel)" "$(clock_of user-0)"
fi
assert_eq 'that of the state' "$(clock_of kernel)" "$(clock_of state)"
assert_eq 'and the samples are of each' "$(clocks_of "$sampled")" "$(clocks_of "$samples")"

assert 'babeltrace2 reads both' decode out text
assert_eq 'and has nothing to say' '' "$(head -n 3 text.err)"

# The program's thread, in the order of the trace: its events, and its calls by their argument.
python3 - "$clock" > order << 'END'
import re
import sys
CALL = r' syscall:sched_get_priority_max(_exit)?: .*tid = (\d+) \}, \{ (?:policy = (\d+)|ret = )'
orders = [['before', 'after'], ['enter', 'exit']] if sys.argv[1] == 'clock=mono' else \
    [['before', 'enter', 'exit', 'after']]
seen = [0] * len(orders)
tid, calls, wrong = None, 0, []
for line in open('text'):
    program = re.search(r'causality:(before|after): .*tid = (\d+), .* i = (\d+)', line)
    call = re.search(CALL, line)
    if program:
        tid, step, i = program[2], program[1], int(program[3])
    elif call and tid in (None, call[2]):
        step, i = 'exit' if call[1] else 'enter', int(call[3] or 0) - 1000
    else:
        continue
    n = next(n for n, order in enumerate(orders) if step in order)
    want = orders[n][seen[n] % len(orders[n])], seen[n] // len(orders[n])
    # An end has no number.
    if step != want[0] or step != 'exit' and i != want[1]:
        wrong.append(f'{step} {i}, not {want[0]} {want[1]}')
        break
    seen[n] += 1
    calls += step == 'exit'
print(f'{calls} calls', *wrong)
END
assert_eq 'the events are in order; with one clock, each call lies between the two events around it' '2000 calls' "$(cat order)"
grep -m 1 ' syscall:sched_get_priority_max: ' text
