#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: where the kernel promises no more memory than it has, no page that it refuses kills a recorded program
# requires: lttctl lttd
. "$LTT/tests/vm/lib-record.sh"

cd "$TMP"
BURSTS=40 BURST=20000
saved=$(cat /proc/sys/vm/overcommit_memory /proc/sys/vm/overcommit_kbytes /proc/sys/vm/overcommit_ratio | xargs)
restore()
{
	# shellcheck disable=SC2086 # three words
	set -- $saved
	echo "$1" > /proc/sys/vm/overcommit_memory
	if [ "$2" = 0 ]; then echo "$3" > /proc/sys/vm/overcommit_ratio; else echo "$2" > /proc/sys/vm/overcommit_kbytes; fi
}
at_exit restore

# Have the kernel promise so many KiB more than it has promised. It counts exactly when the mode is set.
leave()
{
	echo 2 > /proc/sys/vm/overcommit_memory
	promised=$(sed -n 's/^Committed_AS: *\([0-9]*\) kB/\1/p' /proc/meminfo)
	echo $((promised + $1)) > /proc/sys/vm/overcommit_kbytes
}

# Not to $TMP, whose pages are memory, too.
out=$OUT/recordings
mkdir "$out"

# The kernel keeps from each process a thirty-second of the size of its addresses.
PLENTY=600000 SOME=50000 LITTLE=6000
leave $PLENTY

# Hold the locks that paced waits for, each while there is a file hold.N.
hold_rounds()	# numbers...
{
	for round in "$@"; do
		: > "go.$round"
		: > "hold.$round"
		flock "go.$round" sh -c "while [ -e hold.$round ]; do sleep 0.05; done" &
		wait_until 10 is_locked "go.$round"
	done
}
is_locked() { ! flock -n "$1" true; }

# paced, with its exit status in NAME.status
cat > paced << END
#!/bin/sh
status=0
$LTT/build/tests/paced "\$@" || status=\$?
echo \$status > "\$1.status"
END
chmod +x paced
# With this limit, the buffers have the default size.
record() { name=$1; shift; lttctl record --json -o "$out/$name" --memory 8G -e 'user:paced:*' -- "$@"; }

# Has a process of paced the buffers of an lttd?
has_joined() { grep -l memfd:ltt /proc/[0-9]*/maps 2> /dev/null | sed 's/maps$/comm/' | xargs grep -qx paced; }

# ---- There is memory: a limit, both modes, and buffers that processes share ----
# two_programs NAME OPTION...: 400 events of two programs at once are stored
two_programs()
{
	name=$1
	shift
	status=0
	lttctl record --json -o "$out/$name" "$@" -e 'user:paced:*' -- sh -c '"$0" a 100 2 & "$0" b 100 2; wait' \
		"$LTT/build/tests/paced" > "$out/summary" 2> "$out/said" || status=$?
	cat "$out/said"
	assert_eq "$name: exit status" 0 "$status"
	assert_eq 'all events are stored' 400 "$(json "$out/summary" 'd["programs"]["stored"]')"
}
: > go.1
two_programs limited --memory 64M
two_programs overwritten --memory 64M --overwrite
two_programs shared --memory 64M --buffers shared
assert_match 'lttd says how buffers take memory' overcommit_memory "$(cat "$out/said")"

hold_rounds 1
lttctl record -o "$out/sizes" --memory 64M -e 'user:paced:*' -- ./paced sizes 1 1 > /dev/null 2>&1 &
recorder=$!
assert 'a program joins a recording with a limit' wait_until 20 has_joined
range=$(sed -n 's/ .*memfd:ltt.*//p' "$(grep -l memfd:ltt /proc/[0-9]*/maps 2> /dev/null | while read -r maps; do
	[ "$(cat "${maps%maps}comm")" != paced ] || echo "$maps"; done)")
size=$((0x${range#*-} - 0x${range%-*}))
assert "its buffers of $size bytes are a sixteenth of the limit at most" [ $size -le $((4 << 20)) ]
rm hold.1
wait $recorder || :

# ---- The memory goes while it is recorded ----
hold_rounds 1
record one ./paced one $BURST $BURSTS > "$out/summary" 2> "$out/said" &
recorder=$!
assert 'a program joins the recording' wait_until 20 has_joined
leave $LITTLE
rm hold.1
status=0
wait $recorder || status=$?
leave $PLENTY
cat "$out/said"
assert_eq 'the program has ended as usual' 0 "$(cat one.status)"
assert_eq 'exit status of the recording' 0 "$status"
assert_eq 'each event is stored, or counted as lost' $((BURSTS * BURST)) \
	"$(json "$out/summary" 'd["programs"]["stored"] + d["programs"]["lost"]')"
assert 'more of them are stored than fit into the memory that was left' \
	[ "$(du -k "$out/one/user-0" | cut -f 1)" -gt $LITTLE ]

# ---- There is memory for lttd, but not for buffers ----
hold_rounds 1
rm hold.1
leave $SOME
status=0
record two ./paced two 1 1 > /dev/null 2> "$out/said" || status=$?
leave $PLENTY
cat "$out/said"
assert_eq 'a program without buffers has ended as usual' 0 "$(cat two.status)"
refute 'but the recording is not complete' [ "$status" = 0 ]
assert_match 'and names it' 'program paced.* is not recorded: cannot make buffers' "$(cat "$out/said")"

# ---- A recording ends, and the kernel promises no memory in the place of its buffers ----
hold_rounds 1 2
"$LTT/build/tests/paced" three 1 1 1 &
program=$!
wait_until 20 [ -e three.0 ]
: > goes-on
record three sh -c 'while [ -e goes-on ]; do sleep 0.05; done' > /dev/null 2>&1 &
recorder=$!
assert 'a program that runs joins' wait_until 20 has_joined
at=$(sed -n 's/-.*memfd:ltt.*//p' "/proc/$program/maps")
leave $LITTLE
rm goes-on
wait $recorder || :
assert 'and after it, another recording' lttctl record -o "$out/four" -e 'user:paced:*' --size 64k --count 2 -- true
assert 'the address of the first buffers is not free' grep -q "^${at:?}-" "/proc/$program/maps"
rm hold.1 hold.2
status=0
wait $program || status=$?
assert_eq 'the program has ended as usual' 0 "$status"
