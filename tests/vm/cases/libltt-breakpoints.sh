#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a program may be killed, or preempted by another writer, at each instruction that stores its events
# when: all
# vm: --smp 2
# timeout: 120
#
# tests/libltt has this, too, but not where the breakpoints of the CPU never fire, as in
# some virtual machines. Those of the emulated one do.
. "$LTT/tests/vm/lib.sh"

checks_of "$LTT/build/libltt-tests/test-kill" breakpoints
assert_eq 'two tests' 2 $((checks - 1))
