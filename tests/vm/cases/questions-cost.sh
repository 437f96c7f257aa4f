#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: an event that is counted in the kernel costs no more instructions than LTT promises
# when: all
# vm: --icount
# requires: lttctl ltt-test-cost.ko
# timeout: 2000
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-cost.sh"

load_cost

# cost FILE LIMIT MORE COMMAND WORD...: of an event with two integers while lttctl asks; see limit_of and rt_more
cost()
{
	file=$1 limit=$(($(limit_of "$2" "$3") + $(rt_more)))
	shift 3
	lttctl "$@" -e cost:cost_int2 -- cat $COST > "$OUT/$file" 2> "$OUT/$file.err" || cat "$OUT/$file.err"
	cost=$(awk '$1 == "int2" { sub(/\./, "", $2); print $2; exit }' "$OUT/$file")
	assert "$file: there is a figure" [ -n "$cost" ]
	echo "figure: $file: ${cost%?}.${cost#"${cost%?}"} instructions"
	assert "$file: at most $limit" [ $((cost * 100)) -le $((limit * 10 * 103)) ]
}

cost count 90 5 count
cost count-by-pid 161 15 count --by pid
cost count-by-comm 175 5 count --by comm
# The key 13 has the slot of the cache that the key 0 claims before it.
cost count-slot-taken 295 5 count --by '(b > 0) * 13' --max-keys 16
cost hist 121 5 hist -v b
cost hist-by-pid 198 15 hist -v b --by pid
cost hist-linear 123 5 hist -v b --linear 0,1000,10
