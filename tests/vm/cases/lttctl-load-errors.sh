#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: when a module is rejected, lttctl names the cause and what to do: another kernel's, unsigned, signed with an unknown key, not installed, no right
# vm: --append lsm=lockdown
# requires: lttctl lttd openssl modinfo ltt-control.ko
#
# Its own VM, by an option that no other case but device-lockdown has: there is no way back.
. "$LTT/tests/vm/lib.sh"

cd "$TMP"
# That of another kernel than the VM's, too: all sign in one way.
sign_file=$(ls /usr/lib/linux-kbuild-*/scripts/sign-file 2> /dev/null | tail -n 1)
[ "$sign_file" ] || skip 'no /usr/lib/linux-kbuild-*/scripts/sign-file is there'
mount -t securityfs securityfs /sys/kernel/security
at_exit 'umount /sys/kernel/security'

# fails ERRNO-TEXT ADVICE [VARIABLE=VALUE]...: lttctl fails with this errno, and advises this
fails()
{
	text=$1 advice=$2
	shift 2
	status=0
	env "$@" lttctl record -o refused -- true > said 2>&1 || status=$?
	assert_eq "record fails: $*" 125 "$status"
	assert_match 'with the errno' "$text" "$(cat said)"
	assert_match 'and advice' "$advice" "$(cat said)"
	refute 'nothing is recorded' test -e refused
}

mkdir other signed
# The kernel compares these words; of symbols with versions it ignores the release.
release=$(uname -r)
pattern=$(echo "$release" | sed 's/[.+]/[&]/g')
sed "s/vermagic=$pattern SMP /vermagic=$release UMP /" "$LTT/modules/timestamp/ltt-timestamp.ko" \
	> other/ltt-timestamp.ko
assert_match 'the module is for another kernel' ' UMP ' "$(modinfo -F vermagic other/ltt-timestamp.ko)"
fails 'Exec format error' "linux-headers-$pattern" LTT_MODULES_DIR="$TMP/other"

mkdir -p "empty/lib/modules/$release"
depmod -b empty "$release"
mount --bind "empty/lib/modules/$release" "/lib/modules/$release"
fails 'not installed' "ltt-dkms and linux-headers-$pattern"
umount "/lib/modules/$release"

openssl req -new -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=unknown -days 2 \
	-keyout key.pem -out key.crt 2> /dev/null
cp "$LTT/modules/timestamp/ltt-timestamp.ko" signed
"$sign_file" sha256 key.pem key.crt signed/ltt-timestamp.ko
assert_match 'the module is signed' unknown "$(modinfo -F signer signed/ltt-timestamp.ko)"

echo integrity > /sys/kernel/security/lockdown
fails 'Operation not permitted' 'locked down.*no signature.*ltt-dkms'
fails 'Operation not permitted' 'locked down.*mokutil' LTT_MODULES_DIR="$TMP/signed"

# As with module.sig_enforce=1.
echo 1 > /sys/module/module/parameters/sig_enforce
fails 'Key was rejected by service' 'no signature.*ltt-dkms'
fails 'Key was rejected by service' mokutil LTT_MODULES_DIR="$TMP/signed"

echo 1 > /proc/sys/kernel/modules_disabled
fails 'Operation not permitted' modules_disabled
