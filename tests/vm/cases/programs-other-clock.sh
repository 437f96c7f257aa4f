#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: one recording has events of the kernel and of programs also where the kernel's trace has another clock
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
. "$LTT/tests/vm/lib-record.sh"

load_modules clock=mono
cd "$TMP"

status=0
lttctl record --json -o out -e 'raw_syscalls:*' -e 'user:causality:*' -- \
	"$LTT/build/tests/causality" 5 > summary 2> said || status=$?
assert_eq 'exit status' 0 "$status"
assert_eq 'events of the program' 10 "$(json summary 'd["programs"]["stored"]')"
assert_match 'lttd reports the other clock' monotonic "$(cat said)"

assert 'babeltrace2 reads both traces' decode out text
assert_eq 'and has nothing to say' '' "$(head -n 3 text.err)"
assert_eq 'events of the program in its text' 5 "$(grep -c ' causality:before: ' text)"
assert 'and of the kernel' grep -q ' sys_enter: ' text
status=0
lttctl view out > view || status=$?
assert_eq 'lttctl view does so, too' 0 "$status"
assert_eq 'events of the program in its text' 5 "$(grep -c ' causality:before: ' view)"
