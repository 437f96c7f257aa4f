#!/bin/sh
# description: a bad parameter of ltt-timestamp: EINVAL, a sentence in the log, nothing loaded
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

refused '^clock=tcs is not a clock of this machine; use auto, tsc, mono,' clock=tcs
refused '^clock=TSC is not a clock' clock=TSC
refused '^clock= is not a clock' clock=
refused '^clock=mono  is not a clock' 'clock="mono "'
refused '^test32_ghz=0 is out of range; use 1 to 100' clock=test32 test32_ghz=0
refused '^test32_ghz=101 is out of range' clock=test32 test32_ghz=101
