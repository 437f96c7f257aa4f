#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttctl compiles filters for the events that a pattern matches, at the start, while a trace runs, and for modules that come later; a wrong one is an error that leaves nothing
# vm: --loaded
# requires: lttctl lttd babeltrace2 ltt-control.ko ltt-sample.ko python3
# faces: device
# also: debugfs
# timeout: 180
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

load_modules
load ltt-sample
cd "$TMP"

# ---- record ----

lttctl record -o one --json -e sample:request -f 'sector < 8 && kind ~ "read*"' -e sample:complete \
	-- sh -c 'echo 240 > /dev/ltt-sample' > one.json
babeltrace2 one > one.text 2> one.err
assert_eq 'babeltrace2 has nothing to say' '' "$(cat one.err)"
# Of 24 sectors each third comes, all in 24 requests; two kinds of three are of reads.
grep -o 'sample:request: .* kind = "[a-z-]*", sector = [0-9]*' one.text > requests || :
assert 'there are requests' [ -s requests ]
assert_eq 'and none that the filter drops' '' \
	"$(grep -v 'kind = "read[a-z-]*", sector = [0-7]$' requests)"
assert_eq 'the event without a filter is whole' 240 "$(grep -c 'sample:complete:' one.text)"
assert_eq 'the summary counts what was filtered' $((240 - $(wc -l < requests))) \
	"$(json one.json 'd["total"]["filtered"]')"
assert_eq 'and adds up' 0 "$(json one.json 'd["total"]["emitted"] - d["total"]["stored"] - d["total"]["filtered"] - d["total"]["refused"]')"
assert_eq 'it is complete' True "$(json one.json 'd["complete"]')"

# The same events without the filter: those that it should let pass.
lttctl record -o all -e sample:request -- sh -c 'echo 240 > /dev/ltt-sample' 2> /dev/null
babeltrace2 all 2> /dev/null | grep 'sample:request:' |
	grep -c 'kind = "read[a-z-]*", sector = [0-7],' > expected
assert_eq 'as many as pass by the text of all' "$(cat expected)" "$(wc -l < requests)"

# A tracepoint, contexts, and a recorded context beside it.
lttctl record -o comm --context pid -e sched:sched_switch -f 'prev_comm ~ "sh*" && cpu == 0 && tid != 0' \
	-- sh -c 'for i in 1 2 3; do sleep 0.01; done' 2> /dev/null
lttctl view comm > comm.text
assert 'there are switches' grep -q sched_switch: comm.text
assert_eq 'all of threads sh' '' "$(grep sched_switch: comm.text | grep -v 'prev_comm="\?sh' | head -n 1)"

# ---- What is refused ----

refused()	# what, column or word, arguments of lttctl
{
	what=$1 word=$2
	shift 2
	status=0
	lttctl "$@" > said 2>&1 || status=$?
	assert "$what is refused" [ $status -ne 0 ]
	assert_match "$what: the message" "$word" "$(cat said)"
}

refused 'a filter without an event' 'before it' record -o no -f 'a == 1' -e sample:open -- true
refused 'an expression with an error' 'column [67]' record -o no -e sample:open -f 'pid ==' -- true
refused 'an unknown field' 'sample:open.*column 1.*flags' record -o no -e sample:open -f 'nothing == 1' -- true
refused 'a string against a number' 'sample:open.*column' record -o no -e sample:open -f 'pid == "x"' -- true
refused 'a filter of programs with an action' 'column 9' record -o no -e 'user:a:b' -f 'pid == 1; stop' -- true
refuse_dir() { [ ! -e no ]; }
assert 'no directory is left' refuse_dir
assert_eq 'and no trace' '' "$(lttctl list)"

# ---- Events of which some lack a field ----

lttctl record -o opened -e syscall:openat -f 'filename ~ "/etc/pas*"' -- cat /etc/passwd > /dev/null 2> said
decode opened opened.txt
assert 'the call is recorded' grep -q 'syscall:openat: .*"/etc/passwd"' opened.txt
assert_eq 'and no other event' '' "$(grep syscall: opened.txt | grep -v '/etc/pas')"

# ---- Steps ----

lttctl create -o steps -e 'sample:*' steps
assert 'events of several fields, by a context' lttctl filter steps 'sample:*' 'comm == "sh"'
lttctl start steps
sh -c 'echo 20 > /dev/ltt-sample'
lttctl filters steps
assert_match 'each event has its program' 'sample:request: program [0-9]+, 20 runs, 0 filtered' "$(lttctl filters steps)"
assert 'it can change' lttctl filter steps sample:request 'sector == 1000'
sh -c 'echo 20 > /dev/ltt-sample'
assert_match 'for one of them' 'sample:request: program [0-9]+, 40 runs, 20 filtered' "$(lttctl filters steps)"
before=$(lttctl filters --json steps)
refused 'a filter whose types do not fit all' 'sample:request: column 9' filter steps 'sample:*' 'kind == 1'
assert_eq 'leaves the filters as they were' "$before" "$(lttctl filters --json steps)"
refused 'no such pattern' 'no filter' unfilter steps 'sample:x*'
assert 'it can be removed' lttctl unfilter steps sample:request
sh -c 'echo 20 > /dev/ltt-sample'
assert_match 'then the one before holds' 'sample:request: program [0-9]+, 60 runs, 20 filtered' "$(lttctl filters steps)"
assert 'and that' lttctl unfilter steps 'sample:*'
assert_eq 'there is none' '' "$(lttctl filters steps)"
refused 'enable: one whose types do not fit' 'sample:request: column' enable -t steps -f 'kind == 1' 'sample:*'
refused 'enable: one with a name that no event has' 'column 1' enable -t steps -f 'nothing == 1' 'sample:*'
assert 'enable with a filter' lttctl enable -t steps -f 'sector == 1000' sample:evict
assert_match 'which has its program' 'sample:evict: program' "$(lttctl filters steps)"
assert_match 'status adds up' 'emitted = .* stored .* 20 filtered' "$(lttctl status steps)"
lttctl destroy steps

# ---- A module that comes later ----

rmmod ltt-sample
lttctl record -o later --json --allow-missing -e sample:request -f 'sector < 4' -e sample:lookup -f 'hit ~ "x"' \
	-e sched:sched_switch -- sh -c '
	insmod '"$LTT"'/samples/ltt-sample.ko
	for i in $(seq 40); do echo 24 > /dev/ltt-sample; sleep 0.05; done' > later.json 2> later.err
babeltrace2 later > later.text 2> /dev/null
grep -o 'sample:request: .* sector = [0-9]*' later.text > requests || :
assert 'lttd has compiled the filter of the later event' [ -s requests ]
assert_eq 'which holds' '' "$(grep -v 'sector = [0-3]$' requests)"
assert_eq 'an event that its filter does not fit is not recorded' 0 "$(grep -c 'sample:lookup:' later.text)"
assert_eq 'and the summary names it' "['sample:lookup']" "$(json later.json 'd["unfiltered_events"]')"
assert_eq 'the recording is not complete' False "$(json later.json 'd["complete"]')"
assert_match 'lttd says why' 'sample:lookup: column 1' "$(cat later.err)"

# ---- Without the right ----

if setpriv --bounding-set -bpf,-sys_admin --inh-caps -bpf,-sys_admin true 2> /dev/null; then
	status=0
	setpriv --bounding-set -bpf,-sys_admin --inh-caps -bpf,-sys_admin \
		lttctl record -o unable -e sample:request -f 'sector < 4' -- true > said 2>&1 || status=$?
	assert 'a user who may not load programs is told so' [ $status -ne 0 ]
	assert_match 'by name' 'CAP_BPF|permitted|EPERM' "$(cat said)"
	refuse_unable() { [ ! -e unable ]; }
	assert 'and nothing is left' refuse_unable
fi
