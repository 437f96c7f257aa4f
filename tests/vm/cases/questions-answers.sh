#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttctl count, hist and latency show stacks, intervals and texts, run recipes, and reject what makes no sense
# vm: --loaded
# requires: lttctl ltt-control.ko ltt-test-markers.ko python3
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-markers.sh"

load_modules
load ltt-test-markers
cd "$TMP"

# ask COMMAND WORD...: lttctl, with JSON in the file answer
ask()
{
	command=$1
	shift
	lttctl "$command" --json "$@" > answer 2> ask.err || { cat ask.err; return 1; }
}

# ---- Stacks, intervals, text ----

assert 'events that name tasks are counted' ask count -e sched:sched_process_exec --by pid --follow -- \
	sh -c '/bin/true; /bin/true; exec /bin/true'
assert_eq 'each once' 4 "$(json answer 'sum(r["count"] for r in d["rows"])')"

# child_comm is at byte 20, so that it cannot be copied by 8 bytes.
assert 'a text at any place is a key' ask count -e sched:sched_process_fork --by parent_comm,child_comm --follow -- \
	sh -c '/bin/true; exec /bin/true'
assert_eq 'with its value' 'sh sh' "$(json answer '" ".join(d["rows"][0]["keys"].values())')"

assert 'a key is a stack' ask count -e raw_syscalls:sys_enter --by stack --follow -- true
assert 'it names functions' grep -q 'do_syscall_64' answer
lttctl count -e 'sched:*' -i 200ms --duration 900ms > table 2>&1
assert 'intervals have a time each' [ "$(grep -c '^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]$' table)" -ge 3 ]
assert 'a table has headings' grep -q 'count  event' table
lttctl hist -e raw_syscalls:sys_exit -v ret --by comm --follow -- true > table 2>&1
assert 'a distribution has bars' grep -q '|@*#' table
assert_eq 'the status is that of the command' 3 \
	"$(lttctl count -e sched:sched_switch -- sh -c 'exit 3' > /dev/null 2>&1 || echo $?)"

# ---- Recipes ----

export LTT_RECIPES="$LTT/recipes"
lttctl recipe > recipes
for recipe in switches runqlat syscalls; do
	assert "recipe $recipe is listed" grep -q "^$recipe " recipes
done
while read -r recipe rest; do
	# Few kernels have its events.
	if [ "$recipe" = preemptoff ] && ! lttctl markers | grep -q preemptirq:preempt_enable; then
		refute 'recipe preemptoff needs its events' lttctl recipe preemptoff --duration 300ms
		continue
	fi
	# To connect a probe to each system call takes an emulated machine seconds.
	[ "$recipe" != syscalls ] || [ "${LTT_LONG-}" ] || continue
	assert "recipe $recipe runs" lttctl recipe "$recipe" --duration 300ms
done < recipes
mkdir own
printf '# mine\ncount -e sched:sched_switch\n' > own/mine
LTT_RECIPES=$PWD/own lttctl recipe > recipes
assert 'a recipe can be added' grep -q '^mine  *mine$' recipes

# ---- Wrong usage ----

wrong()	# status, word, WORD...
{
	expected=$1 word=$2
	shift 2
	status=0
	lttctl "$@" > wrong 2>&1 || status=$?
	assert_eq "lttctl $*: status" "$expected" "$status"
	assert "lttctl $*: the message has $word" grep -q -- "$word" wrong
}

wrong 2 '-e is missing' count
wrong 1 'column 1' count -e test:task --by nothing -- true
wrong 1 'column 7' count -e test:task -f 'seq ==' -- true
wrong 1 'column 1' count -e 'test:*' -f 'nothing == 1' -- true
wrong 1 'is a text' hist -e sched:sched_switch -v prev_comm -- true
wrong 2 'at most 3 keys' count -e test:task --by a,b,c,d -- true
wrong 2 'two are required' latency -e test:task --key seq -- true
wrong 2 'key is missing' latency -e test:task -e test:text -- true
wrong 2 'linear' hist -e test:task -v seq --linear 5,1,1 -- true
wrong 1 'unsigned' hist -e raw_syscalls:sys_enter -v cgroup --linear -10,10,1 -- true
wrong 2 'programs' count -e 'user:x:*' -- true
wrong 2 'max-keys' count -e test:task --max-keys 0 -- true
wrong 127 'no-such-program' count -e test:task -- no-such-program
wrong 1 'no recipe' recipe nothing
assert_eq 'nothing is left' '' "$(lttctl list)"
