#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: an event interrupted at any instruction, with a clock that is a function of the kernel's
# vm: --icount
# requires: ltt-test-sweep.ko
# timeout: 4000
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-sweep.sh"

load_sweep clock=mono
sweep timer 'fast-*'
sweep timer 'switch-*'
sweep timer 'medium-*'
sweep step 'fast-*'
assert_covered 'by a timer' T R
