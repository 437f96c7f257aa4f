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

# The data files are those of the recording; the metadata claims what its readers expect.
test_ctf_lttng_files() {
	"$scripts/mkrecording" trace
	umask 027
	lttctl export --ctf-lttng trace -o out
	[ "$(stat -c %a out)" = 750 ]
	diff <(cd trace && ls -i kernel/*_? user-1000/*_?) <(cd out && ls -i kernel/*_? user-1000/*_? | grep -v statedump)
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

run_tests
