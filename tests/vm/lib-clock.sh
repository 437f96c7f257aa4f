# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Shared by the test cases of the trace clock (cases/clock-*.sh), on
# top of lib.sh. They load ltt-timestamp with their own parameters, so they take
# out what other cases have left, and leave nothing.

. "$LTT/tests/vm/lib.sh"

at_exit 'drop ltt-test-clock; unload_modules'

# The kernel's clock is what LTT's is held against. With the HPET a CPU that waits to read
# takes what another one has read (the kernel's read_hpet()), which may be long ago if the
# host has taken that one its CPU away meanwhile.
source=/sys/devices/system/clocksource/clocksource0/current_clocksource
if [ "$(cat $source)" = hpet ]; then
	echo acpi_pm > $source
	at_exit "echo hpet > $source"
fi

# ltt-test-clock raises NMIs on x86 only.
case $(uname -m) in
x86_64|i?86)	nmis=1 ;;
*)		nmis=0 ;;
esac

drop()
{
	[ ! -d "/sys/module/$(echo "$1" | tr - _)" ] || rmmod "$1"
}

# load_clock PARAMETER...: ltt-timestamp alone
load_clock()
{
	insmod "$LTT/modules/timestamp/ltt-timestamp.ko" "$@"
}

# clock_goes PARAMETER...: a round of ltt-test-clock, which then stays loaded;
# says the figures
clock_goes()
{
	status=0
	drop ltt-test-clock
	insmod "$LTT/tests/modules/clock/ltt-test-clock.ko" "$@" || status=$?
	figures
	return "$status"
}

# clock_still_goes: another round, measured from the same moment as the first
clock_still_goes()
{
	status=0
	echo 1 > /sys/module/ltt_test_clock/parameters/again || status=1
	figures
	return "$status"
}

figures()
{
	dmesg | sed -n 's/.*ltt_test_clock: \(reads\)/\1/p' | tail -n 1
}

# last_log: what ltt-timestamp said last
last_log()
{
	dmesg | sed -n 's/.*ltt_timestamp: //p' | tail -n 1
}

unload_modules
