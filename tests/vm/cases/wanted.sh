#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: markers are wanted before their driver comes, by name, glob, group or file, in every trace present and future
# vm: --loaded
# requires: lttctl ltt-control.ko ltt-sample.ko
# faces: device
# also: debugfs
# timeout: 120
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

wanted=$DBG/markers/wanted

create()
{
	put $DBG/traces/create "$1"
	at_exit "put $DBG/traces/remove $1 2> /dev/null || :"
}

# The lines of the trace about the sample driver, joined.
events()	# trace
{
	grep -E ' (sam|\*:)' "$DBG/traces/$1/events" | tr '\n' ' ' || :
}

# The names of what is enabled of it.
names()		# trace
{
	sed -n 's/^+ sample:\([^ ]*\) events$/\1/p' "$DBG/traces/$1/events" | sort | tr '\n' ' '
}

but_open='close complete evict idle lookup request '
all='close complete evict idle lookup open request '

load_modules
at_exit "put $wanted '!*' 2> /dev/null || :"
assert_eq 'nothing is wanted to begin with' '' "$(cat $wanted)"

# By name and by glob, before the driver is there.
create before
put $DBG/traces/before/state start
put $wanted 'sample:request sam*:c[kl]*'
assert_eq 'it reads back' 'sample:request sam*:c[kl]* ' "$(tr '\n' ' ' < $wanted)"
create after
for trace in before after; do
	assert_eq "$trace: what is not there is seen to be missing" '? sample:request ? sam*:c[kl]* ' "$(events $trace)"
done
load ltt-sample
for trace in before after; do
	assert_eq "$trace: it is enabled when the driver comes" 'close request ' "$(names $trace)"
	assert_eq "$trace: and nothing waits" '' "$(grep '^?' $DBG/traces/$trace/events || :)"
done
assert_eq 'its file reads 1' 1 "$(cat $DBG/markers/sample/request/enable)"
assert_eq 'that of another reads 0' 0 "$(cat $DBG/markers/sample/lookup/enable)"
assert_match 'the group says how many' '^2 of 7$' "$(cat $DBG/markers/sample/enable)"
put /dev/ltt-sample 5
put $DBG/traces/before/state stop
assert_eq 'it is recorded: 5 requests, a close' 6 \
	"$(awk '$1 == "events" { n += $4 } END { print n }' $DBG/traces/before/stats)"
assert_conserved before
rmmod ltt-sample
assert_eq 'it waits again when the driver goes' '? sample:request ? sam*:c[kl]* ' "$(events after)"
assert 'the folder of the group goes' wait_until 10 [ ! -d $DBG/markers/sample ]
load ltt-sample
assert_eq 'and is enabled when it comes again' 'close request ' "$(names after)"

# Taking back.
put $wanted '!sample:request'
assert_eq 'taken back by its name' 'sam*:c[kl]*' "$(head -n 1 $wanted)"
for trace in before after; do
	assert_eq "$trace: it is disabled" 'close ' "$(names $trace)"
done
put $wanted '!*'
assert_eq 'all taken back' '' "$(cat $wanted)"
assert_eq 'in every trace' ' ' "$(names before) $(names after)"

# A removal in wanted also removes what a trace got by its own events.
put $DBG/traces/after/events sample:open
put $wanted 'sample:close'
put $wanted '!*'
assert_eq 'nothing of the trace itself is left' '' "$(grep -v ' state$' $DBG/traces/after/events || :)"
put $DBG/traces/after/events sample:open
assert_eq 'the trace can enable it again' 'open ' "$(names after)"
put $DBG/traces/after/events '!sample:open'

# The enable files.
put $DBG/markers/sample/lookup/enable 1
assert_eq 'enable reads 1' 1 "$(cat $DBG/markers/sample/lookup/enable)"
create future
for trace in before after future; do
	assert_eq "$trace: enable holds" 'lookup ' "$(names $trace)"
done
put $DBG/traces/after/events sample:evict
assert_eq 'a pattern of one trace is not wanted' 0 "$(cat $DBG/markers/sample/evict/enable)"
put $DBG/markers/sample/evict/enable 0
assert_eq 'but 0 disables it there too' 'lookup ' "$(names after)"
put $DBG/markers/sample/lookup/enable 0
assert_eq 'enable reads 0' 0 "$(cat $DBG/markers/sample/lookup/enable)"
assert_eq '0 disables in all' '  ' "$(names before) $(names after) $(names future)"
put $DBG/markers/sample/enable 1
assert_eq 'the whole group is on' '7 of 7' "$(cat $DBG/markers/sample/enable)"
for trace in before after future; do
	assert_eq "$trace: it has the group" "$all" "$(names $trace)"
done
put $DBG/markers/sample/open/enable 0
assert_eq 'but one' '6 of 7' "$(cat $DBG/markers/sample/enable)"
rmmod ltt-sample
load ltt-sample
assert_eq 'also after the driver has gone and come' "$but_open" "$(names future)"
create later
assert_eq 'and in a new trace' "$(names future)" "$(names later)"
put $DBG/traces/later/events '!sample:close'
assert_eq 'a removal in one trace' 'complete evict idle lookup request ' "$(names later)"
assert_eq 'is none in another' "$but_open" "$(names future)"
assert_eq 'and none of what is wanted' '6 of 7' "$(cat $DBG/markers/sample/enable)"
put $DBG/markers/sample/enable 0
assert_eq 'the whole group is off' '0 of 7' "$(cat $DBG/markers/sample/enable)"
assert_eq 'in all' '  ' "$(names before) $(names after) $(names future)"

# The last pattern that matches decides.
create order
put $DBG/traces/order/events 'sample:* !sample:open !sample:c*'
assert_eq 'a glob, and what it is not to match' 'evict idle lookup request ' "$(names order)"
assert_match 'a removal that a wider pattern needs reads back' '^! sample:c\*$' "$(cat $DBG/traces/order/events)"
put $DBG/traces/order/events sample:close
assert_eq 'a later name wins over an earlier glob' 'close evict idle lookup request ' "$(names order)"
put $DBG/traces/order/events 'sample:*'
assert_eq 'a later glob over all' "$all" "$(names order)"
assert_eq 'and the removals are gone' '' "$(grep '^!' $DBG/traces/order/events || :)"
put $DBG/traces/order/events '!sample:l*'
put $DBG/traces/order/events 'lookup'
assert_eq 'a name without a group is of any group' "$all" "$(names order)"
put $DBG/traces/order/events '!sample:*'
assert_eq 'a removed group is removed' '' "$(names order)"

# The same before the driver is there.
rmmod ltt-sample
assert 'exceptions from a glob can be written before the driver comes' \
	put $DBG/traces/order/events 'sample:* !sample:open'
assert_match 'the glob waits' '^\? sample:\*$' "$(cat $DBG/traces/order/events)"
put $wanted 'sample:* !sample:open'
assert_eq 'so can what is wanted' 'sample:* !sample:open ' "$(tr '\n' ' ' < $wanted)"
load ltt-sample
assert_eq 'order: all but that' "$but_open" "$(names order)"
assert_eq 'before: all but that' "$but_open" "$(names before)"
