#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl with recordings of several hosts, whose clocks are wrong in a known way: see mkhosts.

. "$(dirname "$0")/lib-lttctl.sh"

export TZ=UTC

# spread ARGUMENT...: how far the same tick is apart on two hosts at most, in microseconds
spread() {
	lttctl view --csv --fields time,host,tick -e test:tick "$@" > ticks 2> errors || { cat errors; die "fails: view $*"; }
	python3 - <<-'END'
		import csv
		rows = list(csv.DictReader(open('ticks', newline='')))
		times = {}
		for row in rows:
		    times.setdefault(int(row['tick']), []).append(int(row['time']))
		assert len(times) == 101 and len({len(one) for one in times.values()}) == 1
		assert [int(row['time']) for row in rows] == sorted(int(row['time']) for row in rows)
		print(max(max(one) - min(one) for one in times.values()) // 1000)
	END
}

# within LOW HIGH ARGUMENT...: the spread is from LOW to HIGH
within() {
	local low=$1 high=$2 got
	shift 2
	got=$(spread "$@")
	[ "$got" -ge "$low" ] && [ "$got" -le "$high" ] || { cat errors; die "$got us apart, not $low to $high: view $*"; }
}

# bound HOST: the bound of the error that view has printed, in microseconds
bound() {
	sed -nE "s/.*host $1: .*, within ([0-9.e+]+) (ns|µs|ms|s)\b.*/\1 \2/p" errors |
		awk '{ print int($1 * ($2 == "ns" ? 0.001 : $2 == "µs" ? 1 : $2 == "ms" ? 1000 : 1000000)) + 1 }'
}

# As recorded, the hosts are 250 ms apart.
test_samples_of_synchronised_clocks() {
	"$scripts/mkhosts" a:0:0:yes b:250:80:yes
	within 249000 252000 --sync=none a b
	[ ! -s errors ] || die "$(cat errors)"
	within 0 2 a b
	[ "$(grep -c 'by samples' errors)" = 2 ]
	# The kernel's own bound is 1500 us.  A sample takes 100 ns: so a bound that is rounded down is wrong.
	[ "$(bound b)" -gt 1501 ] && [ "$(bound b)" -le 1600 ] || die "$(cat errors)"
	lttctl view a b 2> /dev/null | grep -q '^[0-9:.]* b \[000\]'
}

# One host alone is shown as before, without a message.
test_one_host() {
	"$scripts/mkhosts" b:250:80:yes
	lttctl view b 2> errors > shown
	[ ! -s errors ] || die "$(cat errors)"
	lttctl view --sync=none b | diff - shown
	lttctl view b/clock | grep -q 'clock:sample: before='
}

# Of one host: there is no need to correct them, but a way to.
test_several_boots() {
	"$scripts/mkhosts" a-1:0:0:yes a-2:250:80:yes
	within 249000 252000 a-1 a-2
	[ ! -s errors ] || die "$(cat errors)"
	within 0 2 --sync=samples a-1 a-2
	within 0 100 --sync=tcp a-1 a-2
}

# Before the date was set, the samples are on another scale: times are those of the right one.
test_a_date_that_was_set() {
	"$scripts/mkhosts" a:0:0:yes b:-250:-50:set
	within 0 2 --sync=samples a b
	within 0 2 a b
	# One sample after that does not say at which frequency the clock ran.
	"$scripts/mkhosts" c:0:0:yes d:-250:-400:late
	within 3900 4100 c d
	[ "$(bound d)" -ge 4000 ] || die "$(cat errors)"
	grep -q 'host d: .*by samples' errors
}

# A line through them would be off by 20 ms at the begin.
test_samples_that_are_close_together() {
	"$scripts/mkhosts" a:0:0:yes b:250:50:end
	within 0 600 a b
	[ "$(bound b)" -ge 10000 ] || die "$(cat errors)"
}

# As far as the samples show: the rate changed by 4000 ppm while there were none.
test_samples_of_a_clock_of_unsteady_frequency() {
	"$scripts/mkhosts" a:0:0:yes b:0:0:few:400
	within 4000 5000 a b
	[ "$(bound b)" -ge 4500 ] && [ "$(bound b)" -le 15000 ] || die "$(cat errors)"
}

test_segments_where_a_clock_was_not_synchronised() {
	"$scripts/mkhosts" a:0:0:yes b:250:80:no
	within 0 100 a b
	grep -q 'host b: .*TCP segments' errors || die "$(cat errors)"
	[ "$(spread a b)" -le "$(bound b)" ] || die "more than the bound: $(cat errors)"
	[ "$(bound b)" -le 150 ] || die "$(cat errors)"
	# Also where there are no samples at all, and if it is asked for.
	"$scripts/mkhosts" c:0:0:none d:-3000:-80:none
	within 0 100 c d
	within 0 100 d c
	within 0 100 --sync=tcp c d
	within 2900000 3100000 --sync=none c d
	"$scripts/mkhosts" e:0:0:yes f:7:0:yes
	within 0 100 --sync=tcp e f
	grep -q 'host f: .*TCP segments' errors || die "$(cat errors)"
}

# One line is off by a millisecond and more.
test_a_clock_of_unsteady_frequency() {
	"$scripts/mkhosts" a:0:0:none b:40:10:none:40
	within 0 100 a b
	[ "$(bound b)" -le 300 ] || die "$(cat errors)"
	[ "$(spread b a)" -le "$(bound a)" ] || die "$(cat errors)"
	# One line just fits, and is almost the only one.
	"$scripts/mkhosts" e:0:0:none f:40:10:none:8
	within 0 100 e f
	[ "$(spread e f)" -le "$(bound f)" ] || die "$(cat errors)"
	# More than any clock does.
	"$scripts/mkhosts" c:0:0:none d:40:-100000:none
	within 900000 1100000 c d
	grep -q 'host d: .*steady' errors || die "$(cat errors)"
}

# The programs of each host have another clock than its kernel, and no samples of it.
test_programs_with_a_clock_of_their_own() {
	"$scripts/mkhosts" --programs a:0:0:yes b:250:80:yes
	within 0 3 a b
	"$scripts/mkhosts" --programs c:0:0:none d:250:80:none
	within 0 100 c d
	within 0 100 d c
}

# The third has no segments with the first alone.
test_three_hosts() {
	"$scripts/mkhosts" a:0:0:none b:40:10:none c:-900:-70:none
	within 0 200 a b c
	[ "$(grep -c 'TCP segments' errors)" = 2 ]
	within 0 200 c a b
}

# Times that cannot be corrected are as recorded, with a message; a way that was asked for and is not possible is a failure.
test_no_way() {
	"$scripts/mkhosts" --direction one a:0:0:none b:250:80:none
	within 249000 252000 a b
	grep -q 'host b: .*one direction' errors || die "$(cat errors)"
	fails 1 'host b' lttctl view --sync=tcp a b
	fails 1 'host a' lttctl view --sync=samples a b
	fails 2 --sync lttctl view --sync=clock a b
	"$scripts/mkhosts" c:0:0:yes d:250:80:no
	within 0 2 --sync=samples c d
	grep -q 'host d: .*not synchronised' errors || die "$(cat errors)"
}

# Other commands have the same times; those that would mix the threads of hosts refuse.
test_other_commands() {
	"$scripts/mkhosts" a:0:0:yes b:250:80:yes
	lttctl stat a b > shown 2> errors
	[ "$(grep -c 'by samples' errors)" = 2 ] || die "$(cat errors)"
	fails 1 several lttctl export --chrome -o out.json a b
}

run_tests
