#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a program that could harm the kernel, or that is not for the event, cannot be attached, and nothing is left of the attempt
# vm: --loaded
# requires: ltt-control.ko ltt-test-markers.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-filters.sh"

load_modules
load ltt-test-markers
mount_bpf
put $DBG/traces/create t
at_exit "put $DBG/traces/remove t"
put $DBG/traces/t/events 'test:task'
put $DBG/traces/t/state start
LAYOUT=$(layout_of test:task)
E='seq & 1'

attach_file=$DBG/traces/t/filter_attach

# Filters are text.
assert_errno EINVAL put $DBG/traces/t/filter 'test:task'
assert_errno EINVAL put $DBG/traces/t/filter 'test:[ 1'
assert_errno EINVAL put $DBG/traces/t/filter "$(printf 'test:task a\nb')"
assert_match 'a filter that is too long' E2BIG \
	"$(lttctl stream --share filter t test:task "$(printf '%04096d' 1)" 2>&1 || :)"
assert_errno ENOENT put $DBG/traces/t/filter '!test:task'
assert_eq 'there is no filter' '' "$(filters t)"
for i in $(seq 64); do put $DBG/traces/t/filter "test:none$i 1"; done
assert 'one too many' sh -c "! printf 'test:none 1' > $DBG/traces/t/filter" 2> /dev/null
for i in $(seq 64); do put $DBG/traces/t/filter "!test:none$i"; done
assert_eq 'there is no filter again' '' "$(filters t)"

pin odd
assert_errno ESTALE put $attach_file "test:task $LAYOUT $BPF/odd $E"
put $DBG/traces/t/filter "test:task $E"
assert_eq 'the event waits' 'event test:task waiting seq & 1' "$(filters t event)"
assert_match 'and is not connected' '^sinks 0$' "$(grep sinks $DBG/markers/test/task/info)"

# The table: what is refused, and why.
refused()	# errno, event, layout, program, expression
{
	assert_errno "$1" put $attach_file "$2 $3 $4 $5"
	assert_eq "$2 $4: it still waits" 'event test:task waiting seq & 1' "$(filters t event)"
}

for name in type far map-lru map-hash-allocates; do
	pin $name
	refused EINVAL test:task "$LAYOUT" $BPF/$name "$E"
	echo "$name: $(cat $DBG/last_error)"
done
if pin sleepable 2> /dev/null; then
	refused EINVAL test:task "$LAYOUT" $BPF/sleepable "$E"
	assert_match 'because it may sleep' sleep "$(cat $DBG/last_error)"
else
	echo 'this kernel loads no such program that may sleep'
fi
# Counters that the tracer is to read for the program.
for list in pid perf:nothing perf:page-faults, kernel_stack \
	perf:page-faults,perf:cpu-clock,perf:task-clock,perf:minor-faults,perf:major-faults; do
	assert_match "$list: a list must have counters" EINVAL \
		"$(lttctl stream --share filter-attach-counters t test:task "$LAYOUT" $BPF/odd "$list" "$E" 2>&1 || :)"
done
assert_match 'this machine has no such counter' 'EOPNOTSUPP.*perf:cycles' \
	"$(lttctl stream --share filter-attach-counters t test:task "$LAYOUT" $BPF/odd perf:page-faults,perf:cycles "$E" 2>&1 || :)"
assert_eq 'it still waits' 'event test:task waiting seq & 1' "$(filters t event)"
pin count
refused EINVAL test:task "$LAYOUT" $BPF/count-map "$E"		# a map
refused ENOENT test:task "$LAYOUT" $BPF/absent "$E"
refused EACCES test:task "$LAYOUT" /etc/passwd "$E"
refused EINVAL test:task "$LAYOUT" odd "$E"
refused EINVAL test:task "$LAYOUT" -1 "$E"
refused ESTALE test:task 0123456789abcdef $BPF/odd "$E"
refused EINVAL test:task 12 $BPF/odd "$E"
refused ESTALE test:task "$LAYOUT" $BPF/odd 'seq & 2'
refused ENOENT test:absent "$LAYOUT" $BPF/odd "$E"
refused ENOENT test:text "$LAYOUT" $BPF/odd "$E"		# not recorded
refused EINVAL test "$LAYOUT" $BPF/odd "$E"
refused ENAMETOOLONG "test:$(printf '%0130d' 1)" "$LAYOUT" $BPF/odd "$E"
assert_errno EINVAL put $attach_file "test:task $LAYOUT $BPF/odd"
assert_errno ENOENT $PROGRAM attach odd absent test:task "$LAYOUT" "$E"

# By a descriptor of the writer.
assert_errno EBADF $PROGRAM number 1000 t test:task "$LAYOUT" "$E"
assert_errno EINVAL $PROGRAM number 0 t test:task "$LAYOUT" "$E"
assert_errno EINVAL $PROGRAM attach type t test:task "$LAYOUT" "$E"
assert_eq 'it still waits' 'event test:task waiting seq & 1' "$(filters t event)"
put /proc/ltt-test-markers '100 task'
assert_eq 'nothing was recorded, nothing was filtered' '0 0' \
	"$(events_sum t emitted) $(events_sum t filtered)"

# The good ones, one after the other.
for name in odd count map-hash true; do
	[ -e $BPF/$name ] || pin $name
	assert "$name can be attached" put $attach_file "test:task $LAYOUT $BPF/$name $E"
	assert_match "and replaces the one before" '^event test:task program [0-9]+ runs' "$(filters t event)"
done
assert 'and by a descriptor' $PROGRAM attach odd t test:task "$LAYOUT" "$E"
put $DBG/traces/t/state stop
