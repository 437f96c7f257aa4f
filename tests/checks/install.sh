#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The files that "make install" of the programs and headers leaves behind, and the packages
# that a plain "make" asks for: install.sh KDIR FOLDER.

top=$(cd "$(dirname "$0")/../.." && pwd)
work=${2:?usage: install.sh KDIR FOLDER}
prefix=$work/prefix
failed=0

# check NAME COMMAND...
check()
{
	name=install/$1
	shift
	if "$@" >"$work/output" 2>&1; then
		echo "ok $name"
	else
		sed 's/^/    /' "$work/output"
		echo "not ok $name"
		failed=1
	fi
}

# A command of this name that records its calls and fails.
fake()
{
	printf '#!/bin/sh\necho "%s $*" >> "%s/calls"\nexit 1\n' "$1" "$work" > "$work/bin/$1"
	chmod +x "$work/bin/$1"
}

# programs TARGET ARGUMENT...: make TARGET in userspace; $work/calls lists the fakes called
programs()
{
	: > "$work/calls"
	PATH=$work/bin:$PATH make -s -C "$top/userspace" "$@"
}

compile_alone()
{
	for header in marker probe tracepoint event slice text mapping; do
		echo "#include <ltt/$header.h>" |
			cc -std=gnu11 -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only -xc - || return
	done
}

# In a folder of system headers, as /usr/local/include is, where compilers suppress warnings.
compiles()	# COMPILER LANGUAGE FORMAT-AND-ARGUMENTS
{
	printf '#include <ltt/marker.h>\nvoid f(const char *text) { (void)text; trace_mark(a, b, %s); }\n' "$3" |
		"$1" -Wno-format -isystem "$prefix/include" -fsyntax-only -x "$2" -
}

checks_formats()
{
	for compiler in gcc,c g++,c++ clang,c clang++,c++; do
		set -- "${compiler%,*}" "${compiler#*,}"
		compiles "$@" '"n %d text %s", 1, text' || return
		for wrong in '"text %s", 1' '"n %d", 1.5' '"n %d m %d", 1' '"n %d", 1, 2' '"", 1'; do
			! compiles "$@" "$wrong" || { echo "$1 accepts $wrong"; return 1; }
		done
	done
}

driver_headers()
{
	for header in marker-kernel marker-string sink; do
		[ -e "$prefix/include/ltt/$header.h" ] || return
	done
}

# dead_links FOLDER: links of documents to files that are not there
dead_links()
{
	find "$1" -name '*.md' | while read -r document; do
		grep -oE '\]\([^)#: ]+' "$document" | cut -c3- | while read -r link; do
			[ -e "${document%/*}/$link" ] || echo "$document: $link"
		done
	done
}
no_dead_link() { [ -e "$1/README.md" ] && [ -e "$1/doc/install.md" ] && ! dead_links "$1" | grep .; }

nothing_left() { left=$(find "$prefix" "$work/staged" -type f -o -type l); echo "$left"; [ -z "$left" ]; }
called() { cat "$work/calls"; grep -q "^$1" "$work/calls"; }
not_called() { ! called "$1"; }

mkdir -p "$work/bin"
fake ldconfig
check succeeds_though_ldconfig_fails programs install PREFIX="$prefix"
check calls_ldconfig called ldconfig
check headers_for_programs_compile_alone compile_alone
check formats_are_checked_in_system_headers checks_formats
check headers_for_drivers_are_there driver_headers
check staged programs install DESTDIR="$work/staged" PREFIX=/usr
check recipes_are_found_beside_lttctl sh -c "'$work/staged/usr/bin/lttctl' recipe | grep '^drops '"
check staged_without_ldconfig not_called ldconfig
check links_of_installed_documents_have_their_files no_dead_link "$work/staged/usr/share/doc/ltt"
programs uninstall PREFIX="$prefix" > /dev/null 2>&1
programs uninstall DESTDIR="$work/staged" PREFIX=/usr > /dev/null 2>&1
check uninstall_removes_every_file nothing_left

# Headers of a kernel that the modules are not built for.
mkdir -p "$work/other/include/generated" "$work/staged/lib/modules/6.1.0-1/updates/ltt" "$work/staged/lib/modules/6.1.0-2/updates/ltt"
echo '#define UTS_RELEASE "6.1.0-other"' > "$work/other/include/generated/utsrelease.h"
touch "$work/staged/lib/modules/6.1.0-1/updates/ltt/ltt-control.ko" "$work/staged/lib/modules/6.1.0-2/updates/ltt/ltt-control.ko"
check modules_of_another_kernel_are_not_installed \
	sh -c "make -s -C '$top' modules_install KDIR='$work/other' DESTDIR='$work/staged' 2>&1 |
		grep 'built for [0-9].* and not for 6.1.0-other' && [ ! -e '$work/staged/lib/modules/6.1.0-other' ]"
make -s -C "$top" uninstall DESTDIR="$work/staged" > /dev/null 2>&1
check uninstall_removes_the_modules_of_all_kernels nothing_left

# A machine that has kernel headers, and no kernel image.
if unshare -m true 2>/dev/null; then
	fake apt-get
	: > "$work/calls"
	check plain_make_needs_no_kernel_image \
		env -u KDIR PATH="$work/bin:$PATH" unshare -m sh -c \
		"mount -t tmpfs tmpfs /boot && cd '$top' && make -s need-build"
	check plain_make_installs_no_kernel_image not_called apt-get
	env -u KDIR PATH="$work/bin:$PATH" unshare -m sh -c \
		"mount -t tmpfs tmpfs /boot && cd '$top' && make -s need-check" > /dev/null 2>&1
	check tests_need_a_kernel_image called 'apt-get.*linux-image-amd64'
fi
exit $failed
