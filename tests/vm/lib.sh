# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# What the test cases (cases/*.sh, run in a VM by ./guest) have in common.
#
# A case opens with header lines, then reads this file:
#
#	#!/bin/sh
#	# description: what is promised, in one line
#	# vm: --smp 4			options for the VM, if it needs any
#	# requires: lttctl ltt-x.ko	commands, modules or /files; else skipped
#	# timeout: 60			seconds, 90 if not said
#	. "$LTT/tests/vm/lib.sh"
#
# It passes if it ends, made at least one check and none failed. A check that
# fails does not end it, any other command that fails does. Given are:
#
#	$LTT	the source tree		$DBG	/sys/kernel/debug/ltt
#	$TMP	an empty folder		$OUT	a folder that the host keeps
#
# An executable NAME.host beside NAME.sh is run on the host afterwards, with
# the folder $OUT as argument: the place for work that is slow in a VM.

set -eu
export LC_ALL=C
DBG=/sys/kernel/debug/ltt
TMP=/run/ltt-case
ledger=$TMP.checks
checks=0
cleanup=

rm -rf "$TMP"
mkdir "$TMP"
: > "$ledger"
trap finish EXIT
trap 'exit 143' TERM

# The ledger is a file so that checks made in a subshell count too.
finish()
{
	status=$?
	trap - EXIT
	set +e
	eval "$cleanup"
	[ "$status" -ne 77 ] || exit 77
	[ "$status" -eq 0 ] || echo "stopped with status $status after check $checks"
	failed=$(grep -c '^not ok' "$ledger")
	echo "$(wc -l < "$ledger") checks, $failed failed"
	[ "$status" -eq 0 ] && [ "$failed" -eq 0 ] && [ -s "$ledger" ]
	exit $?
}

# at_exit 'COMMANDS': run them at the end, however it comes; the last said first
at_exit()
{
	cleanup="$1; $cleanup"
}

skip()
{
	echo "$*"
	exit 77
}

die()
{
	echo "$*"
	exit 1
}

check()		# "ok" | "not ok", what
{
	checks=$((checks + 1))
	echo "$1 $checks $2"
	echo "$1 $checks $2" >> "$ledger"
}

# assert WHAT COMMAND...: it succeeds
assert()
{
	what=$1
	shift
	if "$@"; then check ok "$what"; else check 'not ok' "$what: '$*' failed"; fi
}

# refute WHAT COMMAND...: it fails
refute()
{
	what=$1
	shift
	if "$@"; then check 'not ok' "$what: '$*' succeeded"; else check ok "$what"; fi
}

# assert_eq WHAT EXPECTED ACTUAL
assert_eq()
{
	if [ "$2" = "$3" ]; then check ok "$1"; else check 'not ok' "$1: expected '$2', got '$3'"; fi
}

# assert_match WHAT EXTENDED-REGEX ACTUAL
assert_match()
{
	if printf '%s\n' "$3" | grep -Eq -- "$2"; then
		check ok "$1"
	else
		check 'not ok' "$1: '$3' does not match '$2'"
	fi
}

# assert_errno ERRNO COMMAND...: it fails and says so in the words of that errno
assert_errno()
{
	case $1 in
	E2BIG)		words='Argument list too long' ;;
	EACCES)		words='Permission denied' ;;
	EAGAIN)		words='Resource temporarily unavailable' ;;
	EALREADY)	words='Operation already in progress' ;;
	EBUSY)		words='Device or resource busy' ;;
	EEXIST)		words='File exists' ;;
	EINVAL)		words='Invalid argument' ;;
	ENAMETOOLONG)	words='File name too long' ;;
	ENODEV)		words='No such device' ;;
	ENOENT)		words='No such file or directory' ;;
	ENOMEM)		words='Cannot allocate memory' ;;
	ENOSPC)		words='No space left on device' ;;
	EOPNOTSUPP)	words='Operation not supported' ;;
	EPERM)		words='Operation not permitted' ;;
	ESRCH)		words='No such process' ;;
	ERANGE)		words='Numerical result out of range' ;;
	*)		die "assert_errno does not know $1" ;;
	esac
	errno=$1
	shift
	what="$errno from '$*'"
	if said=$("$@" 2>&1 >/dev/null); then
		check 'not ok' "$what: it succeeded"
	else
		assert_match "$what" "$words" "$said"
	fi
}

# checks_of PROGRAM [ARGUMENT]: what a program of build/tests checks becomes ours
checks_of()
{
	status=0
	"$LTT/build/tests/$1" ${2+"$2"} > "$TMP/checks" || status=$?
	while IFS= read -r line; do
		case $line in
		'ok '*)		check ok "${line#ok }" ;;
		'not ok '*)	check 'not ok' "${line#not ok }" ;;
		*)		echo "$line" ;;
		esac
	done < "$TMP/checks"
	assert_eq "$1 comes to its end" 0 "$status"
}

# put FILE TEXT: in one write, without a newline of our own
put()
{
	env printf %s "$2" > "$1"
}

# wait_until SECONDS COMMAND...: repeat it until it succeeds or time is up
wait_until()
{
	deadline=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -lt "$deadline" ] || return 1
		sleep 0.1
	done
}

# while_stormy COMMAND...: as often as it goes, while there is $TMP/storm; each time a
# line is added to $TMP/COMMAND.count
while_stormy()
{
	while [ -e "$TMP/storm" ]; do
		"$@" || return
		echo . >> "$TMP/$1.count"
	done
}

# load_modules [clock=tsc]: all layers of LTT
load_modules()
{
	"$LTT/tests/vm/ltt-load" "$@"
}

unload_modules()
{
	"$LTT/tests/vm/ltt-load" --unload
}

# trace_total TRACE WORD: emitted, stored, refused, overwritten or bytes
trace_total()
{
	awk -v word="$2" '$1 == "total" { for (i = 2; i < NF; i += 2) if ($i == word) print $(i + 1) }' \
		"$DBG/traces/$1/stats"
}

# assert_conserved TRACE: every event is accounted for, on every channel and CPU
assert_conserved()
{
	wrong=$(awk '$3 == "emitted" {
			lines++
			if ($4 != $6 + $8 + $10 || $8 != $14 + $16 + $18) print
		}
		END { if (!lines) print "no statistics" }' "$DBG/traces/$1/stats")
	assert_eq "trace $1: emitted = stored + refused + overwritten" '' "$wrong"
}
