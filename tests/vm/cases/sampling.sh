#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: sample:FREQUENCY records what each CPU executes, on CPUs that come and go too, with the stack
# vm: --loaded
# requires: lttctl lttd babeltrace2 python3 taskset ltt-control.ko ltt-probes.ko
# timeout: 150
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"

# Half a second of its own code, then half a second of the kernel's, on one CPU; and how long both took.
cat > busy.py <<'END'
import os, sys, time
os.sched_setaffinity(0, {int(sys.argv[1])})
def until(seconds, work):
    start = time.process_time()
    while time.process_time() - start < seconds:
        work()
zeros = open('/dev/zero', 'rb', buffering=0)
buffer = bytearray(1 << 20)
until(0.5, lambda: sum(range(1000)))
until(0.5, lambda: zeros.readinto(buffer))
print(os.getpid(), int(open('/proc/self/schedstat').read().split()[0]) // 1000000)
END

# samples OF WORDS: how many have them
samples()
{
	grep -c " sample:$1: .*$2" text || :
}

# ---- How many, and where ----

record_busy()
{
	rm -rf out
	lttctl record --strict -o out -e sample:499 -e sample:99 --context pid,kernel_stack -- python3 busy.py 0 > said
	read -r pid ms < said
	lttctl view out | grep "pid=$pid," > text
	n=$(samples 499 '')
	echo "# $n samples in $ms ms, $(samples 99 '') of the lower frequency"
}

# A VM that the host stops for a while loses samples, as a machine whose interrupts are off: then again.
for _ in 1 2 3 4; do
	record_busy
	[ "$n" -lt $((ms * 499 / 3000)) ] || break
done
assert 'there are no more samples than the frequency has' [ "$n" -le $((ms * 499 * 11 / 10000 + 3)) ]
assert 'nor many fewer' [ "$n" -ge $((ms * 499 / 3000)) ]
assert 'the lower frequency has fewer' [ "$(samples 99 '')" -le $((ms * 99 * 11 / 10000 + 3)) ]
assert 'code of the program is sampled' [ "$(samples 499 'mode=user')" -ge $((n / 5)) ]
assert 'and code of the kernel' [ "$(samples 499 'mode=kernel')" -ge $((n / 5)) ]
assert_match 'the kernel was clearing memory' 'ip=[a-z_]*(zero|clear)[a-z_]*\+0x' "$(cat text)"
# lttctl view leaves perf's interrupt out of the stacks. (The unwinder knows no way out of a few
# instructions at the kernel's entry.)
sed -n 's/.* ip=\([^ ,]*\)[^,]*, mode=kernel.* kernel_stack=\[\([^],]*\).*/\1 \2/p' text > tops
assert 'the stack of a sample of the kernel begins at its instruction' \
	[ "$(awk '$1 == $2' tops | wc -l)" -ge $(($(wc -l < tops) * 9 / 10)) ]
awk '$1 != $2' tops | sort | uniq -c
assert_eq 'that of a sample of the program is empty' '' \
	"$(grep 'mode=user' text | grep -v 'kernel_stack=\[\]' | head -n 3)"

# ---- CPUs ----

online=/sys/devices/system/cpu/cpu1/online
lttctl create -e sample:99 t
lttctl start t
echo 0 > $online
echo 1 > $online
at_exit "echo 1 > $online"
on_cpu_1()
{
	awk '$1 == "events" && $2 == 1 { print $4 }' $DBG/traces/t/stats
}
before=$(on_cpu_1)
python3 busy.py 1 > said
assert 'a CPU that was offline is sampled again' [ "$(on_cpu_1)" -gt $((before + 10)) ]
lttctl stop t
after=$(on_cpu_1)
python3 busy.py 1 > said
assert_eq 'a stopped trace samples nothing' "$after" "$(on_cpu_1)"
lttctl start t
echo 0 > $online
lttctl destroy t
echo 1 > $online
assert_eq 'the probe goes with its trace' '' "$(cat $DBG/probes)"

# ---- What is rejected ----

refused()	# status, word, event
{
	status=0
	said=$(lttctl record -o no -e "$3" -- true 2>&1) || status=$?
	assert_eq "$3 is rejected" "$1" "$status"
	assert_match "$3: the sentence" "$2" "$said"
}
refused 125 'frequency' sample:0
refused 125 'frequency' sample:10001
refused 2 'column' sample:99Hz
refused 2 'column' sample:x=
for line in 'sample:x' 'sample:x -1' 'sample:x 1k' 'sample:x 99 f=u8:arg1' 'sample:x 99999999999'; do
	refute "rejected: $line" put $DBG/probes "$line" 2> /dev/null
done
assert_eq 'what is rejected leaves nothing' '' "$(cat $DBG/probes)"

assert 'everything can be unloaded' unload_modules
