#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: triggers of lttctl record stop, begin, write snapshots and notify, with the event that fired in the trace, and are refused if they are wrong
# vm: --loaded
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-sample.ko python3
# faces: device
# also: debugfs
# timeout: 180
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-markers.sh"

load_modules
cd "$TMP"
export LTT_SAMPLE=/dev/ltt-sample

# ---- A module that comes later ----

lttctl create --allow-missing -o late -e 'sample:*' late
lttctl filter late sample:complete 'since(sample:request, id) >= 0'
lttctl start late
load ltt-sample
both_have_programs() { [ "$(lttctl filters late | grep -c 'sample:.* runs')" = 2 ]; }
assert 'the events of a module that comes get their programs' wait_until 20 both_have_programs
echo 10 > $LTT_SAMPLE
lttctl destroy late > late.out 2>&1
assert_eq 'its events know of each other, and one that another asks about is recorded as before' '10 10' \
	"$(babeltrace2 late 2> /dev/null | grep -c 'sample:request: {') $(babeltrace2 late 2> /dev/null | grep -c 'sample:complete: {')"

# The number of the next request.
next=0
serve()	# number, after which the shell is to have the same idea of it
{
	next=$((next + $1))
}

# The requests of a trace: the ids, in the order of their times.
ids()	# directory
{
	babeltrace2 "$1" 2> "$TMP/err" | sed -n 's/.*sample:request: .* id = \([0-9]*\),.*/\1/p'
	cat "$TMP/err" >&2
}

first_id=$(lttctl record -o zero -e sample:request -- sh -c 'echo 10 > $LTT_SAMPLE' 2> /dev/null; ids zero | head -n 1)
next=$((first_id + 10))

# ---- Until ----

lttctl record -o until --json -e 'sample:*' --until "sample:request id == $((next + 40))" \
	-- taskset 1 sh -c 'echo 100 > $LTT_SAMPLE' > until.json 2> until.err
assert_eq 'recording until an event succeeds' 0 $?
assert_eq 'each request up to the one that fired is there, and no later one' "$(seq "$next" $((next + 40)))" "$(ids until)"
assert_match 'it is the last event of all' "sample:request: .* id = $((next + 40))," \
	"$(babeltrace2 until 2> /dev/null | grep 'sample:[a-z]*: {' | tail -n 1)"
assert_eq 'the summary has the event' sample:request "$(json until.json 'd["triggered"]')"
assert_eq 'and how often it fired' 1 "$(json until.json 'd["triggers"][0]["fired"]')"
assert_eq 'nothing has halted the trace' False "$(json until.json '"halted" in d')"
assert_eq 'it is complete' True "$(json until.json 'd["complete"]')"
serve 100

lttctl record -o alone --json -e sample:open --until "sample:request
	id == $((next + 5)) &&
	kind ~ \"*\"" \
	--run 'echo "$LTT_EVENT $LTT_FIRED $(babeltrace2 alone/kernel 2> /dev/null | grep -c "sample:request: {")" > ran' -- sh -c 'echo 20 > $LTT_SAMPLE' > alone.json 2> alone.err
assert_eq 'an event that is not recorded else is there once it has fired' "$((next + 5))" "$(ids alone)"
assert_eq 'the command of the trigger has run, when the recording was on disk' 'sample:request 1 1' "$(cat ran)"
serve 20

# ^C and a trace without an end: the recording ends with the event, not with the command.
lttctl record -o endless -e sample:request --until 'sched:sched_process_exec filename ~ "*/printenv"' 2> endless.err &
recorder=$!
ended_by_event()
{
	printenv > /dev/null
	! kill -0 $recorder 2> /dev/null
}
assert 'the recording ends' wait_until 30 ended_by_event
status=0
wait $recorder || status=$?
assert_eq 'an event that names tasks stops, too' 0 $status
assert 'and is in the trace' sh -c 'babeltrace2 endless 2> /dev/null | grep -q "sched_process_exec: .*printenv"'

# ---- Start ----

lttctl record -o start --json -e 'sample:*' --start-on "sample:request id >= $((next + 30))" \
	-- taskset 1 sh -c 'echo 60 > $LTT_SAMPLE' > start.json 2> start.err
assert_eq 'recording from an event on succeeds' 0 $?
assert_eq 'the first request is the one that fired, and none is missing' "$(seq $((next + 30)) $((next + 59)))" "$(ids start)"
assert_match 'it is the first event' 'sample:request:' "$(babeltrace2 start 2> /dev/null | grep 'sample:[a-z]*: {' | head -n 1)"
assert_eq 'the other events come after it' 30 "$(babeltrace2 start 2> /dev/null | grep -c 'sample:complete: {')"
assert_match 'threads have names' 'sh +sample:complete:' "$(lttctl view start | grep sample:complete: | tail -n 1)"
serve 60

lttctl record -o never --json -e 'sample:*' --start-on 'sample:request id == 0' \
	-- sh -c 'echo 60 > $LTT_SAMPLE' > never.json 2> /dev/null
assert_eq 'without the event nothing is recorded' 0 "$(babeltrace2 never 2> /dev/null | grep -c 'sample:[a-z]*: {')"
assert_eq 'nor counted as lost' 0 "$(json never.json 'd["total"]["refused"]')"
serve 60

lttctl record -o both -e 'sample:*' --start-on "sample:request id == $((next + 10))" \
	--until "sample:request id == $((next + 20))" -- taskset 1 sh -c 'echo 60 > $LTT_SAMPLE' 2> /dev/null
assert_eq 'from one event to another' "$(seq $((next + 10)) $((next + 20)))" "$(ids both)"
serve 60

# Before the beginning an event does nothing else; then its filter counts.
lttctl record -o chosen --json -e sample:request -f "id == $((next + 20))" --start-on "sample:request id >= $((next + 10))" \
	--until "sample:request id == $((next + 5)) || id == $((next + 30))" --notify "sample:request id == $((next + 3))" \
	--notify "sample:request id == $((next + 30))" -- taskset 1 sh -c 'echo 60 > $LTT_SAMPLE' > chosen.json 2> /dev/null
assert_eq 'the first event, the filtered one and the last are recorded' "$next 10 20 30" \
	"$next $(for id in $(ids chosen); do printf '%d ' $((id - next)); done | sed 's/ $//')"
assert_eq 'a trigger of the event that stops fires' '[1, 1, 0, 1]' "$(json chosen.json '[t["fired"] for t in d["triggers"]]')"
serve 60

lttctl record -o armed -e 'sample:*' --start-on "sample:complete id >= $((next + 10)) && since(sample:request, id) >= 0" \
	-- taskset 1 sh -c 'echo 20 > $LTT_SAMPLE' 2> /dev/null
assert_eq 'the time since an event before the beginning is known, and that is not recorded' "$(seq $((next + 11)) $((next + 19)))" "$(ids armed)"
assert_eq 'the recording begins with the end of a request' 10 "$(babeltrace2 armed 2> /dev/null | grep -c 'sample:complete: {')"
serve 20

# ---- The time since another event ----

# Each request ends within a moment, but for those whose shell sleeps: from close to the next open.
lttctl record -o slow --json -e 'sample:*' --until 'sample:open since(sample:close, 0) > 500ms' \
	--notify 'sample:complete since(sample:request, id) < 0' -- sh -c '
	echo 10 > $LTT_SAMPLE
	echo 10 > $LTT_SAMPLE
	sleep 1
	echo 10 > $LTT_SAMPLE' > slow.json 2> slow.err
assert_eq 'a time above the limit stops' "$(seq "$next" $((next + 19)))" "$(ids slow)"
assert_eq 'each request was there before its end' 0 "$(json slow.json 'd["triggers"][1]["fired"]')"
serve 30

lttctl record -o keys --json -e sample:complete -f 'since(sample:request, id = id + 1) < 0 && since(sample:request, id) >= 1' \
	-- sh -c 'echo 10 > $LTT_SAMPLE' > keys.json 2> keys.err
assert_eq 'a key of another event is another time' 10 "$(babeltrace2 keys 2> /dev/null | grep -c 'sample:complete: {')"
assert_eq 'events that only note their times are not recorded' '' "$(ids keys)"
serve 10

lttctl record -o wake --json -e sched:sched_switch -f 'since(sched:sched_waking, pid = next_pid) > 1ns && next_pid' \
	-- sh -c 'sleep 0.1; sleep 0.1' > wake.json 2> wake.err
assert 'threads that were woken are switched to' [ "$(babeltrace2 wake 2> /dev/null | grep -c 'sched_switch: {')" -gt 2 ]
assert_eq 'the others are filtered' True "$(json wake.json 'd["total"]["filtered"] > 0')"

# ---- Between two events ----

count_of() { babeltrace2 "$1" 2> /dev/null | grep -c "sample:$2: {"; }
lttctl record -o between -e 'sample:*' -f 'between(sample:lookup, sample:complete, tid)' \
	-- sh -c 'echo 50 > $LTT_SAMPLE' 2> between.err
assert_eq 'the event at the beginning is recorded, and that at the end' '50 50' \
	"$(count_of between lookup) $(count_of between complete)"
assert 'those between are' [ "$(count_of between evict)" -gt 0 ]
assert_eq 'those before and behind are not' '0 0 0' \
	"$(count_of between request) $(count_of between open) $(count_of between idle)"
serve 50

lttctl record -o other -e 'sample:evict,sample:request' -f 'between(sample:lookup, sample:complete, tid = tid + 1)' \
	-e 'sample:lookup' -f 1 -- sh -c 'echo 50 > $LTT_SAMPLE' 2> other.err
assert_eq 'another thread is not between' '0 0' "$(count_of other evict) $(count_of other request)"
assert_eq 'a filter of the event at the beginning holds' 50 "$(count_of other lookup)"
serve 50

# ---- Snapshots ----

lttctl record -o flight --json --overwrite --size 64k --count 4 -e 'sample:*' --snapshots 2 \
	--snapshot-on 'sample:request id % 50 == 7' --run 'echo "$LTT_SNAPSHOT" >> taken' -- sh -c '
	for i in 1 2 3 4; do
		echo 50 > $LTT_SAMPLE
		sleep 1.2
	done' > flight.json 2> flight.err
assert_eq 'two snapshots, as many as allowed' 2 "$(json flight.json 'len(d["snapshots"])')"
assert_eq 'the trigger has fired four times' 4 "$(json flight.json 'd["triggers"][0]["fired"]')"
for snapshot in $(json flight.json '" ".join(d["snapshots"])'); do
	assert "$snapshot has the event that fired" sh -c "babeltrace2 $snapshot 2> /dev/null | grep -q 'sample:request: .* id = [0-9]*[05]7,'"
done
assert_eq 'the command has run for each' "$(json flight.json '"\n".join(d["snapshots"])')" "$(cat taken)"
assert_eq 'the recording has gone on' 200 "$(ids flight | wc -l)"
serve 200

# The file system has no room for another directory.
mkdir full
mount -t tmpfs -o nr_inodes=60 full full
at_exit "umount $TMP/full"
status=0
lttctl record -o full/r --json --overwrite --size 64k --count 4 --state none -e 'sample:*' --snapshot-on 'sample:request' \
	-- sh -c 'i=0; while mkdir full/$i; do i=$((i + 1)); done 2> /dev/null; echo 1 > $LTT_SAMPLE' > full.json 2> full.err ||
	status=$?
assert_eq 'a snapshot that fails is a failure' 125 $status
assert_eq 'which the summary counts' '1 0' "$(json full.json '"%d %d" % (d["snapshots_failed"], len(d["snapshots"]))')"
assert_eq 'the recording is whole' "$next" "$(ids full/r)"
serve 1

lttctl record -o two --json -e 'sample:*' --until 'sample:request kind == "nothing"' --until "sample:request id == $((next + 1))" \
	--run 'echo second >> which' -- sh -c 'echo 5 > $LTT_SAMPLE' > two.json 2> two.err
assert_eq 'of two triggers of an event the one that fired is known' '[0, 1]' "$(json two.json '[t["fired"] for t in d["triggers"]]')"
assert_eq 'and its command has run' second "$(cat which)"
serve 5

# ---- Notifications ----

lttctl record -o notified --json -e sample:open --notify "sample:request id == $((next + 3))" --run 'echo "$LTT_FIRED" > notified.3' \
	--notify 'sample:idle' --run 'echo "$LTT_EVENT" > notified.idle' -- sh -c 'echo 10 > $LTT_SAMPLE
	until [ -s notified.3 ] && [ -s notified.idle ]; do sleep 0.05; done' > notified.json 2> notified.err
assert_eq 'the command of the first has run' 1 "$(cat notified.3)"
assert_eq 'and that of an event without fields' sample:idle "$(cat notified.idle)"
assert 'a line is printed' grep -q '^sample:request: id ==' notified.err
assert_eq 'the events that fired are recorded' "$((next + 3))" "$(ids notified)"
serve 10

# ---- Steps ----

lttctl create -o steps -e 'sample:*' steps
assert 'a filter can have actions' lttctl filter steps sample:request "1; stop id == $((next + 4))"
lttctl start steps
taskset 1 sh -c 'echo 10 > $LTT_SAMPLE'
is_stopped() { lttctl status steps | grep -q '^trace steps: stopped'; }
assert 'the trace is stopped' wait_until 10 is_stopped
assert_match 'status reports the reason' 'trigger of sample:request' "$(lttctl status steps)"
assert_eq 'up to the event' "$(seq "$next" $((next + 4)))" "$(lttctl destroy steps > /dev/null 2>&1; ids steps)"
serve 10

lttctl create -e sample:evict half
refute 'a filter that asks about a field which an event lacks is refused' lttctl filter half sample:evict 'between(sample:lookup, sample:close, id = sector)' 2> /dev/null
assert_eq 'and nothing remains of it' '' "$(lttctl filters half)"
lttctl destroy half

# ---- What is refused ----

refused()	# what, word, options of record
{
	what=$1 word=$2
	shift 2
	status=0
	lttctl record -o no "$@" -- true > said 2>&1 || status=$?
	assert "$what is refused" [ $status -ne 0 ]
	assert_match "$what: the message" "$word" "$(cat said)"
}

refused 'a pattern' 'one event' --until 'sample:*'
refused 'an event without a group' 'one event' --until 'request'
refused 'an expression with an error' 'column 6' --until 'sample:request id =='
refused 'a field that the event lacks' 'column 1.*sector' --until 'sample:request nothing == 1'
refused 'a string against a number' 'column' --until 'sample:request id == "x"'
refused 'an action in a condition' 'semicolon' --until 'sample:request id == 1; stop'
refused 'a time of a malformed event' 'column 7' --until 'sample:open since(close, 0) > 1'
refused 'a time without a key' 'column' --until 'sample:open since(sample:close) > 1'
refused 'a time of an event without the key' 'sample:close.*column' --until 'sample:open since(sample:close, nothing = 1) > 1'
refused 'a time for several events' 'one event' -e 'sample:*' -f 'since(sample:open, 0) > 1'
refused 'a snapshot of no flight recorder' overwrite --snapshot-on sample:request
refused 'a command without a trigger' 'before it' --run true
refused 'two beginnings' 'one event' --start-on sample:request --start-on sample:open
refused 'more than eight slots' 'at most 8' --notify a:a --notify a:b --notify a:c --notify a:d --notify a:e --notify a:f \
	--notify a:g --notify a:h --notify a:i
refused 'a trigger of programs alone' kernel -e user:a:b --until sample:request
nothing() { [ ! -e no ]; }
assert 'no directory is left' nothing
assert_eq 'and no trace' '' "$(lttctl list)"

