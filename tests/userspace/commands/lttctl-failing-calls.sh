#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl when each call of the C library that it or lttd makes fails, or is interrupted.

. "$(dirname "$0")/lib-lttctl.sh"

# A run in which a call failed leaves all of the trace, or nothing and a message.
check_failed_run() { # its status
	local trace
	case $1 in
	0)	complete out || die "status 0, and the trace is not complete"
		row complete yes said ;;
	125|126) grep -q '^ltt.*: ' said || die "no message"
		! row complete yes said || complete out || die "reported as complete, and is not" ;;
	*)	die "status $1" ;;
	esac
	case $(cat failed) in
	fcntl64|unlink) free_claims || die "a claim is left, and held" ;;
	esac
	trace=$(find "$traces" -mindepth 1 -maxdepth 1 -name 'record-*' -printf '%f')
	if [ "$trace" ]; then
		grep -q "^ltt.*: .*$trace" said || die "$trace is left without a message"
		lttctl destroy "$trace" || die "the trace that is left cannot be destroyed"
	fi
	clean
}

# lttctl_with NTH PROGRAM ARGUMENT...: when that call that the program makes has failed,
# there is a file "failed"
lttctl_with() {
	local nth=$1 program=$2
	shift 2
	rm -f failed
	FAIL_IN=$program FAIL_NTH=$nth FAIL_DONE=$PWD/failed LD_PRELOAD=$tools/fail-nth.so:$tools/fake-ltt.so \
		timeout 20 "$bin/lttctl" "$@" > said 2>&1
}

state_of() { [ "$1" = lttctl ] && echo processes || echo none; }

# Each call of the C library that lttctl makes, and then that lttd makes, fails once.  Then there
# is one lttd: that of the state has a test of its own.
test_record_when_a_call_fails() {
	tracer
	local program nth status
	for program in lttctl lttd; do
		for ((nth = 1; ; nth += step)); do
			rm -rf out
			status=0
			lttctl_with $nth $program record --state "$(state_of $program)" -o out true || status=$?
			[ -e failed ] || break
			( check_failed_run $status ) ||
				{ cat said; die "after call $nth of $program, $(cat failed)(), failed"; }
		done
		say "of $((nth - 1)) calls one in $step of $program failed"
		[ $nth -gt 50 ]
	done
}

# The same for programs, with a folder for sockets in which nothing may be left.
test_record_programs_when_a_call_fails() {
	local program nth status folder=$LTT_RUN_DIR/lttd
	for program in lttctl lttd; do
		for ((nth = 1; ; nth += step)); do
			rm -rf out
			status=0
			lttctl_with $nth $program record --state "$(state_of $program)" -o out -e 'user:none:*' true || status=$?
			[ -e failed ] || break
			case $status in
			0)	;;
			125|126) grep -q '^ltt.*: ' said || die "call $nth of $program, $(cat failed)(), failed without a word" ;;
			*)	cat said; die "status $status after call $nth of $program, $(cat failed)(), failed" ;;
			esac
			# The next caller removes a socket that could not be removed.
			[ -z "$(find "$folder" -type s 2> /dev/null)" ] || [ "$(cat failed)" = unlink ] ||
				die "a socket is left after call $nth of $program, $(cat failed)(), failed"
		done
		say "of $((nth - 1)) calls one in $step of $program failed"
		[ $nth -gt 10 ]
	done
}

# A probe that cannot be looked up is a failure; only what the command line names is wrong usage.
test_record_of_probes_when_a_call_fails() {
	tracer
	local nth status
	cp /bin/true program
	for ((nth = 1; ; nth += step)); do
		# The tracer that is faked makes no probe, so each run fails.
		rm -rf out "$traces"/record-*
		status=0
		lttctl_with $nth lttctl record --state none --allow-missing -o out -e uprobe:n=./program:0x1000 true || status=$?
		[ -e failed ] || break
		[ $status = 125 ] || { cat said; die "status $status after call $nth, $(cat failed)(), failed"; }
	done
	[ $nth -gt 20 ]
	# It has no such function, unless the table of functions cannot be read.
	for ((nth = 1; ; nth++)); do
		status=0
		lttctl_with $nth lttctl record --state none --allow-missing -o out -e 'kprobe:nosuch_function()' true || status=$?
		[ -e failed ] || die "kallsyms was not read"
		! grep -q /proc/kallsyms said || break
	done
	[ $status = 125 ] || { cat said; die "status $status without /proc/kallsyms"; }
}

# A signal may come while any call waits: that changes nothing.
test_interrupted_calls_change_nothing() {
	tracer
	local program nth
	export FAIL_EINTR=1
	for program in lttctl lttd; do
		for ((nth = 1; ; nth += step)); do
			rm -rf out
			lttctl_with $nth $program record --state "$(state_of $program)" -o out true ||
				{ cat said; die "record: status $? after $(cat failed)() of $program"; }
			[ -e failed ] || break
			row complete yes said && complete out
			lttctl_with $nth $program record --state none -o out2 -e 'user:none:*' true ||
				{ cat said; die "record of programs: status $? after $(cat failed)() of $program"; }
			rm -rf out2 "$LTT_RUN_DIR/lttd"
			lttctl_with $nth $program create --state none -o out3 t || { cat said; die "create: $(cat failed)() of $program"; }
			lttctl start t
			lttctl_with $nth lttctl status t || { cat said; die "status: $(cat failed)()"; }
			lttctl_with $nth lttctl destroy t || { cat said; die "destroy: $(cat failed)()"; }
			complete out3
			rm -rf out3
			clean
		done
		say "of $((nth - 1)) calls one in $step of $program was interrupted"
		[ $nth -gt 1 ]
	done
	unset FAIL_EINTR
}

# An earlier recording in the folder stays, whatever call fails.
test_record_leaves_what_was_there_when_a_call_fails() {
	tracer
	local nth
	lttctl record -o out true 2> /dev/null
	for ((nth = 1; ; nth += step)); do
		! lttctl_with $nth lttctl record -o out true || die "two traces in one folder"
		complete out || { cat said; die "it is gone after call $nth, $(cat failed)(), failed"; }
		[ -e failed ] || break
	done
	clean
}

# destroy succeeds only when all data is on disk; a trace that stays can be destroyed again.
test_destroy_when_a_call_fails() {
	tracer
	local nth status
	for ((nth = 1; ; nth += step)); do
		rm -rf out
		lttctl create -o out t
		lttctl start t
		status=0
		lttctl_with $nth lttctl destroy t || status=$?
		case $status in
		0)	;;
		1)	grep -q '^lttctl.*: ' said || die "call $nth, $(cat failed)(), failed without a word" ;;
		*)	cat said; die "status $status after call $nth, $(cat failed)(), failed" ;;
		esac
		[ ! -d "$traces/t" ] || [ $status = 1 ] || die "it is not destroyed after $(cat failed)() failed"
		# Opened for a write that then fails, a file of the fake is empty.
		[ ! -d "$traces/t" ] || [ -s "$traces/t/state" ] || echo stopped > "$traces/t/state"
		[ ! -d "$traces/t" ] || lttctl destroy t
		[ $status = 0 ] || until_true 5 test ! -e "$LTT_RUN_DIR/t"
		complete out || { cat said; die "not complete after call $nth, $(cat failed)(), failed"; }
		clean
		[ -e failed ] || break
	done
	say "of $((nth - 1)) calls one in $step failed"
	[ $nth -gt 10 ]
}

test_snapshot_when_a_call_fails() {
	tracer
	local nth status
	lttctl create --overwrite t
	lttctl start t
	for ((nth = 1; ; nth += step)); do
		rm -rf out
		status=0
		lttctl_with $nth lttctl snapshot -o out t || status=$?
		[ -e failed ] || break
		case $status in
		0)	complete_copy out/snapshot-1 || die "not complete after call $nth, $(cat failed)(), failed" ;;
		1)	grep -q '^ltt.*: ' said || die "call $nth, $(cat failed)(), failed without a word" ;;
		*)	cat said; die "status $status after call $nth, $(cat failed)(), failed" ;;
		esac
		free_claims || die "a claim is left, and held, after $(cat failed)() failed"
	done
	[ $nth -gt 30 ]
	lttctl destroy t
	clean
}

test_create_when_a_call_fails() {
	tracer
	local program nth
	for program in lttctl lttd; do
		for ((nth = 1; ; nth += step)); do
			rm -rf out
			if lttctl_with $nth $program create --state none -o out t; then
				lttctl destroy t
			else
				grep -q "^ltt.*: " said || die "call $nth of $program, $(cat failed)(), failed without a word"
			fi
			( clean ) || { cat said; die "after call $nth of $program, $(cat failed)(), failed"; }
			[ -e failed ] || break
		done
		say "of $((nth - 1)) calls one in $step of $program failed"
		[ $nth -gt 5 ]
	done
}

test_commands_when_a_call_fails() {
	tracer
	local command nth status
	lttctl create --overwrite --allow-missing -e a t
	# With counts of an event in its statistics.
	FAKE_REFUSED=2 lttctl start t
	lttctl create -o served s
	for command in "list" "list --json" "status t" "status --json" "markers" "markers --json" \
			"markers --info" "markers --json --info sched:*" "enable sched:*" "start t" "snapshot -o out t" "snapshot s" "stop t"; do
		# A command that shows something shows all of it, or fails.
		rm -f right
		# shellcheck disable=SC2086
		case $command in
		list*|status*|markers*) lttctl $command > right ;;
		esac
		for ((nth = 1; ; nth += step)); do
			status=0
			# shellcheck disable=SC2086
			lttctl_with $nth lttctl $command || status=$?
			[ -e failed ] || break
			[ $status = 0 ] || grep -q '^ltt.*: ' said ||
				{ cat said; die "$command: status $status after call $nth, $(cat failed)(), failed"; }
			[ $status != 0 ] || [ ! -e right ] || cmp said right ||
				die "$command: something else is shown after call $nth, $(cat failed)(), failed"
			[ $status -le 1 ] || die "$command: status $status after call $nth, $(cat failed)(), failed"
		done
		[ $nth -gt 3 ] || die "$command: only $nth"
	done
	lttctl destroy t
	lttctl destroy s
	clean
}

# Before it waits for a program.
test_probe_when_a_call_fails() {
	local nth status
	for ((nth = 1; ; nth += step)); do
		status=0
		lttctl_with $nth lttctl probe load x || status=$?
		[ -e failed ] || break
		case $status in
		1)	grep -q '^lttctl.*: .*memory' said ;;
		2)	grep -q '^lttctl.*: .*-p' said ;;
		*)	false ;;
		esac || { cat said; die "status $status after call $nth, $(cat failed)(), failed"; }
	done
	[ $nth -gt 1 ]
}

test_stream_when_a_call_fails() {
	local nth status how
	printf '%s\n' traces 'create x' 'channel-set t events x 9k' > lines
	device 'traces=a\nb' -- stream < lines > right
	# Whether it waits for a reply before it waits for lines is a matter of chance, and with
	# that which call is the nth.
	for how in '' '' '' FAIL_OF=libpopt.so FAIL_EINTR={1..5}; do
		for ((nth = 1; ; nth += step)); do
			rm -f failed
			status=0
			# shellcheck disable=SC2086
			FAIL_IN=lttctl FAIL_NTH=$nth FAIL_DONE=$PWD/failed LD_PRELOAD=$tools/fail-nth.so \
				timeout 20 "$scripts/fake-device" 'traces=a\nb' -- env $how "$bin/lttctl" stream < lines > said 2>&1 || status=$?
			[ -e failed ] || break
			case $status$how in
			0*)	cmp said right || die "other output after call $nth, $(cat failed)(), failed" ;;
			1|1FAIL_OF=*)
				grep -q '^lttctl.*: \|^virtual memory exhausted' said ||
					die "call $nth, $(cat failed)(), failed without a word" ;;
			*)	cat said; die "status $status after call $nth, $(cat failed)(), failed" ;;
			esac
		done
		[ $nth -gt 1 ]
	done
}

# A recording of programs is asked for things, with each call failing.
test_recordings_when_a_call_fails() {
	tracer
	local nth status command recording lttd
	LD_PRELOAD=$tools/fake-ltt.so "$bin/lttctl" record -o out -e 'user:none:*' 2> end &
	local record=$!
	there() { recording=$(lttctl list | sed -n 's/^\(programs-[0-9]*\) .*/\1/p'); [ "$recording" ]; }
	until_true 10 there
	lttd=${recording#*-}
	# The last calls lttds, too; the socket of one that refuses is taken for a dead one's.
	for command in list "status --json $recording" "enable user:a:b" "snapshot $recording" "markers user:"; do
		for ((nth = 1; ; nth += step)); do
			status=0
			# shellcheck disable=SC2086
			lttctl_with $nth lttctl $command || status=$?
			[ -e failed ] || break
			case $status in
			0)	;;
			1)	grep -q '^lttctl.*: ' said || die "$command: call $nth, $(cat failed)(), failed without a word" ;;
			*)	cat said; die "$command: status $status after call $nth, $(cat failed)(), failed" ;;
			esac
			kill -0 "$lttd"
		done
		[ $nth -gt 5 ] || die "$command: only $nth"
	done
	kill $record
	wait $record
}

# A program is asked for its markers, and to call a function that it has not got.
test_programs_when_a_call_fails() {
	tracer
	local nth status eintr command
	"$tools/marked" &
	program=$!
	trap 'kill $program' EXIT
	# Whether it is on depends on who else records programs on this machine.
	names() { grep -v '"enabled"' "$1"; }
	shown() { lttctl markers 'user:marked:*' > right 2> why; }
	until_true 10 shown
	[ "$(sed -E 's/^(on|off) *//' right | xargs)" = 'user:marked:one user:marked:other' ]
	# `probe` makes the same calls, and waits for longer.
	for command in "markers --json --info user:marked:*"; do
		# shellcheck disable=SC2086
		lttctl $command > right
		for eintr in '' 1; do
			[ -z "$eintr" ] || export FAIL_EINTR=1
			for ((nth = 1; ; nth += step)); do
				status=0
				# shellcheck disable=SC2086
				lttctl_with $nth lttctl $command || status=$?
				[ -e failed ] || break
				case $status$eintr in
				0*)	diff <(names said) <(names right) || grep -q '^lttctl.*: ' said ||
						die "$command: other output after call $nth, $(cat failed)(), failed" ;;
				1)	grep -q '^lttctl.*: ' said || die "$command: call $nth, $(cat failed)(), failed without a word" ;;
				*)	cat said; die "$command: status $status after call $nth, $(cat failed)(), failed" ;;
				esac
			done
			unset FAIL_EINTR
			say "$command: of $((nth - 1)) calls one in $step"
			[ $nth -gt 1 ]
		done
	done
	fails 2 long lttctl probe -p $program connect user:a:b "$(printf 'x%.0s' {1..70000})"
}

test_view_when_a_call_fails() {
	local nth status
	"$scripts/mktrace" trace
	lttctl view trace > right
	for ((nth = 1; ; nth += step)); do
		status=0
		lttctl_with $nth lttctl view trace || status=$?
		[ -e failed ] || break
		case $status in
		0)	cmp said right || die "something else is shown after call $nth, $(cat failed)(), failed" ;;
		1)	grep -q '^lttctl.*: ' said || die "call $nth, $(cat failed)(), failed without a word" ;;
		*)	cat said; die "status $status after call $nth, $(cat failed)(), failed" ;;
		esac
	done
	[ $nth -gt 5 ]
}

run_tests
