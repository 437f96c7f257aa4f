#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: an event pays for its own contexts only, and a context costs no more than LTT promises
# vm: --icount
# requires: ltt-test-cost.ko
# when: all
# timeout: 2000
#
# See cost.sh, which has the events without contexts.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-cost.sh"

tenths()	# file: of an instruction, for int2 in the common case
{
	awk '$1 == "int2" { sub(/\./, "", $2); print $2 }' "$OUT/$1"
}

# contexts NAME LIST PATTERN: the figures of a trace with contexts for what the pattern matches
with_contexts()
{
	cost_trace t 0 'cost:*'
	put $DBG/traces/t/context "$3 $2"
	measure $COST "$OUT/$1" t
	put $DBG/traces/remove t
	n=$(tenths "$1")
	echo "figure: $1: int2: ${n%?}.${n#"${n%?}"} instructions"
}

more()	# file, limit: so many more than without
{
	n=$(($(tenths "$1") - $(tenths without)))
	assert "$1 costs ${n%?}.${n#"${n%?}"} instructions, at most $2" [ $n -le $(($2 * 10)) ]
}

load_cost
with_contexts without none 'cost:*'
with_contexts other pid,comm,kernel_stack 'cost:cost_none'
more other 0
with_contexts pid pid 'cost:*'
more pid 3
with_contexts comm comm 'cost:*'
more comm 10
with_contexts pid-comm pid,comm 'cost:*'
more pid-comm 13
with_contexts ppid ppid 'cost:*'
more ppid 265
with_contexts values pid,ppid,comm,uid,prio,preempt,irq,need_resched 'cost:*'
more values "$(limit_of 485 25)"	# 20, and from 6.13 on 5 more: need_resched reads a second flag
with_contexts counter perf:context-switches 'cost:*'
more counter "$(limit_of 250 5)"

# The kernel's unwinder takes nearly all of a stack; ftrace uses it, too.
with_contexts stack kernel_stack 'cost:*'
mount -t tracefs tracefs "$TMP"
at_exit "umount $TMP"
mkdir "$TMP/instances/cost"
at_exit "rmdir $TMP/instances/cost"
echo 1 > "$TMP/instances/cost/options/stacktrace"
echo 1 > "$TMP/instances/cost/events/cost/cost_int2/enable"
cat $COST > "$OUT/ftrace-stack"
echo 0 > "$TMP/instances/cost/events/cost/cost_int2/enable"
n=$(tenths ftrace-stack)
echo "figure: ftrace-stack: int2: ${n%?}.${n#"${n%?}"} instructions"
assert 'a stack costs at most a quarter more than with ftrace' [ "$(tenths stack)" -lt $((n + n / 4)) ]
