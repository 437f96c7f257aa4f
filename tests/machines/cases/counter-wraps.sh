#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the machine's own counter of 32 bits is exact over a wrap, also in silence
# machines: armhf
# vm: --parallel
# requires: ltt-heartbeat.ko ltt-control.ko ltt-test-clock.ko
# timeout: 300
. "$LTT/tests/vm/lib-clock.sh"

load_modules clock=cycles
assert_match 'the clock has 32 bits' 'cycles.*\<32\>' "$(last_log)"
# "the trace clock is cycles, N Hz, 32 bits"
hz=$(last_log | sed -n 's/.* \([0-9]*\) Hz.*/\1/p')
wrap_ms=$((4294967296 * 1000 / hz))
assert "it goes right for a wrap of $wrap_ms ms" clock_goes run_ms=$((wrap_ms + 5000))
assert 'with silence of more than a wrap' clock_goes silence_ms=$((wrap_ms + 2000)) run_ms=$((wrap_ms + 4000))
