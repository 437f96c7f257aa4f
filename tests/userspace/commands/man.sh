#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The man pages are well formed; each command, macro and function has one, with the options of --help.

. "$(dirname "$0")/lib.sh"

man=$top/doc/man

# options_of_help: those that --help lists, on stdin, a line each
options_of_help() {
	grep -oE -- '^ *(-[a-z], )?--[a-z][a-z-]*|^ *-[a-z]( |,|$)' | grep -oE -- '--?[a-z][a-z-]*' | sort -u
}

# options_of_page PAGE: those that it explains, an item each
options_of_page() {
	sed -n 's/^\.It \(Fl .*\)/\1/p' "$1" | grep -oE 'Fl -?[a-z][a-z-]*' | sed 's/^Fl /-/' | sort -u
}

# covers PAGE COMMAND…: the options of the page are those of COMMAND --help
covers() {
	local page=$1
	shift
	"$@" --help | options_of_help > of-help
	[ -s of-help ] || die "$* --help lists no option"
	options_of_page "$page" > of-page
	diff of-help of-page > differ || { cat differ; die "the options of $page are not those of $*"; }
}

test_pages_are_well_formed() {
	command -v mandoc > /dev/null || { echo "no mandoc"; exit 77; }
	local page
	for page in "$man"/*.[1348]; do
		! grep -q '^\.so ' "$page" || continue
		# Whether other pages are installed is not the question.
		mandoc -T lint "$page" 2> /dev/null | grep -v 'referenced manual not found' >> lint || :
	done
	[ ! -s lint ] || { cat lint; exit 1; }
}

test_each_command_has_a_page_with_its_options() {
	local name
	"$bin/lttctl" --help | sed -n 's/^  \([a-z]*\) .*/\1/p' > names
	[ "$(wc -l < names)" -ge 15 ] || die "few commands: $(cat names)"
	while read -r name; do
		covers "$man/lttctl-$name.1" "$bin/lttctl" "$name"
		grep -q "^\.It Xr lttctl-$name 1$" "$man/lttctl.1" || die "lttctl.1 does not list $name"
	done < names
	covers "$man/lttd.8" "$bin/lttd"
	covers "$man/ltt-exporter.8" "$bin/ltt-exporter"
	for name in "$man"/lttctl-*.1; do
		name=${name##*/lttctl-}
		grep -qx "${name%.1}" names || die "there is a page, and not a command ${name%.1}"
	done
}

# Macros of the headers that programs and drivers include; those of interpreters' packages are
# functions, as below.
test_each_macro_has_a_page() {
	local name page
	sed -n 's/^#define \(trace_[a-z_]*\|TRACE_[A-Z]*\|LTT_TRACEPOINT\)(.*/\1/p' "$top"/include/ltt/*.h |
		sort -u > macros
	[ "$(wc -l < macros)" -ge 10 ] || die "few macros: $(cat macros)"
	while read -r name; do
		page=$man/$(sed -n 's|^\.so man3/||p' "$man/$name.3" | grep . || echo "$name.3")
		grep -qE "^\.Nm $name( ,)?$" "$page" || die "$page does not have $name"
	done < macros
}

# Functions that headers call by themselves need no page.
test_each_function_of_libltt_has_a_page() {
	local name page
	sed -n '/^LTT_PRIVATE/q; s/^\t\([a-z_0-9]*\);$/\1/p' "$top/userspace/libltt/libltt.map" |
		grep -vE '^(vfork|dlclose|ltt_sites_.*|ltt_mark_.*)$' > functions
	[ "$(wc -l < functions)" -ge 5 ] || die "few functions: $(cat functions)"
	while read -r name; do
		page=$man/$(sed -n 's|^\.so man3/||p' "$man/$name.3" | grep . || echo "$name.3")
		grep -qE "^\.Nm $name( ,)?$" "$page" || die "$page does not have $name"
	done < functions
}

run_tests
