#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: sites of several drivers are one marker, if they agree; an error that names both, if not
# timeout: 90
# requires: ltt-markers.ko ltt-test-sink.ko ltt-test-twin-a.ko ltt-test-twin-b.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load ltt-markers
load ltt-test-sink
put $SINK '+twin:*'

# goes_on MARKER: events come
goes_on()
{
	seen=$(tap "$1" calls)
	wait_until 10 more_than "$1" "$seen"
}

more_than()
{
	[ "$(tap "$1" calls)" -gt "$2" ]
}

# heard_from CODE: the last twin:same is of the twin with this letter
heard_from()
{
	[ "$(last twin:same)" = "$1" ]
}

twins()		# first, second
{
	load "ltt-test-twin-$1"
	assert 'the first is received' goes_on twin:same
	mark_log
	load "ltt-test-twin-$2"
	assert_eq 'two places are one marker' 2 "$(places twin:same)"
	assert "a sink that was there receives the second" wait_until 10 heard_from "$(printf %d "'$2")"
	assert 'and the first still' wait_until 10 heard_from "$(printf %d "'$1")"

	assert_eq 'another format is not the marker' 1 "$(places twin:format)"
	sentence=$(said ' twin:format')
	assert_match 'the sentence names one place' "^[^:]*twin.h:[0-9]+ \[ltt_test_twin_$2\]" "${sentence#*ltt-markers: }"
	assert_match 'and the other' "at [^ ]*twin.h:[0-9]+ \[ltt_test_twin_$1\]" "$sentence"
	assert_eq 'nor are other types' 1 "$(places twin:types)"
	assert_match 'with a sentence' "types .*\[ltt_test_twin_$1\]" "$(said ' twin:types')"

	rmmod "ltt-test-twin-$1"
	assert_eq 'the marker stays with its last driver' '1 connected' "$(places twin:same) $(state twin:same)"
	assert 'the marker is still received' goes_on twin:same
	for marker in twin:format twin:types; do
		assert_eq "$marker, in which they differ, comes back" '1 connected' \
			"$(places $marker) $(state $marker)"
		assert 'and sends events' goes_on $marker
	done
	rmmod "ltt-test-twin-$2"
	for marker in twin:same twin:format twin:types; do
		assert_eq "$marker goes with its last driver" gone "$(state $marker)"
	done
}

twins a b
rmmod ltt-test-sink
load ltt-test-sink
put $SINK '+twin:*'
twins b a

refute 'a driver that fails to load' load ltt-test-twin-a stay=0
assert_eq 'leaves no marker' gone "$(state twin:loaded)"
assert_match 'though it was received' "^[1-9]" "$(tap twin:loaded calls)"
assert_eq 'no payload was wrong' '' "$(awk '/ bad / && !/ bad 0 /' $SINK)"
