#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a driver with event headers is recorded by one line in its Kbuild, whichever is loaded or unloaded first
# vm: --loaded
# timeout: 120
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-sample-events.ko ltt-test-sink.ko
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-markers.sh"

jobs=/proc/ltt-sample-events
cd "$TMP"

assert_eq 'the driver depends on no module of LTT' '' "$(modinfo -F depends "$LTT/samples/events/ltt-sample-events.ko")"
load ltt-sample-events
assert 'it works without LTT' put $jobs 3
load_modules
mark_log

status=0
lttctl record -o out -e 'sample_jobs:*' -e 'sample_state:*' -- sh -c "printf 3 > $jobs" 2> said || status=$?
assert_eq 'its events are recorded' 0 "$status"
decode out text
assert_eq 'all of them' 11 "$(grep -c ' sample_' text)"
assert_eq 'with a string and an array' 1 \
	"$(grep -c 'sample_job_queue: .*id = 5, name = "odd", .*sizes = \[ \[0\] = 4 \]' text)"
assert_eq 'with numbers' 1 "$(grep -c 'sample_job_end: .*id = 6, result = -30 ' text)"
assert_eq 'and those of its second header' 1 "$(grep -c 'sample_state_change: .*busy = 1, jobs = 3 ' text)"

# It goes while its events are recorded, and comes again.
cat > again <<END
printf 2 > $jobs
rmmod ltt-sample-events
insmod "$LTT/samples/events/ltt-sample-events.ko"
printf 1 > $jobs
END
status=0
lttctl record -o again-out -e 'sample_jobs:*' -- sh -e again 2> said || status=$?
assert_eq 'the driver can go while its events are recorded' 0 "$status"
decode again-out text
assert_eq 'and is recorded again' 9 "$(grep -c ' sample_' text)"

# Each order of unloading, with and without an event in between.
load ltt-test-sink
for first in ltt-sample-events ltt-tracepoints; do
	put $SINK '+sample_jobs:*'
	put $jobs 1
	assert_match 'the string arrives' "'(odd|even)'" "$(last sample_jobs:sample_job_queue)"
	put $SINK '-sample_jobs:*'
	assert "$first can be unloaded first" rmmod $first
	assert_eq 'its events go' gone "$(state sample_jobs:sample_job_end)"
	if [ $first = ltt-tracepoints ]; then
		assert 'the driver works without LTT again' put $jobs 1
		load ltt-tracepoints
	else
		load ltt-sample-events
	fi
	assert_eq 'and come again' there "$(state sample_jobs:sample_job_end)"
done

# While it fires.
fires() { [ "$(tap sample_jobs:sample_job_end calls)" -gt 0 ]; }
: > storm
while [ -e storm ]; do
	printf 100 > $jobs 2> /dev/null || true
	# The CPUs of this VM take turns: leave some to the others.
	sleep 0.02
done &
at_exit "rm -f $TMP/storm"
for _ in $(at_length 1 '1 2'); do
	put $SINK '+sample_jobs:*'
	wait_until 10 fires
	rmmod ltt-test-sink
	rmmod ltt-tracepoints
	load ltt-tracepoints
	load ltt-test-sink
done
rm storm
wait
assert_eq 'no payload was wrong' '' "$(awk '/ bad / && !/ bad 0 /' $SINK)"
assert_eq 'the kernel log has nothing of it' '' "$(said ltt-sample-events)"
