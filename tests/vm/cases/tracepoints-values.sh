#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: events of the kernel carry the values of the operations that caused them
# timeout: 120
# requires: ltt-markers.ko ltt-tracepoints.ko ltt-test-sink.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load ltt-markers
load ltt-tracepoints
load ltt-test-sink

# causes EVENT REGEX COMMAND...: its last event while the command ran
causes()
{
	event=$1
	regex=$2
	shift 2
	put $SINK "+$event"
	"$@"
	put $SINK "-$event"
	assert_match "$event" "$regex" "$(last "$event")"
	assert_eq "$event: no payload was wrong" 0 "$(tap "$event" bad)"
}


send_signal()
{
	kill -URG $$
}

send_packet()
{
	ip link set lo up
	bash -c 'echo text > /dev/udp/127.0.0.1/9'
}

# Executing a program names the task after it; "put" is one.
causes task:task_rename "^[0-9]+ '.*' 'put' 0$" true
# The last program that is executed is the one that disconnects the sink.
causes sched:sched_process_exec "^([0-9]+) \1 '.*/put'$" true
causes signal:signal_generate "^23 0 0 '.*' $$ [0-9]+ 1$" send_signal
# A sequence of characters: its count, then "... ltt-said".
causes printk:console ' 6c 74 74 2d 73 61 69 64( |$)' put /dev/kmsg ltt-said
# Later kernels add a cookie of the network namespace.
causes net:net_dev_queue "^[0-9a-f]+ [0-9]+( [0-9]+)? 'lo'$" send_packet
causes net:netif_receive_skb "^[0-9a-f]+ [0-9]+( [0-9]+)? 'lo'$" send_packet
