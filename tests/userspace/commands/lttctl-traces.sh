#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The commands of lttctl that create, control and show traces and markers.

. "$(dirname "$0")/lib-lttctl.sh"

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

# obey_modes COMMAND...: the modes of files hold for root, too
obey_modes() {
	local drop=()
	[ "$(id -u)" != 0 ] || drop=(setpriv --bounding-set=-dac_override)
	"${drop[@]}" "$@"
}

test_snapshot() {
	tracer
	lttctl create --overwrite t
	lttctl start t
	fails 2 "no lttd serves trace t" lttctl snapshot t
	local n
	for n in 1 2; do
		[ "$(lttctl snapshot -o out t)" = "out/snapshot-$n" ]
		complete_copy "out/snapshot-$n"
	done
	[ "$(grep -cx 'traces/t/tasks 1' "$LTT_DEBUGFS/log")" = 2 ]
	[ "$(cat out/snapshot-*/kernel/metadata | grep -c '^trace')" = 2 ]
	[ "$(cat out/snapshot-*/kernel/metadata | grep '^trace' | sort -u | wc -l)" = 2 ] || die "two snapshots have the same UUID"
	"$bin/lttd" -d -o served t
	fails 0 "$PWD/served-snapshot-1" lttctl snapshot t
	complete_copy served-snapshot-1
	# Other users read none of them.
	for n in out out/snapshot-1 served served-snapshot-1; do
		[ "$(stat -c %A "$n" | cut -c8-)" = --- ] || die "other users may open $n"
	done
	fails 0 "out2/snapshot-1" lttctl snapshot -o out2 t
	lttctl destroy t
	# Whatever fails leaves no snapshot behind.
	lttctl create --overwrite t
	fails 1 "not been started" lttctl snapshot -o none t
	lttctl start t
	fails 1 "cannot create" lttctl snapshot -o /proc/none t
	mkdir unwritable
	chmod 555 unwritable
	fails 1 "Permission denied" obey_modes env LD_PRELOAD="$tools/fake-ltt.so" "$bin/lttctl" snapshot -o unwritable t
	rm "$traces/t/events_1.snapshot"
	fails 1 "events_1" lttctl snapshot -o none t
	[ ! -e none ]
	head -c 5000 /dev/zero > "$traces/t/events_1.snapshot"
	fails 1 "events_1" lttctl snapshot -o none t
	cp "$FAKE_DATA" "$traces/t/events_1.snapshot"
	echo '/* CTF 1.8 */' > "$traces/t/metadata"
	fails 1 "metadata" lttctl snapshot -o none t
	rmdir none
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

# narrow_terminal COMMAND...: it runs on a terminal of 20 columns; ^C when three lines have been drawn
narrow_terminal() { "$scripts/on-terminal" --columns 20 --press-at $'\033[K:3' "$@"; }

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

# default_count MIB NS: the default on a machine with so much memory for each CPU, and system calls that last so long
default_count() {
	FAKE_MEMORY=$(($1 << 20)) FAKE_CALL_NS=$2 lttctl create "t$1-$2"
	cat "$traces/t$1-$2/channels/events/subbuf_count"
}

# The default follows the machine's rate and memory.
test_default_count() {
	tracer
	# 90 bytes a call: some 20 MB in 0.2 seconds, and less than 2 MB.
	[ "$(default_count 256 700)" = 16 ]
	[ "$(default_count 256 10000)" = 8 ]
	# A thirty-second of the memory at least, an eighth and 64 MiB at most.
	[ "$(default_count 512 10000)" = 16 ]
	[ "$(default_count 64 700)" = 8 ]
	[ "$(default_count 32 700)" = 4 ]
	[ "$(default_count 8192 10000)" = 64 ]
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

test_list_without_modules() {
	[ ! -e /sys/module/ltt_control ] || { echo "the tracer is loaded"; exit 77; }
	unset LTT_DEBUGFS
	[ "$("$bin/lttctl" list; echo $?)" = 0 ]
	[ "$("$bin/lttctl" list --json | json d)" = '[]' ]
}

# The kernel takes a description apart at blanks, and unescapes octal numbers.
test_paths_of_probes_are_visible_ascii() {
	tracer
	python3 - "$bin/lttctl" "$tools/fake-ltt.so" <<-'END'
		import os, re, shutil, subprocess, sys
		folder = b'every ' + bytes(byte for byte in range(1, 256) if byte != ord('/'))
		os.mkdir(folder[:200])
		path = folder[:200] + b'/' + folder[200:]
		shutil.copy('/bin/true', path)
		probes = os.environ['LTT_DEBUGFS'] + '/probes'
		open(probes, 'w').close()
		# A relative path may have any bytes but that which ends it in a definition.
		link = 'program'
		os.symlink(path, link)
		subprocess.run([sys.argv[1], 'enable', '--allow-missing', f'uprobe:n={link}:0x10'], check=True,
		               env={**os.environ, 'LD_PRELOAD': sys.argv[2]})
		text = open(probes, 'rb').read().rstrip(b'\n')
		assert re.fullmatch(rb'uprobe:n 0x10:0x0:/[!-~]*', text), text
		place = re.sub(rb'\\([0-3][0-7]{2})', lambda octal: bytes([int(octal[1], 8)]), text.split(b':', 3)[3])
		assert place == os.getcwd().encode() + b'/' + path, place
	END
	rm "$LTT_DEBUGFS/probes"
}

run_tests
