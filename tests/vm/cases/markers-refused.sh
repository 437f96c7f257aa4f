#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: an invalid marker is rejected with a message; its driver goes on
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
	line=$(grep -E " $1[ :]" "$TMP/said" || true)
	assert_match "$1: $2" "ltt-test-refused.c:[0-9]+ \[ltt_test_refused\]: .*$2" "$line"
}

refused refused:no_name name
refused refused:two_names conversion
refused refused:no_conversion arguments
refused refused:same_name fields
refused refused:bad_name name
refused refused:bad_separator conversion
refused refused:long_name 63
refused refused:percent space
refused refused:star length
refused refused:precision precision
refused refused:no_length number
refused refused:no_integers integers
refused refused:long_array 4096
refused refused:label_too_large fit
refused refused:same_label name
refused refused:open_labels labels
refused refused:name_of_length _length
refused refused:address_of_text '\(void \*\)'
refused refused:extended_pointer %p
refused refused:glued space
refused ltt:task 'reserved'
refused refused/group:name group
refused refused:.name group
assert_match 'sites of another version are counted' '\<2\>' \
	"$(grep 'ltt_test_refused\].*version' "$TMP/said")"

assert_eq 'one marker is left' refused:good "$(awk '/^(refused|ltt)/ { print $1 }' $SINK)"
cat /proc/ltt-test-refused > /dev/null 2>&1 || true
assert_eq 'and it works' 1 "$(tap refused:good calls)"
