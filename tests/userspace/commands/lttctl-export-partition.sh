#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl export --parquet --partition adds recordings to a folder of tables by host, day and event.

. "$(dirname "$0")/lib-lttctl.sh"

# Tables are read as doc/fleet.md shows it.
everything="read_parquet('folder/*/*/*/*.parquet', hive_partitioning = true, hive_types = {'host': VARCHAR}, union_by_name = true)"
states="read_parquet('folder/*/*/event=thread_state/*.parquet', hive_partitioning = true)"

# ask QUERY...: an array of rows a line
ask() { node "$top/tests/duckdb/query.mjs" "$modules" "$@"; }

export_to_folder() { lttctl export --parquet --partition -o folder "$@" 2> said; }

files() { (cd folder && find . -type f | sort); }

# Nothing is hidden in the folder.
only_whole() {
	[ -z "$(find folder -name '.*')" ] || die "$(find folder -name '.*')"
	[ -z "$(find folder -type f ! -name '*.parquet')" ] || die "$(files)"
}

# mkevents DIR WORD...: a recording with event x:y at these times: seconds since 1970; host=NAME is the machine from there on,
# uuid=N that of the trace, cpu=N the CPU
mkevents() {
	PYTHONPATH=$scripts python3 - "$@" <<-'END'
		import sys
		from recording import Part
		folder, *words = sys.argv[1:]
		env = dict(word.split('=', 1) for word in words if '=' in word)
		part = Part(f'{folder}/kernel', 'kernel', int(env.get('uuid', 1)), {'hostname': env.get('host', 'box')})
		part.event('events', 'x:y', ['u64 value', 's32 host', 's32 ts'])
		for number, word in enumerate(word for word in words if '=' not in word):
		    seconds, _, fraction = word.partition('.')
		    part.record(int(env.get('cpu', 0)), int(seconds) * 10**9 + int(fraction.ljust(9, '0')), 7, 'x:y', 2**64 - 1 - number, number, 5)
		part.write()
	END
}

# The rows are those of the other layout, and the ranges in the files are those of the values.
test_same_rows() {
	local modules file name event
	duckdb
	"$scripts/mkrecording" trace
	export_to_folder trace
	only_whole
	lttctl export --parquet trace -o out 2> said
	[ "$(files | wc -l)" = "$(find out -name '*.parquet' | wc -l)" ] || die "$(files)"
	for file in out/*.parquet; do
		name=${file#out/}
		name=${name%.parquet}
		[ "$name" != events ] || continue
		event=${name/./%3A}
		echo "SELECT * FROM '$file' EXCEPT ALL SELECT * FROM read_parquet('folder/*/*/event=$event/*.parquet', hive_partitioning = false)"
		echo "SELECT * FROM read_parquet('folder/*/*/event=$event/*.parquet', hive_partitioning = false) EXCEPT ALL SELECT * FROM '$file'"
	done > queries
	mapfile -t queries < queries
	[ ${#queries[@]} -gt 60 ]
	ask "${queries[@]}" | sort -u > rows
	[ "$(cat rows)" = '[]' ] || die "$(head -c 500 rows)"
	ask "SELECT DISTINCT decode(key), decode(value) FROM parquet_kv_metadata('folder/*/*/*/*.parquet') WHERE decode(key) = 'ltt.schema'" \
		"SELECT count(*) FROM parquet_kv_metadata('folder/*/*/*/*.parquet') WHERE decode(key) = 'ltt.schema'" > said
	[ "$(head -n 1 said)" = '[["ltt.schema","1"]]' ] || die "$(cat said)"
	[ "$(tail -n 1 said)" = "[[\"$(files | wc -l)\"]]" ] || die "$(cat said)"
	# Unsigned numbers above 2^63, and negative ones.
	ask "SELECT stats_min_value, stats_max_value FROM parquet_metadata('folder/*/*/event=hrtimer_start/*') WHERE path_in_schema = 'hrtimer'" \
		"SELECT min(hrtimer)::VARCHAR, max(hrtimer)::VARCHAR FROM 'folder/*/*/event=hrtimer_start/*.parquet'" \
		"SELECT stats_min_value, stats_max_value FROM parquet_metadata('folder/*/*/event=syscall%3Aread_exit/*') WHERE path_in_schema = 'ret'" \
		"SELECT min(ret)::VARCHAR, max(ret)::VARCHAR FROM 'folder/*/*/event=syscall%3Aread_exit/*.parquet'" > said
	[ "$(sed -n 1p said)" = "$(sed -n 2p said)" ] && [ "$(sed -n 3p said)" = "$(sed -n 4p said)" ] || die "$(cat said)"
	grep -q '"-' said
}

# One statement, and the figures of `lttctl report sched`.
test_states_of_threads() {
	local modules
	duckdb
	"$scripts/mkrecording" trace --steps 5000
	export_to_folder trace
	ask "SELECT count(*) FILTER (state = 'R'), sum(dur) FILTER (state = 'R'), max(dur) FILTER (state = 'R'), count(*) FILTER (state = 'R+'),
		sum(dur) FILTER (state = 'R+'), count(*) FILTER (state = 'Running') FROM $states WHERE whole AND tid != 0" > said
	lttctl report sched --json trace 2> /dev/null > report
	python3 - <<-'END'
		import json
		rows = json.load(open('report'))['tasks']
		total = lambda name: sum(row[name] or 0 for row in rows)
		expected = [total('latency_count'), total('latency_total_ns'), max(row['latency_max_ns'] or 0 for row in rows),
		            total('preemptions'), total('preempted_ns'), total('slices')]
		got = [int(value) for value in json.load(open('said'))[0]]
		assert got == expected and min(got) > 0, (got, expected)
	END
}

# Each statement of doc/fleet.md for DuckDB runs, on another folder and day.
test_statements_of_the_document() {
	local modules
	duckdb
	"$scripts/mkrecording" trace
	export_to_folder trace
	sed -n '/^### DuckDB/,/^### ClickHouse/p' "$top/doc/fleet.md" | sed -n '/^```sql/,/^```$/p' | sed '/^```/d; /^--/d' |
		sed "s,/srv/traces,$PWD/folder,; s,/srv/days,$PWD/days,; s/2026-11-26/2023-11-14/; s/host=web-/host=b/" > statements
	mapfile -d ';' -t queries < <(tr '\n' ' ' < statements | sed 's/; *$//')
	[ ${#queries[@]} -ge 6 ]
	ask "${queries[@]}" > said
	[ "$(wc -l < said)" = ${#queries[@]} ] && [ -d days/date=2023-11-14 ]
}

# A second export of a recording, or of its pieces together, replaces the files.
test_again() {
	local modules before
	duckdb
	mkevents pieces/0001 1700000001 1700000002
	mkevents pieces/0002 1700000003
	"$scripts/mkrecording" other
	mv other/state pieces
	export_to_folder pieces/0001/
	export_to_folder pieces/0002
	before=$(files)
	[ "$(wc -l <<< "$before")" = 2 ] || die "$before"
	export_to_folder pieces
	[ "$(files)" = "$before" ] || die "$(files)"
	only_whole
	[ "$(ask "SELECT count(*), count(DISTINCT ts) FROM $everything")" = '[["3","3"]]' ]
	# The same times in another trace.
	mkevents twin uuid=2 1700000001 1700000002
	export_to_folder twin
	[ "$(ask "SELECT count(*), count(DISTINCT ts) FROM $everything")" = '[["5","3"]]' ]
}

# lttd runs the command for each piece: one without events must not fail.
test_recording_without_events() {
	mkevents trace
	export_to_folder trace
	[ ! -s said ] && [ ! -e folder ]
}

test_open_pieces_are_left_for_later() {
	mkevents pieces/0001 1700000001
	mkevents pieces/0002 1700000003
	mkdir -p pieces/2019/photos
	touch pieces/0002/open
	fails 1 pieces/0002 lttctl export --parquet --partition -o folder pieces/0002
	ln -s pieces/0002 newest
	fails 1 newest lttctl export --parquet --partition -o folder newest
	(cd pieces/0002 && fails 1 open lttctl export --parquet --partition -o ../../folder .)
	export_to_folder pieces
	grep -q open said
	[ "$(files | wc -l)" = 1 ]
	touch pieces/0001/open
	fails 1 closed lttctl export --parquet --partition -o none pieces
	[ ! -e none ]
}

# The day is that of the event, in UTC.
test_midnight() {
	local modules
	duckdb
	mkevents trace 1700006399.9 1700006399.999999999 1700006400 1700006401
	TZ=Asia/Tokyo export_to_folder trace
	ask "SELECT date::VARCHAR, count(*), min(ts)::VARCHAR, max(ts)::VARCHAR FROM $everything GROUP BY ALL ORDER BY 1" > said
	diff said - <<-'END'
		[["2023-11-14","2","1700006399900000000","1700006399999999999"],["2023-11-15","2","1700006400000000000","1700006401000000000"]]
	END
	[ "$(files | xargs -n 1 basename | sort -u | wc -l)" = 1 ] || die "$(files)"
}

# A buffer that was quiet begins when the recording began, in whatever piece its first packet is.
test_pieces_with_one_begin() {
	mkevents pieces/0001 1700000001
	mkevents pieces/0002 cpu=1 1700000001
	export_to_folder pieces
	[ "$(files | wc -l)" = 2 ] || die "$(files)"
}

# Long names, and names that are not UTF-8, must not make the folder unreadable, nor be taken for each other.
test_names_of_events() {
	local modules name long
	duckdb
	long=$(printf 'é%.0s' $(seq 100))
	for name in "$long" "$long-2" "$(printf 'x%.0s' $(seq 300))" $'a\xff' $'a\xc3' $'a\xc3z' '..' 'a/b'; do
		mkevents trace 1700000001
		LC_ALL=C sed -i "s,name = \"x:y\",name = \"$name\"," trace/kernel/metadata
		export_to_folder trace || die "$(cat said)"
		rm -r trace
	done
	only_whole
	[ "$(ask "SELECT count(DISTINCT event), count(*) FROM $everything")" = '[["8","8"]]' ] || die "$(files)"
}

test_names_of_hosts() {
	local modules name
	duckdb
	for name in 'a/b=c:d%e f' .. é 007 ''; do
		mkevents trace "host=$name" 1700000001
		export_to_folder trace
		rm -r trace
	done
	only_whole
	[ "$(ls)" = "$(printf 'folder\nsaid')" ] || die "$(ls)"
	[ "$(ls folder | wc -l)" = 5 ] || die "$(ls folder)"
	[ -d 'folder/host=a%2Fb%3Dc%3Ad%25e%20f' ] || die "$(ls folder)"
	ask "SELECT host FROM $everything ORDER BY 1 NULLS FIRST" > said
	[ "$(cat said)" = '[[null],[".."],["007"],["a/b=c:d%e f"],["é"]]' ] || die "$(cat said)"
}

# The names of directories become columns, too.
test_fields_with_the_names_of_columns() {
	local modules
	duckdb
	mkevents trace host=box 1700000001
	export_to_folder trace
	ask "SELECT * EXCLUDE (comm) FROM $everything" "SELECT column_name FROM (DESCRIBE FROM $everything)" > said
	diff said - <<-'END'
		[["1700000001000000000","0","7","7","18446744073709551615","0","5","2023-11-14","x:y","box"]]
		[["ts"],["cpu"],["tid"],["pid"],["comm"],["value"],["field_1_host"],["field_2_ts"],["date"],["event"],["host"]]
	END
}

# A killed export leaves whole files and hidden ones; the next one removes these, but not those of one that runs.
test_killed() {
	local status=0
	"$scripts/mkrecording" trace
	export_to_folder trace
	mv folder whole
	strace -qq -o strace.out -e trace=rename -e inject=rename:signal=KILL:when=7 \
		"$bin/lttctl" export --parquet --partition -o folder trace > said 2>&1 || status=$?
	[ $status = 137 ] || die "status $status"
	[ -n "$(find folder -name '.lttctl-export.*')" ]
	[ "$(find folder -type f ! -path '*/.*' | wc -l)" -ge 6 ]
	[ -z "$(find folder -path '*/.*' -name '*.parquet')" ]
	(cd folder && find . -type f ! -path '*/.*' -exec cmp {} ../whole/{} \;) > differ
	[ ! -s differ ]
	mkdir folder/.lttctl-export.living
	# Another machine sees a lock only if the file is open for writing.
	exec 8> folder/.lttctl-export.living.lock
	flock 8
	touch folder/.lttctl-export.gone.lock
	export_to_folder trace
	(cd folder && find . -name '.?*' | sort) > said
	diff said - <<< $'./.lttctl-export.living\n./.lttctl-export.living.lock'
	exec 8<&-
	export_to_folder trace
	diff -r folder whole
}

# A signal, or a full disk: nothing is added.
test_interrupted() {
	local status=0 call
	mkevents first 1700000001
	export_to_folder first
	"$scripts/mkrecording" trace
	cp -r folder before
	strace -qq -o strace.out -e trace=syncfs -e inject=syncfs:signal=TERM:when=1 \
		"$bin/lttctl" export --parquet --partition -o folder trace > said 2>&1 || status=$?
	[ $status = 143 ] || die "status $status"
	diff -r folder before
	# The disk fails before the files have their names, and after.
	for call in 1 2; do
		fails 1 folder strace -qq -o strace.out -e trace=syncfs -e inject=syncfs:error=EIO:when=$call \
			"$bin/lttctl" export --parquet --partition -o folder trace
		[ $call = 2 ] || diff -r folder before
	done
	rm -r folder
	cp -r before folder
	status=0
	(ulimit -c 0 -f 4; exec "$bin/lttctl" export --parquet --partition -o folder trace) 2> said || status=$?
	[ $status = $((128 + $(kill -l XFSZ))) ] || die "status $status"
	diff -r folder before
}

test_folder_that_cannot_be_written() {
	local drop=()
	[ "$(id -u)" != 0 ] || drop=(setpriv --bounding-set=-dac_override)
	mkevents trace 1700000001
	mkdir folder
	chmod 500 folder
	fails 1 "Permission denied" "${drop[@]}" "$bin/lttctl" export --parquet --partition -o folder trace
	chmod 700 folder
	echo file > folder/host=box
	fails 1 folder/host=box lttctl export --parquet --partition -o folder trace
	[ "$(ls -A folder)" = host=box ]
	fails 1 "Not a directory" lttctl export --parquet --partition -o folder/host=box trace
	fails 1 "No such file" lttctl export --parquet --partition -o no/where trace
	fails 1 nothing lttctl export --parquet --partition -o folder nothing
}

test_usage() {
	fails 2 --partition lttctl export --perfetto --partition -o out trace
	fails 2 --from lttctl export --parquet --partition --from +1s -o out trace
	fails 2 --to lttctl export --parquet --partition --to +1s -o out trace
}

run_tests
