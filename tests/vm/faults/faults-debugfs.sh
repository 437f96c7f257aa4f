#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: an operation on a file of debugfs whose allocation fails changes nothing
# vm: --slub-debug --smp 1
# requires: ltt-test-nth.ko
# timeout: 400
#
# With one CPU, because ltt-test-nth patches its probes all the time; see --take-turns.
. "$LTT/tests/vm/lib.sh"

insmod "$LTT/tests/modules/nth/ltt-test-nth.ko"
at_exit 'rmmod ltt-test-nth'
load_modules
checks_of nth debugfs
