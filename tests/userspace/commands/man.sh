#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The man pages are well formed, and have each option that --help lists.

. "$(dirname "$0")/lib.sh"

man=$top/doc/man

# covers PAGE COMMAND…: every option that COMMAND --help shows is in PAGE, or in that
# of `lttctl record`, where those shared with it are explained
covers() {
	local page=$1 option
	shift
	cat "$page" "$man/lttctl-record.1" | mandoc -T ascii | sed 's|.\x08||g' > text
	while read -r option; do
		grep -qE -- "(^|[^a-z-])$option([^a-z-]|$)" text || die "$page does not have $option of $*"
	done < <("$@" --help | grep -oE -- '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,' | sort -u)
}

test_pages_are_well_formed() {
	command -v mandoc > /dev/null || { echo "no mandoc"; exit 77; }
	local page
	for page in "$man"/*.[138]; do
		! grep -q '^\.so ' "$page" || continue
		# Whether other pages are installed is not the question.
		mandoc -T lint "$page" 2> /dev/null | grep -v 'referenced manual not found' >> lint || :
	done
	[ ! -s lint ] || { cat lint; exit 1; }
}

test_pages_have_every_option() {
	command -v mandoc > /dev/null || { echo "no mandoc"; exit 77; }
	local name
	for name in $("$bin/lttctl" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
		case $name in
		record) covers "$man/lttctl-record.1" "$bin/lttctl" record ;;
		*) covers "$man/lttctl.1" "$bin/lttctl" "$name" ;;
		esac
		grep -q "^\.It Cm $name" "$man/lttctl.1" || die "lttctl.1 does not have $name"
	done
	covers "$man/lttd.8" "$bin/lttd"
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
