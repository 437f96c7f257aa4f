#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the parameter boot of ltt-control makes traces before any program can, which lttctl and lttd record later; of a bad one nothing is left
# requires: lttctl lttd babeltrace2 python3 modprobe ltt-control.ko
# faces: device
# also: debugfs
# timeout: 200
. "$LTT/tests/vm/lib-record.sh"

cd "$TMP"
instruments="$LTT/modules/instrument/ltt-tracepoints.ko $LTT/modules/instrument/syscalls/ltt-syscalls.ko"

# The modules that ltt-control needs, and nothing that could be recorded.
load_below()
{
	for module in timestamp relay markers tracer instrument/probes heartbeat; do
		insmod "$LTT/modules/$module/ltt-${module##*/}.ko"
	done
}

# boot COMMANDS: as modprobe passes them on
boot()
{
	insmod "$LTT/modules/control/ltt-control.ko" "boot=\"$1\""
}

load_instruments()
{
	for module in $instruments; do insmod "$module"; done
}

# log_of_boot: lines of the kernel log about the parameter, since the last call
log_of_boot()
{
	dmesg -c | grep 'ltt: boot:' || :
}

burst()
{
	dd if=/dev/zero of=/dev/null bs=1 count=2000 2> /dev/null
}

state() { cat "$DBG/traces/$1/state"; }
stored() { trace_total "$1" stored; }

# ---- A trace from the first moment on, in pieces ----

dmesg -c > /dev/null
load_below
early='create early; channel-set early events subbuf_size 64K;channel-set early events subbuf_count 64
	; enable early raw_syscalls:sys_exit; enable early mark:* ; filter early irq:* vec == 1 ;start early; '
boot "$early"
assert_eq 'it says nothing' '' "$(log_of_boot)"
assert_eq 'the trace runs' running "$(state early)"
assert_match 'and waits for events of modules' '^\? raw_syscalls:sys_exit' "$(cat "$DBG/traces/early/events")"
assert_match 'options are set' '^65536$' "$(cat "$DBG/traces/early/channels/events/subbuf_size")"
assert_match 'the last argument has blanks' 'irq:\* vec == 1$' "$(cat "$DBG/traces/early/filters")"
assert_match 'sysfs shows the commands' '^create early; channel-set' "$(cat /sys/module/ltt_control/parameters/boot)"
assert_errno EACCES sh -c 'exec setpriv --bounding-set=-all --inh-caps=-all sh -c "echo > /sys/module/ltt_control/parameters/boot"'
load_instruments
burst
lttctl mark before
before=$(stored early)
assert 'events of modules that come later are recorded' [ "$before" -gt 2000 ]

# recorder: goes on with the trace, until it is ended
recorder()
{
	lttctl record --attach --name early --piece-size 128k -o out 2> said &
	recorder=$!
}
closed() { [ "$(find out -name events_0 | wc -l)" -gt "$1" ]; }
lttd_of() { head -n 1 "/run/ltt/$1" | awk '{ print $1 }'; }
serves() { pidof lttd > /dev/null; }
gone() { ! pidof lttd > /dev/null; }

for round in $(at_length 1 '1 2 3'); do
	recorder
	pieces=$(find out -name events_0 2> /dev/null | wc -l)
	assert "round $round: lttd serves it" wait_until 20 serves
	burst
	assert "round $round: it writes pieces" wait_until 20 closed "$pieces"
	# At any moment: a killed lttctl leaves an lttd that goes on, and a killed lttd a piece.
	# A child that lttd had a moment ago may have ended by itself.
	kill -9 "$recorder" $(pidof lttd) || :
	wait "$recorder" || :
	assert "round $round: lttd is gone" wait_until 10 gone
	assert_eq "round $round: the trace runs on" running "$(state early)"
	burst
done
lttctl mark after
lttctl record --attach --name early --piece-size 128k --json -o out -- true > summary
assert_eq 'the recording is complete' True "$(json summary 'd["complete"]')"
stored=$(json summary 'd["total"]["stored"]')
assert_eq 'it has no trace any more' '' "$(ls -d "$DBG"/traces/*/ 2> /dev/null)"
assert_eq 'no piece is open' '' "$(find out -name open)"
for file in events_0 events_1 state_0 state_1; do
	cat out/[0-9]*/kernel/$file > whole
	sequences whole > numbers
	assert_eq "$file has each packet once" "$(seq 0 $(($(wc -l < numbers) - 1)))" "$(cat numbers)"
done
for piece in out/[0-9]*; do
	assert "babeltrace2 reads $piece alone" decode "$piece" text
	cat text >> all
done
assert_eq 'every event is in a piece' "$stored" "$(wc -l < all)"
lttctl view out/[0-9]* > view
assert 'the first ones are older than any lttd' [ "$(sed '/mark:text.*before/q' view | wc -l)" -gt 2000 ]
assert_eq 'lttctl view reads both marks' 2 "$(grep -c 'mark:text' view)"

# ---- A flight recorder ----

rmmod ltt-control
boot 'create flight; channel-set flight events overwrite 1; channel-set flight events subbuf_size 16K; enable flight raw_syscalls:*; start flight'
burst
wait_until 30 sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=20000 2> /dev/null; grep -q "overwritten [1-9]" '"$DBG/traces/flight/stats" || :
lttctl snapshot -o shot flight > taken
assert 'a snapshot can be read' decode shot/snapshot-1 text
assert 'it has events' [ "$(grep -c 'sys_exit' text)" -gt 100 ]
lttctl record --attach --name flight --overwrite -o last -- true 2> said || die "$(cat said)"
assert 'record ends it, with all that is in the buffers' decode last text
assert 'also events' [ "$(grep -c 'sys_exit' text)" -gt 100 ]

# ---- Of a bad one nothing is left ----

# refused WORDS COMMANDS
refused()
{
	rmmod ltt-control
	log_of_boot > /dev/null
	boot "$2" || die "it cannot be loaded with $2"
	said=$(log_of_boot)
	assert_eq "one line about '$2'" 1 "$(echo "$said" | wc -l)"
	assert_match 'with the command and the reason' "$1" "$said"
	assert_eq 'no trace is left' '' "$(ls -d "$DBG"/traces/*/ 2> /dev/null)"
	assert_eq 'no pattern is left' '' "$(cat "$DBG/markers/wanted")"
	assert_eq 'no group is left' '' "$(cat "$DBG/groups")"
	assert_eq 'no probe is left' '' "$(cat "$DBG/probes")"
}

refused '"nosuch t": .*no such command' 'nosuch t'
refused '"create": .* 1 arg' 'create'
refused '"create a b": .*name a trace' 'create a b'
refused '"traces": .*open /dev/ltt' 'create t; traces'
refused '"open-metadata t": .*open /dev/ltt' 'create t; open-metadata t'
refused '"share": .*open /dev/ltt' 'share; create t'
refused '"detach t": .*open /dev/ltt' 'create t; detach t'
refused '"create t": .*exists' 'create t; create t; start t'
refused '"start u": .*no trace' 'want irq:*; group-cpus g 0; probe kprobe:k do_exit; create t; start t; start u'
refused '"enable t \[": .*not a pattern' 'create t; enable t ['
refused 'subbuf_size: 3000' 'create t; start t; create u; channel-set u events subbuf_size 3000'
refused '"channel-set u events subbuf_count x": ' 'create u; channel-set u events subbuf_count x'
refused 'memory' 'create t; channel-set t events subbuf_size 256M; channel-set t events subbuf_count 1024; start t'
assert 'what came before does not matter' lttctl record -o after -e 'raw_syscalls:*' -- true 2> said

rmmod ltt-control
long=$(printf '%1100s' 'create t')
assert_errno ENOSPC insmod "$LTT/modules/control/ltt-control.ko" "boot=\"$long\""
refute 'a string that is too long loads nothing' test -d /sys/module/ltt_control
boot ''
assert_eq 'an empty one is none' '' "$(log_of_boot)"

# ---- Unloaded ----

round()
{
	rmmod ltt-control
	boot 'want irq:*; create t; channel-set t events subbuf_size 1M; enable t sched:*; start t; start u'
	rmmod ltt-control
	boot 'create t; channel-set t events subbuf_size 1M; enable t sched:*; start t'
	lttctl destroy t
}
round
kept=$(kernel_memory)
for n in $(at_length 1 '1 2 3 4 5'); do round; done
assert_memory_kept "$kept" 4000
unload_modules
