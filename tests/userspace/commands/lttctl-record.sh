#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl record: its requests, exit status, files and summary.

. "$(dirname "$0")/lib-lttctl.sh"

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
	# lttd flushes each second that the recording takes.
	sed -E 's/record-[0-9]+/T/g; /flush 1$/d' "$LTT_DEBUGFS/log" > log
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
	# The names of the next seconds are taken.
	for second in $(seq 0 100); do mkdir -p "ltt-$(date -d "$second seconds" +%Y%m%d-%H%M%S)"; done
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
		= "7 3 out $((3 * 12288 + $(stat -c %s out/kernel/metadata)))" ]
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

says() {	# words, command...: it fails with a message that has them
	local words=$1
	shift
	! "$@" 2> said && grep -qF -- "$words" said
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
	# An event of the command, or of a running program, without the user: that selects it.
	fails 2 'user:marked:o*' lttctl record -o out -e 'marked:o*' "$tools/marked"
	fails 2 'user:*:other' lttctl record -o out -e other "$tools/marked"
	fails 2 nothing:here lttctl record -o out -e nothing:here "$tools/marked"
	"$tools/marked" > passed &
	local pid=$!
	until_true 10 grep -q passed passed
	fails 2 marked:one lttctl enable marked:one
	# On a busy machine the program may not answer in time.
	until_true 10 says user:marked:one lttctl enable marked:one
	kill $pid
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
	fails 2 out lttctl record -o out true
	complete out
}

# Its events show what all users do.  A directory that is there keeps its mode.
test_recordings_are_not_for_other_users() {
	tracer
	umask 022
	lttctl record -o out true 2> /dev/null
	[ "$(stat -c %a out)" = 750 ]
	mkdir mine
	lttctl record -o mine true 2> /dev/null
	[ "$(stat -c %a mine)" = 755 ]
	complete mine
}

# Two at once would each find nothing in a folder, and the one that fails clean up after both.
test_record_has_a_folder_of_its_own() {
	local count=12 i
	for ((i = 0; i < count; i++)); do
		lttctl record --json -e 'user:none:*' --allow-missing true > "summary$i" &
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

test_record_in_pieces() {
	tracer
	local again
	for again in 1 2 3; do
		lttctl record --json -o out --piece-size 64k true > summary
		complete "out/000$again"
		[ ! -e "out/000$again/open" ]
		[ "$(json 'd["bytes_on_disk"] >= 3 * 3 * 4096 * '$again < summary)" = True ]
	done
	fails 2 out lttctl record -o out true
	lttctl record -o plain true
	fails 2 plain lttctl record --piece-size 64k -o plain true
	clean
}

# A start that fails leaves no piece in a new directory, and all older ones.
test_failed_start_leaves_older_pieces() {
	tracer
	FAKE_FAIL=/state fails 125 "the fake refuses" lttctl record -o out --piece-size 64k true
	[ ! -e out ]
	lttctl record -o out --piece-size 64k true
	FAKE_FAIL=/state fails 125 "the fake refuses" lttctl record -o out --piece-size 64k true
	complete out/0001
	[ -z "$(find out -name open)" ]
	clean
}

test_options_come_from_a_file() {
	tracer
	cat > box.conf <<-END
		# a comment

		event = sched:*,irq:*
		  size=64k
		count = 8
		piece-size = 64k
	END
	lttctl record --options box.conf --count 4 -o out true
	complete out/0001
	grep -q 'channels/events/subbuf_size 65536' "$LTT_DEBUGFS/log"
	[ "$(sed -n 's|.*channels/events/subbuf_count ||p' "$LTT_DEBUGFS/log")" = 4 ]
	[ "$(grep -c '/events sched:\*\|/events irq:\*' "$LTT_DEBUGFS/log")" = 2 ]
	while IFS='|' read -r line word; do
		printf 'size = 64k\n%s\n' "$line" > wrong.conf
		fails 2 "wrong.conf:2: $word" lttctl record --options=wrong.conf -o none true
	done <<-END
		piece-sise = 1M|piece-sise
		compress = yes|compress
		quota|quota
		quota =|quota
		options = box.conf|options
		= 3|
	END
	echo 'quota = 3x' > wrong.conf
	fails 2 "--quota 3x" lttctl record --options wrong.conf -o none true
	fails 2 "No such file" lttctl record --options nosuch -o none true
	[ ! -e none ]
	clean
}

# Of two values of an option, the last one counts, whether it is in a file or not.
test_options_files_count_where_they_stand() {
	tracer
	printf 'size = 64k\noutput = chosen\n' > box.conf
	echo 'size = 128k' > other.conf
	lttctl record -o before --size 8k --options box.conf -- true
	[ -e chosen/kernel ] && [ ! -e before ] || die "before the file: $(ls)"
	grep -q 'channels/events/subbuf_size 65536' "$LTT_DEBUGFS/log"
	lttctl record --options box.conf --output=behind --options=other.conf true
	[ -e behind/kernel ] || die "behind the file: $(ls)"
	grep -q 'channels/events/subbuf_size 131072' "$LTT_DEBUGFS/log"
	# The options of COMMAND are its own.
	lttctl record -o last sh -c 'echo "$@" > words' sh --options box.conf
	[ "$(cat words)" = '--options box.conf' ]
	clean
}

# The service keeps its name and, unless the file has another one, its directory.
test_options_of_the_service() {
	local line
	line=$(sed -n 's/^ExecStart=@PREFIX@.bin.lttctl //p' "$top/userspace/systemd/ltt-record@.service.in")
	[ -n "$line" ]
	line=${line//%i/box}
	line=${line//\/etc\/ltt/.}
	tracer
	mkdir -p log
	line=${line//\/var\/log\/ltt/log}
	: > box.conf
	# shellcheck disable=SC2086
	lttctl $line true
	[ -e log/box/kernel ] || die "$(find .)"
	printf 'output = mine\nname = other\n' > box.conf
	# shellcheck disable=SC2016,SC2086
	lttctl $line sh -c '$bin/lttctl list > list'
	[ -e mine/kernel ] || die "$(find .)"
	grep -q '^box ' list || die "$(cat list)"
	clean
}

# As a service does it.
test_named_recording_is_found_by_its_name() {
	tracer
	printf 'overwrite\nquota = 8M\n' > box.conf
	local again
	for again in 1 2; do
		# shellcheck disable=SC2016
		lttctl record --options box.conf --name box -o out -- \
			sh -c 'LD_PRELOAD=$tools/fake-ltt.so $bin/lttctl snapshot box > taken && LD_PRELOAD=$tools/fake-ltt.so $bin/lttctl list > list'
		[ "$(cat taken)" = "$PWD/out-snapshot-$again" ]
		complete_copy "out-snapshot-$again"
		grep -q '^box running' list
		complete "out/000$again"
	done
	# shellcheck disable=SC2016
	lttctl record --name box --piece-time 1h -o rotated -- sh -c '$bin/lttctl rotate box > closed'
	[ "$(cat closed)" = "$PWD/rotated/0001" ]
	complete rotated/0001
	clean
}

test_attach_records_the_trace_that_is_there() {
	tracer
	printf 'attach\nevent = irq:*\npiece-time = 1h\n' > box.conf
	# As a boot or a killed record leaves it: it runs, with other options than those of the file.
	lttctl create -e 'sched:*' --size 64k box
	lttctl start box
	: > "$LTT_DEBUGFS/log"
	lttctl record --options box.conf --name box -o out true
	complete out/0001
	! grep 'irq:\*\|subbuf_size\|create' "$LTT_DEBUGFS/log"
	clean
	# There is none now.
	lttctl record --options box.conf --name box -o out true
	complete out/0002
	grep -q '/events irq:\*' "$LTT_DEBUGFS/log"
	clean
}

test_attach_leaves_a_trace_that_it_cannot_record() {
	tracer
	lttctl create -e 'sched:*' -o served box
	lttctl start box
	fails 125 box lttctl record --attach --name box -o out true
	[ ! -e out ]
	[ "$(cat "$traces/box/state")" = running ]
	lttctl destroy box
	clean
	lttctl create -e 'sched:*' box
	lttctl start box
	FAKE_FAIL=/state fails 125 refuses lttctl record --attach --name box -o out true
	# The fake tracer has lost it.
	echo running > "$traces/box/state"
	# The buffers do not have these events any more.
	complete out
	lttctl destroy box
	clean
	fails 2 --name lttctl record --attach -o out true
	fails 2 --attach lttctl record --attach --name box --until sched:sched_switch -o out true
	fails 2 --follow lttctl record --attach --name box --follow -o out true
}

# The events in its buffers are nowhere else.
# A trace that has never run has no events, which only the directory would have.
test_attach_that_cannot_start_a_trace_leaves_no_directory() {
	tracer
	lttctl create -e 'sched:*' box
	FAKE_FAIL=/state fails 125 refuses lttctl record --attach --name box -o out true
	[ ! -e out ]
}

test_attach_leaves_the_trace_when_lttd_ends() {
	tracer
	lttctl create -e 'sched:*' box
	lttctl start box
	cat > tell <<-'END'
		for child in $(cat /proc/$PPID/task/$PPID/children); do
			[ "$(cat /proc/$child/comm)" != lttd ] || lttd=$child
		done
		kill -9 $lttd
		while kill -0 $lttd 2> gone; do :; done
	END
	fails 125 '"complete": false' lttctl record --attach --json --name box -o out -- sh tell
	[ "$(cat "$traces/box/state")" = running ]
	free_claims
	lttctl record --attach --name box -o again true
	complete again
	clean
}

run_tests
