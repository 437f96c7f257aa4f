#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl with wrong arguments, without a tracer, permissions or lttd; --help and --via.

. "$(dirname "$0")/lib-lttctl.sh"

# Output that cannot be written is a failure.
test_full_standard_output() {
	tracer
	lttctl create t
	local command
	for command in "list" "list --json" "status" "status --json" "markers" "--help"; do
		# shellcheck disable=SC2086
		fails 1 "No space left on device" full $command
	done
	fails 125 "No space left on device" full record --json -o out true
	complete out
	# More than a buffer of the C library: what failed before the end is not forgotten.
	local n
	for ((n = 0; n < 300; n++)); do
		mkdir -p "$LTT_DEBUGFS/markers/long/$(printf 'name%060d' $n)"
		echo 0 > "$LTT_DEBUGFS/markers/long/$(printf 'name%060d' $n)/enable"
	done
	fails 1 lttctl full markers
	lttctl destroy t
}

test_wrong_usage() {
	tracer
	local line
	while read -r line; do
		local status=0 said
		# The lines are command lines.
		# shellcheck disable=SC2086
		said=$(lttctl $line 2>&1) || status=$?
		[ $status = 2 ] || die "status $status: lttctl $line"
		[ "$(echo "$said" | wc -l)" = 1 ] || die "more than a sentence: lttctl $line"
	done <<-END
		nosuch
		record --nosuch
		record --size 0 true
		record --size 3 true
		record --size -1 true
		record --size 1Mx true
		record --size 99999999999999999999 true
		record --size 16777216T true
		record --count 5 true
		record --count x true
		record -p x true
		record -p 0 true
		record -p 4k true
		record --size 4G true
		record -e sched:[ true
		record -e a,,b true
		record -p 99999999999 true
		record -e kprobe: true
		record -e kprobe:() true
		record -e kprobe:f( true
		record -e kprobe:f(a true
		record -e kprobe:f(a,) true
		record -e kprobe:f(a)b true
		record -e kprobe:f(a,a) true
		record -e kprobe:f(5) true
		record -e kprobe:f(a->) true
		record -e kprobe:f(a[x]) true
		record -e kprobe:f(a[1) true
		record -e kprobe:f(8(%sp) true
		record -e kprobe:f(8%sp) true
		record -e kprobe:f(%) true
		record -e kprobe:f(a:u7) true
		record -e kprobe:f(a:text) true
		record -e kprobe:f(a:u8[0]) true
		record -e kprobe:f(a:u8[9999]) true
		record -e kprobe:f(a:u8@user) true
		record -e kprobe:f+x(a) true
		record -e kprobe:f+99999999999999999999(a) true
		record -e kretprobe:f+4(ret) true
		record -e kprobe:.n=f(a) true
		record -e function:x= true
		record -e sample:x= true
		record -e sample:x=99Hz true
		record -e sample:=99 true
		record -e function:=vfs_* true
		record -e function:!vfs_* true
		record -e function:1* true
		record -e function:vfs_*(fd) true
		record -e function:x=vfs\_* true
		record -e uprobe:/bin/true true
		record -e usdt:/bin/true:p true
		disable kprobe:f(a)
		record -o
		create
		create a b
		create --size 7 t
		start
		start a b
		start --nosuch t
		stop
		destroy
		destroy a b
		snapshot
		snapshot a b
		list x
		list --nosuch
		status --nosuch
		markers --nosuch
		enable
		enable -t t
		disable
		view
		export
		export d
		export --perfetto d
		export --perfetto -o f
		export --perfetto --chrome -o f d
		export -o f d
		export --ctf-lttng -o f d e
		export --nosuch -o f d
		html
		html --nosuch
		check
		check --nosuch
		set
		set t
		set --all -p 1 t
		set -c c -p 1 t
		set --context a --context b t
		set --context user:a=pid x t
		channel
		channel t
		channel t c x
		channel --size 7 t c
		enable -c c a:b
		enable -t t -c c user:a:b
		record --follow
		record --follow -p 1 true
		record --follow --cgroup /x true
		record --follow --task x true
		record --duration 0 true
		record --duration 5x true
		record --duration 400000h true
		record --cgroup /x -e user:a:b true
		record --task= true
		record --context pid=x -e user:a:b true
		record --context tid --context pid true
		probe -p 1 load
		probe -p 1 connect user:a:b
		--via
		--via usb list
		--via=usb list
		list --via usb
		view --via debugfs
		list --via
		--via debugfs stream
	END
	clean
	[ ! -e "$LTT_DEBUGFS/log" ] || die "the tracer was asked: $(cat "$LTT_DEBUGFS/log")"
}

test_names_cannot_escape() {
	tracer
	local name command
	for name in .. . ../x a/b '' .hidden $'a\nb' "$(printf 'x%.0s' {1..64})"; do
		for command in create start stop destroy status "snapshot -o out"; do
			# shellcheck disable=SC2086
			fails 1 name lttctl $command "$name"
		done
		fails 2 --name lttctl record --name "$name" -o out -e 'user:a:*' -- true
	done
	fails 1 create lttctl start create
	[ ! -e "$LTT_DEBUGFS/log" ]
}

test_help_of_each() {
	local command
	lttctl --help | grep -q '^Usage: lttctl \[--via debugfs|device\] COMMAND'
	for command in $(lttctl --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
		lttctl "$command" --help > help
		grep -q "^lttctl $command: " help
		grep -q "^Usage: lttctl $command" help
	done
	# Each has a page of its own.
	diff <(lttctl --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | sort) \
		<(cd "$top/doc/man" && printf '%s\n' lttctl-*.1 | sed 's/lttctl-\(.*\)\.1/\1/' | sort)
}

# Root without the right to pass over permissions.
test_without_permission() {
	[ "$(id -u)" = 0 ] || { echo "of a user that is not root nothing is taken here"; exit 77; }
	tracer
	lttctl create t
	local drop=(setpriv "--bounding-set=-dac_override,-dac_read_search" --inh-caps=-all "$bin/lttctl")
	chmod 0 "$traces/t/state"
	fails 1 root "${drop[@]}" list
	chmod 644 "$traces/t/state"
	chmod 0 "$LTT_DEBUGFS"
	fails 1 "$LTT_DEBUGFS" "${drop[@]}" list
	fails 125 "$LTT_DEBUGFS" "${drop[@]}" record -o out touch ran
	chmod 755 "$LTT_DEBUGFS"
	fails 0 "t configuring" "${drop[@]}" list
	fails 1 CAP_PERFMON \
		"$scripts/fake-device" -- sh -c "chmod 0 \$LTT_DEVICE; exec ${drop[*]} list"
	[ ! -e ran ]
}

# Both faces are in tests/vm/cases/faces.sh; here, which one is asked.
test_via() {
	tracer
	local no="$PWD/nothing"
	lttctl create t
	[ "$(lttctl --via debugfs list)" = 't configuring' ]
	[ "$(lttctl --via=debugfs list)" = 't configuring' ]
	[ "$(lttctl list --via debugfs)" = 't configuring' ]
	[ "$(LTT_VIA=debugfs LTT_DEVICE=$no lttctl list)" = 't configuring' ]
	LTT_DEVICE=$no fails 1 modprobe \
		lttctl list
	LTT_VIA=device LTT_DEVICE=$no fails 1 "$no" lttctl list
	LTT_VIA=debugfs LTT_DEVICE=$no fails 1 "$no" lttctl --via device list
	LTT_VIA=usb fails 1 LTT_VIA lttctl list
	LTT_VIA=usb fails 0 'configuring' lttctl --via debugfs list
	LTT_DEBUGFS=$no fails 1 debugfs lttctl list
	# Handed on to lttd.
	LTT_DEVICE=$no lttctl --via debugfs record -o out true 2> /dev/null
	complete out
}

test_without_a_tracer() {
	rm -r "$LTT_DEBUGFS"
	local command
	for command in "list" "status" "start t" "markers" "enable x"; do
		# shellcheck disable=SC2086
		fails 1 modprobe lttctl $command
	done
	fails 125 modprobe lttctl record -o out true
	[ ! -e out ]
}

test_version() {
	[[ "$(lttctl --version)" = 'lttctl '[0-9]*.* ]]
	[ "$("$bin/lttd" --version)" = "lttd $(lttctl --version | cut -d ' ' -f 2)" ]
}

# lttd is looked for beside lttctl and in PATH, and need not be there, or live long.
test_lttd_elsewhere() {
	tracer
	mkdir here
	cp "$bin/lttctl" here
	alone() { LD_PRELOAD=$tools/fake-ltt.so PATH=/nowhere here/lttctl "$@"; }
	fails 1 "No such file" \
		alone create -o out t
	fails 125 "No such file" alone record -o out
	fails 125 "No such file" alone record -o out -e 'user:a:*'
	clean
	printf '#!/bin/sh\nkill -9 $$\n' > here/lttd
	chmod +x here/lttd
	fails 1 lttd alone create -o out t
	fails 125 lttd alone record -o out
	fails 125 lttd alone record -o out -e 'user:a:*'
	clean
	ln -sf "$bin/lttd" here/lttd
	LD_PRELOAD=$tools/fake-ltt.so here/lttctl record -o out true 2> /dev/null
	complete out
}

# Where no socket's name fits.
test_deep_run_dir() {
	local deep
	deep=$PWD/$(printf 'd%.0s' {1..100})
	mkdir -p "$deep/lttd"
	LTT_RUN_DIR=$deep fails 1 "File name too long" lttctl status programs-5
	LTT_RUN_DIR=$deep fails 1 "File name too long" lttctl markers user:
	LTT_RUN_DIR=$deep fails 1 "File name too long" "$bin/lttd" -o out --programs 'a:*'
	[ -z "$(ls "$deep/lttd")" ]
}

# A message about a number names the option and the number.
test_wrong_numbers() {
	local line option
	for option in 1x x -1 99999999999 ''; do
		for line in 'report cpu' diff stat count hist latency; do
			# shellcheck disable=SC2086
			fails 2 "--top $option: must be" lttctl $line "--top=$option" a b
		done
		fails 2 "--max-keys $option: must be" lttctl count -e a:b --max-keys "$option"
		fails 2 "--snapshots $option: must be" lttctl record -e a:b --snapshots "$option" true
		for line in connection held report; do
			fails 2 "--$line $option: must be" "$bin/lttd" "--$line" "$option" -o out t
		done
	done
}

run_tests
