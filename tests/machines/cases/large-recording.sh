#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a recording with a file that is larger than a program's addresses is refused by a program of 32 bits
# machines: i386 armhf
# requires: ltt-control.ko ltt-tracepoints.ko lttctl lttd
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"
lttctl record -o out -- true
assert 'it is readable' lttctl view out > view
truncate -s 5G out/kernel/events_0
status=0
lttctl view out > view 2> said || status=$?
assert_eq 'a larger file is refused' 1 "$status"
assert_match 'with the reason' 'events_0.*File too large' "$(cat said)"
