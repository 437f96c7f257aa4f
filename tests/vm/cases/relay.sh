#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a recording arrives whole at a stock lttng-relayd, also over a network that is slow, lossy or gone for a while
# when: all
# requires: lttctl lttd lttng-relayd babeltrace2 python3 ip tc ltt-control.ko
# timeout: 300
. "$LTT/tests/vm/lib-record.sh"

load_modules "$(fast_clock)"
cd "$TMP"
modprobe -a veth sch_netem sch_tbf || skip 'the kernel cannot emulate a network'
at_exit 'rmmod sch_tbf sch_netem veth'

# The collector is on a machine of its own: LTT's end of the cable delays and drops.
ip netns add collector
at_exit 'ip netns del collector; umount /run/netns'
ip link add ltt0 type veth peer name eth0 netns collector
at_exit 'ip link del ltt0'
ip addr add 10.1.1.1/30 dev ltt0
ip link set ltt0 up
ip -n collector addr add 10.1.1.2/30 dev eth0
ip -n collector link set lo up
ip -n collector link set eth0 up
url=net://10.1.1.2

collect()
{
	ip netns exec collector lttng-relayd -vvv -o "$TMP/collected" -C tcp://10.1.1.2:5342 -D tcp://10.1.1.2:5343 \
		-L tcp://127.0.0.1:5344 >> relayd.log 2>&1 &
	relayd=$!
	wait_until 20 grep -q ':14DF .* 0A ' "/proc/$relayd/net/tcp"
}

# The files at the collector are those here, and babeltrace2 has nothing to say about them.
same()	# local, name at the collector
{
	there=$(echo collected/*/"$2"*)
	assert_eq "$2: the files are the same" '' "$(diff -r --exclude=index "$1" "$there" 2>&1 | head -n 3)"
	babeltrace2 "$1" > here.txt
	babeltrace2 "$there" > there.txt 2> said
	assert "$2: the events are the same" cmp here.txt there.txt
	assert_eq "$2: babeltrace2 is silent" '' "$(head -n 3 said)"
	assert "$2: there are events" test -s there.txt
}

arrived()	# name
{
	[ -n "$(find collected -path "*/$1*/0001/kernel/events_*" -size +0)" ]
}

record()	# name, options and command
{
	name=$1
	shift
	status=0
	lttctl record -o "$name" --to "$url/$name" -e 'sched:sched_switch' "$@" 2> "$name.said" || status=$?
	assert_eq "$name: the status" 0 "$status"
	cat "$name.said"
}

collect
at_exit 'kill $relayd; wait $relayd || :'

record fast -e 'irq:*,raw_syscalls:*' --piece-size 128k -- sh -c 'ls -laR /sys/bus > /dev/null'
same fast fast
assert 'fast: there are several pieces' test -d fast/0002

# Kernel and programs are one session.
lttctl record --to "$url/spooled" -e sched:sched_switch -- sleep 1 2> said
assert_match 'a recording without a directory is sent' 'complete  yes' "$(cat said)"
babeltrace2 collected/*/spooled* > there.txt 2> said
assert_eq 'babeltrace2 is silent' '' "$(head -n 3 said)"
assert 'and has its events' grep -q sched_switch there.txt
assert_eq 'the spool is gone' '' "$(ls -d /var/tmp/ltt-spool* 2> /dev/null || :)"

tc qdisc add dev ltt0 root netem delay 20ms 10ms loss 5% duplicate 2% reorder 10%
record lossy --piece-size 256k -- sh -c 'ls -laR /sys/bus > /dev/null'
same lossy lossy
tc qdisc del dev ltt0 root

# 3 KB/s, or 1: the peer is alive all the time, and needs longer than a silent one has.
tc qdisc add dev ltt0 root tbf rate "$(at_length 24kbit 8kbit)" burst 1600 latency 60s
record slow --size 4k --count 8 --state none -- true
same slow slow
assert_eq 'slow: the connection is not given up' '' "$(grep 'trying again' slow.said || :)"
tc qdisc del dev ltt0 root

# All is dropped, for longer than a peer may be silent.
lttctl record -o gone --to "$url/gone" -e sched:sched_switch --state none --piece-size 256k 2> gone.said &
recorder=$!
at_exit 'kill -9 $recorder 2> /dev/null || :'
assert 'gone: packets arrive' wait_until 20 arrived gone
assert 'lttd writes beacons' wait_until 20 grep -Eq '^([0-9]{20}) \1$' gone/0001/open
assert 'and the relayd gets them' wait_until 20 grep -q 'live beacon' relayd.log
tc qdisc add dev ltt0 root netem loss 100%
assert 'a dead network is noticed' wait_until 60 grep -q 'trying again' gone.said
tc qdisc del dev ltt0 root
assert 'and a living one' wait_until 60 grep -q 'connected again' gone.said
kill -INT $recorder
status=0
wait $recorder || status=$?
assert_eq 'gone: the status' 0 "$status"
same gone gone

# The collector dies in the middle.
lttctl record -o killed --to "$url/killed" -e 'sched:*,raw_syscalls:*' --state none --piece-size 256k 2> killed.said &
recorder=$!
assert 'killed: packets arrive' wait_until 20 arrived killed
kill -9 $relayd
wait $relayd || :
ls -laR /sys/bus > /dev/null
collect
assert 'killed: it is noticed' wait_until 60 grep -q 'connected again' killed.said
kill -INT $recorder
wait $recorder
same killed killed
