#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Each compiler that is there compiles libltt without a warning, also when it does not optimise: a statement in
# assembler may need more registers than are left then. No object asks the loader for a variable of the thread.
# compilers.sh KDIR FOLDER

work=$2
sources=$(cd "$(dirname "$0")/../../userspace" && pwd)
failed=0

# compile COMPILER OPTION...: each file of libltt
compile()
{
	for file in "$sources"/libltt/*.c; do
		"$@" -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Wall -Wextra -Werror -fPIC -fno-omit-frame-pointer \
			-I"$sources" -I"$sources/.." -I"$sources/../include" -c -o "$work/object" "$file" || return 1
		# The loader may allocate, and events come from handlers of signals.
		if readelf -rW "$work/object" | grep -qE 'TLS_?(GD|LD|DESC)'; then
			echo "error: $file has a variable of the thread without the model initial-exec"
			return 1
		fi
	done
}

# check COMPILER OPTION...
check()
{
	command -v "$1" > /dev/null || return 0
	if compile "$@" > "$work/said" 2>&1; then
		echo "ok compilers/$*"
	else
		echo "not ok compilers/$*: $(grep -m1 error: "$work/said")"
		failed=1
	fi
}

check gcc -O0
check clang -O0 -Wno-gnu
check clang -O2 -Wno-gnu
check aarch64-linux-gnu-gcc -O0
exit $failed
