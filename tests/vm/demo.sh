#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# "make demo": record a real workload, with kernel events and with the markers
# of the sample driver, decode it with babeltrace2, sum it up. In a VM, or with
# HOST=1 on this machine; the trace stays in build/demo/trace, and its page in build/demo/trace.html. It fails if an
# event was lost or if babeltrace2 has anything to complain about.
#
#	demo.sh				all of it
#	demo.sh record DIRECTORY	where the modules are loaded: record
#	demo.sh work			the workload

set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
demo=$top/build/demo
trace=$demo/trace
self=$top/tests/vm/demo.sh

die()
{
	echo "demo: $*" >&2
	exit 1
}

# Reads and compresses a source tree, with the sample driver at work.
work()
{
	for round in 1 2 3; do
		echo "${round}00" > /dev/ltt-sample
		tar -C "$top" -cf - include core modules/tracer | gzip -1 | wc -c
		find "$top/doc" "$top/core" -type f -exec grep -l commit {} +
	done >/dev/null
}

record()
{
	# An emulated CPU never claims an invariant TSC, so it is to be taken as one.
	if [ -n "${HOST-}" ]; then clock=auto; else clock=tsc; fi
	"$top/tests/vm/ltt-load" clock=$clock
	insmod "$top/samples/ltt-sample.ko"
	status=0
	lttctl record -o "$1" -e 'sched:*' -e 'irq:*' -e 'raw_syscalls:*' -e 'sample:*' \
		-- "$self" work 2> "$1.log" || status=$?
	cat "$1.log"
	rmmod ltt-sample
	"$top/tests/vm/ltt-load" --unload
	return "$status"
}

record_in_vm()
{
	# In the guest's own memory first: the way out to the host is slow.
	"$top/tests/vm/vm" run --out "$demo/vm" -- \
		"$self record /run/trace && cp -r /run/trace /out/trace"
	mv "$demo/vm/out/trace" "$trace"
}

# The traced machine is this one: can it be?
check_here()
{
	KVER=${KVER:-$("$top/tests/vm/kernel")}
	[ "$(id -u)" -eq 0 ] || die "HOST=1 loads kernel modules: it has to be run by root"
	[ "$(uname -r)" = "$KVER" ] || die "the modules are built for Linux $KVER, this machine runs $(uname -r)"
}

record_here()
{
	PATH=$top/build/stage/usr/bin:$top/build/stage/usr/sbin:$PATH
	HOST=1 "$self" record "$trace"
}

# Of babeltrace2's text: "[seconds] (+delta) [host] NAME: { cpu_id = N }, ..."
summarise()
{
	awk '{
		time = substr($1, 2) + 0
		if (NR == 1) first = time
		match($0, /: \{ cpu_id = [0-9]+/)
		words = split(substr($0, 1, RSTART - 1), word, " ")
		events[word[words]]++
		cpus[substr($0, RSTART + 13, RLENGTH - 13)]++
	}
	END {
		for (name in events) printf "%9d  %s\n", events[name], name | "sort -k1,1nr -k2"
		close("sort -k1,1nr -k2")
		for (cpu in cpus) printf "%9d  on CPU %s\n", cpus[cpu], cpu | "sort -k4n"
		close("sort -k4n")
		printf "%9d  events in %.3f s, none lost\n", NR, time - first
	}' "$demo/events.txt"
	printf '%9d  bytes in %s\n' "$(cat "$trace"/kernel/*_* | wc -c)" "$trace"
}

# The trace as a page.
write_page()
{
	"$top/build/userspace/lttctl" html -o "$demo/trace.html" "$trace" 2> "$demo/html.log" ||
		{ cat "$demo/html.log" >&2; die "there is no page of $trace"; }
	echo
	echo "Open this page in a browser: $demo/trace.html"
}

case ${1-} in
work)	work; exit ;;
record)	record "$2"; exit ;;
esac

[ -z "${HOST-}" ] || check_here
rm -rf "$demo"
mkdir -p "$demo"
if [ -n "${HOST-}" ]; then record_here; else record_in_vm; fi
babeltrace2 --clock-seconds "$trace" > "$demo/events.txt" 2> "$demo/babeltrace2.log" ||
	{ cat "$demo/babeltrace2.log" >&2; die "babeltrace2 cannot read $trace"; }
[ ! -s "$demo/babeltrace2.log" ] ||
	{ cat "$demo/babeltrace2.log" >&2; die "babeltrace2 complains about $trace, or events were lost"; }
for event in sched_switch irq_handler_entry sys_enter sample:; do
	grep -q " $event" "$demo/events.txt" || die "there is no $event event in $trace"
done
summarise
echo
"$top/build/userspace/lttctl" report sched --top 5 "$trace" || die "there is no report of $trace"
write_page
