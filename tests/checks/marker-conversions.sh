#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The formats that the compiler accepts and rejects in a trace_mark(): marker-conversions.sh
# KDIR FOLDER. A driver that turns format warnings off gets the errors as well.

kdir=$1
work=$2
include=$(cd "$(dirname "$0")/../../include" && pwd)
number=0

# One line a row: what must happen; declarations; format and arguments. "to cast": rejected,
# by an error that asks for a cast.
table()
{
	cat <<'TABLE'
accepts  | int a; long b;         | "a %d b %ld", a, b
accepts  | char a; u8 b; s16 c;   | "a %c b %hhu c %hx", a, b, c
accepts  | u64 a; size_t b; bool c; | "a %llx b %zu c %d", a, b, c
accepts  | enum { X, Y } a;       | "a %u", a
accepts  | char a[9];             | "a %s", a
accepts  | const char *const a = "x"; | "a %s b %s", a, a ? "y" : a
accepts  | u8 a[6]; struct opaque *b; | "a %p b %p", a, b
accepts  | struct { int x:3; } a; | "a %d", (int)a.x
accepts  | u64 a; s64 b; unsigned long c; | "a %lu b %ld c %llx d %08lx", a, b, c, a
accepts  | u8 a[6]; size_t n; struct opaque *b; | "a %6ph b %*ph c %*ph", a, n, b, 3, a
accepts  | const s16 a[2]; enum { X } *b; u8 n; | "a %2pA b %*pA c %p", a, n, b, b
accepts  | const char *a; ssize_t n; | "a %.*s b %.5s", n, a, a
accepts  | enum { X, Y } a;       | "a %d{x=0,y=1} b %x{on=0x10}", a, 1
accepts  | int a;                 | ""
accepts  | int a;                 | "a %d b %d c %d d %d e %d f %d g %d h %d i %d j %d k %d l %d", a, a, a, a, a, a, a, a, a, a, a, a
to cast  | struct { int x:3; } a; | "a %d", a.x
to cast  | struct { u8 x:1; bool y:1; } a; | "a %d b %d", 1, a.y
rejects  | long a;                | "a %d", a
rejects  | int a;                 | "a %ld", a
rejects  | unsigned int a;        | "a %lu", a
rejects  | unsigned int a;        | "a %llu", a
rejects  | u64 a;                 | "a %u", a
rejects  | int a[2];              | "a %*pA", a
rejects  | int a;                 | "a %*pA", a
rejects  | int a;                 | "a %*d", a, a
rejects  | int a[2];              | "a %*pM", 2, a
rejects  | void *a;               | "a %.*s", 2, a
rejects  | int a;                 | "a %*pA b %*pA c %*pA d %*pA e %*pA f %*pA g %*pA", a, &a, a, &a, a, &a, a, &a, a, &a, a, &a, a, &a
rejects  | float a;               | "a %f", a
rejects  | u8 *a;                 | "a %s", a
rejects  | int *a;                | "a %n", a
rejects  | int a;                 | "a %s", a
rejects  | int a;                 | "a %p", a
rejects  | char *a;               | "a %d", a
rejects  | void *a;               | "a %s", a
rejects  | int a;                 | "a %d b %d", a
rejects  | int a;                 | "a %d", a, a
rejects  | int a;                 | "", a
rejects  | int a;                 | "a %d b %d c %d d %d e %d f %d g %d h %d i %d j %d k %d l %d m %d", a, a, a, a, a, a, a, a, a, a, a, a, a
rejects  | int a;                 | "a %f", a
rejects  | struct { int x; } a;   | "a %d", a
rejects  | struct { void *x; } a; | "a %p", a
to cast  | unsigned __int128 a;   | "a %llu", a
rejects  | char *a;               | a
rejects  | char *a;               | a, 1
TABLE
}

# Each row becomes a source file, numbered; kbuild is to compile what it can.
write_sources()
{
	table | while IFS='|' read -r verdict declarations arguments; do
		number=$((number + 1))
		cat > "$work/row$number.c" <<SOURCE
#include <ltt/marker.h>
void row$number(void);
void row$number(void)
{
	static $declarations

	trace_mark(table, row$number, $arguments);
}
SOURCE
		echo "obj-m += row$number.o" >> "$work/Kbuild"
	done
	echo "ccflags-y := -I$include -Wno-format -Wno-unused-variable" >> "$work/Kbuild"
	# Never compiles: it keeps kbuild from going on to link modules.
	echo '#error' > "$work/never.c"
	echo 'obj-m += never.o' >> "$work/Kbuild"
}

write_sources
make -k -C "$kdir" M="$work" modules > "$work/log" 2>&1

failed=0
while IFS='|' read -r verdict declarations arguments; do
	number=$((number + 1))
	if [ -e "$work/row$number.o" ]; then is='accepts '; else is='rejects '; fi
	said=$(grep -c "row$number.c.*error\|row$number.c:[0-9]*:[0-9]*: note" "$work/log")
	# The notes behind an error lead to the source.
	if [ "$verdict" = 'to cast  ' ] &&
	   grep -A 30 'error: .*cast' "$work/log" | grep -q "row$number.c:[0-9]"; then
		is='to cast '
	fi
	if [ "$verdict" = "$is " ] && { [ "$is" = 'accepts ' ] || [ "$said" -gt 0 ]; }; then
		result=ok
	else
		result='not ok'
		failed=1
	fi
	echo "$result marker-conversions/$number $verdict$declarations$arguments" | tr -s ' '
done <<TABLE
$(table)
TABLE
exit $failed
