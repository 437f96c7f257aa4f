#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: fields have the size, sign and value of their arguments; strings are bounded and safe
# timeout: 60
# requires: ltt-markers.ko ltt-test-sink.ko ltt-test-types.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load ltt-markers
load ltt-test-sink
load ltt-test-types
: > /proc/ltt-test-types
: > /proc/ltt-test-types
put $SINK '+types*'
: > /proc/ltt-test-types

value()
{
	assert_eq "$1" "$2" "$(last "$1")"
}

# characters COUNT: as many L
characters()
{
	head -c "$1" /dev/zero | tr '\0' L
}

value types:small '-128 255 -32768 65535'
# The limits of long, and addresses of the kernel.
case $(uname -m) in
*64)	long='-9223372036854775808 18446744073709551615' ones=ffffffffffffffff address='ffff[0-9a-f]{12}' ;;
*)	long='-2147483648 4294967295' ones=ffffffff address='[0-9a-f]{8}' ;;
esac
value types:large "-2147483648 4294967295 $long -9223372036854775808 18446744073709551615"
value types:others "'x' 120 1"
value types:enums '3 -3 200'
value types:bases 'abc def 777 80'
value types:words "4 $ones"
assert_match types:pointers "^1234 $address 0\$" "$(last types:pointers)"
value types:five '1 2 3 4 5'
value types:twelve '1 2 3 4 5 6 7 8 9 10 11 12'
value types:nothing ''
value types-2:a.b_c-d 1

value types:text "'(null)' '' 'array' 'literal'"
value types:broken "'(efault)' '(efault)'"
# A text that is cut ends with three dots and SUB.
cut=$(printf '...\032')
full=$(characters 4091)$cut
value types:longest "1 '$full' 2"
value types:most "'$full' '$full' 1 2 3 4 5 6 7 8 9 10"
value types:share "'$full' '$full' '$(characters 82)$cut' 'last' 5"
value types:fits "'$(characters 4095 | tr L F)' 2"
value types:limited "'abc' 'xy' 'all' '' '$(characters 4094)'"
value types:unended "'3456'"
wide=$(printf '\342\202\254')
value types:wide "'$(i=0; while [ $i -lt 1363 ]; do printf %s "$wide"; i=$((i + 1)); done)$cut'"

# The sink shows the bytes of an array: of a sequence, its length before them.
value types:arrays 'ff ff 02 00 00 80 02 00 01 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff 00 01 fe ff 05 00 00 01 fe ff 05 7'
value types:absent '00 00 00 00 00 00 00 00 00 00'
value types:mixed "-1 01 00 ff ff 'text' 02 00 00 01 -2"
value types:labels '-3 10'
assert_match types:large_array '^00 10 00 ' "$(last types:large_array)"
for marker in types:too_large types:too_much; do
	assert_eq "$marker: is reported as too large" '1 ' "$(tap $marker calls) $(last $marker)"
done

value types:slice.begin "1 'two'"
value types:slice.end ''
value types:slice.async_begin '7 2'
value types:slice.async_end 7
value types:flow.flow_begin 8
value types:flow.flow_step 8
value types:flow.flow_end 8
value types:level.counter -5

value types:once 1
assert_eq 'arguments are not evaluated while disabled, and once when enabled' 1 "$(tap types:once calls)"

i=0
while [ $i -lt 300 ]; do
	: > /proc/ltt-test-types
	i=$((i + 1))
done
assert_eq 'text that changes is whole each time' '301 0' "$(tap types:changing calls) $(tap types:changing bad)"
assert_match 'and the field after it is right' "^'a*' 7$" "$(last types:changing)"
assert_eq 'no payload was wrong' '' "$(awk '/ bad / && !/ bad 0 /' $SINK)"
