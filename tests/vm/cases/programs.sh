#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: events of the kernel and of programs in one recording are in the order in which things happened
# vm: --parallel --smp 2
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# faces: device
# also: debugfs
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

[ "$(fast_clock)" != clock=mono ] || skip 'the counter has 32 bits in this kernel, so programs have another clock'
# The counter that programs read; what the kernel would rather have is not it in a VM.
load_modules "$(fast_clock)"
cd "$TMP"

status=0
lttctl record --json -o out -e 'raw_syscalls:*' -e 'user:causality:*' -- \
	"$LTT/build/tests/causality" 2000 > summary 2> said || status=$?
cat said
assert_eq 'exit status' 0 "$status"
assert_eq 'no event of the kernel is lost' 0 "$(json summary 'd["total"]["refused"]')"
assert_eq 'nor of the program' 0 "$(json summary 'd["programs"]["lost"]')"
assert_eq 'those of the program are all there' 4000 "$(json summary 'd["programs"]["stored"]')"
assert_eq 'two traces, the state, and samples of the clock' 'clock kernel state user-0' "$(ls out | xargs)"

clock_of() { sed -n '/^clock {/,/^}/p' "out/$1/metadata"; }
assert_eq 'with one clock' "$(clock_of kernel)" "$(clock_of user-0)"
assert_eq 'that of the state' "$(clock_of kernel)" "$(clock_of state)"
assert_eq 'and of the samples' "$(clock_of kernel)" "$(clock_of clock)"

assert 'babeltrace2 reads both' decode out text
assert_eq 'and has nothing to say' '' "$(head -n 3 text.err)"

# The program's thread, in the order of the trace: its events, and its calls of
# that number by their argument.
python3 - > order << 'END'
import re
tid, calls, wrong, last = None, 0, [], None
for line in open('text'):
    program = re.search(r'causality:(before|after): .*tid = (\d+), .* i = (\d+)', line)
    if program:
        tid, step, i = program[2], program[1], int(program[3])
    else:
        call = re.search(r' sys_(enter|exit): .*tid = (\d+) \}, \{ id = (\d+), (?:args = \[ \[0\] = (\d+)|ret = )', line)
        if not call or call[2] != tid or call[3] != '146':
            continue
        step, i = call[1], int(call[4]) - 1000 if call[4] else last[1]
    order = ['before', 'enter', 'exit', 'after']
    want = ('before', 0) if last is None else \
        (order[(order.index(last[0]) + 1) % 4], last[1] + (last[0] == 'after'))
    if (step, i) != want:
        wrong.append(f'{step} {i}, not {want[0]} {want[1]}')
        break
    last = step, i
    calls += step == 'exit'
print(f'{calls} calls', *wrong)
END
assert_eq 'each call lies between the two events around it' '2000 calls' "$(cat order)"
grep -m 1 ' sys_enter: ' text
