#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: function:GLOB records each call of the functions that match, as ftrace does, and rejects what cannot be traced
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-probes.ko ltt-test-functions.ko /sys/kernel/tracing/available_filter_functions
# timeout: 150
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-markers.sh"

CALL=$DBG/../ltt-test-functions
FTRACE=/sys/kernel/tracing/instances/ltt

# With all functions traced, a clock that is slow to read would keep a VM in its timer interrupt.
load_modules "$(fast_clock)"
load ltt-test-functions
cd "$TMP"

# count WORDS: lines of the file text with them
count()
{
	grep -cF -- "$1" text || :
}

# emitted TRACE: events of its channel "events", which has those of functions only
emitted()
{
	awk '$1 == "events" { n += $4 } END { print n }' "$DBG/traces/$1/stats"
}

# ---- Beside ftrace ----

lttctl record --strict -o out -e 'function:ltt_test_*' -- sh -c "echo task 300 > $CALL; echo irq 200 > $CALL"
lttctl view out > text
assert_eq 'each call is recorded' 500 "$(count ': function=ltt_test_outer+0x')"
assert_eq 'and each call that it makes' 500 "$(count ': function=ltt_test_inner+0x')"
assert_eq 'with the place that it is called from' 500 \
	"$(grep -c 'function=ltt_test_inner+0x[0-9a-f]* \[ltt_test_functions\], caller=ltt_test_outer+0x[0-9a-f]* \[ltt_test_functions\]$' text)"
mkdir $FTRACE
at_exit "rmdir $FTRACE 2> /dev/null || :"
echo 'ltt_test_*' > $FTRACE/set_ftrace_filter
echo function > $FTRACE/current_tracer
lttctl record --strict -o both -e 'function:ltt_test_*' -- sh -c "echo task 100 > $CALL"
sed -n 's/.* \(ltt_test_[a-z]*\) <-\([a-z_]*\) *$/\1 \2/p' $FTRACE/trace > ftrace
echo nop > $FTRACE/current_tracer
lttctl view both | sed -n 's/.*function=\([a-z_]*\)+.*caller=\([a-z_]*\)+.*/\1 \2/p' > ltt
assert_eq 'ftrace records 200 calls' 200 "$(grep -c . ftrace)"
assert 'LTT records the calls that ftrace records, in order' cmp ftrace ltt
rmdir $FTRACE
decode both text
assert_eq 'babeltrace2 reads the calls' 200 "$(count ' function:')"

# The functions that a glob matches are those that ftrace can trace.
lttctl create -e 'function:vfs_*' t
lttctl start t
sed 's/ .*//' /sys/kernel/tracing/enabled_functions | sort -u > enabled
lttctl destroy t
sed 's/ .*//' /sys/kernel/tracing/available_filter_functions | grep '^vfs_' | sort -u > available
assert 'a glob matches what ftrace can trace' cmp available enabled
assert_eq 'nothing is traced afterwards' '' "$(cat /sys/kernel/tracing/enabled_functions)"

# ---- What is rejected ----

refused()	# status, word, event
{
	status=0
	said=$(lttctl record -o no -e "$3" -- true 2>&1) || status=$?
	assert_eq "$3 is rejected" "$1" "$status"
	assert_match "$3: the sentence" "$2" "$said"
}
refused 125 'can be traced' 'function:no_such_function_at_*'
refused 125 'can be traced' 'function:no_such_function_at_all'
refused 125 'can be traced' 'function:untraced_twin'
refused 125 'can be traced' 'function:ltt_relay_*'
refused 2 'column 10' 'function:=vfs_*'
for line in 'function:x' 'function:x vfs_* f=u8:arg1' 'function:x vfs_(*' 'function:x !vfs_*' 'function:x 1' 'function:x vfs_\*' \
	'function: vfs_*'; do
	refute "rejected: $line" put $DBG/probes "$line" 2> /dev/null
done
assert_eq 'what is rejected leaves nothing' '' "$(cat $DBG/probes)"
at_exit 'echo 1 > /proc/sys/kernel/ftrace_enabled'
# Linux 7 refuses to switch ftrace off while the kernel itself uses it.
if put /proc/sys/kernel/ftrace_enabled 0 2> "$TMP/refused"; then
	refused 125 EBUSY 'function:vfs_*'
	echo 1 > /proc/sys/kernel/ftrace_enabled
else
	cat "$TMP/refused"
	assert 'only a newer kernel refuses that' [ "$(uname -r | cut -d. -f1)" -ge 7 ]
fi

# Two traces share a probe; another glob cannot have its name.
lttctl create -e 'function:ltt_test_*' one
lttctl create -e 'function:ltt_test_*' -e 'function:inner=ltt_test_inner' two
assert_eq 'one probe for one glob' 1 "$(grep -c '^function:ltt_test__ ltt_test_\*$' $DBG/probes)"
assert_errno EEXIST put $DBG/probes 'function:ltt_test__ vfs_*'
lttctl start one
lttctl start two
echo task 50 > "$CALL"
lttctl destroy one
echo task 50 > "$CALL"
lttctl stop two
assert_eq 'a trace that stays has all calls, of both globs' 300 "$(emitted two)"
lttctl destroy two

# ---- Modules ----

lttctl create -e 'function:ltt_test_*' t
lttctl start t
echo task 10 > "$CALL"
assert 'a module goes while its functions are traced' rmmod ltt-test-functions
load ltt-sample
ls -l / > list
assert_eq 'no other functions are recorded in place of those that are gone' 20 "$(emitted t)"
load ltt-test-functions
echo task 10 > "$CALL"
assert_eq 'the functions of a module that comes are recorded' 40 "$(emitted t)"
lttctl stop t
assert_conserved t
lttctl destroy t
rmmod ltt-sample

# The state at the start has no symbols of a module that comes later: those of others do not stand for them.
rmmod ltt-test-functions
lttctl record --state symbols -o later -e 'function:both=[lv][tf][ts]_[tr]e*' -- \
	sh -c "insmod $LTT/tests/modules/functions/ltt-test-functions.ko; echo task 10 > $CALL" 2> said
lttctl view later | grep ' function:both: ' > text
assert 'functions of a module that came later are numbers' grep -q 'both: function=0x' text
refute 'and none has the name of another' sh -c "grep -v 'both: function=\(0x\|vfs_re\)' text"

# ---- All functions ----

if [ "${LTT_LONG-}" ]; then
	# (The newest of them: all would fill the disk.)
	lttctl create --overwrite --size 16K --count 4 -e 'function:*' -e 'sched:*' -e 'irq:*' all
	lttctl start all
	ls -l / > list
	lttctl snapshot -o newest all
	lttctl destroy all
	lttctl view newest/snapshot-1 > text
	assert 'everything can be traced at once' grep -q ' function:_: ' text
	assert_eq 'nothing is traced afterwards' '' "$(cat /sys/kernel/tracing/enabled_functions)"
fi

rmmod ltt-test-functions
assert 'everything can be unloaded' unload_modules
