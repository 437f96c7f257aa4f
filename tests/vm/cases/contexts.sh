#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the contexts of an event are what the kernel shows of the same task
# vm: --loaded
# requires: lttctl lttd ltt-control.ko ltt-sample.ko python3 unshare
# faces: device
# also: debugfs
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

ALL=pid,ppid,comm,uid,prio,cgroup,pid_ns,net_ns,mnt_ns,preempt,irq,need_resched,migrate_disable
ACT="python3 -E -S $LTT/tests/vm/prog/contexts.py act"

load_modules
load ltt-sample
cd "$TMP"
mkdir cgroup
mount -t cgroup2 cgroup2 cgroup
mkdir -p cgroup/one/two
at_exit "rmdir $TMP/cgroup/one/two $TMP/cgroup/one; umount $TMP/cgroup"

# The names of cgroups are shown, but while none is mounted that has them.
cat > act <<END
$ACT plain
nice -n 5 $ACT nice
setpriv --reuid 1234 --clear-groups $ACT user 2> /dev/null || :
sh -c 'echo \$\$ > cgroup/one/two/cgroup.procs; exec $ACT moved'
unshare -n -m $ACT spaces
unshare -p --fork $ACT inner
END
chmod 666 /dev/ltt-sample
lttctl record -o trace -e 'sample:open' -e sched:sched_switch -e 'irq:*' \
	--context "$ALL" -- sh act > lines 2> said
lttctl view trace > view
assert_eq 'each actor has printed a line' 6 "$(wc -l < lines)"
sed 's|cgroup=/one/two|cgroup='"$(stat -c %i cgroup/one/two)"'|; s|cgroup=/,|cgroup='"$(stat -c %i cgroup)"',|' \
	view > numbers
checks_of "$LTT/tests/vm/prog/contexts.py" values numbers lines
assert 'a cgroup is shown by its path' grep -q 'sample:open.*comm="moved".*cgroup=/one/two,' view
# shown EXPRESSION: the number of events
shown()
{
	lttctl view -f "$1" trace | wc -l
}
assert_eq 'view shows the events with a name of the thread' "$(grep -c ' comm="moved"' view)" "$(shown 'comm == "moved"')"
assert_eq 'and those of a user on a CPU' "$(grep -c '\[000\].* uid=1234,' view)" "$(shown 'uid == 1234 && cpu == 0')"
assert_eq 'and those of a cgroup' "$(grep -c ' cgroup=/one/two,' view)" "$(shown "cgroup == $(stat -c %i cgroup/one/two)")"
assert_eq 'and of a tracepoint' "$(grep -c ' sched_switch: .*prev_comm="swapper' view)" "$(shown 'prev_comm ~ "swapper*"')"

# Places where interrupts and preemption are known.
assert 'the scheduler runs with interrupts and preemption off' \
	grep -q 'sched_switch: .*preempt=[1-9][0-9]*, irq=off' view
# With PREEMPT_RT it also switches in the middle of a softirq.
case $(uname -v) in
*PREEMPT_RT*)	off='\(softirq_\)\{0,1\}off' ;;
*)		off=off ;;
esac
refute 'and never otherwise' sh -c "grep 'sched_switch: ' view | grep -v 'preempt=[1-9][0-9]*, irq=$off'"
assert 'a softirq' grep -q 'softirq_entry: .* irq=softirq,' view
assert 'an interrupt' grep -q 'irq_handler_entry: .* irq=hardirq_off,' view

# A thread wakes another that is to run in its place. Later kernels note that for fair threads in a flag of their own.
# It writes more than a pipe holds, so that the other, which may still be starting, waits for it at last.
cat > wakes <<'END'
taskset -c 0 nice -n 19 sh -c 'for i in $(seq 1000); do printf "%099d\n" $i; done' | taskset -c 0 nice -n -20 wc
END
assert 'wake-ups are recorded' lttctl record -o woken -e sched:sched_wakeup --context need_resched -- sh wakes
lttctl view woken > view-woken
assert 'a task that is to be switched' \
	grep -q '\[000\] .* sh  *sched_wakeup: comm="wc".*need_resched=1' view-woken

# babeltrace2 has them as fields, of which the metadata has the types.
assert 'babeltrace2 reads them' decode trace text
assert_eq 'it has nothing to say' '' "$(cat text.err)"
assert 'it shows them' grep -q 'sample:open: .* pid = [0-9]*, ppid = [0-9]*, comm = "plain", uid = 0,' text

# The tid is in every record, and its column; "none" is nothing more.
lttctl record -o none -e sample:open --context none -- $ACT x > /dev/null 2>&1
lttctl record -o tid -e sample:open --context tid -- $ACT x > /dev/null 2>&1
for trace in none tid; do
	assert_eq "--context $trace has no contexts" 0 "$(grep -c '^.context := struct' $trace/kernel/metadata)"
done

# A list for the events of a pattern.
lttctl record -o some -e 'sample:*' --context pid --context 'sample:open=name,uid' -- $ACT some > /dev/null 2>&1
lttctl view some > view
assert 'an event that the pattern matches' grep -q 'sample:open: .*, comm="some", uid=0$' view
assert 'and one that it does not match' grep -q 'sample:close: pid=\([0-9]*\), pid=\1$' view

# The name of a system call stands for all its markers.
lttctl record -o call -e syscall:openat --context syscall:openat=uid -- cat /dev/null > /dev/null 2>&1
lttctl view call > view
assert 'an event of a call' grep -q 'syscall:openat: .*uid=0' view
refute 'and those of its return' sh -c 'grep syscall:openat_exit: view | grep -v uid=0'
assert 'there are some' grep -q syscall:openat_exit: view

# They can change while the trace runs: each event that changes gets another id.
put $DBG/traces/create t
put $DBG/traces/t/events 'sample:*'
put $DBG/traces/t/state start
$ACT first > /dev/null
put $DBG/traces/t/channels/events/context comm
$ACT second > /dev/null
put $DBG/traces/t/context 'sample:open pid,uid'
$ACT third > /dev/null
put $DBG/traces/t/channels/events/context none
put $DBG/traces/t/context 'sample:open default'
$ACT fourth > /dev/null
assert_errno EINVAL put $DBG/traces/t/channels/events/context pid,nothing
assert_match 'the sentence names the word and what there is' 'nothing.*ppid.*kernel_stack' "$(reason)"
assert_errno EEXIST put $DBG/traces/t/channels/events/context pid,comm,pid
assert_match 'the sentence names the word' '"pid"' "$(reason)"
for list in '' , pid, kernel_stack:0 kernel_stack:65 kernel_stack:1x pid:3 perf: perf:nothing none,pid; do
	[ -z "$list" ] || assert_errno EINVAL put $DBG/traces/t/channels/events/context "$list"
done
assert_errno EOPNOTSUPP put $DBG/traces/t/channels/events/context perf:cycles
assert_match 'the sentence names the counter' 'perf:cycles' "$(reason)"
assert_errno ENOENT put $DBG/traces/t/context 'sample:open default'
assert_errno EINVAL put $DBG/traces/t/context 'sample:[open pid'
assert_eq 'what is refused changes nothing' none "$(cat $DBG/traces/t/channels/events/context)"
lttd -o changed t > said 2>&1 &
lttd=$!
wait_until 20 opened t changed
put $DBG/traces/t/state stop
put $DBG/traces/remove t
assert 'lttd ends well' wait $lttd
lttctl view changed | grep sample:open > view
assert_eq 'each actor has its event' 4 "$(wc -l < view)"
assert 'without contexts' grep -q 'sample:open: pid=[0-9]*, comm="first", mode=[^,]*, flags=[^,]*$' view
assert 'with those of the channel' grep -q 'comm="second".*, comm="second"$' view
assert 'with those of the pattern' grep -q 'comm="third".*, pid=[0-9]*, uid=0$' view
assert 'without again' grep -q 'comm="fourth", mode=[^,]*, flags=[^,]*$' view

rmmod ltt-sample
assert 'everything can be unloaded' unload_modules
