#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a trace has channels of different kinds side by side, each event in its own
# vm: --loaded
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-test-lossless.ko
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

# of CHANNEL WORD: a count of trace t
of()
{
	awk -v channel="$1" -v word="$2" '$1 == channel && $3 == "emitted" {
			for (i = 3; i < NF; i += 2) if ($i == word) n += $(i + 1)
		} END { print n + 0 }' "$DBG/traces/t/stats"
}

emit() { echo "$1 $2" > /proc/ltt-test-lossless; }

# ring_and_drop: after that, irqs overwrites and events drops; both are full
check_channels()
{
	emit irq 5000
	emit thread 5000
	emit task 500
	echo stop > "$DBG/traces/t/state"
	assert_eq "$1: each event is in its channel" '5000 5000' "$(of irqs emitted) $(of events emitted)"
	assert_eq "$1: one more channel has the third" 500 "$(of calls emitted)"
	assert "$1: the flight recorder overwrites" [ "$(of irqs overwritten)" -gt 1000 ]
	assert_eq "$1: and refuses nothing" 0 "$(of irqs refused)"
	assert "$1: the other refuses" [ "$(of events refused)" -gt 1000 ]
	assert_eq "$1: and overwrites nothing" 0 "$(of events overwritten)"
	assert_eq "$1: the lossless one has all" '500 0' "$(of calls stored) $(of calls refused)"
	assert_conserved t
	stored=$(($(trace_total t stored)))
	lttd -o "$1" t > "$1.said" 2>&1 &
	lttd=$!
	wait_until 20 opened t "$1"
	put "$DBG/traces/remove" t
	assert "$1: lttd ends well" wait $lttd
	babeltrace2 "$1/kernel" 2> /dev/null > "$1.text"
	assert_eq "$1: the trace has what was stored" "$stored" "$(wc -l < "$1.text")"
}

load_modules
load ltt-test-lossless
cd "$TMP"

put $DBG/traces/create t
put $DBG/traces/t/channels/create irqs
put $DBG/traces/t/channels/create calls
for channel in irqs events calls; do
	put $DBG/traces/t/channels/$channel/subbuf_size 4K
	put $DBG/traces/t/channels/$channel/subbuf_count 4
done
put $DBG/traces/t/channels/irqs/overwrite 1
put $DBG/traces/t/channels/calls/lossless_ms 100
put $DBG/traces/t/events 'lossless:*'
put $DBG/traces/t/channels/irqs/events 'lossless:irq'
put $DBG/traces/t/channels/calls/events 'lossless:task'
assert_errno EEXIST put $DBG/traces/t/channels/create irqs
assert_errno EINVAL put $DBG/traces/t/channels/create index
assert_errno EINVAL put $DBG/traces/t/channels/create create
assert_errno EINVAL put $DBG/traces/t/channels/create .x
assert_errno EINVAL put $DBG/traces/t/channels/state/events 'lossless:irq'
assert_errno EINVAL put $DBG/traces/t/channels/irqs/lossless_ms 100
assert_match 'last_error has the reason' lossless "$(cat $DBG/last_error)"
assert_errno EINVAL put $DBG/traces/t/channels/calls/overwrite 1
assert_errno EINVAL put $DBG/traces/t/channels/calls/subbuf_count 2
assert_match 'last_error names it' subbuf_count "$(cat $DBG/last_error)"
assert_errno EINVAL put $DBG/traces/t/channels/calls/lossless_ms 10001
assert_match 'with the limit' lossless_ms.*10000 "$(cat $DBG/last_error)"
assert_eq 'refused values change nothing' 100 "$(cat $DBG/traces/t/channels/calls/lossless_ms)"
assert_eq 'events say where they go' '+ lossless:caller events
+ lossless:irq irqs
+ lossless:patient events
+ lossless:task calls
+ lossless:thread events' "$(grep lossless $DBG/traces/t/events | sort)"
put $DBG/traces/t/state start
assert_errno EBUSY put $DBG/traces/t/channels/calls/subbuf_count 8
check_channels debugfs

put $DBG/traces/create many
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do put $DBG/traces/many/channels/create c$n; done
assert_errno ENOSPC put $DBG/traces/many/channels/create c15
put $DBG/traces/remove many

# The same by commands.
lttctl stream --share > device.said <<'END'
create t
channel-add t irqs
channel-add t calls
channel-set t irqs subbuf_size 4K
channel-set t irqs subbuf_count 4
channel-set t irqs overwrite 1
channel-set t calls subbuf_size 4K
channel-set t calls subbuf_count 4
channel-set t calls lossless_ms 100
channel-set t events subbuf_size 4K
channel-set t events subbuf_count 4
enable t lossless:*
enable-in t irqs lossless:irq
enable-in t calls lossless:task
channels t
start t
END
assert_match 'the channels are listed' '^calls subbuf_size 4096 subbuf_count 4 overwrite 0 lossless_ms 100$' "$(cat device.said)"
refute 'every command was done' grep error device.said
assert 'a channel that was added by command has its folder' test -e $DBG/traces/t/channels/calls/lossless_ms
assert_match 'an unknown channel' 'error ENOENT: .*x' \
	"$(lttctl stream --share enable-in t x lossless:irq || :)"
assert_match 'no change of a channel that has buffers' 'error EBUSY: ' \
	"$(lttctl stream --share channel-set t calls subbuf_count 8 || :)"
check_channels device

rmmod ltt-test-lossless
assert 'everything can be unloaded' unload_modules
