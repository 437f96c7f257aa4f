#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a text becomes an event of each trace that wants mark:text, by lttctl and by the file "marker"
# vm: --loaded
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

assert 'no trace is needed' lttctl mark nobody
lttctl record -o out -e 'mark:text' -- sh -c '
	lttctl --via device mark "by the device, 100% \"quoted\""
	lttctl --via debugfs mark "by debugfs"
	echo "by a shell" > "$0/marker"
	env printf %5000s. | tr " " x > long
	dd if=long of="$0/marker" bs=8k status=none' "$DBG"
assert_eq 'record succeeds' 0 $?
decode out text
assert_match 'the text of the device' 'by the device, 100% \\"quoted\\"' "$(cat text)"
assert_match 'the text of debugfs' '"by debugfs"' "$(cat text)"
assert_match 'the text of a shell, without its newline' '"by a shell"' "$(cat text)"
assert_eq 'four events' 4 "$(grep -c mark:text text)"
assert_eq 'a long text is cut to 4 KiB, its mark included' 4091 "$(grep mark:text text | tail -n 1 | grep -o 'x*' | wc -L)"

for via in device debugfs; do
	refute "an empty text is rejected, by $via" lttctl --via $via mark ''
done
status=0
lttctl mark > usage 2>&1 || status=$?
assert_eq 'a text is needed' 2 $status
refute 'the file cannot be read' cat "$DBG/marker"

unload_modules
