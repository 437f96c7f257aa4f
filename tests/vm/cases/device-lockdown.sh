#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: where the kernel is locked down, /dev/ltt does what debugfs refuses, and lttctl names the face to use
# vm: --append lsm=lockdown
# requires: ltt-control.ko ltt-sample.ko
#
# Its own VM, by an option that no other case has: there is no way back.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load_modules
load ltt-sample
mount -t securityfs securityfs /sys/kernel/security
at_exit 'umount /sys/kernel/security'
echo integrity > /sys/kernel/security/lockdown
assert_match 'the kernel is locked down' '\[integrity\]' "$(cat /sys/kernel/security/lockdown)"

assert_errno EPERM put $DBG/traces/create t
refute 'debugfs refuses' lttctl --via debugfs create t 2> "$TMP/said"
assert_match 'lttctl names the face to use' '--via device' "$(cat "$TMP/said")"

status=0
lttctl --via debugfs record -o "$TMP/refused" -- touch "$TMP/ran" 2> "$TMP/said" || status=$?
assert_eq 'record by debugfs fails' 125 "$status"
assert_match 'and names the face to use' '--via device' "$(cat "$TMP/said")"
refute 'then the command does not run' test -e "$TMP/ran"
refute 'then there is no directory' test -e "$TMP/refused"

assert 'record, left to itself, works' lttctl record -e 'sample:*' -o "$TMP/out" -- \
	sh -c 'echo 20 > /dev/ltt-sample'
assert 'babeltrace2 reads it' babeltrace2 "$TMP/out" > "$TMP/text"
assert_eq 'it has the events' 20 "$(grep -c 'sample:request' "$TMP/text")"
assert 'so does one with a filter' lttctl record -e sample:request -f 'sector < 8 && kind ~ "read*"' \
	-o "$TMP/filtered" -- sh -c 'echo 24 > /dev/ltt-sample'
assert 'which holds' sh -c "babeltrace2 $TMP/filtered | grep 'sample:request:' | grep -q 'sector = [0-7],'"
assert_eq 'for all' 0 "$(babeltrace2 "$TMP/filtered" | grep 'sample:request:' | grep -vc 'sector = [0-7],')"
assert 'so does a trace that others see' lttctl create -o "$TMP/steps" -e 'sample:*' steps
lttctl start steps
put /dev/ltt-sample 20
assert 'to its end' lttctl destroy steps
assert_eq 'the trace has its events' 20 "$(babeltrace2 "$TMP/steps" | grep -c 'sample:request')"
assert_eq 'nothing is left' '' "$(lttctl list)"

{
	printf '%s\n' 'create t' 'channel-set t events subbuf_size 64K' 'enable t sample:*' 'start t'
	wait_until 30 test -e "$TMP/fired"
	printf '%s\n' 'stop t' 'stats t' 'buffers t' 'open-buffer t events 0' 'open-metadata t' \
		'info sample open' 'detach t'
} | lttctl stream > "$TMP/replies" &
connection=$!
wait_until 30 grep -q 'start: done' "$TMP/replies"
put /dev/ltt-sample 20
: > "$TMP/fired"
assert 'the connection succeeds' wait $connection
assert_eq 'nothing was refused' '' "$(grep error "$TMP/replies")"
assert_match 'events were recorded' '^total emitted [0-9]{2,}' "$(grep '^total' "$TMP/replies")"
assert_match 'a descriptor came back' 'open-buffer: descriptor [0-9]+' "$(cat "$TMP/replies")"

assert_eq 'the detached trace is there' '2 traces:
t' "$(lttctl stream --share traces | tail -n 2)"
assert 'and can be ended' lttctl stream --share destroy t
assert_eq 'it is gone' '2 traces: done' "$(lttctl stream --share traces | tail -n 1)"

# ---- Where nothing of the kernel may be seen ----

# A trace of debugfs that runs at the switch, and a control connection opened before.
printf '%s\n' 'create left' 'enable left sample:*' 'start left' | lttctl stream --share > "$TMP/made"
assert_eq 'a trace of debugfs runs' running "$(lttctl stream --share state left | tail -n 1)"
mkfifo "$TMP/commands"
lttctl stream --share < "$TMP/commands" > "$TMP/answers" &
open_before=$!
exec 5> "$TMP/commands"
assert 'data files can be read in a lockdown to integrity' \
	dd if=$DBG/traces/left/events_0 of=/dev/null bs=4K count=0
echo 'state left' >&5
wait_until 30 grep -q running "$TMP/answers"
echo confidentiality > /sys/kernel/security/lockdown
refute 'then /dev/ltt is refused, too' lttctl record -o "$TMP/hidden" -- touch "$TMP/hidden-ran" 2> "$TMP/said"
assert_match 'lttctl names the lockdown' confidentiality "$(cat "$TMP/said")"
refute 'and does not run the command' test -e "$TMP/hidden-ran"
refute 'nor can the trace of debugfs be destroyed' lttctl destroy left
refute 'not by debugfs either' put $DBG/traces/remove left
assert_errno EPERM cat $DBG/traces/left/events_0
assert_errno EPERM cat $DBG/traces/left/events_0.snapshot
assert_errno EPERM cat $DBG/traces/left/metadata
assert_match 'its module stays' 'in use' "$(rmmod ltt-control 2>&1)"
# Programs that read the payload or the thread can be loaded and attached still.
mkdir "$TMP/bpf"
mount -t bpf bpf "$TMP/bpf"
at_exit "umount $TMP/bpf"
"$LTT/build/tests/filter-program" pin true "$TMP/bpf/true"
printf '%s\n' 'filter left sample:close 1' 'info sample close' >&5
wait_until 30 grep -q '^layout' "$TMP/answers"
echo "filter-attach left sample:close $(sed -n 's/^layout //p' "$TMP/answers") $TMP/bpf/true 1" >&5
assert 'a program can be attached there' wait_until 30 grep -q 'filter-attach: done' "$TMP/answers"
echo 'destroy left' >&5
assert 'the control connection opened before destroys it' wait_until 30 grep -q 'destroy: done' "$TMP/answers"
exec 5>&-
assert 'and ends' wait $open_before
