#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttctl count, hist and latency count each event exactly, by keys of all types, and report what they cannot count
# vm: --parallel --smp 2
# requires: lttctl ltt-control.ko ltt-test-markers.ko python3
# timeout: 180
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

load_modules "$(fast_clock)"
cd "$TMP"

fresh()
{
	! grep -q '^ltt_test_markers ' /proc/modules || rmmod ltt-test-markers
	load ltt-test-markers period_us=20
}

# ask COMMAND WORD...: lttctl, with JSON in the file answer
ask()
{
	command=$1
	shift
	lttctl "$command" --json "$@" > answer 2> ask.err || { cat ask.err; return 1; }
}

fire="echo 2000 $SEQUENCES > /proc/ltt-test-markers"

# ---- Sums ----

fresh
assert 'events are counted' ask count -e 'test:*' -- sh -c "$fire"
assert_eq 'the tracer has seen what the driver emitted' "$(driver_emitted)" "$(json answer 'd["emitted"]')"
assert_eq 'each event is in a row, or reported' "$(driver_emitted)" \
	"$(json answer 'sum(r["count"] for r in d["rows"]) + d["unjudged"]')"
for sequence in $SEQUENCES; do
	assert_eq "$sequence: the count is right" \
		"$(awk -v s=$sequence '$1 == s { n += $4 } END { print n }' /proc/ltt-test-markers)" \
		"$(json answer "sum(r['count'] for r in d['rows'] if r['event'] == 'test:$sequence') + d['unjudged']")"
done

assert 'a name is any bytes' ask count -e sched:sched_process_exit --by comm --follow -- \
	python3 -E -S -c 'open("/proc/self/comm", "wb").write(b"a\xff\xc3\xa9\"b")'
assert 'JSON has them as UTF-8' json answer 'next(1 for r in d["rows"] if r["keys"]["comm"] == "a\ufffd\u00e9\"b")'

fresh
assert 'a key is a number' ask count -e 'test:*' --by cpu,seq\ %\ 3 -- sh -c "$fire"
assert_eq 'the rows are exact' "$(driver_emitted)" "$(json answer 'sum(r["count"] for r in d["rows"]) + d["unjudged"]')"
assert_eq 'each key is there' '0 1 2' "$(json answer '" ".join(sorted({str(r["keys"]["seq % 3"]) for r in d["rows"]}))')"
assert_eq 'and each CPU' '0 1' "$(json answer '" ".join(sorted({str(r["keys"]["cpu"]) for r in d["rows"]}))')"

fresh
assert 'events that lack a field of the filter' ask count -e 'test:*' -f 'text != "no"' -- sh -c "$fire"
assert_eq 'are dropped' 'test:text' "$(json answer '" ".join(r["event"] for r in d["rows"])')"

fresh
assert 'with a filter' ask count -e test:task -f 'seq < 100' --by comm -- sh -c "$fire"
assert_eq 'only what passes is counted' $((100 * $(grep -c '^task ' /proc/ltt-test-markers))) \
	"$(json answer 'sum(r["count"] for r in d["rows"])')"
assert 'the key is the name of a thread' [ -n "$(json answer 'd["rows"][0]["keys"]["comm"]')" ]

# Of so many keys, several have the same slot of the cache.
fresh
assert 'keys share slots' ask count -e test:task -e test:text --by seq,seq\ /\ 7 -- sh -c "$fire"
for event in task text; do
	assert_eq "$event: each key is counted exactly" "2000 {$(grep -c "^$event " /proc/ltt-test-markers)}" \
		"$(json answer "'%d %s' % (len({r['keys']['seq'] for r in d['rows'] if r['event'] == 'test:$event'}), {r['count'] for r in d['rows'] if r['event'] == 'test:$event'})")"
done
assert_eq 'and the keys are right' True "$(json answer 'all(r["keys"]["seq"] // 7 == r["keys"]["seq / 7"] for r in d["rows"])')"

fresh
assert 'there is room for few keys' ask count -e test:task --by seq --max-keys 8 -- sh -c "$fire"
assert_eq 'the table is full' 8 "$(json answer 'len(d["rows"])')"
assert_eq 'what has no room is reported' "$(awk '$1 == "task" { n += $4 } END { print n }' /proc/ltt-test-markers)" \
	"$(json answer 'sum(r["count"] for r in d["rows"]) + d["missed"]')"

# ---- Distributions ----

fresh
assert 'values are counted' ask hist -e test:task -v seq --by cpu -- sh -c "$fire"
json answer '[(r["count"], sum(b["count"] for b in r["buckets"])) for r in d["rows"]]' > sums
assert_eq 'the buckets have all of them' "$(json answer '[(r["count"], r["count"]) for r in d["rows"]]')" "$(cat sums)"
assert_eq 'sum, minimum and maximum are right' "$(json answer '[(r["count"] * (r["count"] - 1) // 2, 0, r["count"] - 1) for r in d["rows"]]')" \
	"$(json answer '[(r["sum"], r["min"], r["max"]) for r in d["rows"]]')"
assert_eq 'each bucket has its values' True "$(json answer 'all(b["count"] == min(b["to"], r["count"]) - max(b["from"], 0) for r in d["rows"] for b in r["buckets"])')"

fresh
assert 'buckets can be linear' ask hist -e test:task -v seq --linear 5,20,5 --by cpu -- sh -c "$fire"
assert_eq 'those below, inside and above' '[[5, 5, 5, 5], True]' \
	"$(json answer '[[b["count"] for b in d["rows"][0]["buckets"]][:4], d["rows"][0]["buckets"][4]["count"] == d["rows"][0]["count"] - 20]')"

fresh
assert 'values can be negative' ask hist -e test:task -v '(seq < 10) * -5' --by cpu -- sh -c "$fire"
assert_eq 'minimum, maximum and sum' '(-5, 0, -50)' \
	"$(json answer '(d["rows"][0]["min"], d["rows"][0]["max"], d["rows"][0]["sum"])')"

assert 'time is counted' ask latency -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit --key tid \
	--by id --follow -- sleep 0.2
nanosleep=230
assert 'a call that sleeps takes its time' [ "$(json answer "max(r['max'] for r in d['rows'] if r['keys']['id'] == $nanosleep)")" -gt 200000000 ]
assert_eq 'nothing is left' '' "$(lttctl list)"
