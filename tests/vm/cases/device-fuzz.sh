#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: every message written to /dev/ltt gets the expected reply, and leaves nothing behind
# when: all
# vm: --smp 1 --slub-debug
# requires: ltt-control.ko ltt-test-markers.ko
# timeout: 120
#
# LTT_SEED=n make check TESTS=vm/device-fuzz repeats a run.  One CPU, for the reason
# given in device-killed.sh; device-fuzz-2cpu.sh has two.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-fuzz.sh"

fuzz device-fuzz "$(at_length 3 10)" 4
