#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: on a machine without a TSC another clock is chosen, and clock=tsc is rejected
# vm: --cpu max,-tsc
# requires: ltt-timestamp.ko
. "$LTT/tests/vm/lib-clock.sh"

refute 'there is none' grep -qw tsc /proc/cpuinfo
said=$(load_clock clock=tsc 2>&1) && said='it was loaded'
assert_match 'clock=tsc is refused' 'No such device' "$said"
assert_match 'with a sentence' clock=tsc "$(last_log)"
assert 'the choice is left to LTT' load_clock
assert_match 'it takes the monotonic clock' monotonic "$(last_log)"
rmmod ltt-timestamp
