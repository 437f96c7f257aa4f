#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: each layer knows only those above it, stays while it is needed, and leaves nothing
# timeout: 180
. "$LTT/tests/vm/lib.sh"

layers='timestamp relay markers tracer tracepoints syscalls probes heartbeat control'

at_exit unload_modules
load_modules "$(fast_clock)"

above=
for layer in $layers; do
	module=/sys/module/ltt_$layer
	assert "ltt-$layer is loaded" [ -d "$module" ]
	for user in "$module"/holders/*; do
		[ -e "$user" ] || continue
		case " $above " in
		*" $(basename "$user") "*) check 'not ok' "$(basename "$user") uses ltt-$layer, a lower layer" ;;
		esac
		assert_match "ltt-$layer stays while others use it" 'is in use' "$(rmmod "ltt-$layer" 2>&1)"
	done
	above="$above ltt_$layer"
done

for again in 1 2; do
	unload_modules
	assert_eq "all are gone, $again" '' "$(grep '^ltt_' /proc/modules)"
	refute "the debugfs tree is gone, $again" [ -e "$DBG" ]
	load_modules "$(fast_clock)"
done
