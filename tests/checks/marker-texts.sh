#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Names and formats of trace_mark() that the compiler rejects: marker-texts.sh KDIR FOLDER. In a
# program, by each compiler that is there, in C and in C++, without optimisation; and in a driver.

kdir=$1
work=$2
include=$(cd "$(dirname "$0")/../../include" && pwd)
failed=0

# The verdict (gcc: rejected by GCC only; program: by drivers only); the arguments of
# trace_mark().
table()
{
	cat <<'TABLE'
accepts  good, one, "a %d b %s", 1, "x"
accepts  good, two, ""
accepts  good, three, "a %.*s b %*ph c %*pA", 1, "x", 2, "xy", 1, (const int *)0
program  good, four, "a %f b %g", 1.5f, 1.5
rejects  "my group", name, "a %d", 1
rejects  group, "name", "a %d", 1
rejects  a123456789b123456789c123456789d123456789e123456789f123456789g123, name, "a %d", 1
rejects  group, a123456789b123456789c123456789d123456789e123456789f123456789n123, "a %d", 1
rejects  group, name, "%d", 1
rejects  group, name, "a %*d", 1, 1
rejects  group, name, "a %*pM", 1, "x"
rejects  group, name, "a %Lf", 1.5L
gcc      group, name, "a %d %%", 1
TABLE
}

# compile COMPILER LANGUAGE: trace_mark() with the arguments in $arguments
compile()
{
	printf '#include <ltt/marker.h>\nvoid f(void);\nvoid f(void)\n{\n\ttrace_mark(%s);\n}\n' "$arguments" |
		"$1" -x "$2" -O0 -I"$include" -c -o /dev/null - 2> "$work/said"
}

# report NAME WANTED IS: the result; a rejection needs an error of trace_mark() in $work/said
report()
{
	if [ "$3" = "$2" ] && { [ "$3" = accepts ] || grep -q 'trace_mark: ' "$work/said"; }; then
		echo "ok marker-texts/$1 $2 $arguments"
	else
		echo "not ok marker-texts/$1 $2 $arguments"
		failed=1
	fi
}

# check COMPILER LANGUAGE VERDICT
check()
{
	wanted=$3
	[ "$wanted" != program ] || wanted=accepts
	[ "$wanted" != gcc ] || case $1 in clang*) wanted=accepts ;; *) wanted=rejects ;; esac
	if compile "$1" "$2"; then is=accepts; else is=rejects; fi
	report "$1" "$wanted" "$is"
}

# Each row becomes a source file of a driver; kbuild, which uses GCC, compiles what it can.
build_drivers()
{
	number=0
	while read -r verdict arguments; do
		number=$((number + 1))
		printf '#include <ltt/marker.h>\nvoid f(void);\nvoid f(void)\n{\n\ttrace_mark(%s);\n}\n' "$arguments" \
			> "$work/row$number.c"
		echo "obj-m += row$number.o" >> "$work/Kbuild"
	done
	echo "ccflags-y := -I$include" >> "$work/Kbuild"
	# Never compiles: it keeps kbuild from going on to link modules.
	echo '#error' > "$work/never.c"
	echo 'obj-m += never.o' >> "$work/Kbuild"
	make -k -j1 --output-sync=target -C "$kdir" M="$work" modules > "$work/log" 2>&1
}

# check_driver VERDICT: row $number of the drivers
check_driver()
{
	[ "$1" = accepts ] && wanted=accepts || wanted=rejects
	if [ -e "$work/row$number.o" ]; then is=accepts; else is=rejects; fi
	awk -v row="row$number" 'match($0, /row[0-9]+\.c:/) { current = substr($0, RSTART, RLENGTH - 3) }
		current == row' "$work/log" > "$work/said"
	report driver "$wanted" "$is"
}

build_drivers <<TABLE
$(table)
TABLE
number=0
while read -r verdict arguments; do
	number=$((number + 1))
	check_driver "$verdict"
	for compiler in gcc clang; do
		! command -v $compiler > /dev/null || check $compiler c "$verdict"
	done
	for compiler in g++ clang++; do
		! command -v $compiler > /dev/null || check $compiler c++ "$verdict"
	done
done <<TABLE
$(table)
TABLE
exit $failed
