#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: while the kernel runs out of memory a recording goes on; the OOM killer may kill a connection's holder or lttd, and no stored event is lost
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# timeout: 150
# when: all
. "$LTT/tests/vm/lib-record.sh"

killed()	# command: by the OOM killer
{
	dmesg | grep -q "Out of memory: Killed process [0-9]* ($1)"
}

# Reads a line that has no end; what else there is of memory is put aside, so that it
# comes to that soon.
eat()
{
	tail /dev/zero 2> /dev/null &
	eater=$!
}

# From its first victim to the next.
eat_until_killed()
{
	dmesg -C
	eat
	wait $eater || :
	assert 'the eater is killed' killed tail
}

prefer()	# pid: as a victim
{
	echo 1000 > /proc/"$1"/oom_score_adj
}

written() { cat out/kernel/events_* 2> /dev/null | wc -c; }
grows() { [ "$(written)" -gt "$before" ]; }

load_modules
cd "$TMP"
available=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
at_exit 'put /proc/sys/vm/nr_hugepages 0'
put /proc/sys/vm/nr_hugepages $(((available - 120000) / 2048))

lttctl create -e 'sched:*' --size 4k --count 256 t
lttctl start t
lttd -o out t > said 2>&1 &
lttd=$!
before=0
assert 'lttd writes' wait_until 20 grows
storm

# ---- Another process ----

eat_until_killed
assert 'lttd lives' kill -0 $lttd
before=$(written)
assert 'and writes on' wait_until 20 grows

# ---- The holder of a connection ----

mkfifo commands
lttctl stream < commands > connection.said 2>&1 &
holder=$!
exec 9> commands
printf '%s\n' 'create held' 'enable held irq:*' 'start held' >&9
started() { grep -q 'start: done' connection.said; }
assert 'a connection has begun' wait_until 20 started
prefer $holder
eat_until_killed
assert 'the holder of the connection was killed first' killed lttctl
exec 9>&-
wait $holder || :
refute 'its trace is gone' [ -e "$DBG/traces/held" ]
assert_eq 'the other runs' running "$(cat "$DBG/traces/t/state")"

# ---- lttd ----

prefer $lttd
eat_until_killed
assert 'lttd was killed first' killed lttd
wait $lttd || :
before=$(written)
lttd -o out t > said 2>&1 &
lttd=$!
assert 'the next one writes on' wait_until 20 grows

unstorm
lttctl stop t
assert_conserved t
stored=$(trace_total t stored)
lttctl destroy t
assert 'it ends with the trace' wait $lttd
assert_sequential out
assert_eq 'every event that was stored is there' "$stored" "$(babeltrace2 out/kernel 2> text.err | wc -l)"
rm -r out
unload_modules
