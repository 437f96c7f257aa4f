# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# shellcheck shell=sh
#
# For the cases that write anything at all to /dev/ltt.  To be read after lib.sh.

. "$LTT/tests/vm/lib-markers.sh"

# What was handed over to debugfs, or made there, is no session's.
end_shared()
{
	for trace in "$DBG"/traces/*/; do
		[ ! -d "$trace" ] || put "$DBG/traces/remove" "$(basename "$trace")"
	done
}

# fuzz SECONDS PROCESSES [COMMAND...]: see device-fuzz.c
fuzz()
{
	load_modules
	load ltt-test-markers
	at_exit 'end_shared; ! grep -q ltt_test_markers /proc/modules || rmmod ltt-test-markers; unload_modules'
	seconds=$(($1 * ${LTT_SLOW:-1}))
	shift
	# What stays for ever comes now.
	"$LTT/build/tests/device-fuzz" 4 "$@" > "$TMP/first" || :
	end_shared
	memory=$(kernel_memory)

	"$LTT/build/tests/device-fuzz" "$seconds" "$@" > "$TMP/said" || :
	cat "$TMP/said"
	assert_match 'all is answered as it should be' '^ok every message' "$(cat "$TMP/said")"
	end_shared
	assert_eq 'no trace is left' "$DBG/traces/*/" "$(echo "$DBG"/traces/*/)"
	assert_match 'no sink is left' '^sinks 0$' "$(grep sinks "$DBG/markers/test/task/info")"
	assert_memory_kept "$memory" 512
	rmmod ltt-test-markers
	assert 'everything can be unloaded' unload_modules
}
