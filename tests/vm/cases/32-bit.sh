#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: programs of 32 bits on a kernel of 64: the unit tests of core/, and a program that is recorded
# requires: lttctl lttd
# timeout: 180
. "$LTT/tests/vm/lib-record.sh"

unit=$LTT/build/unit-32-bit program=$LTT/build/tests/32-bit/traced/prog-32-bit
if [ ! -x "$unit/32-bit-ring" ] || [ ! -x "$program" ]; then
	skip "$(cat "$unit/why" 2> /dev/null || echo 'programs of 32 bits were not built: run tests/vm/need 32-bit')"
fi
cd "$TMP"
export LTT_KEEP_TRACES="$TMP/traces"
mkdir "$LTT_KEEP_TRACES"

# Those of the ring, and what it holds. The others take half of the time.
for test in ring ring-overwrite ring-pitfalls ring-threads record message ctf $(at_length '' 'btf clock-math mark-format'); do
	status=0
	# ASan wants a fixed layout.
	(cd "$LTT/tests/unit" && setarch -R "$unit/32-bit-$test") > tests 2>&1 || status=$?
	[ $status = 0 ] || cat tests
	assert_eq "unit tests: $test" 0 "$status"
	assert 'which are some' grep -q '^ok ' tests
done

record()	# what
{
	status=0
	lttctl record --json -o "$1" -e 'user:test:*' -- sh -c '"$@" > said' - "$program" "$1" > summary || status=$?
	assert_eq "$1: exit status" 0 "$status"
	assert_eq 'and no event is lost' 0 "$(json summary 'd["programs"]["lost"]')"
}

for run in forks:12 vforks:100 probes:14; do
	record "${run%:*}"
	assert_eq 'events' "${run#*:}" "$(json summary 'd["programs"]["stored"]')"
done
# Handlers of signals have events, too.
record threads
assert 'lttctl view reads the trace' lttctl view threads > text
assert_eq 'events of the threads' 80000 "$(grep -c ' test:count: ' text)"
