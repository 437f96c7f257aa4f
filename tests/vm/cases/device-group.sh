#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: with the examples of doc/examples, the members of a group record by /dev/ltt, other users do not; without them no user does
# requires: lttctl lttd setpriv ltt-control.ko
. "$LTT/tests/vm/lib-record.sh"

examples=$LTT/doc/examples
chmod 755 "$TMP"
mkdir -m 1777 "$TMP/shared"
cd "$TMP/shared"

# As a user of two groups: as_user GID COMMAND...
as_user()
{
	gid=$1
	shift
	setpriv --reuid 65534 --regid 65534 --groups "$gid" "$@"
}

# record GID: the exit status of lttctl record
record()
{
	rm -rf trace
	status=0
	as_user "$1" lttctl --via device record -o trace -e 'raw_syscalls:*' -- true > said 2>&1 || status=$?
	echo "$status"
}

# ---- Without ----

load_modules
assert_eq 'the mode of the device is that of root alone' 600 "$(stat -c %a /dev/ltt)"
assert_eq 'a user cannot record' 125 "$(record 4242)"
chgrp 4242 /dev/ltt
chmod 660 /dev/ltt
assert_eq 'nor as a member of the group, by the mode alone' 125 "$(record 4242)"
unload_modules

# ---- With ----

mkdir -p /etc/modprobe.d
cp "$examples/ltt.modprobe.conf" /etc/modprobe.d/ltt.conf
at_exit 'rm /etc/modprobe.d/ltt.conf'
for module in $(grep -v '^#' "$examples/ltt.modules-load.conf"); do
	assert "modprobe loads $module" modprobe "$module"
done
assert_eq 'which is all of LTT' "$(find "/lib/modules/$(uname -r)" -name 'ltt-*.ko*' | wc -l)" "$(lsmod | grep -c '^ltt_')"
# As udev does by the rule.
assert_match 'the rule is about the device' 'KERNEL=="ltt"' "$(cat "$examples/ltt.rules")"
chgrp 4242 /dev/ltt
chmod "$(sed -n 's/.*MODE="\([0-7]*\)".*/\1/p' "$examples/ltt.rules")" /dev/ltt

assert_eq 'a member of the group records' 0 "$(record 4242)"
assert 'the trace has events' sh -c 'lttctl view trace | grep -q sys_enter'
refute 'not with counters of perf, which take those of all CPUs' \
	as_user 4242 lttctl --via device record -o counted -e 'raw_syscalls:*' --context perf:page-faults -- true 2> said
assert_match 'for lack of a right' CAP_PERFMON "$(cat said)"
assert_eq 'another user cannot' 125 "$(record 4243)"
refute 'a member does not reach the traces of all users' as_user 4242 lttctl --via device create t
assert_eq 'nothing is left' '' "$(lttctl list)"
unload_modules
