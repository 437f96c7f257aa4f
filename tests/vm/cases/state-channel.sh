#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the state channel keeps the names of tasks while a flight recorder overwrites its events
# requires: lttctl ltt-control.ko lttd python3
# faces: device
# also: debugfs
# timeout: 120
. "$LTT/tests/vm/lib.sh"

at_exit unload_modules
load_modules
put $DBG/traces/create box
at_exit "put $DBG/traces/remove box 2> /dev/null || :"
put $DBG/traces/box/channels/events/overwrite 1
put $DBG/traces/box/channels/events/subbuf_size 4K
put $DBG/traces/box/channels/events/subbuf_count 4
assert_match 'its events need not be asked for' '^\+ sched:sched_process_fork state$' "$(cat $DBG/traces/box/events)"
put $DBG/traces/box/events 'raw_syscalls:sys_enter sched:* !sched:*'
for event in sched:sched_process_fork sched:sched_process_exec sched:sched_process_exit task:task_rename; do
	assert_eq "$event is in the state channel, and only there" "+ $event state" "$(grep " $event " $DBG/traces/box/events)"
done

# The tasks in /proc just before and just after the list is made.
python3 - $DBG/traces/box/state "$OUT" <<'PY'
import glob, json, sys

def tasks():
    found = {}
    for path in glob.glob('/proc/[0-9]*/task/[0-9]*'):
        try:
            with open(f'{path}/status') as file:
                status = dict(line.rstrip('\n').split(':\t', 1) for line in file if ':\t' in line)
            with open(f'{path}/comm') as file:
                comm = file.read().rstrip('\n')
        except OSError:
            continue
        found[status['Pid']] = [status['Tgid'], status['PPid'], comm]
    return found

import threading
stay = threading.Event()
thread = threading.Thread(target=stay.wait)
thread.start()
seen = [tasks()]
with open(sys.argv[1], 'w') as state:
    state.write('start')
seen.append(tasks())
stay.set()
with open(f'{sys.argv[2]}/proc.json', 'w') as file:
    json.dump(seen, file)
PY

# A task that forks, changes its name, executes and ends.
cp /bin/true "$TMP/ltt-executed"
sh -c 'printf %s ltt-renamed > /proc/$$/comm; echo $$; exec "$0"' "$TMP/ltt-executed" > "$OUT/short-lived"

overwritten() { [ "$(trace_total box overwritten)" -gt 3000 ]; }
overwrite()
{
	taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=5000 2> /dev/null
	taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 count=5000 2> /dev/null
	overwritten
}
assert 'events are overwritten' wait_until 20 overwrite
put $DBG/traces/box/state stop
assert_conserved box
assert_eq 'nothing of the state channel is overwritten or refused' '0' \
	"$(awk '$1 == "state" { n += $8 + $10 } END { print n }' $DBG/traces/box/stats)"
lttd -o "$OUT/box" box > "$OUT/lttd" 2>&1 &
lttd=$!
wait_until 20 opened box "$OUT/box"
put $DBG/traces/remove box
assert 'lttd drains' wait $lttd
