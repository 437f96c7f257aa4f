#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: each clock can be chosen, keeps time, and never goes backwards in tasks, interrupts and NMIs
# vm: --parallel
# requires: ltt-timestamp.ko ltt-test-clock.ko
# when: all
# timeout: 90
. "$LTT/tests/vm/lib-clock.sh"

# The choices of this architecture, the bits of its cycle counter, and whether NMIs read the clock.
best=monotonic tsc='' cycles_bits=64 in_nmis=''
case $(uname -m) in
x86_64|i?86)
	! grep -w constant_tsc /proc/cpuinfo | grep -qw nonstop_tsc || best=tsc
	tsc=tsc:tsc in_nmis=' [1-9]' ;;
aarch64)
	best=cycles ;;
arm*)
	cycles_bits=32 ;;
esac

# A wrong clock fails each round, a busy host only some. A clock that goes backwards fails at
# once.
goes_right()
{
	for round in 1 2 3; do
		if clock_goes nmi=$nmis slack_us=20000; then return 0; fi
		case $(figures) in *' backwards 0, '*) ;; *) return 1 ;; esac
		echo "round $round was off"
	done
	return 1
}

for choice in auto:$best $tsc mono:monotonic cycles:cycles; do
	bits=64
	[ "${choice#*:}" != cycles ] || bits=$cycles_bits
	load_clock "clock=${choice%:*}"
	assert_match "clock=${choice%:*} is ${choice#*:}" \
		"\\<${choice#*:}\\>.*[0-9]{8,}.*\\<$bits\\>" "$(last_log)"
	assert "clock=${choice%:*} goes right" goes_right
	assert_match 'it was read in all contexts' "^reads [1-9][0-9]* [1-9][0-9]*$in_nmis" "$(figures)"
	unload_test=$(rmmod ltt-timestamp 2>&1) && unload_test='it went'
	assert_match 'the clock cannot go while it is used' 'in use' "$unload_test"
	rmmod ltt-test-clock
	assert 'the clock can go when it is not' rmmod ltt-timestamp
done
