#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a filter on a context records the events for which the recorded context has that value: namespaces, parents, cgroups by their paths, interrupts, preemption, counters
# when: all
# vm: --smp 1
# requires: lttctl lttd ltt-control.ko ltt-sample.ko unshare /sys/kernel/btf/vmlinux python3
# timeout: 240
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

EVENTS=sample:open,sched:sched_switch,sched:sched_waking,sched:sched_wakeup,irq:softirq_entry
CONTEXTS=pid,ppid,comm,uid,prio,cgroup,pid_ns,net_ns,mnt_ns,preempt,irq,need_resched,migrate_disable,perf:page-faults,perf:context-switches

load_modules
load ltt-sample
cd "$TMP"
mkdir cgroup
mount -t cgroup2 cgroup2 cgroup
mkdir -p cgroup/one/two
at_exit "rmdir $TMP/cgroup/one/two $TMP/cgroup/one; umount $TMP/cgroup"

own() { stat -L -c %i "/proc/self/ns/$1"; }

# With one CPU, need_resched stays as it is while interrupts are off.
cat > expressions <<END
ppid == $$
pid_ns != $(own pid)
net_ns != $(own net)
mnt_ns == $(own mnt)
preempt > 0
preempt == 0 && irq == on
context.irq == softirq
irq >= hardirq
irq in (off, softirq_off, hardirq_off)
(irq & 1) && need_resched
migrate_disable == 0 && ppid != $$
cgroup == "/one/two"
cgroup ~ "/o?e*" && irq == on
cgroup !~ "/one/*" && comm == "sh"
cgroup in ("/one", "/one/two") || cgroup == 0
perf:page-faults % 7 < 3
perf_context_switches & 1 && perf:page-faults & 1
END
# Every third one, drawn anew in each run, in a third of the time.
[ "${LTT_LONG-}" ] || sed -i -n "$(($(date +%s) % 3 + 1))~3p" expressions

open='sh -c ": > /dev/ltt-sample; sleep 0.02; : > /dev/ltt-sample"'
cat > act <<END
$open
unshare -n $open
unshare -m $open
unshare -p --fork $open
unshare -p --fork unshare -p --fork $open
sh -c 'echo \$\$ > cgroup/one/cgroup.procs; : > /dev/ltt-sample'
sh -c 'echo \$\$ > cgroup/one/two/cgroup.procs; : > /dev/ltt-sample; sleep 0.02; : > /dev/ltt-sample'
END

# All traces record the events between these two.
mark() { sh -c "printf mark-$1 > /proc/self/comm; : > /dev/ltt-sample"; }

filter_of() { echo "$1 || comm ~ \"mark-*\""; }

# begin_trace NAME [OPTION...]: it runs then
begin_trace()
{
	trace=$1
	shift
	lttctl create -o "$trace" --size 64K --count 8 --context "$CONTEXTS" -e "$EVENTS" "$@" "$trace" 2> said ||
		cat said
	lttctl start "$trace"
}

# between_marks [OPTION...] TRACE: what view shows, without times and names of threads.  An interrupt can come when
# some of the traces have recorded an event: its events come before that one in the others, also before a mark, and
# change need_resched.
between_marks()
{
	lttctl view "$@" > view
	sed -n '/ sample:open: .*comm="mark-begin"/,/ sample:open: .*comm="mark-end"/p' view |
		grep -oE '(sample:open|sched_[a-z]*|softirq_entry): .*' | grep -v 'comm="mark-' |
		sed 's/, need_resched=.//' | sort
}

begin_trace all
n=0
while read -r expression; do
	n=$((n + 1))
	begin_trace filtered$n -f "$(filter_of "$expression")"
done < expressions
mark begin
sh act
mark end
for trace in all $(seq -f 'filtered%.0f' $n); do
	lttctl stop "$trace"
	lttctl destroy "$trace" 2> said || cat said
done

between_marks all > whole
assert 'there are events' [ "$(wc -l < whole)" -gt 50 ]
n=0
while read -r expression; do
	n=$((n + 1))
	between_marks -f "$(filter_of "$expression")" all > selected
	between_marks filtered$n > recorded
	assert "$expression: the filter records what the reader selects" diff selected recorded
	assert "$expression: it holds for some events" [ -s recorded ]
	assert "$expression: and not for all" [ "$(wc -l < recorded)" -lt "$(wc -l < whole)" ]
done < expressions

# counts_of CONTEXT: a table of the kernel, "value count"
counts_of()
{
	lttctl count --json -e sample:open -f 'context.comm == "sh"' --by "$1" -- sh act > table 2> said || cat said
	json table "'\n'.join('%s %s' % (row['keys']['$1'], row['count']) for row in d['rows'])"
}
assert_eq 'a table has a row for each network' 2 "$(counts_of net_ns | wc -l)"
assert_eq 'and the events of this one' 11 "$(counts_of net_ns | sed -n "s/^$(own net) //p")"
assert_eq 'and of this PID namespace' 9 "$(counts_of pid_ns | sed -n "s/^$(own pid) //p")"
assert_eq 'interrupts are on' '0 13' "$(counts_of irq)"
assert_eq 'nothing turns preemption off' '0 13' "$(counts_of preempt)"

assert_eq 'a table of what a counter has' '1 13' "$(counts_of 'perf:page-faults > 0')"
assert_eq 'and of a cgroup' '1 2,0 11' "$(counts_of 'cgroup == "/one/two"' | sort -r | paste -s -d ,)"

# A condition for what an event does.
lttctl record -o until -e sample:open --until "sample:open net_ns != $(own net)" -- sh act 2> said
lttctl view until > view
assert_eq 'the first event of another network is the last' 3 "$(grep -c ' sample:open:' view)"

# refused EXPRESSION SENTENCE: nothing is recorded
refused()
{
	status=0
	lttctl record -o no -e sample:open -f "$1" -- true 2> said || status=$?
	assert "$1 is an error" [ $status -ne 0 ]
	assert_match "$1: the sentence" "$2" "$(cat said)"
	refute "$1: nothing is left" [ -e no/kernel ]
}

# Other contexts are an error, which has those that can be used.
refused 'kernel_stack == 1' 'column 1.*need_resched'
refused 'user_stack == 1' 'column 1.*need_resched'
refused 'perf:nothing == 1' 'column 1.*perf_page_faults'
refused 'cgroup == "/nowhere"' 'column 11.*/nowhere'
refused 'cgroup ~ "/one/three*"' 'column 10.*/one/three'
# This machine has no such counter.
refused 'perf:cycles > 1' 'perf:cycles'
refused 'perf:page-faults && perf:cycles > 1' 'perf:cycles'

# A counter that no context of the trace has.
lttctl record -o faults -e sample:open -f 'perf:minor-faults > 0' -- sh act 2> said
lttctl view faults > view
assert_eq 'a counter needs no context' 13 "$(grep -c ' sample:open:' view)"

rmmod ltt-sample
assert 'everything can be unloaded' unload_modules
