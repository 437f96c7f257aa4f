# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Shared by the test cases (cases/*.sh, each run by ./guest in a VM of its own, the copy of
# one that has just booted).
#
# A case opens with header lines, then includes this file:
#
#	#!/bin/sh
#	# description: the behaviour that it checks, in one line
#	# vm: --smp 4			options for the VM (see vm --help), if it needs any;
#					--parallel if it is about races or about time;
#					--loaded if it begins with load_modules
#	# requires: lttctl ltt-x.ko	commands, modules or /files; else skipped
#	# timeout: 60			seconds, default 90; a busy host may take three
#					times as long
#	# stock: it looks at instructions	why it is skipped on a kernel that checks itself
#	# faces: debugfs device		run it once for each face, by which lttctl and
#					lttd then reach the tracer
#	# also: debugfs			and by this face with --all, see ./run
#	# when: all			run it only with --all, see ./run
#	. "$LTT/tests/vm/lib.sh"
#
# A case passes if it ends, made at least one check and no check failed. A check that fails does
# not end it; any other command that fails does. It must leave the VM as it found it: what it
# cannot undo would stay on a real machine, too. It can use:
#
#	$LTT	the source tree		$DBG	/sys/kernel/debug/ltt
#	$TMP	an empty folder		$OUT	a folder that the host keeps
#
# An executable NAME.host beside NAME.sh is run on the host afterwards, with
# the folder $OUT as argument: the place for work that is slow in a VM.

set -eu
export LC_ALL=C
DBG=/sys/kernel/debug/ltt
newline='
'
TMP=/run/ltt-case
ledger=$TMP.checks
checks=0
cleanup=

rm -rf "$TMP"
mkdir "$TMP"
: > "$ledger"
# Whatever babeltrace2 reads is compared with what libltttrace reads.
# That takes an emulated machine long: it is done once, and with --all for all traces.
export ORACLE_LEDGER="$ledger.oracle" PATH="$LTT/tests/oracle/bin:$PATH"
[ "${LTT_LONG-}" ] || export ORACLE_ONCE="$ledger.compared" ORACLE_KIB=1024
rm -f "$ledger.compared"
: > "$ORACLE_LEDGER"
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
	cat "$ORACLE_LEDGER"
	cat "$ORACLE_LEDGER" >> "$ledger"
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
	# Where a case spends its time.
	read -r uptime _ < /proc/uptime
	echo "$1 $checks $2 [$uptime s]"
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

# assert_errno ERRNO COMMAND...: it fails and prints the text of that errno
assert_errno()
{
	case $1 in
	E2BIG)		words='Argument list too long' ;;
	EACCES)		words='Permission denied' ;;
	EAGAIN)		words='Resource temporarily unavailable' ;;
	EBADF)		words='Bad file descriptor' ;;
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
	ESTALE)		words='Stale file handle' ;;
	ERANGE)		words='Numerical result out of range' ;;
	EUSERS)		words='Too many users' ;;
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

# checks_of PROGRAM [ARGUMENT...]: what a program of build/tests, or of a path, checks
# becomes ours
checks_of()
{
	case $1 in
	*/*)	program=$1 ;;
	*)	program=$LTT/build/tests/$1 ;;
	esac
	status=0
	said_by=${1##*/}${2+ $2}
	shift
	"$program" "$@" > "$TMP/checks" || status=$?
	while IFS= read -r line; do
		case $line in
		'ok '*)		check ok "${line#ok }" ;;
		'not ok '*)	check 'not ok' "${line#not ok }" ;;
		*)		echo "$line" ;;
		esac
	done < "$TMP/checks"
	assert_eq "$said_by comes to its end" 0 "$status"
}

# put FILE TEXT: in one write, without a newline of our own. Through the face "device",
# a write to a file of debugfs is given as the command behind it.
put()
{
	case ${LTT_VIA-}:$1 in
	device:$DBG/*)	by_command "${1#"$DBG"/}" "$2" ;;
	*)		"$LTT/build/tests/put" "$1" "$2" ;;
	esac
}

# reason: why the last put was refused, in a sentence
reason()
{
	if [ "${LTT_VIA-}" = device ]; then cat "$TMP.reason"; else cat "$DBG/last_error"; fi
}

# commands_for FILE TEXT: a line each
commands_for()
{
	rest=${1#*/}
	trace=${rest%%/*}
	rest=${rest#*/}
	channel=${rest#channels/}
	channel=${channel%%/*}
	case $1 in
	traces/create)			echo "create $2" ;;
	traces/remove)			echo "destroy $2" ;;
	traces/*/channels/create)	echo "channel-add $trace $2" ;;
	traces/*/channels/*/events)	echo "enable-in $trace $channel $2" ;;
	traces/*/channels/*/context)	echo "context-set $trace $channel $2" ;;
	traces/*/channels/*/*)		echo "channel-set $trace $channel ${1##*/} $2" ;;
	traces/*/state)			echo "$2 $trace" ;;
	traces/*/snapshot)		echo "snapshot $trace" ;;
	traces/*/tasks)			echo "tasks $trace" ;;
	traces/*/flush)			echo "flush $trace" ;;
	traces/*/heartbeat_ms)		echo "heartbeat-set $trace $2" ;;
	traces/*/pid)			echo "filter-set $trace $2" ;;
	traces/*/context)		echo "context-for $trace $2" ;;
	traces/*/filter)		filter_by_command "$trace" "$2" ;;
	traces/*/events)		change_by_command "$2" "enable $trace" "disable $trace" ;;
	markers/wanted)			change_by_command "$2" want unwant ;;
	markers/*/*/enable)		switch_by_command "$2" "$trace:${rest%/enable}" ;;
	markers/*/enable)		switch_by_command "$2" "$trace:*" ;;
	*)				die "no command is known for $1" ;;
	esac
}

change_by_command()	# patterns, to add, to remove
(
	set -f
	for pattern in $1; do
		case $pattern in
		!*)	echo "$3 ${pattern#!}" ;;
		*)	echo "$2 $pattern" ;;
		esac
	done
)

filter_by_command()	# trace, "PATTERN EXPRESSION" or "!PATTERN"
{
	case $2 in
	*"$newline"*)	die 'a command is one line' >&2 ;;
	!*)	echo "unfilter $1 ${2#!}" ;;
	*)	echo "filter $1 ${2%% *} '${2#* }'" ;;
	esac
}

switch_by_command()	# 0 or 1, pattern
{
	if [ "$1" = 1 ]; then echo "want $2"; else echo "unwant $2"; fi
}

# An error is printed with the text of its errno, as the shell does it for a file.
by_command()	# file, text
{
	commands_for "$1" "$2" | "$LTT/build/tests/commands" > "$TMP.said" && return
	mv "$TMP.said" "$TMP.reason"
	return 1
}

# wait_until SECONDS COMMAND...: repeat it until it succeeds or time is up; a busy host has three
# times as long (PATIENCE of ./run), and a slow kernel even longer
wait_until()
{
	read -r uptime _ < /proc/uptime
	deadline=$((${uptime%.*} + $1 * 3 * ${LTT_SLOW:-1}))
	shift
	until "$@"; do
		read -r uptime _ < /proc/uptime
		[ "${uptime%.*}" -lt "$deadline" ] || return 1
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

# fast_clock: the parameter for the counter of the CPU, where there is one of 64 bits; what the
# kernel would rather have is not it in a VM
fast_clock()
{
	case $(uname -m) in
	x86_64|i?86)	echo clock=tsc ;;
	aarch64)	echo clock=cycles ;;
	*)		echo clock=mono ;;
	esac
}

# wrap_ghz: the frequency for clock=test32, the counter of 32 bits. A virtual machine that stands still for most of
# a wrap misses it: at 4 GHz one takes 1.07 s, and a slow machine has 4.3 s.
wrap_ghz()
{
	if [ "${LTT_SLOW:-1}" -eq 1 ]; then echo 4; else echo 1; fi
}

# load_modules [PARAMETER]: all layers of LTT
load_modules()
{
	"$LTT/tests/vm/ltt-load" "$@"
}

unload_modules()
{
	"$LTT/tests/vm/ltt-load" --unload
}

# at_length SHORT LONG: how often to do what is repeated, or how long: LONG with --all, see ./run
at_length()
{
	if [ "${LTT_LONG-}" ]; then echo "$2"; else echo "$1"; fi
}

# opened TRACE DIRECTORY: lttd, which writes there, has all its buffers: a trace that is
# removed before has those only that it has
opened()
{
	[ "$(find "$2/kernel" -name '*_[0-9]*' 2> /dev/null | wc -l)" -eq \
		"$(($(ls -d "$DBG/traces/$1/channels"/*/ | wc -l) * $(nproc)))" ]
}

# trace_total TRACE WORD: emitted, stored, refused, overwritten, filtered, bytes or unjudged
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
			if ($4 != $6 + $8 + $10 + $12 || $8 != $16 + $18 + $20) print
		}
		END { if (!lines) print "no statistics" }' "$DBG/traces/$1/stats") || wrong='no statistics'
	assert_eq "trace $1: emitted = stored + refused + overwritten + filtered" '' "$wrong"
}

# kernel_memory: what cannot be reclaimed, in KiB; not what caches keep for later, which
# depends on what was done before
kernel_memory()
{
	sync
	echo 3 > /proc/sys/vm/drop_caches
	for cache in /sys/kernel/slab/*/shrink; do
		[ ! -w "$cache" ] || echo 1 > "$cache"
	done
	awk '$1 == "SUnreclaim:" || $1 == "Percpu:" { n += $2 } END { print n }' /proc/meminfo
}

memory_is_kept()
{
	after=$(kernel_memory)
	[ $((after - $1)) -lt "$2" ]
}

# assert_memory_kept BEFORE KIB: since kernel_memory said BEFORE it has grown by less, once
# RCU has freed what it had to
assert_memory_kept()
{
	wait_until 4 memory_is_kept "$1" "$2" || :
	assert "kernel memory does not grow: $1 KiB, now $after" [ $((after - $1)) -lt "$2" ]
}
