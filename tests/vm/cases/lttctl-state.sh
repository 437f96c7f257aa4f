#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a recording has the state of the system, and lttctl view shows fields by it as ftrace prints them
# vm: --loaded
# requires: lttctl lttd babeltrace2 python3 losetup ltt-control.ko
# timeout: 150
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"
modprobe loop
ip link set lo up
dd if=/dev/zero of=disk bs=64k count=16 2> /dev/null
loop=$(losetup -f --show disk)
at_exit "losetup -d $loop"

ftrace=/sys/kernel/tracing
events='sched/sched_switch irq/softirq_raise skb/kfree_skb block/block_rq_issue timer/timer_start'
ftrace_set()	# 0 or 1
{
	for event in $events; do
		echo "$1" > "$ftrace/events/$event/enable"
	done
}
at_exit "ftrace_set 0; echo > $ftrace/trace; echo 1408 > $ftrace/buffer_size_kb"
echo 8192 > $ftrace/buffer_size_kb
echo > $ftrace/trace

cat > work <<'END'
dd if=$1 of=/dev/null bs=64k iflag=direct 2> /dev/null
bash -c 'echo text > /dev/udp/127.0.0.1/9'
sleep 0.1
END
ftrace_set 1
lttctl record --json --state processes,system,files,maps -o out $(echo " $events" | sed 's| \([a-z]*\)/| -e \1:|g') -- sh work "$loop" > summary
ftrace_set 0
cat $ftrace/trace > ftrace
assert_eq 'ftrace has lost nothing' '0' "$(cat $ftrace/per_cpu/cpu*/stats | awk '/overrun/ { n += $NF } END { print n + 0 }')"
assert_whole out "$(json summary 'd["total"]["emitted"]')"

babeltrace2 out > all 2> said
assert_eq 'babeltrace2 has nothing to say about all of it' '' "$(head -n 3 said)"
assert 'it reads the state' grep -q 'state:map' all

# Against /proc and /sys.
python3 "$LTT/tests/reader/state.py" out/state > state
assert 'the values are those of /proc' python3 - state "$loop" <<'END'
import json, os, sys
events = [json.loads(line) for line in open(sys.argv[1])]
named = lambda name: [event for event in events if event['event'] == name]
read = lambda path: open(path).read()
kernel, = named('kernel')
assert (kernel['release'], kernel['boot_id']) == (os.uname().release, read('/proc/sys/kernel/random/boot_id').strip()), kernel
assert kernel['build_id'] in read('/proc/self/maps') or len(kernel['build_id']) == 40, kernel
modules = {line.split()[0]: int(line.split()[-1 if line.split()[-1].startswith('0x') else -2], 16)
           for line in read('/proc/modules').splitlines()}
assert {module['name']: module['address'] for module in named('module')} == modules
device, = [device for device in named('block_device') if f'/dev/{device["name"]}' == sys.argv[2]]
assert f'{device["major"]}:{device["minor"]}' == read(f'/sys/class/block/{device["name"]}/dev').strip(), device
one, = [process for process in named('process') if process['pid'] == 1]
assert (one['comm'], one['ppid']) == (read('/proc/1/comm').strip(), 0), one
assert {process['comm'] for process in named('process')} >= {'kthreadd', 'lttctl', 'lttd'}
assert any(str(file['path']).endswith('/out/kernel/metadata') for file in named('file')), 'files of the lttd of the recording'
assert any('/libc' in str(map['path']) and len(str(map['build_id'])) == 40 for map in named('map'))
assert named('end')[0]['unreadable'] == 0, named('end')
END

cat > compare.py <<'END'
import collections, re, sys
PATTERNS = {
    'sched_switch': (r'prev_comm="(?P<pc>.*?)", prev_pid=(?P<pp>\d+), prev_prio=\d+, prev_state=(?P<s>\S+), next_comm="(?P<nc>.*?)", next_pid=(?P<np>\d+)',
                     r'prev_comm=(?P<pc>.*?) prev_pid=(?P<pp>\d+) prev_prio=\d+ prev_state=(?P<s>\S+) ==> next_comm=(?P<nc>.*?) next_pid=(?P<np>\d+)'),
    'softirq_raise': (r'vec=(?P<v>\S+)', r'action=(?P<v>\w+)'),
    'kfree_skb': (r'reason=(?P<r>[^\s,]+)', r'reason: (?P<r>\S+)'),
    'block_rq_issue': (r'dev=(?P<d>\d+,\d+) \(loop\d+\), sector=(?P<s>\d+)', r'(?P<d>\d+,\d+) .* (?P<s>\d+) \+ '),
    'timer_start': (r'function=(?P<f>\w+)\+0x0(?: \[\w+\])?, .*?flags=(?P<n>\S+)', r'function=(?P<f>\w+)(?: \[\w+\])? .* flags=(?P<n>\S*)'),
}
def read(path, side, event):
    found = []
    for line in open(path, errors='replace'):
        name, colon, text = line.partition(f' {event}: ')
        if not colon or line.startswith('#'):
            continue
        match = re.search(PATTERNS[event][side], text)
        assert match, (event, line)
        # flags that have no name are nothing in ftrace, and the number here
        found.append(tuple('' if key == 'n' and re.fullmatch(r'\d+', value) else value for key, value in sorted(match.groupdict().items())))
    return collections.Counter(found)
for event in PATTERNS:
    ours, theirs = read(sys.argv[1], 0, event), read(sys.argv[2], 1, event)
    assert ours, f'no {event}'
    missing = ours - theirs
    assert not missing, (event, missing.most_common(3), theirs.most_common(3))
    print(f'{event}: {sum(ours.values())} alike, {len(ours)} different ones')
END
lttctl view out > view
assert 'fields are shown as ftrace prints them' python3 compare.py view ftrace
assert 'a reason has its name' grep -q 'reason=NO_SOCKET' view
assert 'a thread sleeps' grep -Eq 'prev_state=[SD],' view
lttctl view --raw out > raw
assert 'with --raw they are numbers' grep -Eq 'prev_state=[0-9]+,.*' raw
refute 'and nothing else' grep -Eq 'reason=[A-Z]|prev_state=[A-Z]|dev=[0-9]+,[0-9]' raw

# Up to here, functions were those of this boot.
lttd --state symbols -o out > said
echo 2 > /proc/sys/kernel/kptr_restrict
at_exit 'echo 0 > /proc/sys/kernel/kptr_restrict'
lttctl view out > later
assert 'functions are those of the state' cmp view later

# On request, of a trace that an lttd serves, and with a snapshot of a flight recorder.
lttctl create -o served --overwrite --state none -e sched:sched_switch box
lttctl start box
refute 'there is none' test -e served/state
lttctl state --state processes box
assert 'there is one on request' test -e served/state/metadata
sleep 0.1
lttctl snapshot -o shot box > where
lttctl view "$(cat where)" > view
assert 'a snapshot has it' grep -Eq 'prev_state=[SD],' view
lttctl destroy box
assert 'babeltrace2 reads all' sh -c 'babeltrace2 served > read'

lttctl record -o running -e sched:sched_switch 2> /dev/null &
pid=$!
listed() { lttctl list | grep -q "^record-$pid running"; }
assert 'a private recording runs' wait_until 20 listed
lttctl state "record-$pid"
assert 'it has a second state' test -e running/state-2/metadata
kill -INT $pid
assert 'it ends well' wait $pid
ftrace_set 0
unload_modules
