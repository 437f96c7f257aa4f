#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: nothing leaks out: no byte of old memory, no kernel pointer that no field asked for, nothing to other users
# requires: lttctl lttd ltt-control.ko ltt-test-markers.ko setpriv
# vm: --slub-debug --append page_poison=1
# timeout: 120
#
# Freed pages are full of 0xaa here, freed objects of 0x6b: leaks.host looks for both, and
# for pointers, in what is recorded, byte by byte, also behind the contents of packets.
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-markers.sh"

# Pages of many files are freed, and so poisoned, before buffers are made of them.
churn()
{
	cat "$LTT"/modules/*/*.ko "$LTT"/modules/instrument/*/*.ko > /dev/null
	echo 1 > /proc/sys/vm/drop_caches
}

work()
{
	sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do cat /proc/self/stat > /dev/null; done'
	put /proc/ltt-test-markers '200 task softirq hardirq'
}

# record NAME PATTERN...: all that readers can have, by lttd and as a flight recorder
record()
{
	name=$1
	shift
	set -f
	for pattern; do set -- "$@" -e "$pattern"; shift; done
	set +f
	churn
	lttctl record -o "$OUT/$name" "$@" --size 16K --count 64 -- \
		sh -c 'for i in 1 2 3; do cat /proc/self/stat; done; echo "200 task softirq hardirq" > /proc/ltt-test-markers' > /dev/null 2>&1
	churn
	lttctl create --overwrite "$@" --size 16K flight
	lttctl start flight
	work
	lttctl snapshot -o "$OUT/$name-flight" flight > /dev/null
	mv "$OUT/$name-flight/snapshot-1/kernel" "$OUT/$name-flight/kernel"
	lttctl destroy flight
}

load_modules
load ltt-test-markers
record plain 'sched:*' 'irq:*' 'signal:*' 'task:*' 'raw_syscalls:sys_enter' 'test:*'
# The control: these events have fields that are pointers.
record pointers 'workqueue:*' 'timer:*' 'kmem:kmalloc' 'kmem:kfree'

# Memory of our own, as programs get it: a reply, the text of a file.
lttctl create t
for command in 'state t' 'stats t' 'events t' 'vocabulary' 'traces' 'usage' 'nonsense' 'filter-get t'; do
	echo "$command"
done | lttctl stream --share > "$OUT/replies" 2>&1 || :
cat $DBG/traces/t/metadata > "$OUT/metadata"
lttctl destroy t

# Other users.
nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
for file in /dev/ltt $DBG/markers/wanted $DBG/traces/create; do
	refute "another user cannot open $file" $nobody sh -c ": < $file" 2> /dev/null
	refute "nor write to it" $nobody sh -c ": > $file" 2> /dev/null
done
refute 'nor list traces' $nobody lttctl list 2> /dev/null
(umask 022; lttctl record -o /tmp/of-root -e 'sched:*' -- true 2> /dev/null)
assert 'another user may look into the folder above' $nobody test -d /tmp/of-root
refute 'but not read a recording of root' $nobody sh -c ': < /tmp/of-root/kernel/metadata' 2> /dev/null
assert 'which is there' test -e /tmp/of-root/kernel/metadata

rmmod ltt-test-markers
unload_modules
