#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: an event interrupted at any instruction: by a timer, by an exception, by an NMI
# vm: --icount
# requires: ltt-test-sweep.ko
# timeout: 4000
#
# Where an interruption leads to instructions that are not reached without one, such as
# a second try, these are interrupted as well (the flag L of ltt-test-sweep).
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-sweep.sh"

load_sweep clock=tsc
sweep timer '[!b]*'
sweep step '[!b]*'
sweep nmi '[!bh]*'
assert_covered 'by a timer' T R
assert_covered 'by an exception' S RL
assert_covered 'by an NMI' N RL
for way in timer step nmi; do sweep_broken $way; done
cp $SWEEP "$OUT/places"
