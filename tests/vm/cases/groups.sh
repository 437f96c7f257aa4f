#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: groups stand for events, tasks and CPUs in commands and files, each connection having its own
# vm: --loaded
# requires: ltt-control.ko ltt-sample.ko python3
# timeout: 120
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load_modules
load ltt-sample

# debugfs: the same operations, as files.
put $DBG/traces/create t
at_exit "put $DBG/traces/remove t 2> /dev/null || :"
put $DBG/groups 'tasks us comm:put-none cgroup:/'
put $DBG/groups 'events io sample:request
	sample:idle'
put $DBG/groups 'cpus first 0'
assert_eq 'groups are shown as they are written' 'tasks us comm:put-none cgroup:/
events io sample:request sample:idle
cpus first 0' "$(cat $DBG/groups)"
put $DBG/traces/t/events '@io !@io @io'
assert_eq 'a group of events' 2 "$(grep -c 'sample:.* events$' $DBG/traces/t/events)"
put $DBG/traces/t/limit @us
put $DBG/traces/t/limit @first
assert_eq 'limits are shown' 'tasks comm:put-none cgroup:/
cpus 0' "$(cat $DBG/traces/t/limit)"
put $DBG/traces/t/pid $$
assert_eq 'a process is a limit to tasks' "tasks pid:$$+children
cpus 0" "$(cat $DBG/traces/t/limit)"
put $DBG/traces/t/limit none
assert_eq 'no limits' '' "$(cat $DBG/traces/t/limit)"
assert_eq 'nor a process' 0 "$(cat $DBG/traces/t/pid)"
assert_errno ENOENT put $DBG/traces/t/limit @nobody
assert_errno EINVAL put $DBG/traces/t/limit us
assert_errno ENOENT put $DBG/traces/t/events @none
before=$(cat $DBG/markers/wanted)
assert_errno ENOENT put $DBG/markers/wanted 'sample:idle @none'
assert_eq 'nothing was changed by that' "$before" "$(cat $DBG/markers/wanted)"
assert_errno EINVAL put $DBG/groups 'tasks us'
assert_match 'last_error has the form of a group' tasks "$(cat $DBG/last_error)"
assert_errno EINVAL put $DBG/groups 'some us pid:1'
assert_errno ESRCH put $DBG/groups 'tasks us pid:4194303'

# All groups of tasks together have 1024 members at most.
members=$(seq 64 | sed 's/^/comm:m/' | tr '\n' ' ')
for i in $(seq 15); do
	put $DBG/groups "tasks many$i $members"
done
assert_errno EUSERS put $DBG/groups "tasks many16 $members"
assert_match 'it says how many' 1024 "$(cat $DBG/last_error)"
assert_eq 'the one too many is not there' 15 "$(grep -c '^tasks many' $DBG/groups)"
for i in $(seq 15); do
	put $DBG/groups "!many$i"
done
assert_errno ENOENT put $DBG/groups !none
for group in us io first; do put $DBG/groups "!$group"; done
assert_eq 'all are taken away' '' "$(cat $DBG/groups)"
put $DBG/traces/remove t

for part in cpus connections events refused swapped; do
	checks_of "$LTT/tests/vm/prog/groups.py" $part
done
