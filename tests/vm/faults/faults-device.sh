#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a command of /dev/ltt whose allocation fails changes nothing
# vm: --slub-debug --smp 1
# requires: ltt-test-nth.ko ltt-test-twin-a.ko ltt-test-twin-b.ko
# timeout: 400
#
# With one CPU, because ltt-test-nth patches its probes all the time; see --take-turns.
. "$LTT/tests/vm/lib.sh"

insmod "$LTT/tests/modules/nth/ltt-test-nth.ko"
at_exit 'rmmod ltt-test-nth'
load_modules
# A marker of two places.
insmod "$LTT/tests/modules/markers/ltt-test-twin-a.ko"
insmod "$LTT/tests/modules/markers/ltt-test-twin-b.ko"
at_exit 'rmmod ltt-test-twin-a ltt-test-twin-b'
checks_of nth device
