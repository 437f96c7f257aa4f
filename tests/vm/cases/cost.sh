#!/bin/sh
# description: an event with two integers costs at most 100 instructions, all included
# vm: --icount
# requires: ltt-test-cost.ko
# timeout: 2000
#
# With -icount the TSC counts instructions, so the figures are exact. Whenever the
# guest waits for a file its clock leaps ahead: hence the time-out, in its seconds.
. "$LTT/tests/vm/lib.sh"

load_modules clock=tsc
insmod "$LTT/tests/modules/cost/ltt-test-cost.ko"
at_exit 'rmmod ltt-test-cost'

cost=/sys/kernel/debug/ltt-test-cost

at_most()	# CASE LIMIT: instructions of the common case
{
	line=$(grep "^$1 " "$OUT/cost")
	common=${line#* }
	common=${common% *}
	assert "$line: at most $2" [ "${common%.*}${common#*.}" -le "$2"0 ]
}

for overwrite in 0 1; do
	put $DBG/traces/create cost
	at_exit 'put $DBG/traces/remove cost'
	put $DBG/traces/cost/channels/events/subbuf_size 4M
	put $DBG/traces/cost/channels/events/overwrite $overwrite
	put $DBG/traces/cost/events 'cost:*'
	cat $cost > /dev/null
	put $DBG/traces/cost/state start
	cat $cost > "$OUT/cost"
	put $DBG/traces/cost/state stop
	while read -r case common mean; do
		echo "figure: $case overwrite=$overwrite: $common instructions, $mean in the mean"
	done < "$OUT/cost"
	at_most int2 100
	at_most marker-int2 110
	assert_eq 'nothing was refused' 0 "$(trace_total cost refused)"
	assert_eq 'all events are there' 35000 \
		"$(awk '$1 == "events" { n += $4 } END { print n }' $DBG/traces/cost/stats)"
	put $DBG/traces/remove cost
	cleanup='rmmod ltt-test-cost'
done
