# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# peer-lttng.sh FILE MODE: read FILE in a session of LTTng with one channel, discard
# or overwrite, and no context.
# shellcheck shell=sh

trace=/run/lttng-$2
trap 'lttng destroy --all >&2' EXIT

"$LTT/tests/bench/lttng/start" cost
{
	lttng create "bench-$2" -o "$trace"
	lttng enable-channel -k --subbuf-size=4M --num-subbuf=4 "--$2" all
	lttng enable-event -k -c all cost_none,cost_int2,cost_intstr,cost_bytes32
	lttng start
} >&2
cat "$1"
lttng destroy >&2
echo "recorded $(babeltrace2 "$trace" | grep -c ' cost_')"
