#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The search for a kernel's types names the program that its image may need to be unpacked: packed-kernel.sh
# KDIR FOLDER.

work=$2
collect=$(cd "$(dirname "$0")/../../modules/instrument/btf" && pwd)/collect
failed=0

# All programs that the search needs, but for those that unpack.
mkdir -p "$work/bin" "$work/kdir/installed/boot" "$work/types"
for program in sh uname mktemp rm printf grep cut tail cat sed false; do
	ln -sf "$(command -v "$program")" "$work/bin/$program"
done

# names NAME BYTES PROGRAM: of an image with these bytes; no PROGRAM: it names none
names()
{
	# shellcheck disable=SC2059 # the format has the bytes
	printf "an image $2 of a kernel" > "$work/kdir/installed/boot/vmlinuz-0.0-none"
	if env PATH="$work/bin" "$collect" false "$work/kdir" 0.0-none "$work/types/x" > "$work/out" 2>&1; then
		echo "# it succeeded"
	elif [ "$(sed -n 's/.*there is no program //p' "$work/out")" = "$3" ]; then
		echo "ok packed-kernel/$1"
		return
	fi
	sed 's/^/# /' "$work/out"
	echo "not ok packed-kernel/$1"
	failed=1
}

names xz '\3757zXZ' xz
names zstd '\050\265\057\375' zstd
names gzip '\037\213\010' gzip
names lz4 '\002\041\114\030' lz4
names not-packed '' ''
exit "$failed"
