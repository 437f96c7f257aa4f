#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a thread that stays in read() or write() holds up no other, and loses nothing
# vm: --smp 2
# requires: ltt-control.ko ltt-test-markers.ko /proc/sys/vm/unprivileged_userfaultfd
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load_trace_with_packets t
put $DBG/traces/t/state stop
checks_of stuck $DBG/traces/t
