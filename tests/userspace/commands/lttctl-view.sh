#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl view shows each event, lost event and overwritten packet of a trace, also of damaged ones.

. "$(dirname "$0")/lib-lttctl.sh"

# The trace has kinds of fields that no trace of LTT has.
test_view() {
	"$scripts/mktrace" trace
	# Of the lines of what is missing: the number, the buffer.
	shown() { TZ=UTC lttctl view "$1" | sed -E 's/^\*\*\* ([0-9]+ )?.*(lost|overwritten).* ([a-z]+_[0-9]+).*/*** \1\2 \3/'; }
	shown trace > shown
	diff - shown <<-'END'
		00:00:00.000000100 [000]      7 seven           ltt:task: tid=7, comm="seven"
		00:00:00.000000101 [000]      7 seven           ltt:task: tid=4103, comm="other"
		00:00:00.000000102 [000]      7 seven           ltt:task: tid="x", comm="nobody"
		*** 1 lost events_0
		00:00:00.000000150 [000]      7 seven           kinds: octal=010, hex=0xff, number=-5, text="a\"b\x01", list=[1, 2], real=1.5
		*** 12 lost events_0
		*** 1 overwritten events_0
		00:00:00.000000350 [000]   4103 other           kinds: octal=010, hex=0xff, number=-5, text="a\"b\x01", list=[1, 2], real=1.5
	END
	# The folder of a trace does as well as that above it.
	shown trace/kernel | cmp - shown
	fails 1 "No space left on device" full view trace
	# A file that is cut inside a packet is shown up to there, with a line and a warning that names it.
	"$scripts/mktrace" torn torn
	lttctl view torn > shown 2> warning
	diff <(lttctl view trace | head -n 5) <(head -n 5 shown)
	[ "$(sed 1,5d shown | grep -c '^\*\*\* 4096 .*events_0')" = "$(sed 1,5d shown | grep -c .)" ] || die "$(cat shown)"
	[ "$(grep -c torn/kernel/events_0 warning)" = 1 ] || die "$(cat warning)"
	# A record that cannot be read ends its packet; the exit status is a failure.
	"$scripts/mktrace" damaged damaged
	fails 1 damaged/kernel/events_0 lttctl view damaged
	grep -q 'seven *kinds: ' "$scratch/out"
	grep -q '^\*\*\* .*damaged.*events_0' "$scratch/out"
	# The names of folders above a trace are not those of its channels.
	mkdir state_1
	"$scripts/mktrace" state_1/trace damaged
	fails 1 trace lttctl view state_1/trace
	grep -q 'seven *kinds: ' "$scratch/out"
}

# A trace of another tracer, which libbabeltrace2 reads: lines, and an error for all that needs LTT's reader.
test_view_foreign() {
	"$scripts/mktrace" trace foreign
	TZ=UTC lttctl view trace > shown
	diff - shown <<-'END'
		*** events lost in events_0
		00:00:00.000000150 [000]      7 seven\x1b       kinds: octal=010, hex=0xff, number=-5, text="a\"b\x01", list=[1, 2], real=1.5, inner={a=1, b=two}, vtid=7, procname="seven\x1b"
		*** 12 events lost in events_0
		*** 1 packets overwritten in events_0
		00:00:00.000000350 [000]      7 seven\x1b       kinds: octal=010, hex=0xff, number=-5, text="a\"b\x01", list=[1, 2], real=1.5, inner={a=1, b=two}, vtid=7, procname="seven\x1b"
	END
	fails 1 "No space left on device" full view trace
	local option
	for option in --json --csv --follow '-e kinds' '-f octal' '--from +1s' '--to +1s' '--last 1s' '--fields octal'; do
		# shellcheck disable=SC2086
		fails 1 "${option%% *}" lttctl view $option trace
	done
}

# As the kernel prints them: flags, names, a device, functions; and numbers where there is no name, with --raw, and
# where the format is not understood.
test_view_with_the_state() {
	"$scripts/mktrace" trace state
	TZ=UTC lttctl view trace > shown
	diff - shown <<-'END'
		00:00:00.000000200 [000]      7 seven           switch: prev_state=R, vec=HI, dev=8,1 (sda1), at=first+0x10, flags=0, both=0, unknown=1
		00:00:00.000000201 [000]      7 seven           switch: prev_state=S|D, vec=TIMER, dev=8,2, at=second+0x10 [module], flags=one,two\x1b, both=1, unknown=2
		00:00:00.000000202 [000]      7 seven           switch: prev_state=S+, vec=0x7, dev=0,1, at=18446612682070032384, flags=two\x1b0x4, both=2, unknown=3
		00:00:00.000000210 [000]      8 -               odd: unknown=1
	END
	TZ=UTC lttctl view --raw trace > shown
	diff - shown <<-'END'
		00:00:00.000000200 [000]      7 seven           switch: prev_state=0, vec=0, dev=8388609, at=18446744071578845200, flags=0, both=0, unknown=1
		00:00:00.000000201 [000]      7 seven           switch: prev_state=3, vec=1, dev=8388610, at=18446744071578845232, flags=259, both=1, unknown=2
		00:00:00.000000202 [000]      7 seven           switch: prev_state=9, vec=7, dev=1, at=18446612682070032384, flags=6, both=2, unknown=3
		00:00:00.000000210 [000]      8 -               odd: unknown=1
	END
	# The state itself, by its name.
	[ "$(lttctl view trace/state | grep -c ' state:')" = 11 ]
	rm -r trace/kernel
	fails 1 trace lttctl view trace
}

# The trace is described in mktrace.
test_view_slices() {
	"$scripts/mktrace" trace slices
	TZ=UTC lttctl view trace > all 2> errors
	sed -n 's/^00:00:00\.0*\([0-9]*\) .* app:\([a-z.]*_\?end\):\( id=.;\)\? *\(.*\)$/\1 \2 \4/p' all > shown
	diff - shown <<-'END'
		130 b.end duration 0.000020 ms
		180 b.end duration 0.000010 ms
		390 a.end duration unknown
		510 a.end duration 0.000010 ms
		520 a.end duration unknown
		530 b.end duration unknown
		540 r.async_end duration unknown
		555 r.async_end duration 0.000005 ms
		560 r.async_end id=2
	END
	# The numbers of the report: alone, unknown, dropped with the bound, without a key.
	sed 's/[^0-9]*\([0-9]\+\)[^0-9]*/ \1/g' errors | diff - <(printf ' %s\n' '1 16384' 4 '3617 16384' 1)
	[ "$(grep -c 'deep.begin' all)" -eq 20000 ] || die "not all begins are shown"
}

# The events are described in mktrace.
test_view_filter() {
	"$scripts/mktrace" trace filter
	# shows EXPRESSION TIME...: these events and no others
	shows() {
		TZ=UTC lttctl view --filter "$1" trace > out 2> errors || { cat errors; die "$1: rejected"; }
		shift
		sed 's/^00:00:00\.0*\([0-9]*\) .*/\1/' out > shown
		printf '%s\n' "$@" | sed '/^$/d' | diff - shown
	}
	shows 'state == idle' 100
	shows 'state == "off-cpu" || state == busy' 110 120
	shows 'state < idle' 110
	shows 'size > 9223372036854775807' 110
	shows 'path ~ "/*" && path != "/etc/passwd"' 110
	shows 'path in ("/etc/passwd", "")' 100 120
	# A field comes before a context of its name.
	shows 'pid == 80' 120
	shows 'pid == 1' 130
	shows 'context.pid == 80' 120
	shows 'cgroup == 1024G && cpu == 0' 100 110 120
	shows 'tid == 8' 120 130
	# An event without one of the names is not shown, whatever the others are.
	shows 'size == 30 || path == "x"' 120
	shows '!(path == "x")' 100 110 120
	shows '0' ''
	# The addresses of a stack are known, though the event that has them is not shown.
	TZ=UTC lttctl view -f 'tid == 8 && path == ""' trace | grep -q 'kernel_stack=\[0x10, 0x20\]'
	# Names of several recordings.
	"$scripts/mktrace" other
	TZ=UTC lttctl view -f 'hex == 255 && comm == "other"' trace other | grep -q '4103 other .* kinds: '
	TZ=UTC lttctl view -f 'state == busy' other trace | grep -q ' work: '
	# So has a slice its begin.
	"$scripts/mktrace" slices slices
	TZ=UTC lttctl view -f 'id == 2' slices 2> errors | grep -q 'async_end: id=2; duration 0.000005 ms'
	[ -s errors ]
}

# Each error names the column, and nothing is printed.
test_view_filter_errors() {
	"$scripts/mktrace" trace filter
	# errs EXPRESSION STATUS COLUMN WORD
	errs() {
		fails "$2" "column $3:" lttctl view -f "$1" trace
		grep -qF -- "$4" "$scratch/out" || { cat "$scratch/out"; die "no \`$4': $1"; }
		[ "$(wc -l < "$scratch/out")" = 1 ] || die "more than a message: $1"
	}
	errs 'size ==' 2 8 complete
	errs 'size == 1x' 2 10 number
	errs 'size == 1 && nowhere == 2' 1 14 nowhere
	errs 'state == sleeping' 1 10 sleeping
	errs 'size == "x"' 1 9 number
	errs 'state == "sleeping"' 1 10 off-cpu
	errs 'kernel_stack == 1' 1 1 array
	errs 'kernel_stack ~ "*vfs_read*"' 1 1 array
	errs 'on_stack("vfs_read")' 1 1 kernel
	# The recording is of another boot.
	errs 'cgroup == "/"' 1 8 number
	errs 'path' 1 1 string
	fails 1 /nowhere lttctl view -f 'size' /nowhere
}

test_view_without_plugins() {
	local plugins
	plugins=$(echo /usr/lib/*/babeltrace2/plugins)
	[ -d "$plugins" ] && unshare -m true 2> /dev/null || { echo "no plugins to hide, or may not mount"; exit 77; }
	"$scripts/mktrace" trace foreign
	fails 1 babeltrace2 \
		unshare -m sh -c "mount -t tmpfs none $plugins; exec $bin/lttctl view trace"
}

test_view_of_no_trace() {
	fails 1 "$PWD" lttctl view "$PWD"
	fails 1 /nowhere lttctl view /nowhere
	mkdir -p bad/kernel
	echo nonsense > bad/kernel/metadata
	fails 1 trace lttctl view bad
}

run_tests
