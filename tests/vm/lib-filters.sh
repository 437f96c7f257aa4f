# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# For cases that attach programs to events by hand.  Include it after lib.sh.
# shellcheck shell=sh disable=SC2034

. "$LTT/tests/vm/lib-markers.sh"

BPF=$TMP/bpf
PROGRAM=$LTT/build/tests/filter-program

mount_bpf()
{
	mkdir -p "$BPF"
	mount -t bpf bpf "$BPF"
	at_exit "umount $BPF"
}

# pin PROGRAM: load it, and pin it as $BPF/PROGRAM; the case may go on without it
pin()
{
	"$PROGRAM" pin "$1" "$BPF/$1"
}

# layout_of GROUP:NAME
layout_of()
{
	sed -n 's/^layout //p' "$DBG/markers/${1%:*}/${1#*:}/info"
}

# filters TRACE [WORD]: the lines, or those that begin with WORD
filters()
{
	grep "^${2-}" "$DBG/traces/$1/filters" || :
}

# attach TRACE EVENT PROGRAM EXPRESSION: a pinned one
attach()
{
	put "$DBG/traces/$1/filter_attach" "$2 $(layout_of "$2") $BPF/$3 $4"
}

# events_sum TRACE WORD: of the channel events, all CPUs
events_sum()
{
	awk -v word="$2" '$1 == "events" { for (i = 3; i < NF; i += 2) if ($i == word) n += $(i + 1) }
		END { print n + 0 }' "$DBG/traces/$1/stats"
}

# event_count TRACE EVENT WORD: runs, filtered or unjudged
event_count()
{
	awk -v event="$2" -v word="$3" '$1 == "event" && $2 == event {
		for (i = 3; i < NF; i += 2) if ($i == word) print $(i + 1) }' "$DBG/traces/$1/filters"
}
