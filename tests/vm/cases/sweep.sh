#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: an event can be interrupted at any instruction, by other events and by all operations on a buffer
# vm: --icount
# requires: ltt-test-sweep.ko
# when: all
# timeout: 2000
#
# A timer, which sends events, flushes or stops the trace, is moved over each way through
# the writer, instruction by instruction; after each shot every event is there once or
# was counted lost. "make check-sweep" also does so in NMIs, and at second places.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-sweep.sh"

load_sweep clock=tsc
sweep timer '[!bh]*'
sweep timer halt-fast
assert_covered 'by a timer' T R
sweep step 'fast-*'
sweep nmi 'fast-[ob]*'
sweep_broken timer
sweep_broken step
