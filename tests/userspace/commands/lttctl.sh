#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl on a tracer made of plain files (fake-ltt.c): what it asks of the tracer
# and in which order, what it leaves behind when something fails, what it says,
# and its exit status.

. "$(dirname "$0")/lib.sh"

traces=$LTT_DEBUGFS/traces

lttctl() { LD_PRELOAD=$tools/fake-ltt.so "$bin/lttctl" "$@"; }

# The tree as it is after the modules have been loaded.
tracer() {
	mkdir -p "$traces"
	touch "$traces/create" "$traces/remove" "$LTT_DEBUGFS/last_error"
	local marker
	for marker in irq/irq_handler_entry sched/sched_switch sched/sched_wakeup; do
		mkdir -p "$LTT_DEBUGFS/markers/$marker"
		echo 0 > "$LTT_DEBUGFS/markers/$marker/enable"
		echo "marker ${marker/\//:}" > "$LTT_DEBUGFS/markers/$marker/info"
	done
	echo 1 > "$LTT_DEBUGFS/markers/sched/sched_switch/enable"
	printf 'sched:sched_switch\n!sched:x\n' > "$LTT_DEBUGFS/markers/wanted"
	"$tools/mkpackets" 0 3 4096 > "$scratch/data"
	export FAKE_DATA=$scratch/data FAKE_FAIL='' FAKE_REFUSED=0
}

# A claim is removed by its holder only: one that could not be is nobody's, and taken by the next.
free_claims() {
	[ "$(ls "$LTT_RUN_DIR")" ] || return 0
	python3 - "$LTT_RUN_DIR" <<-'END'
		import fcntl, os, sys
		for claim in os.scandir(sys.argv[1]):
		    with open(claim, 'r+') as file:
		        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
		    os.unlink(claim)
	END
}

# No trace is left, no lttd serves one.
clean() {
	[ "$(ls "$traces")" = "create
remove" ] || die "left in the tracer: $(ls "$traces")"
	[ -z "$(ls "$LTT_RUN_DIR")" ] || die "left running: $(ls "$LTT_RUN_DIR")"
}

complete() {
	local buffer
	for buffer in events_0 events_1 state_0; do
		cmp "$FAKE_DATA" "$1/kernel/$buffer" || return
	done
}

json() { python3 -c "import json, sys; d = json.load(sys.stdin); print($1)"; }

test_record_passes_on_the_status() {
	tracer
	local status
	for status in 0 1 2 3 77 255; do
		fails $status "out$status" \
			lttctl record -o out$status -- sh -c "exit $status"
		complete out$status
		clean
	done
	fails 137 "1,101" lttctl record -o killed -- sh -c 'kill -9 $$'
	clean
}

test_record_refuses_what_it_cannot_run() {
	tracer
	touch plain
	printf '#!/nowhere/interpreter\n' > odd
	chmod +x odd
	fails 127 nosuchcommand lttctl record -o out nosuchcommand
	fails 127 ./nosuch lttctl record -o out ./nosuch
	fails 126 "Permission denied" lttctl record -o out ./plain
	fails 126 / lttctl record -o out /
	[ ! -e out ]
	fails 126 ./odd lttctl record -o out ./odd
	clean
}

test_record_asks_in_this_order() {
	tracer
	lttctl record -o out --allow-missing -e 'a:*' -e b --size 64k --count 4 --overwrite -p $$ true 2> /dev/null
	sed -E 's/record-[0-9]+/T/g' "$LTT_DEBUGFS/log" > log
	diff log - <<-END
		traces/create T
		traces/T/channels/events/subbuf_size 65536
		traces/T/channels/events/subbuf_count 4
		traces/T/channels/events/overwrite 1
		traces/T/pid $$
		traces/T/events a:*
		traces/T/events b
		traces/T/state start
		traces/T/state stop
		traces/remove T
	END
}

test_record_without_options() {
	tracer
	lttctl record true 2> summary
	dir=$(echo ltt-????????-??????)
	complete "$dir"
	grep -q "^trace .*$dir" summary
	row lost 0 summary
	row complete yes summary
	# In the same second, the second of them at least.
	lttctl record true 2> /dev/null
	lttctl record true 2> /dev/null
	complete "$(echo ltt-*-2)"
	grep -q 'subbuf_size 1048576' "$LTT_DEBUGFS/log"
	grep -q 'subbuf_count [0-9]' "$LTT_DEBUGFS/log"
	grep -q 'events sched:\*' "$LTT_DEBUGFS/log"
}

test_record_options_end_at_the_command() {
	tracer
	[ "$(lttctl record -o out echo --json -o x 2> /dev/null)" = "--json -o x" ]
	[ "$(lttctl record -o out2 -- echo -- --json 2> /dev/null)" = "-- --json" ]
}

test_record_summary_as_json() {
	tracer
	FAKE_REFUSED=7 lttctl record --json -o out -- sh -c 'exit 3' > summary || [ $? = 3 ]
	[ "$(json 'd["total"]["refused"], d["command_status"], d["output"], d["bytes_on_disk"]' < summary)" \
		= "7 3 out $((3 * 12288 + 14))" ]
	[ "$(json 'd["complete"]' < summary)" = False ]
	[ "$(lttctl record --json -o out2 true | json 'd["complete"]')" = True ]
	[ "$(json '[(c["name"], c["emitted"]) for c in d["channels"]]' < summary)" \
		= "[('state', 100), ('events', 1008)]" ]
	[ "$(json 'd["refused_events"][0]["name"]' < summary)" = sched:sched_switch ]
}

test_record_reports_losses() {
	tracer
	export FAKE_REFUSED=1234
	lttctl record --json -o out true > summary
	[ "$(json '[d["total"][kind] for kind in ("refused", "full", "big", "nested")]' < summary)" = "[1234, 1234, 0, 0]" ]
	fails 124 sched:sched_switch lttctl record --strict -o out2 true
	fails 0 "1,234" lttctl record -o out4 true
	row complete no "$scratch/out"
	FAKE_REFUSED=0 lttctl record --strict -o out3 true
}

test_unknown_events() {
	tracer
	local event
	for event in sched:sched_swich sched_swich 'schedd:*'; do
		fails 2 nearest lttctl record -o out -e "$event" touch ran
		grep -q sched "$scratch/out"
	done
	fails 2 sched:sched_switch lttctl record -o out -e 'irq:*,sched:sched_swich' touch ran
	fails 2 nothing:here lttctl create -e nothing:here t
	fails 2 nothing:here lttctl enable nothing:here
	[ ! -e ran ] && [ ! -e out ] && [ "$(lttctl list)" = '' ]
	# Events that appear later are accepted on request, with a warning.
	fails 0 nothing:here lttctl record -o out --allow-missing -e nothing:here true
	lttctl enable --allow-missing nothing:here
	lttctl disable nothing:here
}

test_lists_of_events() {
	tracer
	lttctl record -o out -e 'sched:sched_switch,irq:*' true 2> /dev/null
	grep -E 'events (sched|irq)' "$LTT_DEBUGFS/log" | sed 's/.* //' | paste -sd, | grep -qx 'sched:sched_switch,irq:\*'
	lttctl record -o out1 -e @calls true
	grep -q 'events @calls$' "$LTT_DEBUGFS/log"
	lttctl record -o out2 --allow-missing -e 'a[,:]b,c' true 2> /dev/null &&
		die 'a comma in brackets ended a pattern, or the colon did not'
	lttctl record -o out3 --allow-missing -e 'a[,b' true 2> /dev/null && die 'an open bracket was accepted'
	return 0
}

test_record_leaves_nothing_when_refused() {
	tracer
	local file
	for file in create subbuf_size subbuf_count overwrite pid events state; do
		FAKE_FAIL=/$file fails 125 'the fake refuses' \
			lttctl record -o out -p $$ -- touch ran
		[ "$file" = create ] || clean
		[ ! -e out ] || die "out is left after $file was refused"
		[ ! -e ran ] || die "the command ran after $file was refused"
	done
}

test_record_leaves_what_was_there() {
	tracer
	mkdir out
	touch out/mine
	FAKE_FAIL=state fails 125 refuses lttctl record -o out true
	[ "$(ls out)" = mine ]
	lttctl record -o out true 2> /dev/null
	complete out
	fails 125 out lttctl record -o out true
	complete out
}

# Two at once would each find nothing in a folder, and the one that fails clean up after both.
test_record_has_a_folder_of_its_own() {
	local count=12 i
	for ((i = 0; i < count; i++)); do
		lttctl record --json -e 'user:none:*' true > "summary$i" &
	done
	wait
	[ "$(find . -name 'ltt-*' | wc -l)" = $count ] || die "folders: $(ls)"
	for ((i = 0; i < count; i++)); do
		[ "$(json 'd["complete"]' < "summary$i")" = True ] || die "$i is not complete: $(cat "summary$i")"
	done
	mkdir out
	fails 125 out flock out timeout 20 "$bin/lttctl" record -o out -e 'user:none:*' touch ran
	[ ! -e ran ] && [ -d out ] && [ -z "$(ls out)" ]
}

test_record_when_lttd_cannot_write() {
	tracer
	fails 125 /proc/out lttctl record -o /proc/out -- touch ran
	[ ! -e ran ]
	clean
}

test_record_when_lttd_gives_up() {
	tracer
	"$tools/mkpackets" 0 100 4096 > "$FAKE_DATA"
	fails 125 '"complete": false' \
		bash -c "ulimit -f 100; LD_PRELOAD=$tools/fake-ltt.so $bin/lttctl record --json -o out \
			-- sh -c 'until ! test -e $LTT_RUN_DIR/record-*; do :; done; echo done > end'"
	grep -q done end
	clean
}

# A signal that ends lttd ends the recording: record fails, though lttd exits with 0.
test_record_fails_when_lttd_is_killed() {
	tracer
	# The command's parent is lttctl, whose other child is lttd.
	cat > tell <<-'END'
		for child in $(cat /proc/$PPID/task/$PPID/children); do
			[ "$(cat /proc/$child/comm)" != lttd ] || kill $child
		done
		until ! test -e $LTT_RUN_DIR/record-*; do :; done
	END
	fails 125 '"complete": false' lttctl record --json -o out -- sh tell
	clean
	# A killed lttd leaves its claim.
	cat > tell <<-'END'
		for child in $(cat /proc/$PPID/task/$PPID/children); do
			[ "$(cat /proc/$child/comm)" != lttd ] || lttd=$child
		done
		kill -9 $lttd
		while kill -0 $lttd 2> gone; do :; done
	END
	fails 125 lttd lttctl record -o killed -- sh tell
	free_claims
	fails 125 '"complete": false' lttctl record --json -o killed2 -- sh tell
	free_claims
	clean
}

# Losses of unknown size are reported for the trace that has them, and for no other.
test_record_reports_what_lttd_could_not_write() {
	tracer
	FAKE_HALTED='too long' fails 125 'too long' lttctl record -o halted true
	complete halted
	row lost 0 "$scratch/out"
	# The lttd of programs, and not the one of the kernel's events.
	fails 125 programs lttctl record -o cut -e 'sched:*' -e 'user:none:*' -- \
		sh -c 'kill -9 ${LTT_START##*-}; while kill -0 ${LTT_START##*-} 2> gone; do :; done'
	row complete no "$scratch/out"
	row lost 0 "$scratch/out"
	cp "$scratch/out" cut.said
	fails 0 programs lttctl record -o whole -e 'sched:*' -e 'user:none:*' true
	! cmp <(grep ^programs cut.said) <(grep ^programs "$scratch/out") || die "a loss of unknown size is not reported"
	complete cut
}

# Output that cannot be written is a failure.
test_full_standard_output() {
	tracer
	lttctl create t
	local command
	for command in "list" "list --json" "status" "status --json" "markers" "--help"; do
		# shellcheck disable=SC2086
		fails 1 "No space left on device" full $command
	done
	fails 125 "No space left on device" full record --json -o out true
	complete out
	# More than a buffer of the C library: what failed before the end is not forgotten.
	local n
	for ((n = 0; n < 300; n++)); do
		mkdir -p "$LTT_DEBUGFS/markers/long/$(printf 'name%060d' $n)"
		echo 0 > "$LTT_DEBUGFS/markers/long/$(printf 'name%060d' $n)/enable"
	done
	fails 1 lttctl full markers
	lttctl destroy t
}

full() { lttctl "$@" > /dev/full; }

# How children ended cannot be learnt where their parent has inherited that nobody wants to know.
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

# Each call of the C library that lttctl makes, and then that lttd makes, fails once.
test_record_when_a_call_fails() {
	tracer
	local program nth status
	for program in lttctl lttd; do
		for ((nth = 1; ; nth++)); do
			rm -rf out
			status=0
			lttctl_with $nth $program record -o out true || status=$?
			[ -e failed ] || break
			( check_failed_run $status ) ||
				{ cat said; die "after call $nth of $program, $(cat failed)(), failed"; }
		done
		say "each of $((nth - 1)) calls of $program failed"
		[ $nth -gt 50 ]
	done
}

# The same for programs, with a folder for sockets in which nothing may be left.
test_record_programs_when_a_call_fails() {
	local program nth status folder=$LTT_RUN_DIR/lttd
	for program in lttctl lttd; do
		for ((nth = 1; ; nth++)); do
			rm -rf out
			status=0
			lttctl_with $nth $program record -o out -e 'user:none:*' true || status=$?
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
		say "each of $((nth - 1)) calls of $program failed"
		[ $nth -gt 10 ]
	done
}

# A signal may come while any call waits: that changes nothing.
test_interrupted_calls_change_nothing() {
	tracer
	local program nth
	export FAIL_EINTR=1
	for program in lttctl lttd; do
		for ((nth = 1; ; nth++)); do
			rm -rf out
			lttctl_with $nth $program record -o out true ||
				{ cat said; die "record: status $? after $(cat failed)() of $program"; }
			[ -e failed ] || break
			row complete yes said && complete out
			lttctl_with $nth $program record -o out2 -e 'user:none:*' true ||
				{ cat said; die "record of programs: status $? after $(cat failed)() of $program"; }
			rm -rf out2 "$LTT_RUN_DIR/lttd"
			lttctl_with $nth $program create -o out3 t || { cat said; die "create: $(cat failed)() of $program"; }
			lttctl start t
			lttctl_with $nth lttctl status t || { cat said; die "status: $(cat failed)()"; }
			lttctl_with $nth lttctl destroy t || { cat said; die "destroy: $(cat failed)()"; }
			complete out3
			rm -rf out3
			clean
		done
		say "each of $((nth - 1)) calls of $program was interrupted"
		[ $nth -gt 1 ]
	done
	unset FAIL_EINTR
}

# An earlier recording in the folder stays, whatever call fails.
test_record_leaves_what_was_there_when_a_call_fails() {
	tracer
	local nth
	lttctl record -o out true 2> /dev/null
	for ((nth = 1; ; nth++)); do
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
	for ((nth = 1; ; nth++)); do
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
	say "each of $((nth - 1)) calls failed"
	[ $nth -gt 10 ]
}

test_snapshot_when_a_call_fails() {
	tracer
	local nth status
	lttctl create --overwrite t
	lttctl start t
	for ((nth = 1; ; nth++)); do
		rm -rf out
		status=0
		lttctl_with $nth lttctl snapshot -o out t || status=$?
		[ -e failed ] || break
		case $status in
		0)	complete out/snapshot-1 || die "not complete after call $nth, $(cat failed)(), failed" ;;
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
		for ((nth = 1; ; nth++)); do
			rm -rf out
			if lttctl_with $nth $program create -o out t; then
				lttctl destroy t
			else
				grep -q "^ltt.*: " said || die "call $nth of $program, $(cat failed)(), failed without a word"
			fi
			( clean ) || { cat said; die "after call $nth of $program, $(cat failed)(), failed"; }
			[ -e failed ] || break
		done
		say "each of $((nth - 1)) calls of $program failed"
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
		for ((nth = 1; ; nth++)); do
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
	for ((nth = 1; ; nth++)); do
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
	kill $pid
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
	told() { grep -q '^ShdPnd:.*4...$' "/proc/$lttd/status"; }
	until_true 10 told
	kill $pid
	status=0
	wait $pid || status=$?
	kill -CONT "$lttd"
	[ $status = 125 ] || die "status $status"
	grep -q "^lttctl.*: .*$lttd" said
	! row complete yes said
	until_true 10 test ! -e "$LTT_RUN_DIR/lttd/lttd-$lttd"
}

# on_terminal COMMAND...: it runs on one, whose ^C is pressed three times as it says "press";
# "goes on" is made when that has come
on_terminal() {
	python3 - "$@" <<-'END'
		import os, pty, sys, time
		pid, fd = pty.fork()
		if not pid:
		    os.execvp(sys.argv[1], sys.argv[1:])

		def is_pending():
		    with open(f'/proc/{pid}/status') as status:
		        return any(line.startswith('ShdPnd') and int(line.split()[1], 16) & 2 for line in status)

		shown, pressed = b'', False
		while True:
		    try:
		        shown += os.read(fd, 4096)
		    except OSError:
		        break
		    if b'press' in shown and not pressed:
		        pressed = True
		        for _ in range(3):
		            os.write(fd, b'\x03')
		            while is_pending():
		                time.sleep(0.001)
		        open('goes on', 'w').close()
		sys.stdout.buffer.write(shown)
		sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	END
}

# ^C is for the command to deal with; counts that are not there for a moment are not shown.
record_on_a_terminal() {
	local status=0
	rm -rf out pressed "goes on"
	cat > command <<-'END'
		trap 'echo > pressed' INT
		stats=$(echo "$LTT_DEBUGFS"/traces/record-*/stats)
		mv "$stats" .
		echo press
		until test -e 'goes on' && test -e pressed; do :; done
		mv stats "$stats"
		exit 7
	END
	on_terminal env LD_PRELOAD="$tools/fake-ltt.so" "$bin/lttctl" record -o out sh command > shown || status=$?
	[ $status = 7 ] || { cat shown; die "status $status"; }
	# The terminal shows ^C as it likes.
	grep -Eq 'complete +yes' shown || { cat -v shown; die "not reported as complete"; }
	complete out || die "it is not complete"
	clean
}

# On a busy machine it failed once, for a reason that was not found: what goes wrong each
# time is wrong.
test_record_on_a_terminal() {
	tracer
	( record_on_a_terminal ) || ( record_on_a_terminal ) || ( record_on_a_terminal )
}

test_create_to_destroy() {
	tracer
	lttctl create -o out --allow-missing -e 'a:*' t
	[ "$(lttctl list --json | json '[(t["name"], t["state"], t["output"]) for t in d]')" = "[('t', 'configuring', '$PWD/out')]" ]
	[[ "$(lttctl list)" = "t configuring"*"$(lttctl list --json | json 'd[0]["lttd"]')"*"$PWD/out" ]]
	lttctl start t
	lttctl stop t
	lttctl start t
	lttctl destroy t
	complete out
	clean
}

# Nothing of ours gets the number of a standard file, which a daemon puts in its place.
test_standard_files_are_closed() {
	tracer
	local fd pid
	lttctl create -o out t <&- >&- 2>&-
	pid=$(lttctl list --json | json 'd[0]["lttd"]')
	for fd in 0 1 2; do
		[ "$(readlink "/proc/$pid/fd/$fd")" = /dev/null ]
	done
	find "/proc/$pid/fd" -lname "$LTT_DEBUGFS" | grep -q .
	lttctl destroy t
	lttctl record -o out2 -- sh -c 'readlink /proc/$PPID/fd/[012] > fds' <&- >&- 2>&-
	[ "$(uniq fds)" = /dev/null ]
	clean
}

test_lossless() {
	tracer
	lttctl create --lossless 500 t
	grep -qx 'traces/t/channels/events/lossless_ms 500' "$LTT_DEBUGFS/log"
	lttctl status t | grep -q 'events.*\<500\>'
	lttctl status --json t | grep -q '"lossless_ms": *500'
	lttctl destroy t
	fails 2 --lossless lttctl create --lossless 0 u
	fails 2 10001 lttctl create --lossless 10001 u
	fails 2 --lossless lttctl create --lossless x u
	fails 2 --overwrite \
		lttctl record -o out --lossless 5 --overwrite true
	clean
}

test_create_leaves_nothing_when_refused() {
	tracer
	FAKE_FAIL=overwrite fails 1 'the fake refuses' \
		lttctl create t
	clean
	fails 1 /proc/out lttctl create -o /proc/out t
	clean
	lttctl create t
	fails 1 'the fake refuses' lttctl create t
	[ -d "$traces/t" ]
}

test_snapshot() {
	tracer
	lttctl create --overwrite t
	lttctl start t
	fails 2 "no lttd serves trace t" lttctl snapshot t
	local n
	for n in 1 2; do
		[ "$(lttctl snapshot -o out t)" = "out/snapshot-$n" ]
		complete "out/snapshot-$n"
	done
	[ "$(grep -cx 'traces/t/tasks 1' "$LTT_DEBUGFS/log")" = 2 ]
	"$bin/lttd" -d -o served t
	fails 0 "$PWD/served-snapshot-1" lttctl snapshot t
	complete served-snapshot-1
	fails 0 "out2/snapshot-1" lttctl snapshot -o out2 t
	lttctl destroy t
	# Whatever fails leaves no snapshot behind.
	lttctl create --overwrite t
	fails 1 "not been started" lttctl snapshot -o none t
	lttctl start t
	fails 1 "cannot create" lttctl snapshot -o /proc/none t
	rm "$traces/t/events_1.snapshot"
	fails 1 "events_1" lttctl snapshot -o none t
	[ ! -e none ]
	lttctl create plain
	lttctl start plain
	fails 1 "flight recorder" lttctl snapshot -o none plain
	lttctl destroy t
	lttctl destroy plain
	clean
}

test_status() {
	tracer
	lttctl create --allow-missing -e nothing:here t
	FAKE_REFUSED=2 lttctl start t
	lttctl status t > status
	grep -q '\<t: running$' status
	grep -q '^ *CPU 1 *3 .* 1 .* 2 .* 0 ' status
	grep -q '\<nothing:here$' status
	lttctl status --json > status
	[ "$(json '(d[0]["name"], d[0]["state"])' < status)" = "('t', 'running')" ]
	[ "$(json '[e["pattern"] for e in d[0]["events"] if "pattern" in e]' < status)" = "['nothing:here']" ]
	[ "$(json '[(c["name"], c["subbuf_size"], len(c["cpus"])) for c in d[0]["channels"]]' < status)" \
		= "[('events', 1048576, 2), ('state', 4096, 1)]" ]
	fails 1 nosuch lttctl status nosuch
}

test_markers() {
	tracer
	diff <(lttctl markers) - <<-END
		off irq:irq_handler_entry
		on  sched:sched_switch
		off sched:sched_wakeup
		wanted sched:sched_switch
		unwanted sched:x
	END
	[ "$(lttctl markers --info '*wakeup')" = "off sched:sched_wakeup
marker sched:sched_wakeup" ]
	[ "$(lttctl markers --json 'sched:*' | json '[m["name"] for m in d["markers"]]')" \
		= "['sched_switch', 'sched_wakeup']" ]
	cat > "$LTT_DEBUGFS/markers/irq/irq_handler_entry/info" <<-'END'
		marker irq:irq_handler_entry
		field irq integer s32 base 10 (int)
		field name string (const char *)
		field args array u64 base 16 count 6 (unsigned long [6])
		sinks 0
		places 1
		  at drivers/a b.c:12 [drv]
		  tracepoint irq_handler_entry [kernel]
	END
	lttctl markers --json --info 'irq:*' > info
	[ "$(json 'd["markers"][0]["fields"]' < info)" = "[{'name': 'irq', 'type': 'integer', 'size': 4, 'signed': True, 'base': 10, 'c_type': 'int'}, {'name': 'name', 'type': 'string', 'c_type': 'const char *'}, {'name': 'args', 'type': 'array', 'size': 8, 'signed': False, 'base': 16, 'count': 6, 'c_type': 'unsigned long [6]'}]" ]
	[ "$(json 'd["markers"][0]["places"]' < info)" = "[{'module': 'drv', 'file': 'drivers/a b.c', 'line': 12}, {'module': 'kernel', 'tracepoint': 'irq_handler_entry'}]" ]
	fails 1 nosuch lttctl markers nosuch
	# Its module goes while we look.
	lttctl markers > right
	mkdir -p "$LTT_DEBUGFS/markers/sched/sched_gone" "$LTT_DEBUGFS/markers/agroup/gone"
	lttctl markers | cmp - right
}

test_enable_and_disable() {
	tracer
	lttctl create t
	lttctl enable --allow-missing 'a:*' b:c
	lttctl disable 'a:*'
	lttctl enable --allow-missing -t t d:e
	lttctl disable -t t d:e
	tail -n 5 "$LTT_DEBUGFS/log" | diff - <(printf '%s\n' 'markers/wanted a:*' \
		'markers/wanted b:c' 'markers/wanted !a:*' 'traces/t/events d:e' 'traces/t/events !d:e')
	FAKE_FAIL=wanted fails 1 'the fake refuses "x"' lttctl enable --allow-missing x
	fails 2 xxxxxxxx lttctl enable -t t "$(printf 'x%.0s' {1..5000})"
	# One pattern each, as through the device; not what the files of debugfs take besides.
	local pattern lines
	lines=$(wc -l < "$LTT_DEBUGFS/log")
	for pattern in '' '!x' 'a b' ' a' $'a\nb' 'a:[' a: :a a:b:c; do
		fails 2 group:name lttctl enable "$pattern"
		fails 2 group:name lttctl disable "$pattern"
		fails 2 group:name lttctl enable -t t "$pattern"
		fails 2 group:name lttctl disable -t t "$pattern"
	done
	[ "$(wc -l < "$LTT_DEBUGFS/log")" = "$lines" ]
	fails 2 group:name lttctl record -o out -e '' true
	fails 2 group:name lttctl create -e '!x' new
	[ "$(lttctl list)" = 't configuring' ]
}

test_wrong_usage() {
	tracer
	local line
	while read -r line; do
		local status=0 said
		# The lines are command lines.
		# shellcheck disable=SC2086
		said=$(lttctl $line 2>&1) || status=$?
		[ $status = 2 ] || die "status $status: lttctl $line"
		[ "$(echo "$said" | wc -l)" = 1 ] || die "more than a sentence: lttctl $line"
	done <<-END
		nosuch
		record --nosuch
		record --size 0 true
		record --size 3 true
		record --size -1 true
		record --size 1Mx true
		record --size 99999999999999999999 true
		record --size 16777216T true
		record --count 5 true
		record --count x true
		record -p x true
		record -p 0 true
		record -p 4k true
		record --size 4G true
		record -e sched:[ true
		record -e a,,b true
		record -p 99999999999 true
		record -o
		create
		create a b
		create --size 7 t
		start
		start a b
		start --nosuch t
		stop
		destroy
		destroy a b
		snapshot
		snapshot a b
		list x
		list --nosuch
		status --nosuch
		markers --nosuch
		enable
		enable -t t
		disable
		view
		view a b
		probe -p 1 load
		probe -p 1 connect user:a:b
		--via
		--via usb list
		--via=usb list
		list --via usb
		list --via
		--via debugfs stream
	END
	clean
	[ ! -e "$LTT_DEBUGFS/log" ] || die "the tracer was asked: $(cat "$LTT_DEBUGFS/log")"
}

test_names_cannot_escape() {
	tracer
	local name command
	for name in .. . ../x a/b '' .hidden $'a\nb' "$(printf 'x%.0s' {1..64})"; do
		for command in create start stop destroy status "snapshot -o out"; do
			# shellcheck disable=SC2086
			fails 1 name lttctl $command "$name"
		done
	done
	fails 1 create lttctl start create
	[ ! -e "$LTT_DEBUGFS/log" ]
}

test_help_of_each() {
	local command
	lttctl --help | grep -q '^Usage: lttctl \[--via debugfs|device\] COMMAND'
	for command in $(lttctl --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
		lttctl "$command" --help > help
		grep -q "^lttctl $command: " help
		grep -q "^Usage: lttctl $command" help
	done
	[ "$(lttctl --help | grep -c '^  [a-z]')" = 14 ]
}

# Root without the right to pass over permissions.
test_without_permission() {
	[ "$(id -u)" = 0 ] || { echo "of a user that is not root nothing is taken here"; exit 77; }
	tracer
	lttctl create t
	local drop=(setpriv "--bounding-set=-dac_override,-dac_read_search" --inh-caps=-all "$bin/lttctl")
	chmod 0 "$traces/t/state"
	fails 1 root "${drop[@]}" list
	chmod 644 "$traces/t/state"
	chmod 0 "$LTT_DEBUGFS"
	fails 1 "$LTT_DEBUGFS" "${drop[@]}" list
	fails 125 "$LTT_DEBUGFS" "${drop[@]}" record -o out touch ran
	chmod 755 "$LTT_DEBUGFS"
	fails 0 "t configuring" "${drop[@]}" list
	fails 1 CAP_PERFMON \
		"$scripts/fake-device" -- sh -c "chmod 0 \$LTT_DEVICE; exec ${drop[*]} list"
	[ ! -e ran ]
}

test_connect_twice() {
	tracer
	"$tools/connect-twice"
	LTT_DEBUGFS=$PWD/nothing fails 1 "$PWD/nothing" "$tools/connect-twice"
	"$scripts/fake-device" -- "$tools/connect-twice"
}

# Both faces are in tests/vm/cases/faces.sh; here, which one is asked.
test_via() {
	tracer
	local no="$PWD/nothing"
	lttctl create t
	[ "$(lttctl --via debugfs list)" = 't configuring' ]
	[ "$(lttctl --via=debugfs list)" = 't configuring' ]
	[ "$(lttctl list --via debugfs)" = 't configuring' ]
	[ "$(LTT_VIA=debugfs LTT_DEVICE=$no lttctl list)" = 't configuring' ]
	LTT_DEVICE=$no fails 1 modprobe \
		lttctl list
	LTT_VIA=device LTT_DEVICE=$no fails 1 "$no" lttctl list
	LTT_VIA=debugfs LTT_DEVICE=$no fails 1 "$no" lttctl --via device list
	LTT_VIA=usb fails 1 LTT_VIA lttctl list
	LTT_VIA=usb fails 0 'configuring' lttctl --via debugfs list
	LTT_DEBUGFS=$no fails 1 debugfs lttctl list
	# Handed on to lttd.
	LTT_DEVICE=$no lttctl --via debugfs record -o out true 2> /dev/null
	complete out
}

# LTT_DEVICE names the device; lttctl stream writes to nothing that is not one.
test_stream_wants_a_device() {
	echo precious > file
	LTT_DEVICE=$PWD/file fails 1 "$PWD/file" lttctl stream traces
	[ "$(cat file)" = precious ]
	LTT_DEVICE=$PWD/nothing fails 1 "$PWD/nothing" lttctl stream traces
	LTT_DEVICE=/dev/null fails 1 lttctl lttctl stream traces
	LTT_DEVICE=$PWD/nothing fails 1 "$PWD/nothing" lttctl stream --via device traces
	fails 2 "--via" lttctl stream --via debugfs traces
	fails 2 "--nonsense" lttctl stream --nonsense
}

# device WORD... -- ARGUMENT...: lttctl, where the device is fake-device with these words
device() {
	local words=()
	while [ "$1" != -- ]; do
		words+=("$1")
		shift
	done
	shift
	timeout 20 "$scripts/fake-device" "${words[@]}" -- "$bin/lttctl" "$@"
}

# Real replies are in tests/vm/cases; here are those that the kernel does not give.
test_replies_of_the_device() {
	local there=('traces=a\nb' uuid=123 state=running) mode
	for mode in --plain --chatty --slow; do
		[ "$(device $mode "${there[@]}" -- list | xargs)" = 'a running b running' ]
	done
	fails 1 device device --garbage -- list
	fails 1 device device --short -- list
	# Of a terminal the end may be an error.
	fails 1 lttctl device --end "${there[@]}" -- list
	fails 1 traces device traces=- -- list
	fails 1 "not you" device 'traces=!1 not you' -- list
	fails 1 "dozing" device "${there[@]}" state=dozing -- list
	fails 1 "gone wrong" device "${there[@]}" 'state=!5 gone wrong' -- list
	[ -z "$(device "${there[@]}" 'state=!2 gone' -- list)" ]
	fails 1 "still busy" device "${there[@]}" state=stopped 'destroy=!16 still busy' -- destroy a
	fails 1 "all full" device 'create=!28 all full' -- create x
	fails 1 "gone wrong" device 'uuid=!5 gone wrong' -- create x
	local channel='events subbuf_size 4096 subbuf_count 4 overwrite 0 lossless_ms'
	fails 0 running device "${there[@]}" "channels=$channel 0 later 1" -- status a
	fails 1 "lossless_ms" device "${there[@]}" "channels=$channel many" -- status a
	fails 1 events device "${there[@]}" "channels=$channel" -- status a
	fails 1 "a/b" device "${there[@]}" channels=a/b -- status a
	fails 1 nosuch device 'markers=a:b 1' -- markers nosuch
	fails 1 a:.b device 'markers=a:.b 1' -- markers --info '*'
}

# requests ARGUMENT...: the requests that lttctl makes of the device, each after a comma
requests() {
	FAKE_REQUESTS=$PWD/requests device traces=a state=running uuid=123 \
		'channels=events subbuf_size 4096 subbuf_count 4 overwrite 0 lossless_ms 0' -- "$@" > said
	sed 's/^/, /' requests | tr -d '\n'
	rm -f requests
}

test_one_request_each() {
	[ "$(requests start t)" = ", shared start t" ]
	[ "$(requests stop t)" = ", shared stop t" ]
	[ "$(requests enable --allow-missing -t t a:b)" = ", shared enable t a:b" ]
	[ "$(requests list)" = ", shared traces, shared state a" ]
	[ "$(requests status t)" = ", shared state t, shared stats t, shared channels t, shared events t" ]
}

# narrow_terminal COMMAND...: it runs on a terminal of 20 columns; ^C when three lines have been drawn
narrow_terminal() {
	python3 - "$@" <<-'END'
		import fcntl, os, pty, struct, sys, termios
		pid, fd = pty.fork()
		if not pid:
		    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 20, 0, 0))
		    os.execvp(sys.argv[1], sys.argv[1:])
		shown, pressed = b'', False
		while True:
		    try:
		        shown += os.read(fd, 4096)
		    except OSError:
		        break
		    if shown.count(b'\033[K') == 3 and not pressed:
		        pressed = True
		        os.write(fd, b'\x03')
		sys.stdout.buffer.write(shown)
		sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	END
}

test_progress_line() {
	tracer
	narrow_terminal env LD_PRELOAD="$tools/fake-ltt.so" "$bin/lttctl" record -o out > shown
	# Three lines, each cut to the terminal, and one that clears the last.
	python3 - <<-'END'
		lines = open('shown', newline='').read().split('\033[K')[:-1]
		lines = [line.rpartition('\r')[2] for line in lines]
		assert len(lines) == 4 and all(len(line) < 20 for line in lines), lines
		assert 'events' in lines[0] and lines[3] == '', lines
	END
	# The command has the terminal for itself.
	narrow_terminal env LD_PRELOAD="$tools/fake-ltt.so" "$bin/lttctl" record -o out2 -- sh -c 'sleep 1.2' > shown
	! grep -q $'\033' shown || die "a progress line comes between the command's output"
}

# The default is a rule of the machine's memory and CPUs.
test_default_count() {
	tracer
	lttctl create t
	local expected
	expected=$(python3 - <<-'END'
		import os
		each = os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / os.sysconf('SC_NPROCESSORS_ONLN')
		mib = 1 << 20
		most = min(64 * mib, max(each / 32, min(8 * mib, each / 8)))
		print(max(count for count in (2, 4, 8, 16, 32, 64) if count == 2 or count * mib <= most))
	END
	)
	[ "$(cat "$traces/t/channels/events/subbuf_count")" = "$expected" ]
	lttctl create --count 4 u
	[ "$(cat "$traces/u/channels/events/subbuf_count")" = 4 ]
}

# Losses for lack of room come with the count that would have done.
test_sufficient_count() {
	tracer
	FAKE_REFUSED=100000 lttctl record --count 8 --json -o out true > summary
	[ "$(json 'd["sufficient_count"]' < summary)" = 512 ]
	FAKE_REFUSED=100000 lttctl record --count 8 -o out2 true 2>&1 | grep -q -- '--count 512 '
	lttctl record --json -o out3 true > summary
	[ "$(json '"sufficient_count" in d' < summary)" = False ]
}

# The traces of record are to record what everybody's do, where the user may know that.
test_record_by_a_device_that_refuses() {
	fails 125 "no groups" device 'groups=!5 no groups' -- record -o out touch ran
	fails 125 "no more" device 'wanted=!5 no more' -- record -o out touch ran
	fails 125 stay device 'wanted=a:b' 'want=!5 stay' -- record -o out touch ran
	# A user without the right to see them goes on without.  Groups of tasks or CPUs are not repeated.
	local way
	for way in 'groups=!1 not you' 'groups=cpus g 0\ntasks h 1'; do
		fails 125 "no stream left" \
			device "$way" 'stream=!12 no stream left' -- record -o out touch ran
	done
	[ ! -e out ]
	[ ! -e ran ]
}

# All kinds of lines, and of what may come back.
lines() {
	cat <<-'END'
		traces
		# a comment

		create x
		nosuch
		odd 1
		odd 1 2 3 4 5 6 7 8k 9 10
		odd 1 2 3 4 5 6 7 8k
		odd -1 2 3 4 5 6 7 8
		odd 99999999999999999g 2 3 4 5 6 7 8
		stream
		channel-set t events x 9z
		uuid
		create a b
		"open
		'a b'
		stop \
		help
	END
	printf 'create %070000d\n' 1
}

test_stream() {
	lines > lines
	fails 1 nosuch \
		device 'traces=a\nb' 'create=!17 there is one' -- stream < lines
	local line
	while read -r line; do
		grep -qE -- "^$line" "$scratch/out" || { cat "$scratch/out"; die "no line with $line"; }
	done <<-'END'
		1 traces:
		2 create: .*EEXIST.* there is one
		lttctl.*: .*odd.*arg1
		lttctl.*: .*\<9\>
		5 odd: done
		lttctl.*: .*-1.*arg0
		lttctl.*: .*99999999999999999g.*arg0
		8 stream: .*77
		lttctl.*: .*9z.*value
		lttctl.*: .*uuid.*trace
		lttctl.*: .*create.*\<b\>
		lttctl.*: .*quote
		lttctl.*: .*a b
		lttctl.*: .*long
	END
	grep -q '^  create name  *does create$' "$scratch/out"
	fails 1 "not you" device 'share=!1 not you' -- stream --share traces
	! grep -q traces "$scratch/out" || die "it went on without sharing"
	fails 0 "2 traces" device -- stream --share traces
	fails 0 "* traces" device --note -- stream traces
	fails 1 lttctl device --end -- stream < lines
	fails 1 "Is a directory" \
		"$scripts/fake-device" -- sh -c "exec $bin/lttctl stream < /"
}

test_stream_as_json() {
	lines > lines
	local status=0
	device --note 'traces=a\nb' 'create=!17 there is one' -- stream --json < lines > replies 2> said || status=$?
	[ $status = 1 ]
	python3 - <<-'END'
		import json
		lines = [json.loads(line) for line in open('replies')]
		by_id = {line['id']: line for line in lines if line.get('id')}
		assert by_id[1]['command'] == 'traces' and by_id[1]['status'] == 'ok' and by_id[1]['text'] == 'a\nb', by_id[1]
		assert by_id[2]['status'] == 'error' and by_id[2]['errno'] == 'EEXIST', by_id[2]
		assert by_id[8]['descriptor'] == 77, by_id[8]
		rejected = [line['command'] for line in lines if line.get('id', 0) is None]
		assert 'nosuch' in rejected and 'odd' in rejected, rejected
		assert any(line.get('notification') == 'traces' and line['value'] == 5 for line in lines)
		assert any(line.get('name') == 'create' and line['arguments'] == ['name'] for line in lines)
	END
	device 'traces=a\nb' -- stream --json traces | python3 -c 'import json, sys; json.load(sys.stdin)'
}

test_stream_when_a_call_fails() {
	local nth status how
	printf '%s\n' traces 'create x' 'channel-set t events x 9k' > lines
	device 'traces=a\nb' -- stream < lines > right
	# Whether it waits for a reply before it waits for lines is a matter of chance, and with
	# that which call is the nth.
	for how in '' '' '' FAIL_OF=libpopt.so FAIL_EINTR={1..5}; do
		for ((nth = 1; ; nth++)); do
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

test_without_a_tracer() {
	rm -r "$LTT_DEBUGFS"
	local command
	for command in "list" "status" "start t" "markers" "enable x"; do
		# shellcheck disable=SC2086
		fails 1 modprobe lttctl $command
	done
	fails 125 modprobe lttctl record -o out true
	[ ! -e out ]
}

test_list_without_modules() {
	[ ! -e /sys/module/ltt_control ] || { echo "the tracer is loaded"; exit 77; }
	unset LTT_DEBUGFS
	[ "$("$bin/lttctl" list; echo $?)" = 0 ]
	[ "$("$bin/lttctl" list --json | json d)" = '[]' ]
}

test_version() {
	[[ "$(lttctl --version)" = 'lttctl '[0-9]*.* ]]
	[ "$("$bin/lttd" --version)" = "lttd $(lttctl --version | cut -d ' ' -f 2)" ]
}

# Also what no trace of LTT has.
test_view() {
	"$scripts/mktrace" trace
	# Of the lines of what is missing: the number, the buffer.
	shown() { TZ=UTC lttctl view "$1" | sed -E 's/^\*\*\* ([0-9]+ )?.*(lost|overwritten).* ([a-z]+_[0-9]+).*/*** \1\2 \3/'; }
	shown trace > shown
	diff - shown <<-'END'
		00:00:00.000000100 [000]      7 seven           ltt:task: tid=7, comm="seven"
		00:00:00.000000101 [000]      7 seven           ltt:task: tid=4103, comm="other"
		00:00:00.000000102 [000]      7 seven           ltt:task: tid="x", comm="nobody"
		*** lost events_0
		00:00:00.000000150 [000]      7 seven           kinds: octal=010, hex=0xff, number=-5, text="a\"b\x01", list=[1, 2], real=?
		*** 12 lost events_0
		*** 1 overwritten events_0
		00:00:00.000000350 [000]   4103 other           kinds: octal=010, hex=0xff, number=-5, text="a\"b\x01", list=[1, 2], real=?
	END
	# The folder of a trace does as well as that above it.
	shown trace/kernel | cmp - shown
	fails 1 "No space left on device" full view trace
	"$scripts/mktrace" torn torn
	fails 1 trace lttctl view torn
	"$scripts/mktrace" damaged damaged
	fails 1 trace lttctl view damaged
	grep -q 'seven *kinds: ' "$scratch/out"
	# The names of folders above a trace are not those of its channels.
	mkdir state_1
	"$scripts/mktrace" state_1/trace damaged
	fails 1 trace lttctl view state_1/trace
	grep -q 'seven *kinds: ' "$scratch/out"
}

test_view_without_plugins() {
	local plugins
	plugins=$(echo /usr/lib/*/babeltrace2/plugins)
	[ -d "$plugins" ] && unshare -m true 2> /dev/null || { echo "no plugins to hide, or may not mount"; exit 77; }
	"$scripts/mktrace" trace
	fails 1 babeltrace2 \
		unshare -m sh -c "mount -t tmpfs none $plugins; exec $bin/lttctl view trace"
}

# lttd is looked for beside lttctl and in PATH, and need not be there, or live long.
test_lttd_elsewhere() {
	tracer
	mkdir here
	cp "$bin/lttctl" here
	alone() { LD_PRELOAD=$tools/fake-ltt.so PATH=/nowhere here/lttctl "$@"; }
	fails 1 "No such file" \
		alone create -o out t
	fails 125 "No such file" alone record -o out
	fails 125 "No such file" alone record -o out -e 'user:a:*'
	clean
	printf '#!/bin/sh\nkill -9 $$\n' > here/lttd
	chmod +x here/lttd
	fails 1 lttd alone create -o out t
	fails 125 lttd alone record -o out
	fails 125 lttd alone record -o out -e 'user:a:*'
	clean
	ln -sf "$bin/lttd" here/lttd
	LD_PRELOAD=$tools/fake-ltt.so here/lttctl record -o out true 2> /dev/null
	complete out
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
		for ((nth = 1; ; nth++)); do
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
			for ((nth = 1; ; nth++)); do
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
			say "$command: each of $((nth - 1)) calls"
			[ $nth -gt 1 ]
		done
	done
	fails 2 long lttctl probe -p $program connect user:a:b "$(printf 'x%.0s' {1..70000})"
}

# Where no socket's name fits.
test_deep_run_dir() {
	local deep
	deep=$PWD/$(printf 'd%.0s' {1..100})
	mkdir -p "$deep/lttd"
	LTT_RUN_DIR=$deep fails 1 "File name too long" lttctl status programs-5
	LTT_RUN_DIR=$deep fails 1 "File name too long" lttctl markers user:
	LTT_RUN_DIR=$deep fails 1 "File name too long" "$bin/lttd" -o out --programs 'a:*'
	[ -z "$(ls "$deep/lttd")" ]
}

test_view_when_a_call_fails() {
	local nth status
	"$scripts/mktrace" trace
	lttctl view trace > right
	for ((nth = 1; ; nth++)); do
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

test_view_of_no_trace() {
	fails 1 "$PWD" lttctl view "$PWD"
	fails 1 /nowhere lttctl view /nowhere
	mkdir -p bad/kernel
	echo nonsense > bad/kernel/metadata
	fails 1 trace lttctl view bad
}

run_tests
