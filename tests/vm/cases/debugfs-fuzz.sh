#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: every operation on a file of debugfs is done wholly, or fails with a message and changes nothing
# vm: --smp 1 --slub-debug
# when: all
# requires: ltt-control.ko ltt-test-markers.ko
# timeout: 120
#
# LTT_SEED=n make check TESTS=vm/debugfs-fuzz repeats a run.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-fuzz.sh"

fuzz debugfs-fuzz 8 1
