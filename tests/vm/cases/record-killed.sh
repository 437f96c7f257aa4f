#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttctl record, killed by SIGKILL at random moments, leaves no trace and no lttd, and on disk the events up to then
# vm: --smp 1
# requires: lttctl lttd babeltrace2 python3 ltt-control.ko
# when: all
# timeout: 120
#
# One CPU, as in device-killed: each round patches hundreds of places in the code.
. "$LTT/tests/vm/lib.sh"

ROUNDS=12

load_modules
cd "$TMP"

# Whatever lttctl leaves behind becomes a child of this program: a line for each
# process that was left, with its exit status.
cat > rounds.py <<'END'
import ctypes, os, random, signal, subprocess, sys, time

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
random.seed(4)
names = {}
slow = int(os.environ.get('LTT_SLOW', 1))

def look():
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            names[int(pid)] = open(f'/proc/{pid}/comm').read().strip()
        except OSError:
            pass

for number in range(int(sys.argv[1])):
    command = ['--', 'dd', 'if=/dev/zero', 'of=/dev/null', 'bs=1', 'count=20000'] if number % 2 else []
    lttctl = subprocess.Popen(['lttctl', 'record', '-o', f'out{number}', '-e', 'sched:*',
                               '-e', 'raw_syscalls:*', *command],
                              stderr=open(f'said{number}', 'w'))
    # Every third one as it begins, before there is anything to record to.
    time.sleep(slow * random.uniform(0, 0.7 if number % 3 else 0.02))
    look()
    lttctl.kill()
    lttctl.wait()
    signal.alarm(30 * slow)        # bounds the wait for processes that do not end
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            break
        print(number, names.get(pid, '?'), os.waitstatus_to_exitcode(status))
    signal.alarm(0)
END
assert 'processes left behind end by themselves' python3 rounds.py $ROUNDS > left
cat left
assert_eq 'no process is left' '' "$(pidof lttctl lttd || :)"
assert_eq 'no trace is left' '' "$(lttctl list)"
assert_eq 'in debugfs neither' "$(printf 'create\nremove')" "$(ls $DBG/traces)"

ended_well_or_told()	# round
{
	! grep -q "^$1 lttd [^0]" left ||
		grep -q '^lttd: ' "said$1"
}

with=0 without=0
for number in $(seq 0 $((ROUNDS - 1))); do
	if [ -n "$(find "out$number" -name '*_*' -size +0 2> /dev/null)" ]; then
		with=$((with + 1))
		assert "round $number: babeltrace2 reads it" babeltrace2 "out$number" > text 2> said
		assert_eq "round $number: without a word" '' "$(head -n 3 said)"
		assert "round $number: lttd has ended well, or tells what it has not got" \
			ended_well_or_told "$number"
	else
		without=$((without + 1))
	fi
done
echo "$with with events, $without without"
assert 'some were killed while they recorded' [ $with -ge 2 ]
assert 'and some before' [ $without -ge 1 ]
assert 'lttd was there to go' [ "$(grep -c ' lttd 0' left)" -ge 2 ]
assert 'everything can be unloaded' unload_modules
