#!/bin/sh
# description: a flight recorder keeps the newest events, writes them on demand, and keeps the names of threads
# faces: debugfs device
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

lttctl create --overwrite --size 16k --count 4 -e 'raw_syscalls:*' box
lttctl start box
overruns() { [ "$(trace_total box overwritten)" -gt 1000 ]; }
write_much() { dd if=/dev/zero of=/dev/null bs=1 count=20000 2> /dev/null; overruns; }
assert 'it overwrites' wait_until 30 write_much
lttctl snapshot -o shot box
assert 'a snapshot can be read' decode shot text
overwritten='Tracer discarded [0-9]* packets\{0,1\}'
assert_eq 'without a word but of what was overwritten' '' "$(grep -v "$overwritten" text.err | head -n 3)"
lttctl view shot > view
assert 'it holds events' [ "$(wc -l < view)" -gt 100 ]
assert_eq 'every thread has a name' '' "$(awk '$4 == "-"' view | head -n 3)"
assert 'it goes on' grep -q running "$DBG/traces/box/state"

lttctl snapshot -o shot box
assert 'a second one, to the same place' decode shot text2
assert_eq 'without a word but of what was overwritten' '' "$(grep -v "$overwritten" text2.err | head -n 3)"
assert_match 'lttctl view tells the gap' '^\*\*\* [0-9]+ .*overwritten.* events_[01]$' \
	"$(lttctl view shot)"
assert 'it has more' [ "$(wc -l < text2)" -gt "$(wc -l < text)" ]
assert_conserved box
lttctl destroy box

status=0
lttctl record --overwrite --size 16k --count 4 -e 'raw_syscalls:*' --json -o out -- \
	dd if=/dev/zero of=/dev/null bs=1 count=20000 > summary 2> /dev/null || status=$?
assert_eq 'record --overwrite ends well' 0 "$status"
assert 'it has overwritten' [ "$(json summary 'd["total"]["overwritten"]')" -gt 0 ]
assert_whole out "$(json summary 'd["total"]["stored"]')"
lttctl record --overwrite --size 16k --count 4 -e 'raw_syscalls:*' -o again -- \
	dd if=/dev/zero of=/dev/null bs=1 count=20000 2> said
assert_match 'the summary has it, too' '^events .*, [0-9,]+ overwritten' "$(cat said)"
assert_match 'of the channel as well' '^channel +events: .*, [0-9,]+ overwritten' "$(cat said)"

unload_modules
