#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the bpftrace of a later Debian release attaches to the markers of a driver that is built for that, without LTT
# when: all
# requires: ltt-test-raw.ko
# timeout: 120
#
# make check-all fetches it, by tests/kernels/fetch-bpftrace.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"

ROOT=$LTT/build/bpftrace
[ -e "$ROOT/complete" ] || skip 'there is no build/bpftrace: run tests/kernels/fetch-bpftrace'
for dir in proc sys dev tmp; do
	mount --rbind /$dir "$ROOT/$dir"
	at_exit "umount -R $ROOT/$dir"
done

echo 'echo 100 > /proc/ltt-test-raw' > /tmp/ltt-fire
at_exit 'rm /tmp/ltt-fire'

load ltt-test-raw
assert 'bpftrace attaches and ends' chroot "$ROOT" bpftrace -q -c '/usr/bin/dash /tmp/ltt-fire' -o /tmp/ltt-said -e '
	rawtracepoint:mark_raw_one { @one = sum((int32)arg0); @n = count(); }
	rawtracepoint:mark_raw_text /arg0 > 91/ { @text[str(arg1)] = count(); }
	rawtracepoint:mark_raw_twelve { @last = sum(arg5); }'
mv /tmp/ltt-said "$TMP/said"
cat "$TMP/said"
assert_eq 'LTT is not loaded' '' "$(grep '^ltt_[^t]' /proc/modules | head -n 1)"
value() { sed -n "s/^@$1: //p" "$TMP/said"; }
assert_eq 'a count' 100 "$(value n)"
assert_eq 'a sum of a negative argument' -5050 "$(value one)"
assert_eq 'the sixth argument, the last that bpftrace has' $((5050 + 500)) "$(value last)"
assert_eq 'texts, under a condition' 'text_100 text_92 text_93 text_94 text_95 text_96 text_97 text_98 text_99 ' \
	"$(sed -n 's/^@text\[text \([0-9]*\)\]: 1$/text_\1/p' "$TMP/said" | sort | tr '\n' ' ')"
