# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# shellcheck shell=bash
#
# Shared by the tests of lttctl and lttd: a scratch folder in which plain
# files stand for the tracer's tree, and `ok NAME` / `not ok NAME` lines.
#
# A test is a function named test_…; it fails by a command that fails (set -e).

set -u
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
scripts=$top/tests/userspace/tools
build=${BUILD:-$top/build}
export bin=$build/userspace
export tools=$build/userspace-tests
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

export LTT_DEBUGFS=$scratch/ltt LTT_RUN_DIR=$scratch/run

say() { printf '    %s\n' "$*"; }

die() { say "$*"; exit 1; }

# until_true SECONDS COMMAND…: poll, no fixed sleep; a busy machine has three times as long
until_true() {
	local deadline=$((SECONDS + 3 * $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $deadline ] || { say "still not true: $*"; return 1; }
		read -rt 0.02 <> <(:) || :
	done
}

# fails STATUS WORD COMMAND…: the command exits with STATUS, and its output has WORD: the name of
# an object, an option, a number, the text of an errno, or a text that a fake gave
fails() {
	local want=$1 text=$2 got=0
	shift 2
	"$@" > "$scratch/out" 2>&1 || got=$?
	[ $got = "$want" ] || { cat "$scratch/out"; die "status $got, not $want: $*"; }
	grep -qF -- "$text" "$scratch/out" || { cat "$scratch/out"; die "no \`$text' in its output: $*"; }
}

# Tests that let each call of a program fail, one after the other, let every third fail, and all of them with
# "make check-all".
step=3
[ -z "${LTT_LONG-}" ] || step=1

# row NAME VALUE FILE: the summary in FILE has a line of exactly this name and value
row() {
	grep -qxE -- "$1[[:space:]]+$2" "$3" || { cat "$3"; say "no line: $1 $2"; return 1; }
}

# Run every test_ function of the script (or those named by ONLY) in a subshell and
# folder of its own. The output of a test precedes its line: tests/vm/run shows it with that. The status 3 says that
# tests failed, and all have run.
run_tests() {
	local name status failed=0
	for name in ${ONLY:-$(declare -F | sed -n 's/^declare -f test_//p')}; do
		rm -rf "${scratch:?}"/*
		mkdir -p "$LTT_DEBUGFS" "$LTT_RUN_DIR" "$scratch/t"
		( cd "$scratch/t" && set -e && "test_$name" ) > "$scratch/log" 2>&1
		status=$?
		case $status in
		0) echo "ok $name" ;;
		77) echo "ok $name # SKIP $(tail -n 1 "$scratch/log")" ;;
		*) sed 's/^/    /' "$scratch/log"; echo "not ok $name"; failed=3 ;;
		esac
	done
	return $failed
}
