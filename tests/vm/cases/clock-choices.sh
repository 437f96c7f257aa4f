#!/bin/sh
# description: each clock can be chosen, keeps time, and never goes backwards in tasks, interrupts and NMIs
# vm: --parallel
# requires: ltt-timestamp.ko ltt-test-clock.ko
# timeout: 90
. "$LTT/tests/vm/lib-clock.sh"

if grep -w constant_tsc /proc/cpuinfo | grep -qw nonstop_tsc; then best=tsc; else best=monotonic; fi

# A wrong clock fails each round, a busy host only some. A clock that goes backwards fails at
# once.
goes_right()
{
	for round in 1 2 3; do
		if clock_goes nmi=1 slack_us=20000; then return 0; fi
		case $(figures) in *' backwards 0, '*) ;; *) return 1 ;; esac
		echo "round $round was off"
	done
	return 1
}

for choice in auto:$best tsc:tsc mono:monotonic cycles:cycles; do
	load_clock "clock=${choice%:*}"
	assert_match "clock=${choice%:*} is ${choice#*:}" \
		"\\<${choice#*:}\\>.*[0-9]{8,}.*\\<64\\>" "$(last_log)"
	assert "clock=${choice%:*} goes right" goes_right
	assert_match 'it was read in all contexts' '^reads [1-9][0-9]* [1-9][0-9]* [1-9]' "$(figures)"
	unload_test=$(rmmod ltt-timestamp 2>&1) && unload_test='it went'
	assert_match 'the clock cannot go while it is used' 'in use' "$unload_test"
	rmmod ltt-test-clock
	assert 'the clock can go when it is not' rmmod ltt-timestamp
done
