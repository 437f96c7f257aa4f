#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: the operations of debugfs-fuzz by four processes at once, as traces come and go
# vm: --smp 1 --slub-debug
# requires: ltt-control.ko ltt-test-markers.ko
# timeout: 120
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-fuzz.sh"

fuzz debugfs-fuzz 5 4
