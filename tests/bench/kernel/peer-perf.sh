# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# peer-perf.sh FILE: read FILE under perf record, with room for all events.
# shellcheck shell=sh

data=/run/perf.data
trap 'rm -f $data' EXIT

perf record --no-buildid -m 16M -a -e 'cost:*' -o $data -- cat "$1"
perf --no-pager report --stats -i $data |
	awk '$1 == "SAMPLE" { print "recorded " $3; exit }'
