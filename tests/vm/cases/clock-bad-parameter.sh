#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: a bad parameter of ltt-timestamp: EINVAL, a message in the log, nothing loaded
# requires: ltt-timestamp.ko
. "$LTT/tests/vm/lib-clock.sh"

refused()	# pattern of the sentence, parameter...
{
	sentence=$1
	shift
	said=$(load_clock "$@" 2>&1) && said='it was loaded'
	assert_match "EINVAL for '$*'" 'Invalid (argument|parameters)' "$said"
	assert_match "a sentence for '$*'" "$sentence" "$(last_log)"
	refute "nothing is left of '$*'" test -d /sys/module/ltt_timestamp
}

refused tcs clock=tcs
refused TSC clock=TSC
refused clock= clock=
refused mono 'clock="mono "'
refused test32_ghz clock=test32 test32_ghz=0
refused 101 clock=test32 test32_ghz=101

# ---- Where the machine, or who loads it, has not what it wants ----

# A private mount namespace: the kernel looks for files where the task that loads does.
assert 'without /proc it is loaded' unshare -m sh -c 'mount -t tmpfs none /proc && insmod "$0"' \
	"$LTT/modules/timestamp/ltt-timestamp.ko"
assert_match 'and says what that means' 'ENOENT' \
	"$(dmesg | grep 'boot_id')"
rmmod ltt-timestamp
