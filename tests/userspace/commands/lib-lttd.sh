# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# shellcheck shell=bash
#
# Shared by the tests of lttd on plain files, which never free a packet.  A restarted lttd
# meets all packets again, as it would meet those of a buffer whose reader was killed.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

lttd=$bin/lttd
trace=$LTT_DEBUGFS/traces/t
out=$scratch/t/out

# make_trace PACKETS BYTES [BUFFER…]
make_trace() {
	local count=$1 bytes=$2 name channel
	shift 2
	mkdir -p "$trace"
	echo running > "$trace/state"
	: > "$trace/flush"
	: > "$trace/filters"
	printf '/* CTF 1.8 */\nuuid 1\n' > "$trace/metadata"
	for name in "${@:-events_0}"; do
		channel=$trace/channels/${name%_*}
		mkdir -p "$channel"
		echo "$bytes" > "$channel/subbuf_size"
		echo "$count" > "$channel/subbuf_count"
		echo 0 > "$channel/overwrite"
		echo 0 > "$channel/lossless_ms"
		"$tools/mkpackets" 0 "$count" "$bytes" > "$trace/$name"
	done
}

# The trace on disk is what the tracer holds.
# (`set -e` has no effect in a condition, such as that of until_true.)
complete() {
	local name
	for name in metadata "${@:-events_0}"; do
		cmp "$trace/$name" "$out/kernel/$name" || return
	done
}

# injected PATH CALL:WHAT... -- ARGUMENT...: lttd, with system calls that are about PATH changed
injected() {
	local path=$1 calls='' options=()
	shift
	while [ "$1" != -- ]; do
		calls+=,${1%%:*}
		options+=(-e "inject=$1")
		shift
	done
	shift
	strace -qq -o strace.out -P "$path" -e trace="${calls#,}" "${options[@]}" "$lttd" "$@"
}

# lttd_with NTH ARGUMENT...: when that call has failed, there is a file "failed"
lttd_with() {
	local nth=$1
	shift
	rm -f failed
	FAIL_IN=lttd FAIL_NTH=$nth FAIL_DONE=$PWD/failed LD_PRELOAD=$tools/fail-nth.so \
		timeout 20 "$lttd" "$@" > said 2>&1
}

# No lttd holds the trace's claim, which its holder alone may remove.
unclaimed() {
	[ ! -e "$LTT_RUN_DIR/t" ] || python3 -c 'import fcntl, sys
fcntl.lockf(open(sys.argv[1], "r+"), fcntl.LOCK_EX | fcntl.LOCK_NB)' "$LTT_RUN_DIR/t" 2> /dev/null
}
