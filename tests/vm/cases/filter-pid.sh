#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a trace of one process has the events of it, its threads and its descendants, and no others
# vm: --loaded
# requires: lttctl ltt-control.ko ltt-sample.ko ltt-test-markers.ko python3
# faces: device
# also: debugfs
# timeout: 180
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

# A family that writes to the sample driver when a command names the writer:
#
#	self thread	the process, and a thread that it has had from the beginning
#	early grand	a child and its child, forked at the beginning
#	new-thread new-child new-grand orphan	made for the purpose; the parent of
#			the orphan is gone
#	pid WHO		says the process id of self, early or grand
#	end WHO		ends early or grand
cat > "$TMP/family" <<'PY'
import os, threading
device = os.open('/dev/ltt-sample', os.O_WRONLY)

def emit():
    os.write(device, b'1')

class Child:
    """A forked process that does functions for us."""
    def __init__(self, functions):
        to_child, to_us = os.pipe(), os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.close(to_child[1])
            while name := os.read(to_child[0], 100).decode():
                os.write(to_us[1], str(functions[name]()).encode())
            os._exit(0)
        os.close(to_child[0])
        self.send, self.receive = to_child[1], to_us[0]

    def do(self, name):
        os.write(self.send, name.encode())
        return os.read(self.receive, 100).decode()

    def end(self):
        os.close(self.send)
        os.waitpid(self.pid, 0)

def in_new_child(function):
    pid = os.fork()
    if not pid:
        function()
        os._exit(0)
    os.waitpid(pid, 0)

def orphan():
    """Emits when its parent has gone, and we know when it has."""
    done, gone = os.pipe(), os.pipe()
    def fork_and_go():
        if not os.fork():
            os.close(gone[1])
            os.read(gone[0], 1)
            emit()
            os.write(done[1], b'.')
            os._exit(0)
    in_new_child(fork_and_go)
    os.close(gone[1])
    os.read(done[0], 1)

def in_new_thread():
    thread = threading.Thread(target=emit)
    thread.start()
    thread.join()

order, finished = threading.Semaphore(0), threading.Semaphore(0)
def serve():
    while True:
        order.acquire()
        emit()
        finished.release()

def in_thread():
    order.release()
    finished.acquire()

class Early:
    grand = None
    @classmethod
    def have_grand(cls):
        cls.grand = Child({'emit': emit})
        return cls.grand.pid

early = Child({'emit': emit, 'have grand': Early.have_grand,
               'grand': lambda: Early.grand.do('emit')})
grand_pid = early.do('have grand')
threading.Thread(target=serve, daemon=True).start()
orders = {
    'self': emit, 'thread': in_thread, 'new-thread': in_new_thread,
    'early': lambda: early.do('emit'), 'grand': lambda: early.do('grand'),
    'new-child': lambda: in_new_child(emit),
    'new-grand': lambda: in_new_child(lambda: in_new_child(emit)), 'orphan': orphan,
    'pid self': os.getpid, 'pid early': lambda: early.pid, 'pid grand': lambda: grand_pid,
    'end early': early.end,
}
with open(os.environ['ORDERS']) as lines, open(os.environ['ANSWERS'], 'w') as answers:
    for line in lines:
        print(orders[line.strip()](), file=answers, flush=True)
PY

ask()
{
	echo "$1" >&8
	read -r answer <&9
}

# count: events of the channel events in t, without starting a program
count()
{
	count=0
	while read -r channel cpu word number rest; do
		[ "$channel $word" != 'events emitted' ] || count=$((count + number))
	done < $DBG/traces/t/stats
}

# recorded WHO...: of these, who is recorded
recorded()
{
	found=
	count
	for who; do
		before=$count
		if [ "$who" = outsider ]; then echo 1 > /dev/ltt-sample; else ask "$who"; fi
		count
		case $((count - before)) in
		0) ;;
		1) found="$found $who" ;;
		*) found="$found $who(twice)" ;;
		esac
	done
	echo "${found# }"
}

everybody='self thread early grand new-thread new-child new-grand orphan outsider'
family='self thread early grand new-thread new-child new-grand orphan'

load_modules
load ltt-sample
mkfifo "$TMP/orders" "$TMP/answers"
ORDERS=$TMP/orders ANSWERS=$TMP/answers python3 "$TMP/family" &
exec 8> "$TMP/orders" 9< "$TMP/answers"
at_exit 'exec 8>&- 9<&-'
ask 'pid self'; self=$answer
ask 'pid early'; early=$answer
ask 'pid grand'; grand=$answer

put $DBG/traces/create t
at_exit "put $DBG/traces/remove t 2> /dev/null || :"
put $DBG/traces/t/events sample:request
put $DBG/traces/t/state start
assert_eq 'to begin with it is 0' 0 "$(cat $DBG/traces/t/pid)"
assert_eq 'and everybody is recorded' "$everybody" "$(recorded $everybody)"
put $DBG/traces/t/pid "$self"
assert_eq 'the process can be read back' "$self" "$(cat $DBG/traces/t/pid)"
assert_eq 'it, its threads and descendants are recorded, old and new' "$family" "$(recorded $everybody)"
put $DBG/traces/t/pid "$early"
assert_eq 'a child: it and its own' 'early grand' "$(recorded $everybody)"
put $DBG/traces/t/pid "$grand"
assert_eq 'a grandchild' 'grand' "$(recorded $everybody)"
put $DBG/traces/t/pid 0
assert_eq '0: everybody again' "$everybody" "$(recorded $everybody)"

# A rejected write changes nothing.
put $DBG/traces/t/pid "$early"
nobody=$(($(cat /proc/sys/kernel/pid_max) - 1))
assert_errno ESRCH put $DBG/traces/t/pid $nobody
assert_match 'the reason can be read' "$nobody" "$(reason)"
assert_errno EINVAL put $DBG/traces/t/pid no-number
assert_eq 'the process is the one before' "$early" "$(cat $DBG/traces/t/pid)"
assert_eq 'and the events are its own' 'early grand' "$(recorded $everybody)"

# Set while it is stopped.
put $DBG/traces/t/state stop
put $DBG/traces/t/pid "$self"
assert_eq 'stopped: no task is recorded' '' "$(recorded self outsider)"
put $DBG/traces/t/state start
assert_eq 'started again: the process that was set' 'self early' "$(recorded self early outsider)"

# It ends, its child does not.
put $DBG/traces/t/pid "$early"
ask 'end early'
assert_eq 'after its end there is nothing' '' "$(recorded self new-child outsider)"
assert_conserved t
assert_eq 'nothing was refused' 0 "$(trace_total t refused)"

# Two traces, each with its own; what a trace says of tasks is not filtered.
put $DBG/traces/create u
at_exit "put $DBG/traces/remove u 2> /dev/null || :"
put $DBG/traces/u/pid "$self"
tasks=$(ls -d /proc/[0-9]*/task/* | wc -l)
put $DBG/traces/u/heartbeat_ms 20
put $DBG/traces/u/state start
listed=$(awk '$1 == "state" { n += $4 } END { print n }' $DBG/traces/u/stats)
assert "the list of tasks is whole: $listed of about $tasks" [ "$listed" -ge $((tasks - 10)) ]
beats() { [ "$(events_count u emitted)" -ge 10 ]; }
assert 'the heartbeat goes on' wait_until 10 beats
put $DBG/traces/u/state stop

# The filter changes in a storm of events and forks.
load ltt-test-markers
put $DBG/traces/t/pid 0
put $DBG/traces/t/events 'test:* sched:sched_switch'
: > "$TMP/storm"
while [ -e "$TMP/storm" ]; do
	put /proc/ltt-test-markers '200 task softirq hardirq'
done &
storm=$!
at_exit "rm -f $TMP/storm"
for round in 1 2 3 4 5 6 7 8 9 10; do
	for pid in "$self" $$ 1 0; do
		put $DBG/traces/t/pid $pid
	done
done
assert_eq 'it changes while events come' 0 "$(cat $DBG/traces/t/pid)"
rm "$TMP/storm"
wait $storm
put $DBG/traces/t/state stop
assert_conserved t
before=$(events_count t emitted)
put /dev/ltt-sample 1
assert_eq 'and does not start what is stopped' "$before" "$(events_count t emitted)"
