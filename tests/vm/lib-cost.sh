# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# For cases that count the instructions of an event: ltt-test-cost, and traces of its
# events. Include it after lib.sh, in a VM with --icount.
# shellcheck shell=sh disable=SC2034

COST=/sys/kernel/debug/ltt-test-cost
COST_SITE=/sys/kernel/debug/ltt-test-cost-site

# limit_of FIRST MORE: FIRST instructions on 6.1, and MORE on top on later kernels.  There each function begins with
# endbr64 (IBT); on 7.x a probe also switches preemption off and on.
limit_of()
{
	case $(uname -r) in
	6.1.*)	echo "$1" ;;
	*)	echo $(($1 + $2)) ;;
	esac
}

# rt_more: print how many more instructions an event takes on 6.1 with PREEMPT_RT, where it takes longer to switch
# preemption on again
rt_more()
{
	case $(uname -r) in
	6.1.*-rt-*)	echo 12 ;;
	*)		echo 0 ;;
	esac
}

load_cost()
{
	load_modules clock=tsc
	insmod "$LTT/tests/modules/cost/ltt-test-cost.ko"
	at_exit 'rmmod ltt-test-cost'
}

# cost_trace TRACE OVERWRITE PATTERN: it can hold all that a read fires. The
# sub-buffers are small enough for the mean to show what it takes to change them.
cost_trace()
{
	put "$DBG/traces/create" "$1"
	at_exit "put $DBG/traces/remove $1 2> /dev/null || :"
	put "$DBG/traces/$1/channels/events/subbuf_size" 64K
	put "$DBG/traces/$1/channels/events/subbuf_count" 64
	put "$DBG/traces/$1/channels/events/overwrite" "$2"
	put "$DBG/traces/$1/events" "$3"
}

# measure FROM TO TRACE...: read FROM, a file that fires events, while the traces run;
# the figures go to TO. They are worth nothing unless each trace has every event.
measure()
{
	from=$1 to=$2
	shift 2
	for trace; do put "$DBG/traces/$trace/state" start; done
	cat "$from" > "$to"
	for trace; do put "$DBG/traces/$trace/state" stop; done
	fired=$((5000 * $(wc -l < "$to")))	# that many for each figure
	assert 'there are figures' [ $fired -gt 0 ]
	for trace; do assert_recorded "$trace" $fired; done
}

# events_sum TRACE WORD: the sum over the buffers of the channel "events"
events_sum()
{
	awk -v word="$2" '$1 == "events" { for (i = 3; i < NF; i++) if ($i == word) n += $(i + 1) }
		END { print n + 0 }' "$DBG/traces/$1/stats"
}

# refused_cost TO: to the file go the figures of events that a full buffer refuses.  They
# are worth nothing unless each event is refused; the buffer is filled before.
refused_cost()
{
	cost_trace full 0 'cost:*'
	put $DBG/traces/full/channels/events/subbuf_size 4K
	put $DBG/traces/full/channels/events/subbuf_count 2
	put $DBG/traces/full/state start
	cat $COST > /dev/null
	stored=$(events_sum full stored)
	cat $COST > "$1"
	assert_eq 'a full buffer stores nothing' "$stored" "$(events_sum full stored)"
	put $DBG/traces/full/state stop
	assert_eq 'every event is counted' $((2 * 5000 * $(wc -l < "$1"))) \
		"$(events_sum full emitted)"
	assert_eq 'events are refused for one cause' \
		"$(events_sum full refused)" "$(events_sum full full)"
	assert_eq 'what each event lost is what the buffers refused' \
		"$(events_sum full refused)" \
		"$(awk '$1 == "event" { n += $4 } END { print n }' $DBG/traces/full/stats)"
	put $DBG/traces/remove full
}

# filtered_cost TO EXPRESSION WORD: the figures of events with a filter go to TO; all of them are
# WORD, filtered or stored
filtered_cost()
{
	cost_trace filtered 0 'cost:*int2'
	lttctl filter filtered 'cost:*int2' "$2"
	put $DBG/traces/filtered/state start
	cat $COST > "$1"
	put $DBG/traces/filtered/state stop
	assert_eq "$2: all events are $3" "$((2 * 5000))" "$(events_sum filtered "$3")"
	assert_eq "$2: and none is lost" "$((2 * 5000))" "$(events_sum filtered emitted)"
	put $DBG/traces/remove filtered
}

# limit_groups: define groups to limit traces to: of tasks, "absent" and "all", and of
# CPUs, "this" and "other".  In a VM with --icount, CPU 1 never runs.
limit_groups()
{
	put $DBG/groups "tasks absent $(seq -f 'comm:absent-%g' 64 | tr '\n' ' ')"
	put $DBG/groups 'tasks all comm:*'
	put $DBG/groups 'cpus this 0'
	put $DBG/groups 'cpus other 1'
	at_exit "for g in absent all this other; do put $DBG/groups !\$g; done"
}

# limited_trace TRACE GROUP...: a trace of the events, with limits
limited_trace()
{
	cost_trace "$1" 0 'cost:*'
	limited=$1
	shift
	for group; do put "$DBG/traces/$limited/limit" "@$group"; done
}

# limited_out TO GROUP...: the figures of events that are outside the limits go to TO
limited_out()
{
	to=$1
	shift
	limited_trace limited "$@"
	put $DBG/traces/limited/state start
	cat $COST > "$to"
	put $DBG/traces/limited/state stop
	assert_eq "no event outside $*" 0 "$(events_sum limited emitted)"
	put $DBG/traces/remove limited
}

# limited_in TO GROUP...: and those of events that are inside
limited_in()
{
	to=$1
	shift
	limited_trace limited "$@"
	measure $COST "$to" limited
	put $DBG/traces/remove limited
}

# limited_out_of_two TO GROUP...: the figures of events that are outside the limits of two traces
limited_out_of_two()
{
	to=$1
	shift
	for trace in limited limited-too; do
		limited_trace $trace "$@"
		put $DBG/traces/$trace/state start
	done
	cat $COST > "$to"
	for trace in limited limited-too; do
		put $DBG/traces/$trace/state stop
		assert_eq "$trace: no event outside $*" 0 "$(events_sum $trace emitted)"
		put $DBG/traces/remove $trace
	done
}

# Sinks are disconnected after a trace has stopped.
has_no_sinks()
{
	! grep -q '^sinks [1-9]' $DBG/markers/cost/*/info
}

# without_running_trace DIR: to the files not-started and stopped of DIR go the figures
# with events enabled in a trace that does not run.  The guest's clock leaps ahead
# whenever it waits for a file: hence the deadline.
without_running_trace()
{
	cost_trace idle 0 'cost:*'
	cat $COST > "$1/not-started"
	put $DBG/traces/idle/state start
	put $DBG/traces/idle/state stop
	assert 'no sink is left' wait_until 1000 has_no_sinks
	cat $COST > "$1/stopped"
	put $DBG/traces/remove idle
}

assert_recorded()	# trace, number of events
{
	assert_eq "$1: nothing was refused" 0 "$(trace_total "$1" refused)"
	assert_eq "$1: all events are there" "$2" \
		"$(events_sum "$1" emitted)"
}
