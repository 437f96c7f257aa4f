#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a trace has every event once, while others of the same events start and stop
# when: all
# vm: --parallel
# requires: lttctl ltt-test-cost.ko ltt-control.ko
# faces: debugfs
# also: device
# timeout: 120
. "$LTT/tests/vm/lib.sh"

BATCH=10000
ROUNDS=$(at_length 1 5)

load_modules clock=tsc
insmod "$LTT/tests/modules/cost/ltt-test-cost.ko"
at_exit 'rmmod ltt-test-cost'
cost=/sys/kernel/debug/ltt-test-cost

# The count of a trace's events with this name in its statistics.
events()	# trace, word
{
	awk -v word="$2" '$1 == "events" { for (i = 3; i < NF; i += 2) if ($i == word) n += $(i + 1) }
		END { print n + 0 }' "$DBG/traces/$1/stats"
}

recorder()	# trace: it keeps the end, so it needs no reader
{
	put $DBG/traces/create "$1"
	at_exit "put $DBG/traces/remove $1 2> /dev/null || :"
	put "$DBG/traces/$1/channels/events/subbuf_size" 64K
	put "$DBG/traces/$1/channels/events/overwrite" 1
	put "$DBG/traces/$1/events" 'cost:*'
}

for trace in all b c; do
	recorder $trace
done
put $DBG/traces/all/state start

fire()	# case
{
	put $cost "$1 $BATCH"
}

: > "$TMP/storm"
at_exit "rm -f $TMP/storm; wait"
while_stormy fire int2 &
one=$!
while_stormy fire marker-int2 &
two=$!
wait_until 20 test -s "$TMP/fire.count"
rounds=0
while [ $rounds -lt $ROUNDS ]; do
	for what in 'b start' 'c start' 'b stop' 'c stop'; do
		put "$DBG/traces/${what% *}/state" "${what#* }"
	done
	rounds=$((rounds + 1))
done
rm "$TMP/storm"
assert 'firing went well' wait $one
assert 'firing went well' wait $two
fired=$((BATCH * $(wc -l < "$TMP/fire.count")))

put $DBG/traces/all/state stop
assert_eq 'every event was recorded, once' $fired "$(events all emitted)"
assert_eq 'none was refused' 0 "$(events all refused)"
for trace in all b c; do
	assert_conserved $trace
done
for trace in b c; do
	assert "trace $trace has some of them" [ "$(events $trace emitted)" -gt 0 ]
	assert "but not all" [ "$(events $trace emitted)" -lt $fired ]
done
