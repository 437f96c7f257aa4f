#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: record limits a recording to a command, cgroups, names, CPUs and a time
# vm: --loaded
# requires: lttctl lttd ltt-control.ko ltt-sample.ko python3
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

ACT="python3 -E -S $LTT/tests/vm/prog/contexts.py act"

# actors DIRECTORY: the names in the events of the driver
actors()
{
	lttctl view "$1" | sed -n 's/.* sample:open: .*comm="\([^"]*\)".*/\1/p' | sort | tr '\n' ' '
}

load_modules
load ltt-sample
cd "$TMP"
mkdir cgroup
mount -t cgroup2 cgroup2 cgroup
mkdir -p cgroup/one/two cgroup/other
at_exit "rmdir $TMP/cgroup/one/two $TMP/cgroup/one $TMP/cgroup/other; umount $TMP/cgroup"

# Another process acts meanwhile, again and again.
: > storm
sh -c "printf outside > /proc/self/comm; while [ -e storm ]; do : > /dev/ltt-sample; sleep 0.1; done" &
at_exit "rm -f $TMP/storm; wait"

lttctl record --follow -o follow -e sample:open -- sh -c "$ACT inside; ($ACT child)" > /dev/null 2>&1
assert_eq '--follow records the command and its children' 'child inside ' "$(actors follow)"

cat > in <<END
sh -c 'echo \$\$ > cgroup/one/two/cgroup.procs; exec $ACT two'
sh -c 'echo \$\$ > cgroup/other/cgroup.procs; exec $ACT other'
$ACT alone
END
lttctl record --cgroup /one -o cgroup-one -e sample:open -- sh in > /dev/null 2>&1
assert_eq '--cgroup records what is below it' 'two ' "$(actors cgroup-one)"
lttctl record --cgroup /one --cgroup /other -o both -e sample:open -- sh in > /dev/null 2>&1
assert_eq 'more than one' 'other two ' "$(actors both)"
lttctl record --task 'al*' -o task -e sample:open -- sh in > /dev/null 2>&1
assert_eq '--task records by name' 'alone ' "$(actors task)"
lttctl record --task alone --cgroup /one -o any -e sample:open -- sh in > /dev/null 2>&1
assert_eq 'the tasks that any of them selects' 'alone two ' "$(actors any)"

lttctl record --cpu 1 -o cpu -e 'sched:sched_switch' --duration 500ms 2> /dev/null
lttctl view cpu > view
assert '--cpu records this CPU' grep -q '\[001\].*sched_switch' view
refute 'and no other' grep -q '\[000\].*sched_switch' view

begin=$(date +%s%N)
lttctl record -o time -e sched:sched_switch --duration 1s > said 2>&1
took=$((($(date +%s%N) - begin) / 1000000))
assert "--duration ends it after a second, not in $took ms" [ $took -ge 1000 ]
lttctl view time > view
assert "it has recorded" grep -q sched_switch view
lttctl record -o long -e sample:open --duration 100ms -- sh -c 'sleep 1; exit 7' > said 2>&1 && status=0 || status=$?
assert_eq 'the command goes on, and its status is that of record' 7 $status

for wrong in '--cgroup /none' '--cpu 99' '--cpu x' '-p 4000000'; do
	# Words of options.
	# shellcheck disable=SC2086
	lttctl record $wrong -o no -e sample:open -- touch ran > said 2>&1 && status=0 || status=$?
	assert_eq "record $wrong fails" 125 $status
	assert "record $wrong: a sentence that names it" grep -q -- "${wrong#* }" said
done
assert 'the command was not run' [ ! -e ran ]
assert 'nothing is left' [ ! -e no ]

rm -f storm
wait
rmmod ltt-sample
assert 'everything can be unloaded' unload_modules
