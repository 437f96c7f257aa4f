#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl view: which events and fields are shown, in which form.  The traces are described in mktrace.

. "$(dirname "$0")/lib-lttctl.sh"

export TZ=UTC

# times FILE: the nanoseconds of its lines, those of the first ten seconds after 1970
times() { sed -nE 's/^00:00:0([0-9])\.([0-9]{9}) .*/\1\2/p' "$1" | sed -E 's/^0+(.)/\1/'; }

# absent TEXT FILE
absent() { if grep -F -- "$1" "$2"; then die "there is $1"; fi; }

# shows TEXT ARGUMENT...: the output of view
shows() {
	local text=$1
	shift
	lttctl view "$@" > shown 2> errors || { cat errors; die "fails: view $*"; }
	diff <(printf '%s' "$text") shown || die "view $*"
}

# Each window is what a script cuts out of the whole.
test_window() {
	"$scripts/mktrace" trace slices
	lttctl view trace > whole 2> errors
	# window FIRST LAST ARGUMENT...
	window() {
		local first=$1 last=$2
		shift 2
		lttctl view "$@" trace > shown 2> errors || { cat errors; die "fails: $*"; }
		diff <(times whole | awk "\$1 >= $first && \$1 <= $last") <(times shown) || die "$*"
		[ -s shown ] || [ "$first" -gt 30000 ] || die "nothing: $*"
	}
	window 1000 1100 --from 0.000001 --to 0.0000011
	window 130 30000 --from 00:00:00.00000013
	window 0 160 --to '1970-01-01 00:00:00.00000016'
	# The first packet begins at 100, the last one ends at 30000.
	window 110 30000 --from +10ns
	window 20000 30000 --from -10us
	window 20000 25000 --from -10us --to -5us
	window 20000 30000 --last 10us
	window 20000 30000 --last 0.01ms
	window 19200 30000 --last 0.000000003h
	window 40000 50000 --from +40us
	# A loss that goes on at the begin, or begins before the end.
	lttctl view --from +250ns --to +260ns trace > shown 2> errors
	[ "$(grep -c '^\*\*\* 5 .*events_0' shown)" = 1 ] || die "$(cat shown)"
	lttctl view --to +150ns trace > shown 2> errors
	absent '***' shown
}

test_window_errors() {
	"$scripts/mktrace" trace
	local wrong
	for wrong in '' x 25:00 12 12:00x -1 +1y '+' 1970-13-01; do
		[ "$wrong" = 12 ] || [ "$wrong" = -1 ] || fails 2 "--from $wrong" lttctl view --from "$wrong" trace
		[ "$wrong" = 12 ] || [ "$wrong" = -1 ] || fails 2 "--to $wrong" lttctl view --to "$wrong" trace
	done
	fails 2 "--last -1s" lttctl view --last -1s trace
	fails 2 "--last" lttctl view --last 1s --from +1s trace
	fails 2 "--to" lttctl view --from +2s --to +1s trace
}

# Threads have the names that they had before the window, also those that they got after the begin.
test_window_knows_names() {
	"$scripts/mktrace" trace renames
	lttctl view trace > whole
	grep -q ' 7 after ' whole
	lttctl view --from 0.5 trace > shown
	diff <(sed -n '/^00:00:00\.[5-9]/p' whole) shown
	[ -s shown ]
}

test_patterns() {
	"$scripts/mktrace" trace slices
	# events ARGUMENT...: the names of the events that are shown
	events() { lttctl view "$@" trace 2> errors | sed -E '/^\*\*\*/d; s/.* +([a-z:._]+): .*/\1/' | sort -u | tr '\n' ' '; }
	[ "$(events -e '*.async_*')" = 'app:r.async_begin app:r.async_end ' ]
	[ "$(events -e 'app:[ab].end')" = 'app:a.end app:b.end ' ]
	[ "$(events --event a.end,end)" = 'app:a.end end ' ]
	[ "$(events -e app:a.begin -e 'no*')" = 'app:a.begin no.end ' ]
	# Slices have their begins, though these are not shown.
	lttctl view -e 'app:a.end' trace 2> errors | grep -q 'duration 0.000010 ms'
	fails 1 'app:a.begin' lttctl view -e app:a.begun trace
	fails 1 'user:app:*' lttctl view -e 'user:app:*' trace
	for wrong in '' : a: a:b:c 'a b' '[a' '!a' @a a,; do
		fails 2 "-e" lttctl view -e "$wrong" trace
	done
}

# The kernel's tracepoints have no group in their names; the state of the system has it.
test_patterns_of_tracepoints() {
	"$scripts/mktrace" trace state
	[ "$(lttctl view -e 'system:*' trace | wc -l)" = 4 ]
	[ "$(lttctl view -e 'system:odd' trace | wc -l)" = 1 ]
	fails 1 other lttctl view -e 'other:*' trace
	rm -r trace/state
	[ "$(lttctl view -e 'system:odd' trace | wc -l)" = 1 ]
	fails 1 system lttctl view -e 'system:*' trace
}

test_fields() {
	"$scripts/mktrace" trace filter
	shows '00:00:00.000000100 [000]      7 -               work: path="/etc/passwd", size=10
' --fields path,size -f 'size == 10' trace
	shows '     7 work: size=10
     8 rest: size=30
' --fields tid,event,size -f 'size == 10 || pid == 1' -e 'work,rest' trace
	shows '00:00:00.000000100 work:
' --fields time,event --to 0.0000001 trace
	shows '[000] pid=70, context.pid=70, kernel_stack=[0x10, 0x20], cgroup=1099511627776
' --fields cpu,pid,context.pid,kernel_stack,cgroup --to 0.0000001 trace
	fails 1 kernel_stack lttctl view --fields path,kernel_stak trace
	fails 1 context.size lttctl view --fields context.size trace
	fails 2 --fields lttctl view --fields path, trace
	fails 2 --fields lttctl view --fields '' trace
}

test_times() {
	"$scripts/mktrace" trace texts
	local form
	# times_as FORM: the first three
	times_as() { lttctl view --time "$1" --fields time trace | head -n 3 | sed 's/ *$//' | tr '\n' '|'; }
	[ "$(times_as clock)" = '00:00:00.250000000|00:00:01.250000000|00:00:02.250000000|' ]
	[ "$(times_as date)" = '1970-01-01 00:00:00.250000000|1970-01-01 00:00:01.250000000|1970-01-01 00:00:02.250000000|' ]
	[ "$(times_as delta)" = '       0.000000000|       1.000000000|       1.000000000|' ]
	[ "$(times_as relative)" = '       0.249999900|       1.249999900|       2.249999900|' ]
	[ "$(times_as ns)" = '250000000|1250000000|2250000000|' ]
	[ "$(TZ=UTC-2 times_as clock)" = '02:00:00.250000000|02:00:01.250000000|02:00:02.250000000|' ]
	# Between those that are shown.
	[ "$(lttctl view --time=delta --fields time -f 'tid == 7 && text == "plain" || text == ""' trace | tail -n 1)" = '       6.000000000' ]
	for form in '' x clocks; do
		fails 2 --time lttctl view --time "$form" trace
	done
}

test_json() {
	"$scripts/mktrace" trace texts
	lttctl view --json trace > shown
	python3 - <<-'END'
		import json, math
		lines = open('shown', 'rb').read().decode().splitlines()
		rows = [json.loads(line) for line in lines]
		assert len(rows) == 8
		texts = [row['fields']['text'] for row in rows]
		assert texts == ['plain', 'comma, "quote" \\ back', 'line\nend\r\ttab\x01', 'grün €😀', '\ufffd' * 6, 'cut \ufffd\ufffd', '', ' blank '], texts
		first = rows[0]
		assert first['time'] == 250000000 and first['cpu'] == 2 and first['tid'] == 7 and first['event'] == 'app:text', first
		assert first['comm'] == 'na,me\x1b' and first['context'] == {'pid': 70, 'name': 'na,me\x1b'}, first
		assert first['fields']['array'] == 'ab' and '"_bytes_length"' not in lines[0], first
		assert [row['fields']['bytes'] for row in rows] == [list(range(i)) for i in range(8)]
		assert [row['fields']['real'] for row in rows] == [0.1, 'nan', '-inf', -1e300, 0, 5, 1 / 3, 2.5]
		assert first['fields']['low'] == -2**63 and first['fields']['high'] == 2**64 - 1
	END
	# Losses, and damage.
	"$scripts/mktrace" damaged damaged
	lttctl view --json damaged > shown 2> errors && die "success in spite of damage"
	python3 - <<-'END'
		import json
		rows = [json.loads(line) for line in open('shown')]
		lost = [row for row in rows if 'buffer' in row]
		assert all(row['buffer'] == 'events_0' and row['cpu'] == 0 and row['time'] <= row['until'] for row in lost), lost
		assert [(key, row[key]) for row in lost for key in row if key.startswith(('lost', 'damaged'))] == \
		    [('lost_events', 1), ('lost_events', 12), ('lost_packets', 1), ('damaged_bytes', 34)], lost
		assert 'metadata' in lost[-1]['why']
	END
	# Durations, threads that have no name, fields that are chosen.
	"$scripts/mktrace" slices slices
	lttctl view --json slices > shown 2> errors
	python3 - <<-'END'
		import json
		rows = [json.loads(line) for line in open('shown')]
		ends = {row['time']: row['duration'] for row in rows if 'duration' in row}
		assert ends == {130: 20, 180: 10, 390: None, 510: 10, 520: None, 530: None, 540: None, 555: 5}, ends
		assert {row['comm'] for row in rows if row.get('tid')} == {None}
	END
	"$scripts/mktrace" filter filter
	shows '{"tid":7,"time":"00:00:00.000000100","fields":{"path":"/etc/passwd"},"context":{"pid":70}}
' --json --time=clock --fields tid,path,pid,time --to 0.0000001 filter
	shows '{}
{}
' --json --fields duration --to 0.00000011 filter
	fails 2 --json lttctl view --json --csv filter
}

test_csv() {
	"$scripts/mktrace" trace texts
	lttctl view --csv --fields time,comm,text,bytes,nowhere trace 2> errors && die "a field that does not exist"
	lttctl view --csv --fields time,comm,text,bytes,context.pid trace > chosen
	lttctl view --csv trace > all
	python3 - <<-'END'
		import csv
		chosen = list(csv.reader(open('chosen', newline='')))
		assert chosen[0] == ['time', 'comm', 'text', 'bytes', 'context.pid'], chosen[0]
		assert [row[2] for row in chosen[1:]] == ['plain', 'comma, "quote" \\ back', 'line\nend\r\ttab\x01', 'grün €😀', '\ufffd' * 6, 'cut \ufffd\ufffd', '', ' blank ']
		assert chosen[3][:2] == ['2250000000', 'na,me\x1b'] and chosen[3][3:] == ['[0, 1]', '70'], chosen[3]
		every = list(csv.reader(open('all', newline='')))
		assert every[0] == ['time', 'cpu', 'tid', 'comm', 'event', 'duration', 'fields'], every[0]
		assert len(every) == 9 and all(len(row) == 7 for row in every)
		assert every[2][6].startswith('text="comma, \\"quote\\" \\\\ back", array="ab"'), every[2]
	END
	"$scripts/mktrace" other
	lttctl view --csv --fields time,event,text other > shown
	grep -q '^300,\*\*\* 12 events lost in events_0,' shown
	python3 - <<-'END'
		import csv
		assert {len(row) for row in csv.reader(open('shown', newline=''))} == {3}
	END
}

# Recordings of two hosts: a column, and threads of one number are two.
test_hosts() {
	"$scripts/mktrace" one
	"$scripts/mktrace" two texts
	lttctl view one two > shown
	grep -q '^00:00:00.000000150 one \[000\]      7 seven ' shown
	grep -q '^00:00:00.250000000 two \[002\]      7 na,me' shown
	lttctl view one | grep -q '^00:00:00.000000150 \[000\]'
	lttctl view --fields host,tid one | grep -qx 'one      7'
	lttctl view --json one two | grep -q '"host":"two"'
	lttctl view --csv one two | head -n 1 | grep -q '^time,host,cpu,'
}

# A terminal gets colours and a pager; a pipe gets neither, unless it is asked for.
test_terminal() {
	"$scripts/mktrace" trace
	unset NO_COLOR
	export TERM=xterm
	escape=$'\033['
	lttctl view trace > plain
	absent "$escape" plain
	lttctl view --color=always trace | grep -qF "$escape"
	lttctl view --color trace > colored
	diff <(sed 's/\x1b\[[0-9;]*m//g' colored) plain
	fails 2 --color lttctl view --color=yes trace
	PAGER='sed s/^/paged:/' "$scripts/on-terminal" "$bin/lttctl" view trace > shown
	[ "$(grep -c '^paged:' shown)" = "$(wc -l < plain)" ] || die "$(cat shown)"
	grep -qF "$escape" shown
	PAGER='sed s/^/paged:/' "$scripts/on-terminal" "$bin/lttctl" view --no-pager trace > shown
	absent paged: shown
	NO_COLOR=1 PAGER=cat "$scripts/on-terminal" "$bin/lttctl" view trace | tr -d '\r' | diff - plain
	PAGER=cat "$scripts/on-terminal" "$bin/lttctl" view --color=never trace | tr -d '\r' | diff - plain
	# A pager that ends early is not a failure.
	"$scripts/mktrace" long slices
	PAGER='head -n 1' "$scripts/on-terminal" "$bin/lttctl" view --color=never long > shown
	grep -q 'app:a.begin' shown
	absent 'cannot write' shown
}

# Nothing in a recording sends commands to the terminal: names of events, values, hosts and files, texts.
test_no_control_characters() {
	python3 - "$scripts" <<-'END'
		import sys
		sys.path.insert(0, sys.argv[1])
		from recording import EPOCH, Part
		bad = '\x1b[31m\x9b31m\x7f\a'
		part = Part('trace/kernel', 'kernel', env={'hostname': bad})
		part.event('events', bad + ':x', ['string text', 's32 kind'])
		part.record(0, EPOCH + 10, 7, bad + ':x', bad, 1)
		part.write()
		path = part.folder / 'metadata'
		path.write_text(path.read_text().replace('integer { size = 32; align = 8; signed = true; } _kind',
			'enum : integer { size = 32; align = 8; signed = true; } { "%s" = 1 } _kind' % bad))
		(part.folder / ('events_' + bad)).write_bytes(b'no packet' * 1000)
	END
	local form
	for form in --raw '--fields host,event'; do
		# shellcheck disable=SC2086
		lttctl view $form trace > shown 2> errors && die "the damage is not noticed: $form"
		grep -q 'kernel/events_?\[31m' errors || die "$(cat errors)"
		LC_ALL=C grep -aPn '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' shown errors | { ! grep . ; } || die "$form"
	done
	lttctl view trace 2>&1 | grep -qF 'x: text="\x1b[31m\xc2\x9b31m\x7f\x07", kind=\x1b[31m\xc2\x9b31m\x7f\x07'
}

# Each piece has a file of each CPU, and the usual limit is 1024 open files.
test_more_files_than_may_be_open() {
	"$scripts/mktrace" trace
	local i
	for i in {1..100}; do
		cp trace/kernel/events_0 "trace/kernel/copy_$i"
	done
	lttctl view trace > whole
	(ulimit -Sn 50 && lttctl view trace | cmp - whole && lttctl stat --json trace > shown && lttctl html -o page trace)
}

# A complete recording is shown, and view ends by itself; so it does by ^C.
test_follow() {
	"$scripts/mktrace" trace
	lttctl view trace > whole
	lttctl view --follow trace | diff - whole
	# A file that is open for writing is one that lttd may add to.
	exec 7>> trace/kernel/events_0
	"$bin/lttctl" view --follow trace > shown 2> errors 7>&- &
	local pid=$!
	until_true 20 cmp -s shown whole
	kill -INT $pid
	wait $pid || die "^C: $? $(cat errors)"
	exec 7>&-
	# Packets, and the file of another CPU, that come later.
	"$scripts/mktrace" later
	cp -r later full
	python3 - later/kernel <<-'END'
		import sys
		from pathlib import Path
		events = Path(sys.argv[1], 'events_0')
		data = events.read_bytes()
		events.write_bytes(data[:4096 + 100])
	END
	exec 7>> later/kernel/events_0
	"$bin/lttctl" view --follow later > shown 2> errors 7>&- &
	pid=$!
	until_true 20 grep -q kinds shown
	tail -c 4096 full/kernel/events_0 | tail -c +101 >&7
	until_true 20 cmp -s shown whole
	exec 7>&-
	wait $pid || die "does not end: $(cat errors)"
	cmp shown whole
}

# The first piece is closed, and nothing is added for a while: lttd still records to the second.
test_follow_pieces() {
	mkdir -p pieces/0002
	"$scripts/mktrace" trace
	lttctl view trace > whole
	mv trace pieces/0001
	mkfifo end
	python3 - <<-'END' &
		import fcntl
		mark = open('pieces/0002/open', 'w')
		fcntl.lockf(mark, fcntl.LOCK_EX)
		open('locked', 'w').close()
		open('end').read()
	END
	until_true 20 test -e locked
	"$bin/lttctl" view --follow pieces > shown 2> errors &
	local pid=$!
	until_true 20 cmp -s shown whole
	timeout 2 tail --pid=$pid -f /dev/null && die "ends before lttd: $(cat errors)"
	: > end
	wait $pid || die "does not end: $(cat errors)"
	cmp shown whole
}

run_tests
