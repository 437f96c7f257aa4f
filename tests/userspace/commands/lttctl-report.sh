#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl report, stat and diff show the figures of a recording, as computed from the text of babeltrace2.

. "$(dirname "$0")/lib.sh"

lttctl() { "$bin/lttctl" "$@"; }

json() { python3 -c "import json, sys; d = json.load(sys.stdin); print($1)"; }

test_reports() {
	local seed
	for seed in 1 2; do
		"$scripts/mkkernel" --seed $seed recording$seed > /dev/null
		"$scripts/oracle" "$bin/lttctl" recording$seed
	done
}

# The same calls by name, and with their durations.
test_reports_of_calls_by_name() {
	local calls
	for calls in named timed; do
		"$scripts/mkkernel" --calls $calls $calls > /dev/null
		"$scripts/oracle" "$bin/lttctl" $calls syscalls timeline
	done
	"$scripts/mkkernel" raw > /dev/null
	for calls in named timed; do
		diff <(lttctl report --json syscalls raw | json 'd["calls"]') <(lttctl report --json syscalls $calls | json 'd["calls"]')
	done
	lttctl report --json timeline 100 timed | json '{r["call"] for r in d["intervals"]}' | grep -q futex
}

# Where events are missing, states are unknown, never wrong.
test_reports_of_losses() {
	local seed lost
	for seed in 3 4; do
		lost=$("$scripts/mkkernel" --seed $seed --lossy recording$seed)
		"$scripts/oracle" "$bin/lttctl" recording$seed --lossy recording$seed/truth
		[ "$(lttctl stat --json recording$seed | json 'd["lost_events"]')" = "$lost" ]
		[ "$(lttctl stat --json recording$seed | json 'sum(s["lost_events"] for s in d["by_stream"])')" = "$lost" ]
		lttctl report sched recording$seed 2>&1 > /dev/null | grep -q "$lost"
	done
}

# The states and wake-ups of a recording without the events of a wake-up are not made up.
test_reports_without_wakeups() {
	"$scripts/mkkernel" --lack sched_waking --lack sched_wakeup --lack sched_wakeup_new recording > /dev/null
	"$scripts/oracle" "$bin/lttctl" recording cpu
	lttctl report --json timeline 100 recording | json '{r["state"] for r in d["intervals"]}' > states
	grep -q preempted states
	! grep -q runnable states
	fails 1 sched:sched_waking lttctl report sched recording
}

test_missing_events() {
	local missing
	for missing in sched_switch:cpu:sched:sched_switch sched_waking:wakers:sched:sched_waking sys_exit:syscalls:syscall_time \
		irq_handler_entry:irq:irq: block_rq_complete:block:block:block_rq_complete; do
		IFS=: read -r event kind pattern <<< "$missing"
		rm -rf recording
		"$scripts/mkkernel" --lack "$event" --lack softirq_entry recording > /dev/null
		fails 1 "$pattern" lttctl report "$kind" recording
		[ "$(wc -l < "$scratch/out")" = 1 ]
	done
	# With the names of lttng-modules, as of an export for Trace Compass, there are no zeros.
	"$scripts/mkkernel" --names lttng lttng > /dev/null
	fails 1 prev_pid lttctl report cpu lttng
	fails 1 prev_pid lttctl report --json sched lttng
}

test_window() {
	"$scripts/mkkernel" recording > /dev/null
	local first=1700000000001000000
	window() { lttctl report --json "$@" cpu recording | json 'd["from_ns"], d["to_ns"]'; }
	[ "$(window --from +10ms --to +20.5ms)" = "$((first + 10000000)) $((first + 20500000))" ]
	[ "$(TZ=UTC window --from 22:13:20.011 --to 22:13:20.0215)" = "$((first + 10000000)) $((first + 20500000))" ]
	[ "$(TZ=UTC window --from '2023-11-14 22:13:20.011' --to 1700000000.0215)" = "$((first + 10000000)) $((first + 20500000))" ]
	# A time of the day is that of the time zone.
	[ "$(TZ=JST-9 window --from 07:13:20.002 --to 07:13:20.003)" = "$((first + 1000000)) $((first + 2000000))" ]
	[ "$(TZ=JST-9 window --from 07:13:20.002 --to -1ms)" = \
		"$((first + 1000000)) $(($(lttctl stat --json recording | json 'd["to_ns"]') - 1000000))" ]
	# Of each CPU, all of the window is accounted for.
	lttctl report --json --from +10ms --to +20ms cpu recording |
		json '{c["busy_ns"] + c["idle_ns"] + c["unknown_ns"] for c in d["cpus"]}' | grep -qx '{10000000}'
	# The sums of parts are the whole.
	parts() { lttctl stat --json "$@" recording | json 'd["events"]'; }
	[ $(($(parts --to +9.999999ms) + $(parts --from +10ms))) = "$(parts)" ]
	# A worst case is found again.
	local from
	from=$(TZ=UTC lttctl report sched recording | sed -n '/^Longest/{n;n;s/ .*//;p}')
	[ "$(TZ=UTC lttctl report --json --from "$from" --to +1h cpu recording | json 'd["from_ns"]')" = \
		"$(lttctl report --json sched recording | json 'd["worst"][0]["from_ns"]')" ]
}

# Columns are aligned, numbers to the right, and --top says how many rows are left out.
test_text() {
	"$scripts/mkkernel" recording > /dev/null
	local kind
	for kind in cpu sched syscalls irq block net faults wakers "timeline 100"; do
		# shellcheck disable=SC2086
		lttctl report --top 5 $kind recording > text 2> /dev/null
		# shellcheck disable=SC2086
		lttctl report --json $kind recording 2> /dev/null | python3 -m json.tool > /dev/null
		python3 - <<-'PYTHON'
			import re
			tables = open('text').read().split('\n\n')[1:]
			assert tables
			for table in tables:
			    title, heading, *rows = table.strip('\n').split('\n')
			    rows = [row for row in rows if not row.startswith('(and ')]
			    assert 0 < len(rows) <= 5, rows
			    # Two blanks between columns: where a heading ends, each number ends.
			    ends = [match.end() for match in re.finditer(r'\S+( \S+)*', heading)]
			    for row in rows:
			        for match in re.finditer(r'(?<=  )[\d.]+(?=  |$)', row):
			            assert match.end() in ends, (heading, row)
		PYTHON
	done
	lttctl report --top 5 cpu recording 2> /dev/null | grep -q '^(and [0-9]* more)$'
	fails 1 "No space left on device" eval 'lttctl report cpu recording > /dev/full'
	fails 1 "No space left on device" eval 'lttctl stat recording > /dev/full'
}

# Characters other than ASCII are for locales that have them.
test_sparkline() {
	"$scripts/mkkernel" recording > /dev/null
	LC_ALL=C.UTF-8 lttctl stat recording | grep -q █
	LC_ALL=C lttctl stat recording > text
	grep -q '@' text
	! grep -qP '[^\x00-\x7f]' text
	lttctl stat --by stream recording | grep -q '^kernel/events_3 '
}

test_diff() {
	"$scripts/mkkernel" --seed 5 a > /dev/null
	"$scripts/mkkernel" --seed 6 --steps 6000 --lack page_fault_user b > /dev/null
	lttctl diff --json a b > diff
	lttctl stat --json a > stat-a
	lttctl stat --json b > stat-b
	lttctl report --json --by name sched a > sched-a 2> /dev/null
	lttctl report --json --by name sched b > sched-b 2> /dev/null
	python3 - <<-'PYTHON'
		import json, math
		load = lambda name: json.load(open(name))
		diff, stats, scheds = load('diff'), (load('stat-a'), load('stat-b')), (load('sched-a'), load('sched-b'))
		rows = {(row['what'], row['name']): row for row in diff['changes']}
		assert diff['only_a'] == 'page_fault_user' and diff['only_b'] is None
		assert not any(name == 'page_fault_user' for what, name in rows if what == 'event')
		for side, stat, sched in zip('ab', stats, scheds):
		    for event in stat['by_event']:
		        row = rows.get(('event', event['event']))
		        if row:
		            assert math.isclose(row[side], event['events'] / ((stat['to_ns'] - stat['from_ns']) / 1e9)), row
		    for task in sched['tasks']:
		        row = rows.get(('wake-up latency, average', task['name']))
		        assert not row or row[side] == task['latency_average_ns'], row
		assert ('event', 'sched_switch') in rows and ('wake-up latency, average', 'proc0') in rows
		def weight(row):
		    if row['unit'] == 'per second':
		        a, b = (row['samples_a'] + 1) / diff['seconds_a'], (row['samples_b'] + 1) / diff['seconds_b']
		    else:
		        more = 0.05 if row['unit'] == 'percent' else 0
		        a, b = row['a'] + more, row['b'] + more
		    return abs(math.log2(b / a))
		weights = [weight(row) for row in diff['changes'] if row['a'] is not None and row['b'] is not None]
		assert len(weights) > 20 and all(one >= other - 1e-9 for one, other in zip(weights, weights[1:]))
	PYTHON
	# A recording does not differ from itself.
	lttctl diff --json a a | json '{r["a"] == r["b"] for r in d["changes"]}' | grep -qx '{True}'
	lttctl diff a b | grep -q 'Only A can have these events: page_fault_user'
}

test_wrong_usage() {
	"$scripts/mkkernel" recording > /dev/null
	local line
	while read -r line; do
		# shellcheck disable=SC2086
		fails 2 --help lttctl $line
		[ "$(wc -l < "$scratch/out")" = 1 ] || die "more than a sentence: lttctl $line"
	done <<-END
		report
		report nosuch recording
		report cpu
		report timeline recording
		report timeline 0 recording
		report --by call cpu recording
		report --by thread timeline 1 recording
		report --chain 1 cpu recording
		report --chain x wakers recording
		report --from x cpu recording
		report --from 25:00 cpu recording
		report --from +2ms --to +1ms cpu recording
		report --top x cpu recording
		stat
		stat --by x recording
		stat --to 5y recording
		diff
		diff recording
		diff recording recording recording
	END
	fails 1 /nowhere lttctl report cpu /nowhere
	fails 1 /nowhere lttctl stat /nowhere
	fails 1 /nowhere lttctl diff recording /nowhere
}

run_tests
