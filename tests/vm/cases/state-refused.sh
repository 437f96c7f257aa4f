#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: a task list longer than its buffer waits for a reader, and no reader keeps start or stop waiting
# requires: ltt-control.ko lttd python3
# timeout: 120
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-threads.sh"

# refused: how many threads the list lacks
refused()
{
	awk '$1 == "event" && $2 == "ltt:task" { print $4 }' $DBG/traces/"$1"/stats
}
is_refused() { [ -n "$(refused "$1")" ]; }

# stored TRACE: records in the state channel
stored()
{
	awk '$1 == "state" { n += $6 } END { print n }' $DBG/traces/"$1"/stats
}
is_stored() { [ "$(stored "$1")" -ge "$2" ]; }

# Room for some 400 threads on each CPU; or as many as COUNT sub-buffers hold.
make_small()	# trace, [count]
{
	put $DBG/traces/create "$1"
	at_exit "put $DBG/traces/remove $1 2> /dev/null || :"
	put $DBG/traces/"$1"/channels/state/subbuf_size 4K
	put $DBG/traces/"$1"/channels/state/subbuf_count "${2:-4}"
}

at_exit unload_modules
load_modules
many_threads 3000

make_small unread
put $DBG/traces/unread/state start
assert_eq 'start returns without a reader' running "$(cat $DBG/traces/unread/state)"
assert_eq 'no thread is refused as long as a reader may come' '' "$(refused unread)"
assert 'the rest is refused when none comes' wait_until 60 is_refused unread
put $DBG/traces/unread/state stop
assert 'each thread is stored or refused' [ $(($(stored unread) + $(refused unread))) -ge 3000 ]
assert_conserved unread

make_small stopped
put $DBG/traces/stopped/state start
put $DBG/traces/stopped/state stop
assert 'stop does not wait for a reader that is not there' is_refused stopped
assert 'nor does it forget a thread' [ $(($(stored stopped) + $(refused stopped))) -ge 3000 ]

make_small read
put $DBG/traces/read/state start
lttd -o "$TMP/read" read > /dev/null 2>&1 &
lttd=$!
sh -c 'printf ltt-late > /proc/$$/comm; exec sleep 0'
assert 'with a reader the whole list is written' wait_until 60 is_stored read 3000
put $DBG/traces/read/state stop
assert_eq 'and nothing is refused' '' "$(refused read)"
assert_eq 'nor any other event of the channel' 0 \
	"$(awk '$1 == "state" { n += $8 } END { print n }' $DBG/traces/read/stats)"
put $DBG/traces/remove read
wait $lttd
babeltrace2 "$TMP/read" > "$TMP/text"
assert_eq 'each thread is listed, once' 3001 \
	"$(sed -n 's/.* ltt:task: .*{ tid = \([0-9]*\), .*comm = "many-threads" }.*/\1/p' "$TMP/text" | sort -u | wc -l)"
assert_match 'a thread that is renamed meanwhile is named' '^[1-9]' \
	"$(grep -c 'task_rename: .*newcomm = "ltt-late"' "$TMP/text")"

# A reader that takes a packet now and then: the list is never stuck, but stop must not hold
# up all other users of LTT for as long as it takes.
read_slowly()	# trace
{
	while dd bs=4096 count=1 2> /dev/null; do sleep 0.7; done < "$DBG/traces/$1/state_0" > /dev/null
}

make_small slow 2
put $DBG/traces/slow/state start
read_slowly slow &
slow=$!
taskset 1 sh -c "echo stop > $DBG/traces/slow/state" &
stop=$!
others=0
while [ "$(cat $DBG/traces/slow/state)" = running ]; do others=$((others + 1)); done
assert 'a slow reader does not keep stop waiting' wait_until 15 is_refused slow
wait $stop
assert "other commands run while stop waits ($others)" [ $others -ge 10 ]
assert_eq 'the trace is stopped' stopped "$(cat $DBG/traces/slow/state)"
kill $slow
