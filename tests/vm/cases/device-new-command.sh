#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a new command is one function and one row in one file, and lttctl offers it without being built again
# requires: lttctl ltt-control.ko
#
# tests/new-command/resize.patch adds it to a copy of the sources; doc/device.md shows it.
. "$LTT/tests/vm/lib.sh"

patched=$LTT/build/new-command

# ---- What it takes ----

sources()
{
	(cd "$1" && find core include modules/compat modules/include modules/control -name '*.[ch]' ! -name '*.mod.c' | sort)
}

changed()
{
	sources "$patched" | while read -r file; do
		cmp -s "$LTT/$file" "$patched/$file" || echo "$file"
	done
}

assert_eq 'no file is new' "$(sources "$LTT")" "$(sources "$patched")"
file=$(changed)
assert_eq 'one file is touched' modules/control/ops/channel.c "$file"
diff -U 0 "$LTT/$file" "$patched/$file" > "$TMP/diff" || :
sed -n '3,$p' "$TMP/diff"
assert_eq 'in two places' 2 "$(grep -c '^@@' "$TMP/diff")"
assert_eq 'where nothing is taken away' '' "$(sed -n '3,$ s/^-//p' "$TMP/diff")"
assert_eq 'one function' 1 "$(grep -c '^+static int op_' "$TMP/diff")"
assert_eq 'and one row' 1 "$(grep -c '^+	{ "' "$TMP/diff")"
sed '1,/^## A command more/d' "$LTT/doc/device.md" > "$TMP/doc"
assert_eq 'doc/device.md shows all of it' '' \
	"$(sed -n '3,$ s/^+//p' "$TMP/diff" | grep -v '^$' | grep -vxFf "$TMP/doc")"

# ---- What it gives ----

# answers WHAT EXTENDED-REGEX COMMAND: typed in a connection with a trace t
answers()
{
	assert_match "$1" "$2" "$(printf '%s\n' 'create t' "$3" 'channels t' | lttctl stream 2>&1)"
}

load_modules
refute 'LTT as it is has no such command' grep -q 'sub-buffers, both or neither' "$(command -v lttctl)"
refute 'and does not list it' sh -c 'lttctl stream help | grep -q "^  resize "'
rmmod ltt-control
insmod "$patched/modules/control/ltt-control.ko"
at_exit 'rmmod ltt-control'

assert_match 'it is listed, with arguments and help' \
	'^  resize trace channel size count +set size and number of sub-buffers, both or neither$' \
	"$(lttctl stream help)"
answers 'it is done' '^2 resize: done$' 'resize t events 64K 8'
answers 'really' '^events subbuf_size 65536 subbuf_count 8 ' 'resize t events 64K 8'
answers 'its own refusal is a sentence' \
	'^2 resize: error EINVAL: channel "events" cannot have 3 sub-buffers of 65536 bytes$' \
	'resize t events 64K 3'
answers 'and neither is set' '^events subbuf_size 1048576 subbuf_count 4 ' 'resize t events 64K 3'
answers 'the errors of other commands are unchanged' '^2 resize: error ENOENT: trace "t" has no channel "evens"$' \
	'resize t evens 64K 8'
answers 'numbers are checked for it' \
	'^2 resize: error EINVAL: count: 4294967296 is not a number from 0 to 4294967295$' \
	'resize t events 64K 4294967296'
answers 'and arguments counted' 'count is missing' 'resize t events 64K'
assert_match 'where traces run, too' '^3 resize: error EBUSY: ' \
	"$(printf '%s\n' 'create t' 'start t' 'resize t events 64K 8' | lttctl stream)"
assert_match 'the commands beside it are as they were' '^2 state:' \
	"$(printf '%s\n' 'create t' 'state t' | lttctl stream)"
