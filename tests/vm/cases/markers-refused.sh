#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a marker that cannot be is refused with a sentence; its driver goes on
# timeout: 60
# requires: ltt-markers.ko ltt-test-sink.ko ltt-test-refused.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load ltt-markers
load ltt-test-sink
put $SINK '+*'
mark_log
assert 'the driver loads' load ltt-test-refused
said '' > /dev/null

refused()	# marker, words
{
	line=$(grep -F " the marker $1 is ignored: " "$TMP/said" || true)
	assert_match "$1: $2" "ltt-test-refused.c:[0-9]+ \[ltt_test_refused\]: .*$2" "$line"
}

refused refused:no_name 'a conversion has no name before it'
refused refused:two_names 'each name must be followed by its conversion'
refused refused:no_conversion 'there are more fields than arguments'
refused refused:same_name 'two fields have this name'
refused refused:bad_name "a field's name is a letter or _"
refused refused:bad_separator 'each name must be followed by its conversion'
refused refused:long_name 'longer than 63 characters'
refused refused:percent 'must be followed by white space'
refused refused:star 'a precision or a \* is not supported'
refused refused:precision 'a precision or a \* is not supported'
refused refused:address_of_text 'cast it to \(void \*\)'
refused refused:text_at_bytes 'cast it to \(const char \*\)'
refused refused:extended_pointer '%p has no extensions'
refused refused:stores 'recorded with %p or %s'
refused refused:glued 'must be followed by white space'
refused ltt:task 'reserved'
refused refused/group:name 'a group and a name are'
refused refused:.name 'a group and a name are'
assert_match 'sites of another version are counted' 'ltt_test_refused\] has 2 places' \
	"$(grep 'another version of LTT' "$TMP/said")"

assert_eq 'one marker is left' refused:good "$(awk '/^(refused|ltt)/ { print $1 }' $SINK)"
cat /proc/ltt-test-refused > /dev/null 2>&1 || true
assert_eq 'and it works' 1 "$(tap refused:good calls)"
