#!/bin/sh
# description: modules in use cannot be unloaded, unused ones can, in every order that the layers allow, and leave nothing behind
# vm: --slub-debug
# requires: ltt-control.ko ltt-sample.ko
# timeout: 120
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

drop_all
at_exit drop_all
all='ltt-timestamp ltt-relay ltt-markers ltt-tracer ltt-tracepoints ltt-heartbeat ltt-control'

refused()
{
	for module; do
		refute "$module is in use" rmmod "$module" 2> /dev/null
	done
}

# With a trace, everything it stands on stays.
load_modules
load ltt-sample
put $DBG/traces/create t
put $DBG/traces/t/events 'sched:sched_switch sample:*'
refused ltt-timestamp ltt-relay ltt-markers ltt-tracer ltt-heartbeat ltt-control
put $DBG/traces/t/state start
refused $all
put $DBG/traces/t/state stop

# Stopped, nothing of the instruments is used: they may go and come.
assert 'a stopped trace lets the tracepoints go' rmmod ltt-tracepoints
assert_match 'its event waits' '^\? sched:sched_switch$' "$(cat $DBG/traces/t/events)"
load ltt-tracepoints
assert_match 'its event is back' '^\+ sched:sched_switch events$' "$(cat $DBG/traces/t/events)"
put $DBG/traces/t/state start
assert 'a driver may go while its markers are traced' rmmod ltt-sample
assert_match 'its events wait' '^\? sample:\*$' "$(cat $DBG/traces/t/events)"
load ltt-sample
assert_match 'its events are back' '^\+ sample:' "$(cat $DBG/traces/t/events)"

# An open file keeps the buffers, though the trace is gone.
exec 5< $DBG/traces/t/events_0 6< $DBG/traces/t/metadata
put $DBG/traces/remove t
refused ltt-relay ltt-tracer ltt-control
cat <&5 > "$TMP/data"
assert 'the data can still be read' [ -s "$TMP/data" ]
cat <&6 > "$TMP/metadata"
assert 'the metadata can still be read' grep -q sched_switch "$TMP/metadata"
exec 5<&- 6<&-

# Every order in which no module goes before those that use it.
permute()	# done so far, left
{
	if [ -z "$2" ]; then
		orders=$((orders + 1))
		load_modules
		for module in $1; do
			rmmod "$module" || check 'not ok' "$module, in order $1"
		done
		return
	fi
	for next in $2; do
		rest=$(echo " $2 " | sed "s/ $next / /; s/^ *//; s/ *$//")
		allowed "$next" "$rest" && permute "$1 $next" "$rest"
	done
	return 0
}

allowed()	# is nobody left who uses it?
{
	case $1 in
	ltt-control)			return 0 ;;
	ltt-heartbeat)			users=ltt-control ;;
	ltt-tracepoints)		return 0 ;;
	ltt-tracer)			users='ltt-heartbeat ltt-control' ;;
	ltt-markers)			users='ltt-tracer ltt-tracepoints ltt-heartbeat ltt-control' ;;
	ltt-relay)			users='ltt-tracer ltt-control' ;;
	ltt-timestamp)			users='ltt-relay ltt-tracer ltt-heartbeat' ;;
	esac
	for user in $users; do
		case " $2 " in *" $user "*) return 1 ;; esac
	done
	return 0
}

orders=0
unload_modules
permute '' "$all"
assert "$orders orders" [ $orders -gt 10 ]
rmmod ltt-sample
assert_eq 'nothing is left in debugfs' '' "$(ls -d $DBG 2> /dev/null)"
assert_eq 'nothing is left loaded' '' "$(lsmod | grep '^ltt' || :)"
