#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl view shows each event, lost event and overwritten packet of a trace, also of damaged ones.

. "$(dirname "$0")/lib-lttctl.sh"

# The trace has kinds of fields that no trace of LTT has.
test_view() {
	"$scripts/mktrace" trace
	# Of the lines of what is missing: the number, the buffer.
	shown() { TZ=UTC lttctl view "$1" | sed -E 's/^\*\*\* ([0-9]+ )?.*(lost|overwritten).* ([a-z]+_[0-9]+).*/*** \1\2 \3/'; }
	shown trace > shown
	diff - shown <<-'END'
		00:00:00.000000100 [000]      7 seven           ltt:task: tid=7, comm="seven"
		00:00:00.000000101 [000]      7 seven           ltt:task: tid=4103, comm="other"
		00:00:00.000000102 [000]      7 seven           ltt:task: tid="x", comm="nobody"
		*** lost events_0
		00:00:00.000000150 [000]      7 seven           kinds: octal=010, hex=0xff, number=-5, text="a\"b\x01", list=[1, 2], real=1.5
		*** 12 lost events_0
		*** 1 overwritten events_0
		00:00:00.000000350 [000]   4103 other           kinds: octal=010, hex=0xff, number=-5, text="a\"b\x01", list=[1, 2], real=1.5
	END
	# The folder of a trace does as well as that above it.
	shown trace/kernel | cmp - shown
	fails 1 "No space left on device" full view trace
	# A file that is cut inside a packet is shown up to there, with a warning that names it.
	"$scripts/mktrace" torn torn
	TMPDIR=$PWD lttctl view torn > shown 2> warning
	diff <(lttctl view trace | head -n 5) shown
	[ "$(grep -c torn/kernel/events_0 warning)" = 1 ] || die "$(cat warning)"
	(shopt -s nullglob && [ -z "$(echo lttctl-*)" ]) || die "a directory is left"
	TMPDIR=$PWD/nowhere fails 1 nowhere lttctl view torn
	"$scripts/mktrace" damaged damaged
	fails 1 trace lttctl view damaged
	grep -q 'seven *kinds: ' "$scratch/out"
	# The names of folders above a trace are not those of its channels.
	mkdir state_1
	"$scripts/mktrace" state_1/trace damaged
	fails 1 trace lttctl view state_1/trace
	grep -q 'seven *kinds: ' "$scratch/out"
}

test_view_without_plugins() {
	local plugins
	plugins=$(echo /usr/lib/*/babeltrace2/plugins)
	[ -d "$plugins" ] && unshare -m true 2> /dev/null || { echo "no plugins to hide, or may not mount"; exit 77; }
	"$scripts/mktrace" trace
	fails 1 babeltrace2 \
		unshare -m sh -c "mount -t tmpfs none $plugins; exec $bin/lttctl view trace"
}

test_view_of_no_trace() {
	fails 1 "$PWD" lttctl view "$PWD"
	fails 1 /nowhere lttctl view /nowhere
	mkdir -p bad/kernel
	echo nonsense > bad/kernel/metadata
	fails 1 trace lttctl view bad
}

run_tests
