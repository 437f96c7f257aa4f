#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: driver, sink and ltt-markers are unloaded in every order, connected and firing, and leave nothing
# timeout: 120
# requires: ltt-markers.ko ltt-test-sink.ko ltt-test-twin-a.ko ltt-test-registry.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

connected()
{
	[ "$(tap twin:same calls)" -gt 0 ]
}

begin()
{
	load ltt-markers
	load ltt-test-sink
	put $SINK '+*'
	load ltt-test-twin-a
	assert 'it fires' wait_until 10 connected
}

memory()
{
	awk '/^(Slab|Percpu|VmallocUsed):/ { n += $2 } END { print n }' /proc/meminfo
}

begin
refute 'ltt-markers is refused first' rmmod ltt-markers
rmmod ltt-test-twin-a
refute 'and when the driver has gone' rmmod ltt-markers
rmmod ltt-test-sink
assert 'driver, sink, markers' rmmod ltt-markers

begin
rmmod ltt-test-sink
rmmod ltt-test-twin-a
assert 'sink, driver, markers' rmmod ltt-markers

begin
rmmod ltt-test-sink
rmmod ltt-markers
assert 'sink, markers, driver' rmmod ltt-test-twin-a

load ltt-markers
assert 'the registry does what its API says' load ltt-test-registry
rmmod ltt-test-registry
assert 'and is not in use after that' rmmod ltt-markers

cycle()
{
	load ltt-markers
	load ltt-test-sink
	put $SINK '+*'
	load ltt-test-twin-a
	rmmod ltt-test-twin-a
	rmmod ltt-test-sink
	rmmod ltt-markers
}

i=0
while [ $i -lt 12 ]; do
	[ $i -ne 2 ] || early=$(memory)
	cycle
	i=$((i + 1))
done
assert 'ten cycles keep less than a megabyte' [ $(($(memory) - early)) -lt 1024 ]
