# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# shellcheck shell=sh
#
# For the cases that compare what filters record with what the reader selects.
. "$LTT/tests/vm/lib-exact.sh"

# compare_filters COUNT: that many random filters
compare_filters()
{
	load_modules "$(fast_clock)"
	load ltt-sample
	load ltt-test-random
	mkdir "$TMP/cgroup" "$TMP/traces"
	mount -t cgroup2 cgroup2 "$TMP/cgroup"
	at_exit "umount $TMP/cgroup; rmdir $TMP/cgroup"
	cd "$TMP/traces"
	checks_of expression-recorded "${LTT_SEED:-1}" "$1" "$TMP/traces"
	# The program evaluates expressions as lttctl view does: this is the command itself.
	event=$(cat event)
	lttctl view -f "$(cat text)" all > view
	assert_eq "lttctl view -f shows the records of $event that the program selected" "$(cat count)" \
		"$(grep -c " \(${event%:*}:\)\?${event#*:}:" view)"
}
