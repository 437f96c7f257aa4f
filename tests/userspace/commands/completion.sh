#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The completion of lttctl in bash, with the package bash-completion.

. "$(dirname "$0")/lib.sh"

bash_completion=${BASH_COMPLETION:-/usr/share/bash-completion/bash_completion}

lttctl() { "$bin/lttctl" "$@"; }

setup() {
	[ -r "$bash_completion" ] || { echo "no package bash-completion"; exit 77; }
	mkdir -p "$LTT_DEBUGFS"/traces/{one,two} "$LTT_DEBUGFS"/markers/{irq/entry,sched/switch,sched/wakeup}
	for file in "$LTT_DEBUGFS"/markers/*/*; do echo 0 > "$file/enable"; done
	touch "$LTT_DEBUGFS/markers/wanted"
	echo running | tee "$LTT_DEBUGFS"/traces/{one,two}/state > /dev/null
	mkdir -p dir/sub
	set +eu
	# shellcheck disable=SC1090
	. "$bash_completion"
	. "$top/userspace/lttctl/lttctl.bash-completion"
}

# offers LINE WORD…: these are the completions at the end of LINE
offers() {
	local line=$1
	shift
	COMP_LINE=$line
	COMP_POINT=${#line}
	# As readline cuts a line: a colon or an equals sign stands for itself.
	mapfile -t COMP_WORDS < <(sed 's/[:=]/ & /g' <<< "$line" | tr -s ' ' '\n' | sed '/^$/d')
	[[ $line != *[' ':] ]] || COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMP_TYPE=9 COMPREPLY=()
	compopt() { :; }
	_lttctl
	[ "$(printf '%s\n' "${COMPREPLY[@]}" | sort | xargs)" = "$*" ] ||
		die "offers \`${COMPREPLY[*]}', not \`$*': $line"
}

test_commands() {
	setup
	offers 'lttctl s' send set snapshot start stat state status stop stream
	offers 'lttctl record --' --after-rotate --allow-missing --attach --buffers --cgroup --compress --context --count --cpu --duration --event --filter --flush --follow --help --json --lossless --memory --name --notify --options --output --overwrite --pid --piece-size --piece-time --preload --quota --run --size --snapshot-on --snapshots --start-on --state --strict --task --to --until --via
	offers 'lttctl record --preload st' stdio
	offers 'lttctl state --state sy' symbols system
	offers 'lttctl export --f' --flamegraph --from
	offers 'lttctl export --par' --parquet --partition
}

test_faces() {
	setup
	offers 'lttctl --' --version --via
	offers 'lttctl --via d' debugfs device
	offers 'lttctl --via=de' debugfs device
	offers 'lttctl list --via dev' device
	offers 'lttctl --via debugfs s' send set snapshot start stat state status stop stream
	offers 'lttctl --via=debugfs start t' two
	offers 'lttctl --via debugfs record -e irq:' entry
}

test_traces() {
	setup
	offers 'lttctl start ' one two
	offers 'lttctl destroy t' two
	offers 'lttctl state o' one
	offers 'lttctl enable -t o' one
}

test_markers() {
	setup
	offers 'lttctl enable s' sched:switch sched:wakeup
	offers 'lttctl enable sched:s' switch
	offers 'lttctl record -e irq:' entry
}

test_completion_loads_no_module() {
	setup
	[ ! -e /sys/module/ltt_control ] || { echo "the tracer is loaded"; exit 77; }
	# A load from there fails.
	export LTT_MODULES_DIR=$PWD/nothing
	unset LTT_DEBUGFS
	local line
	for line in 'record -e s' 'enable s' 'markers s' 'start s' 'status s'; do
		offers "lttctl $line"
	done
	lttctl markers --no-load || die "markers --no-load tried to load modules"
}

test_options_with_a_dash() {
	setup
	offers 'lttctl markers --no' --no-load
}

test_probes() {
	setup
	offers 'lttctl probe -p 1 lo' load
}

test_directories() {
	setup
	offers 'lttctl view d' dir
	offers 'lttctl record -o dir/s' dir/sub
	touch some.so
	offers 'lttctl check so' some.so
}

test_the_command_that_record_runs() {
	setup
	touch something
	offers 'lttctl record -o dir cat someth' something
	offers 'lttctl record -e sched:switch -- lttctl sta' start stat state status
	offers 'lttctl record --preload malloc cat someth' something
	offers 'lttctl record --state all cat someth' something
}

run_tests
