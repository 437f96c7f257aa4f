#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: events that tracing itself causes, from breakpoints in the tracer and NMIs on top: nothing hangs, all are counted
# requires: ltt-control.ko ltt-test-markers.ko ltt-test-recursion.ko lttd
# timeout: 120
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

parameters=/sys/module/ltt_test_recursion/parameters

# The functions of an event, from the marker's sink to the interrupt that wakes the reader,
# and the kernel's functions that they call.
own='ltt_event_write_compact,ltt_event_write_medium,write_slow,deliver,refuse_nested
	ltt_record_write_slow,ltt_ring_reserve,ltt_ring_deliver,ltt_ring_refuse,ltt_ring_copy
	claim,open_packet,close_packet,end_packet,ltt_clock_read_slow,ltt_news_arrived
	ltt_ring_get,ltt_ring_put,ltt_ring_flush'
kernels='irq_work_queue,irq_work_run,__wake_up,hrtimer_forward,try_to_wake_up'

probe()	# more parameters
{
	at=$(echo $own $kernels | tr ' ' ',')
	insmod "$LTT/tests/modules/recursion/ltt-test-recursion.ko" at="$at" "$@"
	assert "$(cat $parameters/probed) functions are probed" [ "$(cat $parameters/probed)" -ge 20 ]
}

sent()
{
	echo $(($(driver_emitted) + $(cat $parameters/hits) + $(cat $parameters/nmis)))
}

# Events of the driver, and of the probes on the way of each, to a trace with that mode and
# an lttd that reads it: as many as both counted.
storm()	# trace, size, overwrite
{
	put $DBG/traces/create "$1"
	at_exit "put $DBG/traces/remove $1 2> /dev/null || :"
	put "$DBG/traces/$1/channels/events/subbuf_size" "$2"
	put "$DBG/traces/$1/channels/events/overwrite" "$3"
	put "$DBG/traces/$1/events" 'test:* recursion:*'
	put "$DBG/traces/$1/heartbeat_ms" 0
	driver=$(driver_emitted)
	before=$(sent)
	put "$DBG/traces/$1/state" start
	lttd -o "$TMP/$1" "$1" > "$TMP/lttd" 2>&1 &
	lttd=$!
	put /proc/ltt-test-markers "300 $SEQUENCES"
	driver=$(($(driver_emitted) - driver))
	put "$DBG/traces/$1/state" stop
	after=$(sent)
	assert_conserved "$1"
	emitted=$(events_count "$1" emitted)
	echo "$1: $driver by the driver, $((after - before)) were sent, $emitted came"
	# Events that probes send before the trace runs, and as it stops, are not in it.
	assert "$1: the probes' events came" [ "$emitted" -gt $((driver * 3 / 2)) ]
	assert "$1: and no more than were sent" [ "$emitted" -le $((after - before)) ]
	put $DBG/traces/remove "$1"
	assert "$1: lttd drains" wait $lttd
}

load_modules
load ltt-test-markers period_us=200
probe
storm roomy 256K 0
storm tight 4K 0
storm flight 4K 1
rmmod ltt-test-recursion
probe nmi=1
rmmod ltt-test-markers
load ltt-test-markers period_us=200
storm nmi 16K 0
assert "$(cat $parameters/nmis) NMIs traced" [ "$(cat $parameters/nmis)" -gt 500 ]
rmmod ltt-test-recursion
rmmod ltt-test-markers
unload_modules
