# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# For the cases of the deadman: a hog, and a trace of its events. Include it after lib.sh and
# lib-markers.sh.

limits=/sys/module/ltt_heartbeat/parameters

state_of()	# trace
{
	cat $DBG/traces/"$1"/state
}

is_over()
{
	grep -q ^over /proc/ltt-test-hog
}

is_stopped()	# trace
{
	[ "$(state_of "$1")" = stopped ]
}

# In few bytes, which are overwritten.
make_trace()	# name, pattern
{
	put $DBG/traces/create "$1"
	at_exit "put $DBG/traces/remove $1 2> /dev/null || :"
	put $DBG/traces/"$1"/channels/events/subbuf_size 64K
	put $DBG/traces/"$1"/channels/events/overwrite 1
	put $DBG/traces/"$1"/events "$2"
	put $DBG/traces/"$1"/state start
}

# assert_halted HOG CPU SECONDS: while the hog keeps that CPU busy, the deadman stops the trace that
# records it, with the reason in its statistics; another trace goes on
assert_halted()
{
	make_trace greedy hog:event
	make_trace modest sched:sched_switch
	put /proc/ltt-test-hog "$1 $2"
	assert 'the hog ends when it is not traced any more' wait_until "$3" is_over
	assert_match 'by itself' 'ended by itself$' "$(cat /proc/ltt-test-hog)"
	assert 'its trace was stopped' wait_until 5 is_stopped greedy
	assert_match 'the statistics have the reason' "^halted deadman: .*[0-9]+% .*CPU $2" \
		"$(grep ^halted $DBG/traces/greedy/stats)"
	assert_conserved greedy
	assert_eq 'another trace goes on' running "$(state_of modest)"
}

load_modules
load ltt-test-hog
at_exit 'put /sys/module/ltt_heartbeat/parameters/deadman_seconds 10; rmmod ltt-test-hog'
