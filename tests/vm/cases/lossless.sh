#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: in a lossless channel threads that may sleep wait for the reader, for a bounded time, and no others do
# vm: --parallel --smp 2 --loaded
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-test-lossless.ko python3
# faces: device
# also: debugfs
# timeout: 240
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

# begin_lossless TRACE MS [EVENTS]: 8 sub-buffers of 4 KiB: 16 KiB until one waits
begin_lossless()
{
	put "$DBG/traces/create" "$1"
	at_exit "put $DBG/traces/remove $1 2> /dev/null || :"
	put "$DBG/traces/$1/channels/events/subbuf_size" 4K
	put "$DBG/traces/$1/channels/events/subbuf_count" 8
	put "$DBG/traces/$1/channels/events/lossless_ms" "$2"
	put "$DBG/traces/$1/events" "${3-lossless:*}"
	put "$DBG/traces/$1/state" start
}

# emit TIMES WHAT N: by a process of its own
emit()
{
	sh -c 'i=0; while [ $i -lt '"$1"' ]; do echo '"'$2 $3'"' > /proc/ltt-test-lossless || exit; i=$((i + 1)); done'
}

end_of()	# trace
{
	put "$DBG/traces/remove" "$1"
}

waits() { events_count "$1" waits; }
count_of() { events_count "$1" "$2"; }

N=$(at_length 14 24)	# more than both buffers hold

load_modules
load ltt-test-lossless
cd "$TMP"

# ---- With a reader ----

# serve TRACE DIR: lttd, which is no faster than it is
serve()
{
	lttd -o "$2" "$1" > "$2.said" 2>&1 &
	lttd=$!
	wait_until 30 test -s "$2/kernel/metadata"
}

begin_lossless all 5000
serve all all
emit $N task 400
put "$DBG/traces/all/state" stop
assert_eq 'every event of a program is emitted' $((N * 400)) "$(count_of all emitted)"
assert_eq 'and none refused' 0 "$(count_of all refused)"
assert "threads have waited, $(waits all) times" [ "$(waits all)" -gt 0 ]
assert_eq 'no wait was in vain' 0 "$(count_of all timeouts)"
assert_conserved all
end_of all
assert 'lttd ends well' wait $lttd
cat all.said
babeltrace2 all 2> all.err | grep -c 'lossless:task' > all.count
assert_eq 'the trace has them all' $((N * 400)) "$(cat all.count)"
assert_eq 'babeltrace2 has nothing to say' '' "$(head -n 3 all.err)"

# The 31st event and those after it have longer headers.
begin_lossless wide 5000 'writeback:*'
put "$DBG/traces/wide/events" 'oom:*'
put "$DBG/traces/wide/events" 'lossless:*'
serve wide wide
emit 3 task 400
end_of wide
wait $lttd
babeltrace2 wide 2> wide.err | grep -c 'lossless:task' > wide.count
assert_eq 'so has one with a long header' 1200 "$(cat wide.count)"
assert 'the name is in the metadata' awk '/name =/ { name = $3 } $1 == "id" && name ~ /lossless:task/ { id = $3 + 0 }
	END { exit id < 30 }' wide/kernel/metadata

# The same without: or nothing is shown by the above.
begin_lossless none 0
serve none none
kill -STOP $lttd
emit $N task 400
kill -CONT $lttd
put "$DBG/traces/none/state" stop
assert "without it, events are lost: $(count_of none refused)" [ "$(count_of none refused)" -gt 0 ]
refute 'and no wait is counted' grep -q waits "$DBG/traces/none/stats"
end_of none
wait $lttd

# sleep_at_site WHAT WHO: it can, so in a stopped lttd's time nothing is lost
sleep_at_site()
{
	begin_lossless "$1" 10000
	serve "$1" "$1"
	kill -STOP $lttd
	emit 1 "$1" 3000 &
	emitter=$!
	# A wait is counted when it is over; while it lasts nothing more is stored.
	stuck()
	{
		stored=$(count_of "$1" stored)
		sleep 0.2
		[ "$stored" -gt 100 ] && [ "$stored" -eq "$(count_of "$1" stored)" ]
	}
	wait_until 60 stuck "$1"
	kill -CONT $lttd
	wait $emitter
	put "$DBG/traces/$1/state" stop
	assert_eq "$2 waits at a site that may sleep" 0 "$(count_of "$1" refused)"
	assert_eq 'all its events are there' 3000 "$(count_of "$1" stored)"
	assert "it has waited, $(waits "$1") times" [ "$(waits "$1")" -gt 0 ]
	assert_match 'lttctl status shows the waits' '[1-9][0-9]* waits.* 0 ' "$(lttctl status "$1")"
	lttctl status --json "$1" > status
	assert_eq 'and as JSON' "$(waits "$1") 0" \
		"$(json status 'sum(c.get("waits", 0) for k in d[0]["channels"] for c in k["cpus"]), sum(c.get("timeouts", 0) for k in d[0]["channels"] for c in k["cpus"])' | tr -d '(),')"
	end_of "$1"
	wait $lttd
}

sleep_at_site patient 'a kernel thread'
sleep_at_site caller 'a program in a system call'

begin_lossless hard 5000
serve hard hard
emit 1 irq 4000
emit 1 thread 4000
put "$DBG/traces/hard/state" stop
assert_eq 'no other thread waits' 0 "$(waits hard)"
assert "their events are dropped and counted: $(count_of hard full)" [ "$(count_of hard full)" -gt 0 ]
assert_conserved hard
end_of hard
wait $lttd

# lttd itself is traced, once it has opened the buffers: it must not wait for itself.
begin_lossless self 3000 'none:*'
serve self self
wait_until 30 opened self self || die "lttd has not opened all buffers: $(ls self/kernel)"
put "$DBG/traces/self/events" 'raw_syscalls:*'
head -c 64k /dev/zero | dd of=/dev/null bs=16 2> /dev/null
put "$DBG/traces/self/state" stop
assert_eq 'the reader does not wait for itself' 0 "$(count_of self timeouts)"
assert "system calls wait: $(waits self)" [ "$(waits self)" -gt 0 ]
end_of self
assert 'lttd ends well' wait $lttd
cat all.said

# ---- Without one ----

begin_lossless dead 700
before=$(date +%s%N)
emit $N task 400
took=$((($(date +%s%N) - before) / 1000000))
put "$DBG/traces/dead/state" stop
assert "a reader who never comes costs a wait or two, not one for each event: $took ms" [ $took -lt 15000 ]
assert_match 'one for each CPU that was full' '^[12]$' "$(count_of dead timeouts)"
assert "waiting took its time: $(count_of dead waited_us) us" [ "$(count_of dead waited_us)" -ge 650000 ]
assert "events that did not fit are counted: $(count_of dead full)" [ "$(count_of dead full)" -gt 0 ]
assert_conserved dead
end_of dead

waiting()	# pid: in our wait
{
	grep -q wait_for_room "/proc/$1/stack"
}

# start_waiter TRACE [MS [PATTERN]]: a shell that waits, in $waiter
start_waiter()
{
	begin_lossless "$1" "${2-10000}" "lossless:* ${3-}"
	sh -c 'while :; do echo "task 400"; done > /proc/ltt-test-lossless' &
	waiter=$!
	wait_until 10 waiting $waiter || die "it does not wait"
}

start_waiter killed
kill -9 $waiter
before=$(date +%s)
wait $waiter || :
assert 'a killed writer does not wait on' [ $(($(date +%s) - before)) -lt 9 ]
end_of killed

# Events of the wait itself are recorded, too, without another wait.
start_waiter recorded 10000 'module:*'
kill -9 $waiter
gone() { [ ! -e "/proc/$waiter" ] || grep -q '^State:.*Z' "/proc/$waiter/status"; }
assert 'nor where waiting itself is recorded' wait_until 5 gone
put "$DBG/traces/recorded/state" stop
wait $waiter || :
end_of recorded

start_waiter stopped
put "$DBG/traces/stopped/state" stop
gone() { ! waiting $waiter; }
assert 'stopping the trace ends all waits' wait_until 5 gone
kill -9 $waiter
wait $waiter || :
end_of stopped

start_waiter ended
before=$(date +%s)
end_of ended
assert 'its end does, too' [ $(($(date +%s) - before)) -lt 9 ]
assert 'and they go on' wait_until 5 gone
kill -9 $waiter
wait $waiter || :

# A thread that is not recorded does not wait for those that are, whose reader does not come.
begin_lossless limited 10000
taskset -c 0 sh -c 'echo "irq 3000" > /proc/ltt-test-lossless'
assert 'a buffer is full' [ "$(count_of limited full)" -gt 0 ]
sleep 100 &
chosen=$!
put "$DBG/traces/limited/pid" "$chosen"
before=$(date +%s)
taskset -c 0 sh -c 'echo "task 100" > /proc/ltt-test-lossless'
assert 'a thread that is not recorded does not wait' [ $(($(date +%s) - before)) -lt 9 ]
assert_eq 'nor is it counted' 0 "$(waits limited)"
put "$DBG/traces/limited/pid" 0
taskset -c 0 sh -c 'echo "task 100" > /proc/ltt-test-lossless' &
waiter=$!
assert 'a recorded thread does' wait_until 10 waiting $waiter
kill -9 $waiter $chosen
wait $waiter $chosen || :
end_of limited

# ---- A thread that stays in the kernel ----

begin_lossless held 10000
sh -c 'echo "hold 1200" > /proc/ltt-test-lossless' &
holder=$!
emitted() { [ "$(count_of held emitted)" -ge 1200 ]; }
assert 'a thread has filled more than half of a buffer' wait_until 10 emitted
sleeping() { grep -q lossless_write "/proc/$holder/stack"; }
assert 'it stays in the kernel' wait_until 10 sleeping
end_of held
for module in ltt-control ltt-heartbeat ltt-tracepoints ltt-tracer; do rmmod $module; done
refute 'code to which the waiter returns cannot be unloaded' rmmod ltt-relay
kill -9 $holder
wait $holder || :
assert 'afterwards it can' wait_until 5 rmmod ltt-relay
rmmod ltt-test-lossless
assert 'everything can be unloaded' unload_modules
