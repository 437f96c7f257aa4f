#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: ltt_clock_read() with the raw TSC is one rdtsc: no fence, no lock, no call, no memory
# vm: --parallel
# requires: ltt-test-clock.ko objdump
# stock: it looks at instructions
. "$LTT/tests/vm/lib.sh"

# Up to the tail call of the other clocks, which is out of line.  A kernel with IBT marks
# the start of each function.
code=$(objdump -d --no-show-raw-insn --disassemble=ltt_test_clock_read \
		"$LTT/tests/modules/clock/ltt-test-clock.ko" |
	sed -n 's/^ *[0-9a-f]*:\t//p' | sed '1{/^endbr64/d}')
echo "$code"
assert_eq 'it reads the TSC once' 1 "$(echo "$code" | grep -c '^rdtsc')"
assert_eq 'it does nothing else' '' \
	"$(echo "$code" | sed 1d | grep -Ev '^(rdtsc|shl +\$0x20,%rdx|or +%rdx,%rax|jmp|nop|xchg +%ax,%ax|ret|int3)' || :)"
assert_match 'its first instruction is for the function tracer' '^(call|nop)' "$code"
