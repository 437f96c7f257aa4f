#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttd when each call of the C library that it makes fails.

. "$(dirname "$0")/lib-lttd.sh"

# All is there, or lttd prints an error and another lttd does the rest.
check_failed_lttd() { # its status
	case $1 in
	0)	complete events_0 events_1 || die "status 0, and the trace is not complete" ;;
	1)	grep -q '^lttd: ' said || die "no message"
		rm -rf other
		"$lttd" --once -o "$out" t > again 2>&1 || grep -q metadata again ||
			{ cat again; die "another one cannot do the rest"; } ;;
	*)	die "status $1" ;;
	esac
}

# each_failing_call LEAST ATTEMPT CHECK: let one call of lttd fail, the first, the second and so
# on. ATTEMPT NTH runs lttd by lttd_with and leaves its status in $status; then CHECK STATUS follows.
# The run in which no call is left to fail succeeds. At least LEAST calls fail.
each_failing_call() {
	local nth status
	for ((nth = 1; ; nth += step)); do
		status=0
		$2 $nth
		[ -e failed ] || break
		( $3 $status ) || { cat said; die "after call $nth, $(cat failed)(), failed"; }
	done
	[ $status = 0 ] || { cat said; die "status $status though no call failed"; }
	say "of $((nth - 1)) calls one in $step failed"
	[ $nth -gt "$1" ]
}

once() {
	rm -rf "$out"
	lttd_with "$1" --once -o "$out" t || status=$?
}

test_once_when_a_call_fails() {
	make_trace 3 8192 events_0 events_1
	each_failing_call 40 once check_failed_lttd
}

# The state of the system is there as a whole or, with an error, not at all.
check_failed_state() { # its status
	case $1 in
	0)	babeltrace2 "$out/state" 2>&1 | grep -q 'state:end:' || die "status 0, and it is not whole" ;;
	1)	grep -q '^lttd: ' said || die "no message"
		[ -z "$(ls -A "$out" 2> /dev/null)" ] || die "left: $(ls -A "$out")" ;;
	*)	die "status $1" ;;
	esac
}

state() {
	rm -rf "$out"
	lttd_with "$1" --state processes,system,maps -o "$out" || status=$?
}

test_state_when_a_call_fails() {
	each_failing_call 30 state check_failed_state
}

# The trace goes when all has been written; an lttd that gives up before has printed an error.
attached() {
	local pid
	written() { cmp -s "$trace/events_1" "$out/kernel/events_1" || ! kill -0 "$pid" 2> /dev/null; }
	rm -rf "$out" "$trace"
	make_trace 3 8192 events_0 events_1
	cp -r "$trace" saved
	lttd_with "$1" -o "$out" t &
	pid=$!
	until_true 10 written
	mv "$trace" gone
	rm -r gone
	wait $pid || status=$?
	mv saved "$trace"
}

test_attached_when_a_call_fails() {
	each_failing_call 40 attached check_failed_lttd
}

daemon() {
	rm -rf "$out" "$trace"
	make_trace 3 8192 events_0 events_1
	cp -r "$trace" saved
	lttd_with "$1" -d -o "$out" t || status=$?
	if [ $status = 0 ]; then
		rm -r "$trace"
		until_true 10 unclaimed
	fi
	rm -rf "$trace"
	mv saved "$trace"
}

# With status 0 it serves the trace; otherwise no lttd does. A daemon that gives up writes its error
# to the system's log.
check_failed_daemon() { # the status of its parent
	[ "$1" = 0 ] || check_failed_lttd "$1"
	"$lttd" --once -o "$out" t > again 2>&1 || grep -q metadata again ||
		{ cat again; die "another one cannot do the rest"; }
}

test_daemon_when_a_call_fails() {
	each_failing_call 5 daemon check_failed_daemon
}

# programs FILE CALL:WHAT...: the status of lttd for programs while one runs, with system calls changed
# that are about that file of the trace or its events, or anywhere
programs() {
	local options=() status=0 socket program strace cpu what
	for cpu in $(seq 0 "$(nproc --all)"); do
		options+=(-P "$out/user-$(id -u)/events_$cpu")
	done
	[ "$1" = anywhere ] && options=() || options+=(-P "$out/user-$(id -u)/$1")
	shift
	for what in "$@"; do
		options+=(-e "inject=$what")
	done
	rm -rf "$out" "$LTT_RUN_DIR/lttd" strace.out marked
	strace -qq -o strace.out "${options[@]}" "$lttd" -o "$out" --programs 'marked:*' > said 2>&1 &
	strace=$!
	there() { socket=$(find "$LTT_RUN_DIR/lttd" -name 'lttd-*' 2> none); [ "$socket" ]; }
	until_true 10 there
	LTT_START=$socket "$tools/marked" > marked &
	program=$!
	passed() { grep -q passed marked; }
	until_true 10 passed
	# It may have given up.
	kill "${socket##*-}" 2> none || :
	wait $strace || status=$?
	kill $program
	wait $program || :
	grep -q INJECTED strace.out || { cat said; die "$*: nothing was"; }
	return $status
}

# An error while an error is undone is reported, too.
test_programs_when_calls_fail() {
	strace -o /dev/null true 2> /dev/null || { echo "no strace"; exit 77; }
	programs metadata pwrite64:error=EINTR:when=1
	grep -q '^lttd: .*\<2 .*\<0 ' said
	programs none pwrite64:error=EINTR:when=1
	grep -q '^lttd: .*\<2 .*\<0 ' said
	says() { grep -q "^lttd: $1" said || { cat said; die "it does not say $1"; }; }
	failed() { local status=0; programs "$@" || status=$?; [ $status = 1 ] || die "$*: status $status"; }
	failed none pwrite64:error=ENOSPC ftruncate:error=EIO
	says '.*events_[0-9].*Input/output error'
	says '.*events_[0-9].*No space left on device'
	failed metadata pwrite64:error=ENOSPC:when=2 ftruncate:error=EIO
	says '.*metadata.*Input/output error'
	failed state_0 pwrite64:error=ENOSPC:when=2 ftruncate:error=EIO
	says '.*state_0.*Input/output error'
	failed anywhere pwrite64:error=ENOSPC:when=1 unlinkat:error=EIO
	says ".*user-$(id -u).*Input/output error"
	failed anywhere uname:error=EFAULT
	says '.*Bad address'
	[ -z "$(ls "$out")" ]
	# The first is of the C library.
	failed anywhere getrandom:error=ENOSYS:when=2+
	says '.*Function not implemented'
	[ -z "$(ls "$out")" ]
}

run_tests
