#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttctl view --live and babeltrace2 show a recording of kernel and programs at a stock lttng-relayd, a second behind
# when: all
# requires: lttctl lttd lttng-relayd babeltrace2 python3 ltt-control.ko
. "$LTT/tests/vm/lib-record.sh"

load_modules "$(fast_clock)"
cd "$TMP"
ip link set lo up
lttng-relayd -o "$TMP/collected" -C tcp://127.0.0.1:5342 -D tcp://127.0.0.1:5343 -L tcp://127.0.0.1:5344 > relayd.log 2>&1 &
relayd=$!
at_exit 'kill $relayd; wait $relayd || :'
wait_until 20 grep -q ':14E0 .* 0A ' "/proc/$relayd/net/tcp"

lttctl record --to net://127.0.0.1/flight -e sched:sched_switch -e 'user:live:*' -- "$LTT/build/tests/ticks" 250 2> record.said &
record=$!
session()
{
	lttctl view --live net://127.0.0.1 2> /dev/null | grep -q /flight-
}
wait_until 30 session
url=$(lttctl view --live net://127.0.0.1)
/usr/bin/babeltrace2 -i lttng-live "$url" > babeltrace2.txt 2> babeltrace2.said &
at_exit "kill $! 2> /dev/null; wait $! || :"
stock=$!
# One viewer of a session at a time: that of lttctl comes when babeltrace2 has seen enough.
enough()
{
	[ "$(grep -c 'sched_switch:' babeltrace2.txt)" -gt 100 ] && grep -q 'live:tick' babeltrace2.txt
}
wait_until 60 enough
kill $stock
wait $stock || :
assert_eq 'babeltrace2 is silent' '' "$(cat babeltrace2.said)"

# How far behind each tick is shown.
lttctl view --live net://127.0.0.1/flight --json 2> view.said | /usr/bin/python3 -c '
import json, sys, time

behind, last, ordered, names = [], 0, True, set()
begin = time.time()
for line in sys.stdin:
    now = time.time()
    row = json.loads(line)
    ordered &= row["time"] >= last
    last = row["time"]
    names.add(row["event"])
    if row["event"] == "live:tick" and row["fields"]["ns"] / 1e9 > begin:
        behind.append(now - row["fields"]["ns"] / 1e9)
print("ordered", ordered, "names", " ".join(sorted(names)), "ticks", len(behind) > 10)
print("%.2f" % sorted(behind)[len(behind) // 2], "%.2f" % max(behind), file=sys.stderr)' > shown 2> behind || cat view.said behind
wait $record
assert_eq 'all is shown in the order of time' 'ordered True' "$(cut -d ' ' -f 1,2 shown)"
assert_match 'events of the kernel and of programs' 'live:tick.*sched_switch.*ticks True' "$(cat shown)"
assert_eq 'the view has nothing to say' '' "$(cat view.said)"
echo "# seconds behind, median and most: $(cat behind)"
