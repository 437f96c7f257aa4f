# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The body of the cases exact-*: the same on any number of CPUs. The host audits
# what is left in $OUT.
# shellcheck shell=sh

load_modules "$(fast_clock)"
EVENTS=$(at_length 800 3000)	# of each sequence, on each CPU

fresh()		# the driver's numbers begin with 0 again
{
	! grep -q '^ltt_test_markers ' /proc/modules || rmmod ltt-test-markers
	load ltt-test-markers period_us=20
}

# Large enough for all.
fresh
begin all 256K 8 0
put /proc/ltt-test-markers "$EVENTS $SEQUENCES"
put $DBG/traces/all/state stop
assert_conserved all
assert_eq 'all: emitted' "$(driver_emitted)" "$(events_count all emitted)"
assert_eq 'all: nothing is lost' 0 "$(events_count all refused)"
hand_over all all

# overflow NAME MODE COUNT: a trace without a reader; its buffers, with that value of the
# file overwrite, overflow, and the statistics have the lost events under COUNT
overflow()
{
	fresh
	begin "$1" 4K 4 "$2"
	put /proc/ltt-test-markers "$EVENTS $SEQUENCES"
	put "$DBG/traces/$1/state" stop
	assert_conserved "$1"
	assert_eq "$1: emitted" "$(driver_emitted)" "$(events_count "$1" emitted)"
	assert "$1: it did overflow" [ "$(events_count "$1" "$3")" -gt 1000 ]
}

overflow discard 0 refused
assert_eq 'discard: nothing is overwritten' 0 "$(events_count discard overwritten)"
assert_eq 'discard: the counts of the events add up to that of the channel' "$(events_count discard refused)" \
	"$(awk '$1 == "event" { n += $4 } END { print n + 0 }' $DBG/traces/discard/stats)"
hand_over discard discard

overflow overwrite 1 overwritten
hand_over overwrite overwrite

# Read while it overflows, and while events are switched off and on.
fresh
begin toggle 4K 4 0
lttd -o "$OUT/toggle" toggle > "$OUT/toggle.lttd" 2>&1 &
lttd=$!
( while :; do
	echo >> "$OUT/toggle.switched"
	put $DBG/traces/toggle/events '!test:*'
	put $DBG/traces/toggle/events 'test:*'
done ) 2> /dev/null &
toggler=$!
at_exit "kill $toggler 2> /dev/null || :"
switched() { wc -l < "$OUT/toggle.switched"; }
until [ "$(events_count toggle emitted)" -gt 1000 ] && [ "$(switched)" -gt 10 ]; do
	kill -0 $toggler || die 'the events are switched no more'
	put /proc/ltt-test-markers "$EVENTS $SEQUENCES"
done
kill $toggler
put $DBG/traces/toggle/events 'test:*'
put $DBG/traces/toggle/state stop
assert_conserved toggle
# An event whose marker is switched off after its arguments were evaluated reaches no trace: on
# each CPU, at most one of each marker each time.
missed=$(($(driver_emitted) - $(events_count toggle emitted)))
assert "toggle: emitted, but for $missed on their way as it was switched off, $(switched) times" \
	[ $((missed >= 0 && missed <= $(switched) * $(driver_sequences))) = 1 ]
cp /proc/ltt-test-markers "$OUT/toggle.emitted"
cp $DBG/traces/toggle/stats "$OUT/toggle.stats"
put $DBG/traces/remove toggle
assert 'toggle: lttd drains' wait $lttd
