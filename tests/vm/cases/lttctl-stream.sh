#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: lttctl stream rejects wrong lines with a message, sends nothing for them, and keeps the connection
# vm: --loaded
# requires: lttctl setpriv ltt-control.ko
. "$LTT/tests/vm/lib.sh"

load_modules
cd "$TMP"

# connection LINE...: typed in one connection, before and after what shows that it goes on
connection()
{
	status=0
	printf '%s\n' 'create t' "$@" 'traces' | lttctl stream > answers 2> complaints || status=$?
	assert_eq 'the connection goes on' 't' "$(sed -n '/: done$/d; p' answers | tail -n 1)"
}

# refuses REGEX LINE
refuses()
{
	connection "$2"
	assert_match "refused: $2" "$1" "$(cat complaints)"
	assert_eq 'in one line' 1 "$(wc -l < complaints)"
	assert_eq 'the exit status is 1' 1 "$status"
	assert_eq 'it has got no answer' 2 "$(grep -c '^[0-9]' answers)"
}

refuses frobnicate 'frobnicate t'
refuses now 'start t now'
refuses quote "create 'a b"
refuses quote 'create "a \" b'
refuses words "start $(seq -s ' ' 40)"
refuses nosuch 'heartbeat-set t nosuch'
refuses '-1' 'heartbeat-set t -1'
refuses 4x 'heartbeat-set t 4x'
refuses 99999999999999999999 'heartbeat-set t 99999999999999999999'
refuses 99999999999999g 'heartbeat-set t 99999999999999g'
refuses start 'start'
refuses long "create $(head -c 70000 /dev/zero | tr '\0' a)"

connection '# a comment' '' '   ' 'start "t"' "state 't'" 'state \t'
assert_eq 'quotes, blanks and comments are accepted' '0 ' "$status $(cat complaints)"
assert_eq 'quoted text is one word' 1 "$(grep -c '^2 start: done$' answers)"
connection help
assert_eq 'help is one at any time' '0 ' "$status $(cat complaints)"
assert 'it lists commands with their arguments' grep -q '^  channel-set trace channel ' answers

# A command given as arguments is rejected likewise.
status=0
lttctl stream --share start t now > answers 2> complaints || status=$?
assert_eq 'as an argument, too' 1 "$status"
assert_match 'and named' now "$(cat complaints)"
assert_match 'a user who may not open it learns which capability it takes' CAP_PERFMON \
	"$(setpriv --reuid 65534 --regid 65534 --clear-groups lttctl stream traces 2>&1 || :)"

unload_modules
