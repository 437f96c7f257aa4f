#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a system call that is not recorded costs at most 12 instructions more at each tracepoint
# vm: --icount
# requires: ltt-syscalls.ko ltt-control.ko ltt-test-syscalls.ko
# when: all
# timeout: 600
#
# With -icount the TSC counts instructions.  While a probe is on a tracepoint of system calls, the
# kernel takes a slower way in and out of each of them.  Probes that do nothing show what that
# way costs; a probe of LTT is compared with them.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-cost.sh"

TOLERANCE=3	# percent: compilers differ

# measure CALL PATTERN...: tenths of instructions while a trace records what the patterns say;
# the result goes to $cost
measure()
{
	call=$1
	shift
	put $DBG/traces/create cost
	put $DBG/traces/cost/channels/events/subbuf_size 1M
	for pattern; do put $DBG/traces/cost/events "$pattern"; done
	put $DBG/traces/cost/state start
	cost=$("$LTT/build/tests/syscalls-cost" "$call")
	put $DBG/traces/cost/state stop
	assert_eq "$call $*: nothing is lost" 0 "$(trace_total cost refused)"
	put $DBG/traces/remove cost
}

figure()	# name, tenths
{
	echo "figure: $1: ${2%?}.${2#"${2%?}"} instructions"
}

at_most()	# name, tenths, limit
{
	figure "$1" "$2"
	assert "$1: at most $3" [ $(($2 * 100)) -le $(($3 * 10 * (100 + TOLERANCE))) ]
}

load_modules clock=tsc
insmod "$LTT/tests/modules/syscalls/ltt-test-syscalls.ko"
site=$("$LTT/build/tests/syscalls-cost" dup2)
site_openat=$("$LTT/build/tests/syscalls-cost" openat)
rmmod ltt-test-syscalls
figure 'dup2, probes that do nothing' "$site"

measure dup2 syscall:acct
at_most 'not chosen, both tracepoints' $((cost - site)) 24
not_chosen=$cost
measure dup2 syscall:acct syscall:dup2 !syscall:dup2_exit
at_most 'beginning with two integers' $((cost - not_chosen)) "$(limit_of 170 15)"
measure dup2 syscall:acct syscall:dup2_exit
at_most 'end' $((cost - not_chosen)) "$(limit_of 107 12)"
measure dup2 syscall:acct syscall_time:dup2
at_most 'end with duration' $((cost - not_chosen)) "$(limit_of 310 15)"
measure openat syscall:acct syscall:openat !syscall:openat_exit
at_most 'beginning of openat with a path of 12 characters' $((cost - site_openat)) "$(limit_of 670 45)"
