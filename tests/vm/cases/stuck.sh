#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a thread that stays in read() or write() holds up no other, and loses nothing
# vm: --smp 2
# requires: ltt-control.ko ltt-test-markers.ko /proc/sys/vm/unprivileged_userfaultfd
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load_modules
load ltt-test-markers
put $DBG/traces/create t
at_exit "put $DBG/traces/remove t"
put $DBG/traces/t/events 'test:task'
put $DBG/traces/t/channels/events/subbuf_size 8K
put $DBG/traces/t/state start
put /proc/ltt-test-markers '1000 task'
put $DBG/traces/t/state stop
checks_of stuck $DBG/traces/t
