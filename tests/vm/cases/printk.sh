#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: printk:console records the kernel's log as text
# vm: --loaded
# requires: lttctl lttd babeltrace2 ltt-control.ko
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"
lttctl record --strict -o out -e printk:console -- \
	sh -c 'echo "<6>first of two" > /dev/kmsg; echo "<6>a \"second\" line" > /dev/kmsg'
lttctl view out | grep ' console: ' > view
decode out text
assert_eq 'each message is recorded, as text' 2 "$(grep -c ' console: .*msg="' view)"
assert_match 'in order' '^first of two$' "$(sed -n 's/.* console: .*msg="\(.*\)"$/\1/p' view | head -n 1)"
assert_match 'with its quotation marks' 'msg="a .*second.* line"$' "$(tail -n 1 view)"
assert 'for other tools, too' grep -q 'msg = "first of two"' text
assert 'everything can be unloaded' unload_modules
