#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: children of vfork() record nothing, and leave their parent's events as they are (P4)
# machines: i386 arm64 armhf
# requires: lttctl lttd
. "$LTT/tests/vm/lib-record.sh"

cd "$TMP"
status=0
lttctl record -o out -e 'user:vforks:*' -- "$LTT/build/tests/vforks" 50 2> said || status=$?
cat said
assert_eq 'the program runs, and is recorded' 0 "$status"
lttctl view out > view
assert_eq 'all events of the parent' 50 "$(grep -c ' vforks:parent' view)"
assert_eq 'none of the children' 0 "$(grep -c ' vforks:child' view)"
# "[CPU] TID NAME ... vforks:parent: i=I pid=PID"
assert_eq 'by the thread of the parent' 50 "$(sed -n 's/^[^ ]* \[[0-9]*\] *\([0-9]*\) .* pid=\1\( .*\)\{0,1\}$/\1/p' view | wc -l)"
