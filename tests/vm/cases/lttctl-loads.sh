#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttctl loads the tracer from a build tree, a folder, or where it is installed, mounts debugfs, and prints the reason if it cannot
# requires: lttctl lttd babeltrace2 modprobe setpriv unshare xz ltt-control.ko
# timeout: 120
. "$LTT/tests/vm/lib-record.sh"

cd "$TMP"
installed=/lib/modules/$(uname -r)

loaded()
{
	lsmod | grep -c '^ltt_' || :
}

# records NAME [VARIABLE=VALUE] COMMAND... [OPTION...]: and the trace has events
records()
{
	out=$1
	shift
	"$@" -o "$out" -e 'raw_syscalls:*' -- true 2> "$out.said" || { cat "$out.said"; return 1; }
	lttctl view "$out" | grep -q sys_enter
}

# refuses WORDS [VARIABLE=VALUE] COMMAND...: with these, and with no folder
refuses()
{
	words=$1
	shift
	status=0
	"$@" -o refused -- true 2> said || status=$?
	assert_eq "lttctl record fails: $*" 125 "$status"
	assert_match 'and prints the reason' "$words" "$(cat said)"
	refute 'it leaves no folder' test -e refused
}

# ---- From where the variable says ----

assert 'from a build tree' records tree env LTT_MODULES_DIR="$LTT/modules" lttctl record
assert_eq 'all of it is loaded' 9 "$(loaded)"
assert 'loaded modules are not loaded again' records again lttctl record
assert 'it can be unloaded' unload_modules

mkdir flat
cp "$LTT"/modules/*/ltt-*.ko "$LTT"/modules/instrument/*/ltt-*.ko flat
# Where the mounts are its own, so that it does not change those of others.
in_own_mounts()
{
	unshare -m sh -c 'umount /sys/kernel/debug && "$@" && mountpoint -q /sys/kernel/debug' - "$@"
}
assert 'from a folder, and debugfs is mounted' records flat-trace \
	in_own_mounts env LTT_MODULES_DIR="$TMP/flat" lttctl record --via debugfs
unload_modules

mkdir compressed
for module in flat/*.ko; do xz -0 -c --check=crc32 "$module" > "compressed/${module#flat/}.xz"; done
assert 'from a folder with compressed modules' records compressed-trace env LTT_MODULES_DIR="$TMP/compressed" lttctl record
assert_eq 'all of it is loaded' 9 "$(loaded)"
unload_modules

rm flat/ltt-relay.ko
refuses 'No such file' \
	env LTT_MODULES_DIR="$TMP/flat" lttctl record
assert_eq 'the modules before it are loaded' 1 "$(loaded)"
echo none > flat/ltt-relay.ko
refuses "$TMP/flat/ltt-relay.ko" env LTT_MODULES_DIR="$TMP/flat" lttctl record
unload_modules

# ---- From where modules are installed ----

assert 'from where they are installed' records installed-trace lttctl record
assert_eq 'all of it is loaded' 9 "$(loaded)"
unload_modules
assert 'also for one whose PATH has no /sbin' records path-trace env PATH=/usr/bin:/bin lttctl record
assert_eq 'all of it is loaded' 9 "$(loaded)"
unload_modules
assert 'lttctl stream loads it, too' lttctl stream create t
assert_eq 'all of it is loaded' 9 "$(loaded)"
unload_modules
assert 'modprobe loads the tracer' modprobe ltt-control
assert_eq "with the kernel's events" 9 "$(loaded)"

# ---- By another user ----

chmod 755 "$TMP"
refuses CAP_PERFMON \
	setpriv --reuid 65534 --regid 65534 --clear-groups lttctl record
refuses root \
	setpriv --reuid 65534 --regid 65534 --clear-groups lttctl record --via debugfs
unload_modules
refuses 'Operation not permitted' \
	setpriv --reuid 65534 --regid 65534 --clear-groups lttctl record
refuses 'Operation not permitted' \
	setpriv --reuid 65534 --regid 65534 --clear-groups env LTT_MODULES_DIR="$LTT/modules" lttctl record
refuses 'needs root .CAP_SYS_MODULE' setpriv --bounding-set -sys_module lttctl record

# ---- Not installed ----

mv "$installed/modules.dep" "$installed/modules.dep.bin" .
at_exit "mv $TMP/modules.dep $TMP/modules.dep.bin $installed"
grep -v /ltt- modules.dep > "$installed/modules.dep"
refuses LTT_MODULES_DIR \
	lttctl record
