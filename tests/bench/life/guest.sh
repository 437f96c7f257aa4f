# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# In a bare VM: what a trace takes, in time and in memory.
#
#	guest.sh MEASURE... -- MODULE...	modules in loading order
#
# MEASURE is one or more of
#
#	life	events COUNT			that a trace can record here
#		life ACTION INSTRUCTIONS NS	several times; see timed-write.c
#	memory	memory KIND BYTES BUFFERS	of a started trace: all that it takes, and what
#						was asked for as its buffers on each CPU
#	events	memory every-event ...		the same of one that records all there is

set -eu
traces=/sys/kernel/debug/ltt/traces
rounds=5

timed()		# ACTION FILE TEXT
{
	echo "life $1 $(/timed-write "$2" "$3")"
}

# "nothing" is what the others are to be reduced by.
measure_life()
{
	for round in $(seq $rounds); do
		timed nothing /dev/null nothing
		timed create $traces/create all
		timed enable $traces/all/events '*'
		[ "$round" -gt 1 ] || echo "events $(grep -c '^+' $traces/all/events)"
		timed start $traces/all/state start
		timed stop $traces/all/state stop
		timed destroy $traces/remove all
	done
}

# Pages that are free, or kept at hand for a CPU.
free_bytes()
{
	awk '$1 == "nr_free_pages" || $1 == "count:" { n += $2 } END { print 4096 * n }' \
		/proc/zoneinfo
}

start_traces()	# FIRST LAST SUBBUF_SIZE SUBBUF_COUNT PATTERN
{
	for trace in $(seq "$1" "$2"); do
		echo "$trace" > $traces/create
		for channel in "$traces/$trace"/channels/*/; do
			[ "$3" = default ] || echo "$3" > "${channel}subbuf_size"
			[ "$4" = default ] || echo "$4" > "${channel}subbuf_count"
		done
		[ -z "$5" ] || echo "$5" > "$traces/$trace/events"
		echo start > "$traces/$trace/state"
	done
}

buffer_bytes()	# TRACE
{
	sum=0
	for channel in "$traces/$1"/channels/*/; do
		size=$(cat "${channel}subbuf_size")
		sum=$((sum + size * $(cat "${channel}subbuf_count")))
	done
	echo $sum
}

# The first traces fill the gaps that the kernel's allocators have: they do not count.
measure_memory()	# KIND GAPS TRACES SUBBUF_SIZE SUBBUF_COUNT PATTERN
{
	start_traces 1 "$2" "$4" "$5" "$6"
	before=$(free_bytes)
	start_traces $(($2 + 1)) $(($2 + $3)) "$4" "$5" "$6"
	after=$(free_bytes)
	echo "memory $1 $(((before - after) / $3)) $(buffer_bytes 1)"
	for trace in $(seq $(($2 + $3))); do
		echo "$trace" > $traces/remove
	done
}

measures=
while [ "$1" != -- ]; do
	measures="$measures $1"
	shift
done
shift
for module; do
	insmod "/$module"
done
for measure in $measures; do
	case $measure in
	life)
		measure_life
		;;
	memory)
		measure_memory default 4 16 default default ''
		measure_memory smallest 32 128 4096 2 ''
		;;
	events)
		measure_memory every-event 4 16 4096 2 '*'
		;;
	esac
done
