#!/bin/sh
# description: a 32-bit clock is exact across wraps, also after silence longer than several wraps
# vm: --parallel
# requires: ltt-heartbeat.ko ltt-control.ko ltt-test-clock.ko
# timeout: 120
. "$LTT/tests/vm/lib-clock.sh"

# 4 GHz: a wrap takes 1.07 s, the first is 50 ms after loading. It could be 20
# times as fast, but a virtual machine may stand still for that long.
load_modules clock=test32 test32_ghz=4
assert_match 'the clock has 32 bits' 'test32.*4000000000.*\<32\>' "$(last_log)"
assert 'in all contexts, over several wraps' clock_goes nmi=$nmis run_ms=$(at_length 2500 4000)
assert 'with silence of half a wrap' clock_goes silence_ms=537 run_ms=$(at_length 2000 3000)
assert 'with silence of a wrap' clock_goes silence_ms=1074 run_ms=$(at_length 2500 3000)
assert 'with silence of several wraps' clock_goes silence_ms=$(at_length 2500 4000) run_ms=$(at_length 5000 8000)

# The promise needs the beat, and this test can fail: without one time is lost.
drop ltt-test-clock
unload_modules
load_clock clock=test32 test32_ghz=4
refute 'without a beat wraps are missed' clock_goes silence_ms=2500 run_ms=2500
