# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# shellcheck shell=bash
#
# Shared by the tests of lttctl, which run it on a tracer made of plain files (fake-ltt.c).

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

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

# Only its holder removes a claim.  A claim that its holder could not remove is free: the next lttd takes it.
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

# Set "modules" to the modules of DuckDB for node, or skip the test.
duckdb() { modules=$("$top/tests/duckdb/modules" "$build") || { say "$modules"; exit 77; }; }

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

# complete_copy DIR: as complete, but with a UUID of its own, in the metadata and in each packet
complete_copy() {
	python3 - "$1/kernel" "$FAKE_DATA" <<-'END'
		import re, sys, uuid
		from pathlib import Path
		folder, data = Path(sys.argv[1]), bytearray(Path(sys.argv[2]).read_bytes())
		trace, clock = (uuid.UUID(text) for text in re.findall('uuid = "(.*?)"', (folder / 'metadata').read_text()))
		assert str(clock) == '01234567-89ab-cdef-0123-456789abcdef', clock
		assert str(trace) != '01234567-89ab-cdef-0123-000000000001', trace
		for at in range(0, len(data), 4096):
		    data[at + 4:at + 20] = trace.bytes
		for name in 'events_0', 'events_1', 'state_0':
		    assert (folder / name).read_bytes() == data, name
	END
}

json() { python3 -c "import json, sys; d = json.load(sys.stdin); print($1)"; }

full() { lttctl "$@" > /dev/full; }

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
