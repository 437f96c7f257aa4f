#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl export writes recordings in the formats of other programs; the recordings are those of mkrecording.

. "$(dirname "$0")/lib-lttctl.sh"

# Nothing but these is in the folder, hidden files included.
only() { diff <(ls -A) <(printf '%s\n' "$@" | sort); }

# Every event and field that Trace Compass's kernel analyses look for, with the values of the recording.
test_ctf_lttng() {
	local calls
	for calls in name number; do
		"$scripts/mkrecording" trace --calls $calls
		lttctl export --ctf-lttng trace -o out
		"$scripts/check-lttng" trace out
		rm -r trace out
	done
	# The threads of the beginning come from the trace itself if there is no state.
	"$scripts/mkrecording" trace --no-state
	lttctl export -o out --ctf-lttng trace/
	"$scripts/check-lttng" trace out
}

# Samples of the clock come before the state, by name, and are not one.
test_ctf_lttng_beside_samples() {
	"$scripts/mkrecording" trace
	lttctl export --ctf-lttng trace -o without
	PYTHONPATH=$scripts python3 - <<-'END'
		from recording import EPOCH, Part
		part = Part('trace/clock', 'clock', 9)
		part.event('clock', 'clock:sample', ['u64 before'])
		part.record(0, EPOCH + 5, 0, 'clock:sample', 1)
		part.write()
	END
	lttctl export --ctf-lttng trace -o out
	[ "$(ls out)" = "$(ls without)" ]
	cmp out/kernel/statedump_0 without/kernel/statedump_0
}

# The data files are those of the recording; the metadata claims what its readers expect.
test_ctf_lttng_files() {
	"$scripts/mkrecording" trace
	umask 027
	lttctl export --ctf-lttng trace -o out
	[ "$(stat -c %a out)" = 750 ]
	diff <(cd trace && ls -i kernel/*_? user-1000/*_?) <(cd out && rm kernel/statedump_0 && ls -i kernel/*_? user-1000/*_?)
	[ "$(ls out)" = "$(printf 'kernel\nuser-1000')" ] || die "the state is a trace of its own: $(ls out)"
	local env='tracer_name|tracer_major|tracer_minor|tracer_patchlevel|domain'
	diff <(grep -E "^	($env) = " out/kernel/metadata | tr -d '\t' | sort) - <<-'END'
		domain = "kernel";
		tracer_major = 2;
		tracer_minor = 13;
		tracer_name = "lttng-modules";
		tracer_patchlevel = 0;
	END
	grep -qx '	tracer_name = "lttng-ust";' out/user-1000/metadata
	grep -qx '	tracer_name = "ltt";' trace/kernel/metadata
	rm -r out
	lttctl export --ctf-lttng trace -o out
	# lttctl reads it, too: as the recording, but for the names.
	[ "$(lttctl view out/kernel 2> /dev/null | grep -c '^..:')" = $(($(lttctl view trace/kernel 2> /dev/null | grep -c '^..:') + 8)) ]
	# A part alone gets a directory of its own.
	lttctl export --ctf-lttng trace/kernel -o part
	[ "$(ls part)" = kernel ]
	# The pieces of a recording, each of which has all its metadata; the state is in the first.
	mkdir -p pieces/0001 pieces/0002
	cp -r trace/kernel trace/state pieces/0001
	cp -r trace/kernel pieces/0002
	lttctl export --ctf-lttng pieces -o both
	diff <(cd both && find . -name 'statedump*' -o -name metadata | sort) - <<-'END'
		./0001/kernel/metadata
		./0001/kernel/statedump_0
		./0002/kernel/metadata
	END
}

# A file system on which there can be no link gets copies, and the user is informed.
test_ctf_lttng_elsewhere() {
	local other
	other=$(mktemp -d -p /dev/shm) || { say "no other file system"; exit 77; }
	# shellcheck disable=SC2064
	trap "rm -rf '$other'" EXIT
	[ "$(stat -c %d "$other")" != "$(stat -c %d .)" ] || { say "no other file system"; exit 77; }
	"$scripts/mkrecording" trace
	fails 0 copied lttctl export --ctf-lttng trace -o "$other/out"
	"$scripts/check-lttng" trace "$other/out"
	[ "$(ls -A "$other")" = out ]
}

# Compress data files as lttd does, a frame for each packet.
compress() {
	python3 - "$@" <<-'END'
		import os, struct, subprocess, sys
		for path in sys.argv[1:]:
		    data, at = open(path, 'rb').read(), 0
		    with open(path + '.zst', 'wb') as out:
		        while at < len(data):
		            size = struct.unpack_from('<Q', data, at + 48)[0] // 8
		            out.write(subprocess.run(['zstd', '-c'], input=data[at:at + size], stdout=subprocess.PIPE, check=True).stdout)
		            at += size
		    os.unlink(path)
	END
}

# Readers of LTTng's traces cannot read compressed files: they get others.
test_ctf_lttng_of_compressed() {
	local calls
	for calls in name number; do
		"$scripts/mkrecording" trace --calls $calls
		cp -r trace whole
		compress trace/kernel/*_[01]
		fails 0 decompressed lttctl export --ctf-lttng trace -o out
		[ -z "$(find out -name '*.zst')" ] || die "$(find out)"
		"$scripts/check-lttng" whole out
		[ $calls = number ] || cmp out/kernel/events_0 whole/kernel/events_0
		rm -r trace whole out
	done
	# lttd was killed between the two.
	"$scripts/mkrecording" trace
	cp -r trace both
	cp -r trace whole
	compress trace/user-1000/*_?
	cp trace/user-1000/*.zst both/user-1000
	lttctl export --ctf-lttng both -o out
	"$scripts/check-lttng" whole out
}

# A file that is written anew has all events and losses, also when its packets are in several pieces.
test_ctf_lttng_by_number_keeps_losses() {
	"$scripts/mkkernel" --lossy trace > /dev/null
	python3 - trace/kernel pieces <<-'END'
		import os, pathlib, struct, sys
		source, target = map(pathlib.Path, sys.argv[1:])
		for path in source.iterdir():
		    data, at, packets = path.read_bytes(), 0, []
		    while path.name != 'metadata' and at < len(data):
		        size = struct.unpack_from('<Q', data, at + 48)[0] // 8
		        packets.append(data[at:at + size])
		        at += size
		    half = (len(packets) + 1) // 2
		    for piece, part in ('0001', packets[:half]), ('0002', packets[half:]):
		        folder = target / piece / 'kernel'
		        folder.mkdir(parents=True, exist_ok=True)
		        if part or path.name == 'metadata':
		            (folder / path.name).write_bytes(b''.join(part) or data)
	END
	local from
	for from in trace pieces; do
		fails 0 anew lttctl export --ctf-lttng $from -o out
		lttctl view --json trace/kernel > before 2> said
		lttctl view --json "$(if [ $from = trace ]; then echo out/kernel; else echo out; fi)" > after 2> said
		python3 - before after <<-'END'
			import collections, json, sys
			def read(path):
			    rows = [json.loads(line) for line in open(path)]
			    lost = collections.Counter()
			    for row in rows:
			        lost[row.get('buffer')] += row.get('lost_events', 0)
			    events = [(row['time'], row['cpu']) for row in rows if row.get('event', 'lttng_').startswith('lttng_') is False]
			    return lost, sorted(events)
			before, after = map(read, sys.argv[1:])
			assert sum(before[0].values()) > 100 and before[0] == after[0], (before[0], after[0])
			assert len(before[1]) > 1000 and before[1] == after[1], (len(before[1]), len(after[1]))
		END
		rm -r out
	done
}

# Nothing is left of a failure.
test_ctf_lttng_failures() {
	"$scripts/mkrecording" trace
	"$scripts/mktrace" foreign
	mkdir full && touch full/file
	fails 1 nowhere lttctl export --ctf-lttng nowhere -o out
	fails 1 foreign lttctl export --ctf-lttng foreign -o out
	fails 1 "has no trace" lttctl export --ctf-lttng trace/state -o out
	fails 1 "not empty" lttctl export --ctf-lttng trace -o full
	fails 1 exists lttctl export --ctf-lttng trace -o full/file
	fails 1 "No such file" lttctl export --ctf-lttng trace -o nowhere/out
	fails 2 "one directory" lttctl export --ctf-lttng trace foreign -o out
	mv trace/kernel/events_1 trace/kernel/events_1.zst
	printf '\x28\xb5\x2f\xfd' > trace/kernel/events_1.zst
	fails 1 events_1.zst lttctl export --ctf-lttng trace -o out
	only foreign full trace
	mkdir empty
	rm trace/kernel/events_1.zst
	lttctl export --ctf-lttng trace -o empty
	only empty foreign full trace
}

# Slice by slice, instant by instant, event by event against babeltrace2, by a decoder of the test's own and by protoc.
test_perfetto() {
	local seed=0 calls
	for calls in name number time; do
		"$scripts/mkrecording" trace --seed $((++seed)) --calls $calls --steps $((seed * 1500))
		lttctl export --perfetto trace -o out 2> said
		"$scripts/check-perfetto" trace out
		rm -r trace
	done
}

# Only the events of a part of the time.
test_perfetto_of_a_while() {
	"$scripts/mkrecording" trace
	lttctl export --perfetto trace -o all --from +0 2> said
	lttctl export --perfetto trace -o some --from +10ms --to +20ms 2> said
	python3 - "$scripts" all some <<-'END'
		import runpy, sys
		scripts, *files = sys.argv[1:]
		sys.path.insert(0, scripts)
		decode = runpy.run_path(f'{scripts}/check-perfetto', run_name='module')['decode']
		times = [sorted(event['timestamp'] for packet in decode('Trace', open(file, 'rb').read())['packet']
		                for event in packet.get('ftrace_events', {'event': []})['event']) for file in files]
		begin = times[0][0]
		assert times[1] and times[1] == [time for time in times[0] if begin + 10**7 - 10**6 < time <= begin + 2 * 10**7 + 10**6
		                                 and times[1][0] <= time <= times[1][-1]], len(times[1])
		assert times[1][0] > begin + 9 * 10**6 and times[1][-1] < begin + 21 * 10**6 and len(times[0]) > 2 * len(times[1])
	END
	fails 2 --from lttctl export --perfetto trace -o out --from yesterday
	fails 2 --from lttctl export --ctf-lttng trace -o out --from +1s
	only all said some trace
}

# JSON whatever the names are, and the same slices, instants, counters and times on CPUs as babeltrace2 has.
test_chrome() {
	local seed calls=name
	for seed in 1 2; do
		"$scripts/mkrecording" trace --seed $seed --calls $calls
		lttctl export --chrome trace -o out 2> said
		"$scripts/check-chrome" trace out
		calls=number
		rm -r trace
	done
}

# Samples are counted by their stacks; a stack whose addresses came with an earlier sample has them, too.
test_flamegraph() {
	"$scripts/mkrecording" trace --steps 10 --samples "$bin/lttctl"
	lttctl export --flamegraph trace -o out 2> said
	diff out - <<-'END'
		app-worker;main;options_parse;entry:SYSCALL_[k];do_work_[k];submit_[k] 2
		app;main 1
		app;main;[unknown] 1
		app;main;options_parse 4
		ksoftirqd/0;do_work_[k] 1
		ksoftirqd/0;entry:SYSCALL_[k];do_work_[k] 1
	END
	rm -r trace out
	"$scripts/mkrecording" trace --steps 10
	fails 1 "sample:99" lttctl export --flamegraph trace -o out
	only said trace
}

# Every row of every table, as DuckDB reads them, against babeltrace2; sums by SQL against those of lttctl report.
test_parquet() {
	local calls modules
	duckdb
	for calls in name number; do
		"$scripts/mkrecording" trace --calls $calls
		lttctl export --parquet trace -o out 2> said
		"$scripts/check-parquet" trace out "$modules" "$bin/lttctl"
		rm -r trace out
	done
}

# The directory appears when it is whole; two classes of one name whose fields differ are two tables.
test_parquet_files() {
	"$scripts/mkrecording" trace --steps 500
	mkdir full && touch full/file
	fails 1 "not empty" lttctl export --parquet trace -o full
	fails 1 "No such file" lttctl export --parquet trace -o nowhere/out
	local status=0
	(ulimit -c 0 -f 4; exec "$bin/lttctl" export --parquet trace -o out) 2> said || status=$?
	[ $status = $((128 + $(kill -l XFSZ))) ] || die "status $status"
	only full said trace
	sed -i 's/"app:lone.end"/"sched_switch"/' trace/user-1000/metadata
	lttctl export --parquet trace -o out 2> said
	[ -e out/sched_switch.parquet ] && [ -e out/sched_switch-2.parquet ] && [ ! -e out/app.lone.end.parquet ]
	[ "$(head -c 4 out/events.parquet)$(tail -c 4 out/events.parquet)" = PAR1PAR1 ]
}

# The file has its name only when it is whole, and then it replaces an older one.
test_output() {
	"$scripts/mkrecording" trace --steps 300
	lttctl export --perfetto trace -o out 2> said
	# Standard output, by its names; a pipe; a link.
	lttctl export --perfetto trace -o - 2> said | cmp - out
	lttctl export --perfetto trace -o /dev/stdout 2> said | cmp - out
	echo before > file
	lttctl export --perfetto trace -o /dev/stdout >> file 2> said
	tail -c +8 file | cmp - out
	mkfifo pipe
	lttctl export --perfetto trace -o pipe 2> said &
	cmp pipe out
	wait
	[ -p pipe ]
	rm pipe file
	echo older > target
	chmod 604 target
	ln -s target link
	ln -s /dev/null null
	lttctl export --perfetto trace -o link 2> said
	cmp target out
	[ -L link ] && [ "$(stat -c %a target)" = 604 ]
	lttctl export --perfetto trace -o null 2> said
	[ -L null ] && [ -c /dev/null ]
	# These fail, and all files stay as they were.
	echo older > target
	mkdir dir
	ln -s missing/file dangling
	ln trace/kernel/metadata linked
	fails 1 "No space left" lttctl export --perfetto trace -o /dev/full
	[ -c /dev/full ]
	fails 1 directory lttctl export --perfetto trace -o dir
	fails 1 "No such file" lttctl export --perfetto trace -o dir/none/file
	fails 1 "No such file" lttctl export --perfetto trace -o missing/
	fails 1 dangling lttctl export --perfetto trace -o dangling
	fails 1 trace lttctl export --perfetto trace -o trace/kernel/events_0
	fails 1 trace lttctl export --perfetto trace -o linked
	fails 1 "data stream" lttctl export --perfetto trace -o trace/kernel/new
	fails 1 nowhere lttctl export --perfetto nowhere -o target
	[ "$(cat target)" = older ]
	only dangling dir link linked null out said target trace
	[ -z "$(ls -A dir)" ]
}

# Nothing is left of a command that a signal ends in the middle, or a full disk, also on a file system that has no files
# without a name.
test_interrupted() {
	"$scripts/mkrecording" trace --steps 3000
	echo older > out
	local how status
	for how in '' "$tools/hinder.so"; do
		# The kernel sends SIGXFSZ to a process whose file becomes too large.
		status=0
		(ulimit -c 0 -f 100; NO_TMPFILE=1 LD_PRELOAD=$how exec "$bin/lttctl" export --perfetto trace -o out) 2> said || status=$?
		[ $status = $((128 + $(kill -l XFSZ))) ] || die "status $status"
		(trap '' XFSZ; ulimit -f 100; NO_TMPFILE=1 LD_PRELOAD=$how "$bin/lttctl" export --perfetto trace -o out) 2> said && die "it succeeds"
		grep -q "out: File too large" said || die "$(cat said)"
		[ "$(cat out)" = older ]
		only out said trace
		NO_TMPFILE=1 LD_PRELOAD=$how "$bin/lttctl" export --perfetto trace -o new 2> said
		"$scripts/check-perfetto" trace new
		[ "$(stat -c %a new)" = 644 ] || die "permissions: $(stat -c %a new)"
		rm new
	done
}

run_tests
