#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The build finds the events that an error is about, and the reason, in what each compiler prints: blame.sh KDIR FOLDER.

export LC_ALL=C
blame=$(cd "$(dirname "$0")/../../modules/instrument" && pwd)/blame.awk
. "$(dirname "$0")/result.inc"
cd "$2" || exit
mkdir -p gen trace/events

cat > trace/events/foo.h <<'END'
TRACE_EVENT(foo_member, struct foo *f, f->a)
TRACE_EVENT(foo_element, struct foo *f, f[1].a)
TRACE_EVENT(foo_next, struct foo *f, f + 1 != 0)
TRACE_EVENT(foo_offset, int f, __builtin_offsetof(struct foo, a))
TRACE_EVENT(foo_size, int f, sizeof(struct foo))
TRACE_EVENT(foo_function, struct foo *f, get_foo(f))
TRACE_EVENT(foo_again, struct foo *f, get_foo(f) + 1)
TRACE_EVENT(foo_type, foo_t f, 0)
TRACE_EVENT(foo_name, int f, FOO_NAME)
TRACE_EVENT(foo_good, int f, f)
END
echo '#include "no-such-file.h"' > trace/events/bar.h
for i in $(seq 1 40); do
	echo "TRACE_EVENT(many_$i, int f, MANY_$i)"
done > trace/events/many.h
for unit in foo bar many; do
	cat > gen/$unit.c <<END
struct foo;
#define TRACE_EVENT(name, proto, value)	\\
	int ltt_probe_##name(proto); int ltt_probe_##name(proto) { return value; }
#include "trace/events/$unit.h"
END
done

cat > expected <<'END'
foo foo_again needs get_foo(), which the kernel's public headers do not declare
foo foo_element needs struct foo, which the kernel's public headers do not define
foo foo_function needs get_foo(), which the kernel's public headers do not declare
foo foo_member needs struct foo, which the kernel's public headers do not define
foo foo_name needs FOO_NAME, which the kernel's public headers do not declare
foo foo_next needs struct foo, which the kernel's public headers do not define
foo foo_offset needs struct foo, which the kernel's public headers do not define
foo foo_size needs struct foo, which the kernel's public headers do not define
foo foo_type needs the type foo_t, which the kernel's public headers do not define
END

blamed()	# COMPILER, unit
{
	{
		echo "  CC [M]  gen/$2.o"
		"$1" -I. -Werror=implicit-function-declaration -c -o "gen/$2.o" "gen/$2.c" 2>&1
	} > "log-$1-$2"
	awk -f "$blame" "log-$1-$2" | tr '\t' ' ' | sort
}

# More errors than the compiler prints: some events are blamed, and not the whole header.
some()
{
	! grep -q '^many \*' many && grep -q '^many many_1 needs MANY_1,' many && ! grep -v '^many many_' many
}

for compiler in gcc clang; do
	command -v $compiler > /dev/null || continue
	blamed $compiler foo > foo
	result $compiler/events diff expected foo
	result $compiler/header test "$(blamed $compiler bar)" = "bar * includes no-such-file.h, which is not among the kernel's public headers"
	blamed $compiler many > many
	result $compiler/many-errors some
done

# Messages that compilers of other versions print
reason()	# NAME, message, reason
{
	printf 'gen/foo.c\nx/trace/events/foo.h:1:2: error: %s\n' "$2" > log
	mkdir -p x
	cp -r trace x
	result "$1" test "$(awk -f "$blame" log)" = "foo	foo_member	$3"
}
reason undeclared-function "call to undeclared function 'f'; ISO C99 and later do not support implicit function declarations" \
	"needs f(), which the kernel's public headers do not declare"
for kind in field variable; do
	reason incomplete-$kind "$kind has incomplete type 'struct foo'" "needs struct foo, which the kernel's public headers do not define"
done
exit $failed
