#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The errors of an event header decide if its foreseen types, its events or all of it are left out: foreseen.sh KDIR FOLDER.
# Each test writes the errors that the blame scripts would print.

here=$(dirname "$0")/../../modules/instrument
top=$2
tab=$(printf '\t')
status=0
. "$here/btf/functions.sh"
eval "$(sed -n '/^new_blame()/,/^}/p; /^note_omissions()/,/^}/p' "$here/generate")"

# begin NAME: the unit u has foreseen types, and its event "gone" is left out already
begin()
{
	test=$1
	work=$top/$1
	mkdir -p "$work/omit" "$work/dropped" "$work/prelude" "$work/foreseen" "$work/wanted"
	printf 'u\tgone\tneeds f()\n' > "$work/omit/u"
	touch "$work/prelude/u" "$work/foreseen/u" "$work/wanted/u"
	: > "$work/blame"
	added=
}

blame()		# event, reason
{
	printf 'u\t%s\t%s\n' "$1" "$2" >> "$work/blame"
}

expect()	# COMMAND...: it succeeds
{
	if "$@"; then
		echo "ok foreseen/$test"
	else
		echo "not ok foreseen/$test # $*; added:$added, todo:$todo"
		status=1
	fi
}

forgotten()
{
	drop_foreseen
	[ "$added" = ' u' ] && [ ! -e "$work/foreseen/u" ] && [ ! -e "$work/prelude/u" ] && [ ! -e "$work/omit/u" ] &&
		[ ! -s "$work/blame" ]
}

kept()
{
	drop_foreseen
	[ -z "$added" ] && [ -e "$work/foreseen/u" ] && [ -e "$work/prelude/u" ] && [ -s "$work/blame" ]
}

left_out()	# events, in all
{
	note_omissions
	[ "$todo" = ' u' ] && [ ! -e "$work/dropped/u" ] && [ "$(cut -f2 "$work/omit/u" | sort | paste -s -d ' ')" = "$1" ]
}

dropped()	# reason
{
	note_omissions
	[ -z "$todo" ] && [ "$(cat "$work/dropped/u")" = "$1" ]
}

begin clash-at-an-event
blame new "does not compile: redefinition of 'struct s'"
expect forgotten

begin clash-of-the-whole-header
blame '*' "does not compile: expected ';'"
expect forgotten

begin error-that-stays
blame gone 'needs f()'
expect forgotten

begin missing-function
blame new 'needs f()'
expect kept

begin clash-before-anything-is-left-out
: > "$work/omit/u"
blame new "does not compile: conflicting types for 's'"
expect forgotten

begin event-is-left-out
blame new 'needs g()'
expect left_out 'gone new'

begin other-uses-of-a-function-are-blamed-again
blame gone 'needs f()'
blame new 'needs f()'
expect left_out 'gone new'

begin header-with-an-error-that-stays
blame gone 'needs f()'
expect dropped 'needs f()'

begin header-with-an-error-of-its-own
blame new 'needs f()'
blame '*' 'needs the type t'
expect dropped 'needs the type t'
exit $status
