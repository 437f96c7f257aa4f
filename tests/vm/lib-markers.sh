# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# For the cases about markers: drivers with markers and ltt-test-sink, which counts and checks
# their events. Include it after lib.sh.

SINK=/proc/ltt-test-sink

# Unload all that is ours, the newest first: so a case begins, and so it ends.
drop_all()
{
	for module in $(sed -n 's/^\(ltt_[^ ]*\) .*/\1/p' /proc/modules); do
		rmmod "$module"
	done
}

# load MODULE [PARAMETER...]
load()
{
	for file in "$LTT"/samples/"$1".ko "$LTT"/samples/*/"$1".ko "$LTT"/modules/*/"$1".ko \
		"$LTT"/modules/instrument/*/"$1".ko "$LTT"/tests/modules/*/"$1".ko; do
		[ -e "$file" ] || continue
		shift
		insmod "$file" "$@"
		return
	done
	die "there is no module $1"
}

# load_trace_with_packets TRACE: load all layers and the test driver, and start a trace of its
# marker test:task, whose buffers are small and hold packets
load_trace_with_packets()
{
	load_modules
	load ltt-test-markers
	put "$DBG/traces/create" "$1"
	at_exit "[ ! -d $DBG/traces/$1 ] || put $DBG/traces/remove $1"
	put "$DBG/traces/$1/events" 'test:task'
	put "$DBG/traces/$1/channels/events/subbuf_size" 8K
	put "$DBG/traces/$1/state" start
	put /proc/ltt-test-markers '1000 task'
}

# A marker that went and came again is in the sink's list twice; these functions
# read the newest.

# tap MARKER WORD: what follows WORD in the marker's line of the sink
tap()
{
	awk -v marker="$1" -v word="$2" \
		'$1 == marker { for (i = 2; i < NF; i++) if ($i == word) { found = $(i + 1); next } }
		END { print found }' $SINK
}

# state MARKER: connected, there, gone, or nothing if the sink does not know it
state()
{
	awk -v marker="$1" '$1 == marker { print $2 }' $SINK | tail -n 1
}

# last MARKER: the values of its last event
last()
{
	sed -n "s/^$1 .* last *//p" $SINK | tail -n 1
}

# places MARKER: how many trace_mark() it has
places()
{
	awk -v marker="$1" '$1 ~ /:/ { inside = $1 == marker }
		inside && $1 == "places" { print $2; exit }' $SINK
}

# From mark_log on, what the kernel says goes to $TMP/said; said WORDS prints the
# lines with these words.
mark_log()
{
	logged=$(dmesg | wc -l)
}

said()
{
	dmesg | tail -n "+$((logged + 1))" > "$TMP/said"
	grep -F -- "$1" "$TMP/said" || true
}

drop_all
at_exit drop_all
