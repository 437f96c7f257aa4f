# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# shellcheck shell=sh
#
# For the cases that fuzz /dev/ltt or debugfs.  Include it after lib.sh.

. "$LTT/tests/vm/lib-markers.sh"

# Traces that were handed over to debugfs, or made there, belong to no connection.
end_shared()
{
	put "$DBG/markers/wanted" '!*' 2>/dev/null || :
	# Of any name; those of tasks have half a megabyte each.
	for group in $(awk '{ print $2 }' "$DBG/groups"); do
		put "$DBG/groups" "!$group" 2>/dev/null || :
	done
	for trace in "$DBG"/traces/*/; do
		[ ! -d "$trace" ] || put "$DBG/traces/remove" "$(basename "$trace")"
	done
}

# fuzz PROGRAM SECONDS PROCESSES [COMMAND...]: see device-fuzz.c, debugfs-fuzz.c
fuzz()
{
	load_modules
	load ltt-test-markers
	at_exit 'end_shared; ! grep -q ltt_test_markers /proc/modules || rmmod ltt-test-markers; unload_modules'
	program=$LTT/build/tests/$1
	seconds=$(($2 * ${LTT_SLOW:-1}))
	shift 2
	# Allocate now what is never freed: such as the state of each marker that was ever wanted.
	put "$DBG/markers/wanted" '*'
	"$program" 4 "$@" > "$TMP/first" || :
	end_shared
	memory=$(kernel_memory)

	"$program" "$seconds" "$@" > "$TMP/said" || :
	cat "$TMP/said"
	assert_match 'all is as it should be' '^ok every ' "$(cat "$TMP/said")"
	end_shared
	assert_eq 'no trace is left' "$DBG/traces/*/" "$(echo "$DBG"/traces/*/)"
	assert_match 'no sink is left' '^sinks 0$' "$(grep sinks "$DBG/markers/test/task/info")"
	assert_memory_kept "$memory" 512
	rmmod ltt-test-markers
	assert 'everything can be unloaded' unload_modules
}
