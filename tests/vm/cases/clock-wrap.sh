#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a 32-bit clock is exact across wraps, also after silence longer than several wraps
# when: all
# vm: --parallel
# requires: ltt-heartbeat.ko ltt-control.ko ltt-test-clock.ko
# timeout: 120
. "$LTT/tests/vm/lib-clock.sh"

# The first wrap is 50 ms after loading.
ghz=$(wrap_ghz)
wrap_ms=$((4295 / ghz))
load_modules clock=test32 test32_ghz="$ghz"
assert_match 'the clock has 32 bits' "test32.*${ghz}000000000.*\\<32\\>" "$(last_log)"
assert 'in all contexts, over several wraps' clock_goes nmi=$nmis run_ms=$(at_length $((wrap_ms * 5 / 2)) $((wrap_ms * 4)))
assert 'with silence of half a wrap' clock_goes silence_ms=$((wrap_ms / 2)) run_ms=$((wrap_ms * 3))
assert 'with silence of a wrap' clock_goes silence_ms=$wrap_ms run_ms=$((wrap_ms * 3))
assert 'with silence of several wraps' clock_goes silence_ms=$(at_length $((wrap_ms * 5 / 2)) $((wrap_ms * 4))) \
	run_ms=$(at_length $((wrap_ms * 5)) $((wrap_ms * 8)))

# The promise needs the beat, and this test can fail: without one time is lost.
drop ltt-test-clock
unload_modules
load_clock clock=test32 test32_ghz="$ghz"
refute 'without a beat wraps are missed' clock_goes silence_ms=$((wrap_ms * 5 / 2)) run_ms=$((wrap_ms * 5 / 2))
