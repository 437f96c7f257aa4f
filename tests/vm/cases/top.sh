#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttctl top shows which processes run, in text, JSON and on a terminal, and leaves nothing behind
# vm: --loaded
# requires: lttctl lttd python3 ltt-control.ko
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"
cp /bin/sh busy-loop
./busy-loop -c 'while :; do :; done' &
busy=$!
at_exit "kill $busy 2> /dev/null || :"

lttctl top --once --json -i 1s > one
assert 'its process has the CPU, its events are counted' python3 - one "$busy" <<'CHECK'
import json, sys
sample = json.loads(open(sys.argv[1]).read())
process = {row['pid']: row for row in sample['processes']}[int(sys.argv[2])]
assert process['name'] == 'busy-loop', process
interval = sample['to_ns'] - sample['from_ns']
assert interval > 5e8, interval
assert 0.5 * interval < process['cpu_ns'] <= interval, (process, interval)
assert max(sample['processes'], key=lambda row: row['cpu_ns']) is process, sample['processes']
events = {row['name']: row['count'] for row in sample['events']}
assert events['sched_switch'] > 1, events
assert sample['calls'] and sample['lost'] == 0, sample
CHECK
assert_eq 'JSON is one line' 1 "$(wc -l < one)"
lttctl top --once -i 300ms --sort switches > text
assert 'text names it, too' grep -Eq "^ *$busy busy-loop " text
assert 'and marks the column' grep -q 'SWITCHES\*' text
assert_eq 'nothing is left of the snapshots' '' "$(ls -d /dev/shm/lttctl-top-* /tmp/lttctl-top-* 2> /dev/null || :)"

# From here on it need not be busy, which takes the other programs their time.
kill "$busy"
wait "$busy" || :
./busy-loop -c 'while :; do sleep 0.1; done' &
busy=$!

# terminal COMMAND...: run it on a terminal, type keys, and show the last screen
cat > terminal.py <<'EOT'
import os, pty, select, signal, sys, time
pid, terminal = pty.fork()
if not pid:
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b''
def until(text, seconds=30):
    global shown
    end = time.monotonic() + seconds
    while text not in shown:
        assert time.monotonic() < end, (text, shown[-2000:])
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 65536)
def key(letter, text):
    global shown
    shown = b''
    os.write(terminal, letter)
    until(text)
until(b'busy-loop')
key(b'l', b'WAKE MAX*')
key(b'?', b'keys: c CPU')
key(b'r', b'recording to ltt-top-')
end = time.monotonic() + 30
while not any(os.path.exists(f'{name}/kernel/metadata') for name in os.listdir('.') if name.startswith('ltt-top-')):
    assert time.monotonic() < end
    select.select([], [], [], 0.05)
key(b'r', b'ending the recording in')
shown = b''
until(b'keys: c CPU', 90)
os.write(terminal, b'q')
try:
    until(b'\x1b[?1049l')
except OSError:
    pass
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
EOT
# A sample takes longer than this interval here: keys are read all the same.
assert 'keys sort, explain, record and quit' python3 terminal.py lttctl top -i 100ms
assert 'the recording is a trace' sh -c 'lttctl view ltt-top-* | grep -q sched_switch'

lttctl top -i 1s > samples &
top=$!
two() { [ "$(grep -c 'CPUs,' samples)" -ge 2 ]; }
assert 'without a terminal it prints one sample after the other' wait_until 30 two
kill -9 "$top"
gone() { ! lttctl list | grep -q 'top-'; }
assert 'killed, it leaves no trace' wait_until 10 gone
rm -rf /dev/shm/lttctl-top-*
assert_eq 'a wrong order is an error' 2 "$(lttctl top --sort name > /dev/null 2>&1 || echo $?)"
assert_eq 'an event that does not exist is one, too' 2 "$(lttctl top --once -e 'no:such' > /dev/null 2>&1 || echo $?)"
kill "$busy"
unload_modules
