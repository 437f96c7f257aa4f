#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: modules in use cannot be unloaded, unused ones can, in some orders that the layers allow, and leave nothing behind
# vm: --slub-debug --append page_poison=1
# requires: ltt-control.ko ltt-sample.ko
# timeout: 300
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

all='ltt-timestamp ltt-relay ltt-markers ltt-tracer ltt-tracepoints ltt-syscalls ltt-probes ltt-heartbeat ltt-control'

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
put $DBG/traces/t/events 'sched:sched_switch syscall:openat sample:*'
refused ltt-timestamp ltt-relay ltt-markers ltt-tracer ltt-probes ltt-heartbeat ltt-control
put $DBG/traces/t/state start
refused $all
put $DBG/traces/t/state stop

# Stopped, nothing of the instruments is used: they may go and come.
assert 'a stopped trace lets the tracepoints go' rmmod ltt-tracepoints
assert 'and the system calls' rmmod ltt-syscalls
assert_match 'their events wait' '^\? syscall:openat$' "$(cat $DBG/traces/t/events)"
load ltt-syscalls
assert_match 'they are back' '^\+ syscall:openat_exit events$' "$(cat $DBG/traces/t/events)"
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

# Each layer once as early and once as late as those that use it allow.
users()
{
	case $1 in
	ltt-timestamp)	echo ltt-relay ltt-tracer ltt-heartbeat ltt-control ;;
	ltt-relay)	echo ltt-tracer ltt-heartbeat ltt-control ;;
	ltt-markers)	echo ltt-tracer ltt-tracepoints ltt-syscalls ltt-probes ltt-heartbeat ltt-control ;;
	ltt-probes)	echo ltt-control ;;
	ltt-tracer)	echo ltt-heartbeat ltt-control ;;
	ltt-heartbeat)	echo ltt-control ;;
	esac
}

newest_first='ltt-control ltt-heartbeat ltt-probes ltt-syscalls ltt-tracepoints ltt-tracer ltt-markers ltt-relay ltt-timestamp'

early()		# module: its users, it, the rest
{
	first=
	for module in $newest_first; do
		case " $(users "$1") " in *" $module "*) first="$first $module" ;; esac
	done
	first="$first $1"
	for module in $newest_first; do
		case " $first " in *" $module "*) ;; *) first="$first $module" ;; esac
	done
	echo $first
}

late()		# module: all that it does not use, it, the rest
{
	last=$1
	for module in $newest_first; do
		case " $(users "$module") " in *" $1 "*) last="$last $module" ;; esac
	done
	for module in $newest_first; do
		case " $last " in *" $module "*) ;; *) echo "$module" ;; esac
	done
	echo $last
}

# unload-every-order has all.
early_too=${ORDERS_OF:-$(at_length '' yes)}
for module in ${ORDERS_OF:-$(at_length ltt-markers 'ltt-markers ltt-probes')}; do
	echo $(late $module)
	[ ! "$early_too" ] || echo $(early $module)
done | sort -u > "$TMP/orders"
assert "orders: $(wc -l < "$TMP/orders")" [ "$(wc -l < "$TMP/orders")" -ge "$(at_length 1 3)" ]
unload_modules
while read -r order; do
	load_modules
	for module in $order; do
		assert "$module goes in: $order" rmmod "$module"
	done
done < "$TMP/orders"
rmmod ltt-sample
assert_eq 'nothing is left in debugfs' '' "$(ls -d $DBG 2> /dev/null)"
assert_eq 'nothing is left loaded' '' "$(lsmod | grep '^ltt' || :)"
