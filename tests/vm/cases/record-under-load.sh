#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: record's default buffers lose nothing while programs on both CPUs do nothing but system calls
# vm: --parallel --smp 2 --loaded
# faces: device
# when: all
# requires: lttctl lttd python3 ltt-control.ko
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

# Two for each CPU, so that lttd finds none idle.
cat > load <<'END'
for one in 1 2 3 4; do
	timeout 3 dd if=/dev/zero of=/dev/null bs=1 2> /dev/null &
done
wait
END
# events_of NAME MEMBER
events_of() { json "$1.json" "d['total']['$2']"; }

for name in one two three; do
	lttctl record --json -o $name -- sh load > $name.json
	assert "$name: events" [ "$(events_of $name emitted)" -gt 100000 ]
	assert_eq "$name: nothing is lost of $(events_of $name bytes) bytes" 0 "$(events_of $name refused)"
	rm -r $name
done

# Or the load shows nothing.
lttctl record --json --size 64k --count 2 -o small -- sh load > small.json
assert 'small buffers lose events' [ "$(events_of small refused)" -gt 0 ]
assert 'everything can be unloaded' unload_modules
