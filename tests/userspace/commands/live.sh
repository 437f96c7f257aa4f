#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl view --live: recordings that lttng-relayd receives; and collectors that lie.

. "$(dirname "$0")/lib.sh"

# lies LIE [STATUS]: view a session of a collector that lies; lttctl ends by itself and leaves nothing
lies() {
	local status=0
	rm -f port
	"$scripts/fake-collector" "$1" port trace/kernel/metadata > lies 2>&1 &
	until_true 10 test -s port
	mkdir -p tmp
	TMPDIR=$PWD/tmp timeout 60 "$bin/lttctl" view --live "net://127.0.0.1:$(cat port)/s" > shown 2> said || status=$?
	[ $status = "${2:-1}" ] || { cat said; die "$1: status $status"; }
	[ -s said ] || die "$1: no message"
	[ -z "$(ls tmp)" ] || die "$1: left $(ls tmp)"
	wait
}

test_collectors_that_lie() {
	local lie
	"$scripts/mkrecording" trace --no-state --steps 10
	for lie in version sessions streams metadata metadata-without-end index empty packet short; do
		lies $lie
	done
}

test_a_signal_ends_the_wait_for_a_collector() {
	local status=0 view
	"$scripts/mkrecording" trace --no-state --steps 10
	rm -f port
	"$scripts/fake-collector" silence port trace/kernel/metadata > lies 2>&1 &
	until_true 10 test -s port
	mkdir -p tmp
	TMPDIR=$PWD/tmp timeout 60 "$bin/lttctl" view --live "net://127.0.0.1:$(cat port)/s" > shown 2> said &
	view=$!
	until_true 10 eval 'ls tmp/*/kernel/metadata > /dev/null 2>&1'
	kill -INT "$(pgrep -P $view)"
	until_true 10 eval "! kill -0 $view 2> /dev/null"
	wait $view || status=$?
	[ $status = 1 ] && grep -q interrupted said || { cat said; die "status $status"; }
	[ -z "$(ls tmp)" ] || die "left $(ls tmp)"
	wait
}

test_names_of_the_network_are_no_paths() {
	local lie
	"$scripts/mkrecording" trace --no-state --steps 10
	# A file out of its directory would be left.  The packet is damaged, which is all that is wrong.
	for lie in path long name nul metadata-twice host; do
		lies $lie
		grep -q damaged said || { cat said; die "$lie"; }
	done
}

test_addresses() {
	local url
	for url in collector http://collector/s net:// net://:5344/s net://a:b/s net://a/host/m/ net://a/x/y 'net://[::1/s' \
		net://a:123456789012345678/s "net://a/$(printf '%300s' x)"; do
		fails 2 --live "$bin/lttctl" view --live "$url"
	done
	fails 2 --live "$bin/lttctl" view --live net://a/s trace
	# No program listens there.
	fails 1 refused "$bin/lttctl" view --live net://127.0.0.1:1/s
	fails 1 refused "$bin/lttctl" view --live 'net6://[::1]:1'
}

run_tests
