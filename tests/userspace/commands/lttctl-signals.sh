#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl record when it, its command or lttd gets a signal, and at a terminal.

. "$(dirname "$0")/lib-lttctl.sh"

# A parent that has inherited an ignored SIGCHLD cannot learn the exit status of its children.
test_children_are_waited_for() {
	tracer
	LD_PRELOAD=$tools/fake-ltt.so env --ignore-signal=CHLD "$bin/lttctl" create -o out t
	lttctl start t
	lttctl destroy t
	complete out
	clean
}

# In debugfs no trace is private: tests/vm/cases/record-killed.sh has the device.
test_record_killed() {
	tracer
	local trace lttctl
	running() { trace=$(lttctl list | sed -n 's/^\(record-[0-9]*\) running\>.*/\1/p'); [ "$trace" ]; }
	LD_PRELOAD=$tools/fake-ltt.so "$bin/lttctl" record -o out &
	lttctl=$!
	until_true 20 running
	kill -9 $lttctl
	wait $lttctl || :
	running
	lttctl destroy "$trace"
	complete out
	clean
}

# The signal comes when a file is opened for the n-th time, for all n.
test_record_interrupted_at_any_moment() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	tracer
	local when last=1 status inject=()
	for ((when = 0; when <= last; when++)); do
		[ $when = 0 ] || inject=(-e "inject=openat:signal=TERM:when=$when")
		rm -rf out
		status=0
		strace -qq -o calls -e trace=openat "${inject[@]}" \
			-E LD_PRELOAD="$tools/fake-ltt.so" \
			"$bin/lttctl" record -o out true 2> said || status=$?
		[ $when != 0 ] || last=$(grep -c openat calls)
		clean
		# 143: before the recording began, or the command got SIGTERM
		[ $status = 0 ] || [ $status = 143 ] || { cat said; die "status $status at $when"; }
		[ ! -e out ] || complete out
	done
	say "interrupted at each of $last"
	[ "$last" -gt 30 ]
}

test_record_until_interrupted() {
	tracer
	local signal pid
	for signal in INT TERM HUP; do
		LD_PRELOAD=$tools/fake-ltt.so "$bin/lttctl" record -o "out$signal" 2> said &
		pid=$!
		until_true 10 grep -qs running "$traces/record-$pid/state"
		kill -$signal $pid
		wait $pid
		complete "out$signal"
		clean
	done
}

test_record_hands_a_signal_on() {
	tracer
	LD_PRELOAD=$tools/fake-ltt.so "$bin/lttctl" record -o out -- \
		sh -c 'trap "exit 9" TERM; echo > up; until false; do :; done' 2> said &
	local pid=$! status=0
	until_true 10 test -e up
	kill $pid
	wait $pid || status=$?
	[ $status = 9 ] || die "status $status"
	complete out
	clean
}

# After the second signal lttctl waits for nothing.
# lttctl takes signals that follow each other within 0.05 s for one.
send_again() { sleep 0.1; kill "$1"; }

is_pending() { grep -q '^ShdPnd:.*[4-7c-f]...$' "/proc/$1/status"; }

# A process has taken SIGTERM and waits, for whatever it may be.
waits_on() { ! is_pending "$1" && grep -q '^State:.S' "/proc/$1/status"; }

# timeout(1) sends its signal twice, which asks once: lttctl goes on waiting for lttd.
test_record_under_timeout() {
	local pid lttd status=0
	# The second signal follows within 0.05 s by the clock of lttctl.
	LD_PRELOAD=$tools/fake-ltt.so FAKE_CLOCK=1000 "$bin/lttctl" record -o out -e 'user:none:*' --allow-missing 2> said &
	pid=$!
	there() { lttd=$(xargs < "/proc/$pid/task/$pid/children") && [ -S "$LTT_RUN_DIR/lttd/lttd-$lttd" ]; }
	until_true 10 there
	kill -STOP "$lttd"
	kill $pid
	until_true 10 is_pending "$lttd"
	kill $pid
	until_true 10 waits_on $pid || die 'lttctl has ended before lttd'
	kill -CONT "$lttd"
	wait $pid || status=$?
	[ $status = 0 ] || die "status $status"
}

test_record_ends_at_a_second_signal() {
	tracer
	local pid lttd status=0
	LD_PRELOAD=$tools/fake-ltt.so "$bin/lttctl" record -o out -- \
		sh -c 'trap "" TERM; echo > up; until test -e end; do :; done; echo > ended' 2> said &
	pid=$!
	until_true 10 test -e up
	kill $pid
	# The command is what is left of two children.
	one_child() { [ "$(wc -w < "/proc/$pid/task/$pid/children")" = 1 ]; }
	until_true 10 one_child
	send_again $pid
	wait $pid || status=$?
	[ $status = 143 ] || die "status $status"
	row complete yes said
	complete out
	clean
	touch end
	until_true 10 test -e ended
	# lttd is what does not end.
	"$bin/lttctl" record -o out2 -e 'user:none:*' 2> said &
	pid=$!
	there() { lttd=$(xargs < "/proc/$pid/task/$pid/children") && [ -S "$LTT_RUN_DIR/lttd/lttd-$lttd" ]; }
	until_true 10 there
	kill -STOP "$lttd"
	kill $pid
	until_true 10 is_pending "$lttd"
	send_again $pid
	status=0
	wait $pid || status=$?
	kill -CONT "$lttd"
	[ $status = 125 ] || die "status $status"
	grep -q "^lttctl.*: .*$lttd" said
	! row complete yes said
	until_true 10 test ! -e "$LTT_RUN_DIR/lttd/lttd-$lttd"
}

# ^C is for the command to deal with; counts that are not there for a moment are not shown.  The
# command moves them back when no further ^C can end `mv`.
test_record_on_a_terminal() {
	tracer
	local status=0
	cat > command <<-'END'
		trap 'echo pressed >> pressed' INT
		stats=$(echo "$LTT_DEBUGFS"/traces/record-*/stats)
		mv "$stats" .
		echo ready
		until test -e pressed.done; do :; done
		mv stats "$stats"
		exit 7
	END
	"$scripts/on-terminal" --press-at ready --acknowledged pressed \
		env LD_PRELOAD="$tools/fake-ltt.so" "$bin/lttctl" record -o out sh command > shown || status=$?
	[ $status = 7 ] || { cat -v shown; die "status $status"; }
	# The terminal shows ^C as it likes.
	grep -Eq 'complete +yes' shown || { cat -v shown; die "not reported as complete"; }
	complete out
	clean
}

run_tests
