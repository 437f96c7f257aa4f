#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a stream that watches is notified of full buffers and of losses, exactly, and no other stream is
# vm: --smp 2 --loaded
# requires: lttctl ltt-control.ko ltt-test-lossless.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

# open_stream NAME [OPTION]: its commands go to $TMP/NAME.in, its words to $TMP/NAME.out
open_stream()
{
	mkfifo "$TMP/$1.in"
	lttctl stream ${2-} < "$TMP/$1.in" > "$TMP/$1.out" 2>&1 &
}

# said NAME REGEX: there is such a line
said() { grep -Eq "$2" "$TMP/$1.out"; }

# ask NAME LINE: and wait for the answer
ask()
{
	asked=$(grep -c '^[0-9]' "$TMP/$1.out") || :
	case $1 in
	one) echo "$2" >&3 ;;
	two) echo "$2" >&4 ;;
	all) echo "$2" >&5 ;;
	esac
	more() { [ "$(grep -c '^[0-9]' "$TMP/$1.out")" -gt "$asked" ]; }
	wait_until 10 more "$1" || die "no answer to $2: $(cat "$TMP/$1.out")"
}

# The last number of a notification: notified NAME KIND BUFFER
notified() { sed -n "s/.*$2.* $3.* \([0-9]*\)\$/\1/p" "$TMP/$1.out" | tail -n 1; }

load_modules
load ltt-test-lossless
open_stream one
exec 3> "$TMP/one.in"
open_stream two
exec 4> "$TMP/two.in"
open_stream all --share
exec 5> "$TMP/all.in"
at_exit 'exec 3>&- 4>&- 5>&-; wait'

for stream in one two; do
	ask $stream 'create t'
	ask $stream 'channel-set t events subbuf_size 4K'
	ask $stream 'channel-set t events subbuf_count 4'
	ask $stream 'enable t lossless:*'
	ask $stream 'start t'
done
ask one 'watch "buffers losses"'
ask two 'watch buffers'
ask all 'watch "losses buffers"'

# On CPU 0: a sub-buffer holds some 250 events of 16 bytes.
emit() { echo "$1 $2" | taskset 1 tee /proc/ltt-test-lossless > /dev/null; }
emit task 300
assert 'one is notified that a sub-buffer is full' wait_until 10 said one 'buffer-full.*t events_0.* 1$'
assert 'so is the other, of its own' wait_until 10 said two 'buffer-full.*t events_0.* 1$'
refute 'nothing is lost yet' said one losses
emit irq 3000
lost() { [ "$(notified one losses events_0)" = "$refused" ]; }
ask one 'stats t'
refused=$(sed -n 's/^total.* refused \([0-9]*\) .*/\1/p' "$TMP/one.out" | tail -n 1)
assert "events were lost: $refused" [ "$refused" -gt 1000 ]
assert 'one is notified of all of them' wait_until 10 lost
emit task 1000
ask one 'stats t'
refused=$(sed -n 's/^total.* refused \([0-9]*\) .*/\1/p' "$TMP/one.out" | tail -n 1)
assert 'and of those that came later' wait_until 10 lost
refute 'a stream that does not watch losses is not notified' said two losses
refute 'nor is one that watches other traces' said all 'losses|buffer-full'
refute 'the other CPU has nothing to tell' said one 'events_1'

put "$DBG/traces/create" shared
put "$DBG/traces/shared/channels/events/subbuf_size" 4K
put "$DBG/traces/shared/channels/events/subbuf_count" 4
put "$DBG/traces/shared/events" 'lossless:*'
put "$DBG/traces/shared/state" start
emit task 3000
assert 'a stream that shares is notified of the traces of debugfs' wait_until 10 said all 'losses.*shared events_0'
ask one 'watch " "'
lines=$(wc -l < "$TMP/one.out")
emit task 3000
grown() { [ "$(notified all losses events_0)" = "$(awk '$1 == "total" { print $7 }' "$DBG/traces/shared/stats")" ]; }
assert 'the notification is exact' wait_until 10 grown
assert_eq 'a stream that watches nothing any more is not notified' "$lines" "$(wc -l < "$TMP/one.out")"
put "$DBG/traces/remove" shared
exec 3>&- 4>&- 5>&-
wait
rmmod ltt-test-lossless
assert 'everything can be unloaded' unload_modules
