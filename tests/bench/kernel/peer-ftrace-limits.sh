# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# peer-ftrace-limits.sh FILE WHAT: read FILE with the kernel's own trace events enabled,
# but limited.  WHAT: full, outside-tasks, outside-cpus, inside-tasks, inside-cpus.
# shellcheck shell=sh

file=$1 tracing=/sys/kernel/tracing
stats=$tracing/per_cpu/cpu0/stats

reset()
{
	echo 0 > $tracing/events/cost/enable
	echo > $tracing/set_event_pid
	echo 1 > $tracing/tracing_cpumask
	echo 1 > $tracing/options/overwrite
	echo > $tracing/trace
}
trap reset EXIT

dropped() { sed -n 's/^dropped events: //p' $stats; }

echo 16384 > $tracing/buffer_size_kb
echo x86-tsc > $tracing/trace_clock
case $2 in
full)
	echo 4 > $tracing/buffer_size_kb
	echo 0 > $tracing/options/overwrite
	echo 1 > $tracing/events/cost/enable
	cat "$file" > /dev/null
	before=$(dropped)
	cat "$file"
	# All were refused: none is recorded.
	echo "recorded $((20000 - $(dropped) + before))"
	exit
	;;
outside-tasks) echo 1 > $tracing/set_event_pid ;;
outside-cpus) echo 2 > $tracing/tracing_cpumask ;;
inside-cpus) echo 1 > $tracing/tracing_cpumask ;;
esac
echo 1 > $tracing/events/cost/enable
if [ "$2" = inside-tasks ]; then
	sh -c "echo \$\$ > $tracing/set_event_pid; exec cat '$file'"
else
	cat "$file"
fi
echo 0 > $tracing/events/cost/enable
sed -n 's/^entries: /recorded /p' $stats
