#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: recordings of 20 machines, exported piece by piece while they are made, become one folder of columns: one statement of SQL gives the latency of run queues by machine, as lttctl report has it
# vm: --loaded --parallel
# faces: device
# requires: lttctl lttd python3 ltt-control.ko
# timeout: 240
# when: all
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

before=$(hostname)
at_exit "hostname '$before'"
export COLUMNS_FOLDER="$OUT/columns"

# Machine N has N threads more than CPUs for some time, that of several pieces: its threads wait longer. A piece ends when it holds
# something, so buffers that are not full are flushed, too.
cat > work <<'END'
for i in $(seq $(($1 / 4 + 1))); do
	timeout 1.2 sh -c 'while :; do read -r line < /proc/self/stat; done' &
done
for i in $(seq 8); do
	sleep 0.02
	ls / > /dev/null
done
wait
END

mkdir "$OUT/reports"
for number in $(seq 20); do
	host=machine-$(printf %02d "$number")
	hostname "$host"
	lttctl record --json -o "$host" -e 'sched:*,irq:*' --state processes --piece-time 300ms --flush 100 --compress \
		--after-rotate 'exec lttctl export --parquet --partition -o "$COLUMNS_FOLDER" "$LTT_PIECE"' \
		-- sh work "$number" > summary 2> said || die "$host: $(cat said)"
	assert_eq "$host: nothing is lost" 0 "$(json summary 'd["total"]["refused"]')"
	assert_eq "$host: no command has failed" '' "$(grep after-rotate said)"
	# A state that goes on in the next piece is whole in neither: the report is of each piece, too.
	for piece in "$host"/0*; do
		if lttctl report sched --json --by thread "$piece" > report 2> said; then
			cp report "$OUT/reports/$host-${piece##*/}"
		else
			assert_match "$piece has lists of threads only" 'no events' "$(cat said)"
		fi
	done
	[ "$number" != 1 ] || cp -r "$host" again
	rm -r "$host"
done
assert 'there are pieces' [ "$(ls "$OUT/reports" | wc -l)" -ge 40 ]

# All of it again: nothing is added.
files() { (cd "$COLUMNS_FOLDER" && find . -type f | sort); }
files > first
lttctl export --parquet --partition -o "$COLUMNS_FOLDER" again
files > second
assert 'a second export replaces the files of the first' cmp first second
assert_eq 'only whole files are left' '' "$(find "$COLUMNS_FOLDER" -name '.*')"
