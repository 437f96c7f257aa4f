# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# peer-ftrace.sh FILE CLOCK: read FILE with the kernel's own trace events enabled.
# shellcheck shell=sh

tracing=/sys/kernel/tracing
trap 'echo 0 > $tracing/events/cost/enable; echo > $tracing/trace' EXIT

echo 16384 > $tracing/buffer_size_kb
echo "$2" > $tracing/trace_clock
echo 1 > $tracing/events/cost/enable
cat "$1"
echo 0 > $tracing/events/cost/enable
sed -n 's/^entries: /recorded /p' $tracing/per_cpu/cpu0/stats
