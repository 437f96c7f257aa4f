# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# For sweeps: an event interrupted at each of its instructions, see ltt-test-sweep. Include it
# after lib.sh, in a VM with --icount.
# shellcheck shell=sh

SWEEP=/proc/ltt-test-sweep
BAR=99	# percent of the instructions

# load_sweep [clock=...]
load_sweep()
{
	case $(uname -v) in
	*PREEMPT_RT*)	skip 'this kernel lets threads run in the middle of an event that wakes them' ;;
	esac
	load_modules "$@"
	insmod "$LTT/tests/modules/sweep/ltt-test-sweep.ko"
	at_exit 'rmmod ltt-test-sweep'
	# Traces that are stopped in the interruption are stopped and started for each.
	echo 1 > /sys/kernel/rcu_expedited
	at_exit 'echo 0 > /sys/kernel/rcu_expedited'
	wait_until 1000 high_resolution
}

# Before that, a timer waits for the next tick.
high_resolution()
{
	grep -q '\.hres_active *: 1' /proc/timer_list
}

# sweep WAY GLOB: after each shot the buffer is whole
sweep()
{
	assert "$1 $2: the buffer is whole after each shot" put $SWEEP "$1 $2"
	grep "^sweep .* $1 .*: " $SWEEP | grep -v ': whole$' | grep -v '^sweep broken' || :
}

# sweep_broken WAY: the judge finds the faults of the broken writer
sweep_broken()
{
	assert "$1: a writer whose reservation is not atomic is found" put $SWEEP "$1 broken"
	assert_match "$1: with the kind" '(missing|counted|there)' \
		"$(grep "^sweep broken $1 " $SWEEP)"
}

# assert_covered WHAT LETTER LETTERS: of the instructions of LTT that were reached (LETTERS),
# so many were interrupted as LETTER says. The ways through the kernel's own functions depend on the state of the
# thread that they wake, so not every shot reaches their instructions.
assert_covered()
{
	grep '^[RLUTSN]* .*+0x.* \[ltt_' $SWEEP | grep -v '\[ltt_test_' > "$TMP/places"
	assert "$1: some hundreds are reached" [ "$(grep -c "^[A-Z]*[$3]" "$TMP/places")" -ge 300 ]
	covered=$(awk -v by="$2" -v how="[$3]" '
		$1 ~ how { n++; if ($1 ~ by) hit++ }
		END { if (n) printf "%d of %d, %d.%02d %%", hit, n, hit * 100 / n, hit * 10000 / n % 100 }
		' "$TMP/places")
	echo "figure: instructions interrupted $1: $covered"
	awk -v by="$2" -v how="[$3]" '$1 ~ how && $1 !~ by { print "  not:", $2, $3 }' "$TMP/places"
	assert "$1: at least $BAR % of the instructions that are reached" \
		[ "$(echo "$covered" | sed 's/.* \([0-9]*\)\..*/\1/')" -ge $BAR ]
}
