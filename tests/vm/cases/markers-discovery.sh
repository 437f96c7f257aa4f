#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: markers are found in drivers loaded before and after ltt-markers, and drivers work without
# timeout: 60
# requires: ltt-markers.ko ltt-test-sink.ko ltt-sample.ko ltt-test-types.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

assert 'a driver with markers loads without LTT' load ltt-sample
assert 'and works' put /dev/ltt-sample 3

load ltt-markers
load ltt-test-sink
assert_eq 'its markers are found, though it was first' there "$(state sample:request)"
load ltt-test-types
assert_eq 'and those of a driver that comes later' there "$(state types:once)"
assert_eq 'no call before connecting' 0 "$(tap types:once calls)"

put $SINK '+*'
put /dev/ltt-sample 10
: > /proc/ltt-test-types
for marker in open:1 request:10 lookup:10 complete:10 idle:1 close:1; do
	assert_eq "sample:${marker%:*} fires ${marker#*:} times" "${marker#*:}" "$(tap "sample:${marker%:*}" calls)"
done
assert_eq 'a site that was inlined three times is one' 1 "$(places types:inlined)"
assert_eq 'and fires three times' 3 "$(tap types:inlined calls)"
assert_match 'the place is known' 'ltt-sample.c:[0-9]+ \[ltt_sample\]' "$(grep -A 2 ^sample:idle $SINK)"

rmmod ltt-sample
assert_eq 'markers go with their driver' gone "$(state sample:request)"
assert_eq 'others do not' connected "$(state types:once)"
load ltt-sample
put /dev/ltt-sample 1
assert_eq 'a wanted marker is connected when it comes again' connected "$(state sample:request)"
assert_eq 'and is called' 1 "$(tap sample:complete calls)"

put $SINK '-*'
put /dev/ltt-sample 5
assert_eq 'and no more when it is not wanted' 1 "$(tap sample:complete calls)"
assert_eq 'no payload was wrong' '' "$(awk '/ bad / && !/ bad 0 /' $SINK)"

rmmod ltt-test-sink
rmmod ltt-markers
assert 'the driver works when LTT has gone' put /dev/ltt-sample 3
load ltt-markers
load ltt-test-sink
put $SINK '+types:*'
: > /proc/ltt-test-types
assert_eq 'LTT finds all again when it comes back' 1 "$(tap types:once calls)"
