#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttd on plain files: a trace in pieces, also after lttd was killed.  (Quota and compression:
# tests/userspace/programs/pieces.py.)

. "$(dirname "$0")/lib-lttd.sh"

# All pieces together have the packets that the tracer holds, in order, and each has all metadata.
# (`set -e` has no effect in a condition, such as that of until_true.)
together() {
	local name
	for name in "${@:-events_0}"; do
		cat "$out"/[0-9]*/kernel/"$name" | cmp - "$trace/$name" || return
	done
	for name in "$out"/[0-9]*/kernel/metadata; do
		cmp "$trace/metadata" "$name" || return
	done
}

none_is_open() {
	[ -z "$(find "$out" -name open)" ]
}

test_pieces_have_each_packet_once() {
	make_trace 40 8192 events_0 events_1
	"$lttd" --piece-size 64k -o "$out" t &
	local pid=$! piece
	until_true 10 together events_0 events_1
	kill $pid
	wait $pid
	together events_0 events_1
	none_is_open
	for piece in "$out"/[0-9]*; do
		[ "$(cat "$piece"/kernel/*_? | wc -c)" -le 65536 ] || die "$piece is too large"
	done
	[ "$(find "$out" -mindepth 1 -maxdepth 1 | wc -l)" = 10 ]
}

test_metadata_that_grows_is_in_later_pieces() {
	make_trace 3 4096
	"$lttd" --piece-time 1h -o "$out" t &
	local pid=$!
	until_true 10 together
	"$bin/lttctl" rotate "$out" > closed
	grep -qx "$out/0001" closed
	cp "$trace/metadata" early
	echo 'event 5' >> "$trace/metadata"
	"$tools/mkpackets" 0 4 4096 > new
	mv new "$trace/events_7"
	until_true 10 cmp -s "$out/0002/kernel/events_7" "$trace/events_7"
	"$bin/lttctl" rotate t > closed
	grep -qx "$out/0002" closed
	kill $pid
	wait $pid
	cmp early "$out/0001/kernel/metadata"
	cmp "$trace/metadata" "$out/0002/kernel/metadata"
	cmp "$trace/events_0" "$out/0001/kernel/events_0"
	none_is_open
}

# The files of the tracer never free a packet: the next lttd meets those again that a killed one has written.
test_a_killed_lttd_is_followed_by_another() {
	local cut pid
	for cut in 1 75 4096 8191; do
		rm -rf "$out" "$trace"
		make_trace 5 8192 events_0 events_1
		"$lttd" --piece-time 1h -o "$out" t &
		pid=$!
		until_true 10 together events_0 events_1
		kill -9 $pid
		! wait $pid 2> /dev/null
		[ -e "$out/0001/open" ]
		# It was writing the fourth packet.
		truncate -s $((3 * 8192 + cut)) "$out/0001/kernel/events_1"
		"$lttd" --piece-time 1h -o "$out" t > said 2>&1 &
		pid=$!
		until_true 10 test -s "$out/0002/kernel/events_1"
		until_true 10 together events_0 events_1
		kill $pid
		wait $pid
		together events_0 events_1
		[ "$(stat -c %s "$out/0002/kernel/events_1")" = 16384 ]
		none_is_open
		grep -q "0001 was left open" said
	done
}

test_a_piece_of_another_lttd_stays_open() {
	make_trace 3 4096
	"$lttd" --piece-time 1h -o "$out" t &
	local pid=$! other
	until_true 10 together
	"$lttd" --piece-time 1h -o "$out" --programs 'none:*' &
	other=$!
	until_true 10 test -e "$out/0002/open"
	kill $other
	wait $other
	[ -e "$out/0001/open" ]
	kill $pid
	wait $pid
	none_is_open
}

# A directory of the user may have a number as its name, too.
test_other_directories_are_left_alone() {
	mkdir -p "$out/2019/holidays" "$out/2020/kernel" "$out/2020/photos" "$out/2021"
	head -c 3000000 /dev/zero | tee "$out/2019/holidays/beach" "$out/2020/photos/beach" > "$out/2021/beach"
	: > "$out/2019/open"
	cp "$out/2019/holidays/beach" "$out/2019/holidays/beach.zst"
	cp -r "$out" before
	make_trace 400 8192
	"$lttd" --quota 1M --compress -o "$out" t > said 2>&1 &
	local pid=$! name
	until_true 20 test -e "$out/2071"
	kill $pid
	wait $pid
	for name in before/*; do
		diff -r "$name" "$out/${name#before/}" || die "$name is changed"
	done
}

test_a_file_with_the_name_of_a_piece() {
	make_trace 40 8192
	"$lttd" --piece-size 64k -o "$out" t &
	local pid=$!
	until_true 10 together
	kill $pid
	wait $pid
	rm -r "${out:?}"/*
	"$lttd" --piece-time 1h -o "$out" t &
	pid=$!
	until_true 10 together
	echo mine > "$out/0002"
	ln -s nowhere "$out/0003"
	"$bin/lttctl" rotate "$out" > closed
	kill $pid
	wait $pid
	[ "$(cat "$out/0002")" = mine ] && [ -L "$out/0003" ]
	[ -d "$out/0004" ] && together
}

# Another lttd that begins has made the directory of its piece, but not its mark; the directory of one that was killed goes.
test_a_piece_that_is_being_made_is_left_alone() {
	sleep 60 &
	local living=$! pid
	mkdir -p "$out/.piece-new-$living" "$out/.piece-new-999999999" "$out/.piece-old-0007/kernel"
	make_trace 3 4096
	"$lttd" --piece-time 1h -o "$out" t &
	pid=$!
	until_true 10 together
	kill $pid $living
	wait $pid
	[ -d "$out/.piece-new-$living" ] && [ ! -e "$out/.piece-new-999999999" ] && [ ! -e "$out/.piece-old-0007" ]
}

# The compressor gives a file its name while the piece is removed.
test_a_piece_that_gets_a_file_while_it_is_removed() {
	make_trace 400 8192
	strace -f -qq -o strace.out -P "$out/.piece-old-0001/kernel" -P "$out/.piece-old-0001" -e trace=unlinkat \
		-e inject=unlinkat:error=ENOTEMPTY:when=2 "$lttd" --quota 1M -o "$out" t > said 2>&1 &
	local tracer=$!
	until_true 20 test -e "$out/0050"
	kill "$(pgrep -P $tracer)"
	wait $tracer
	grep -q ENOTEMPTY strace.out
	[ ! -e "$out/.piece-old-0001" ] || die "$(cat said)"
}

test_a_full_disk_is_reported() {
	make_trace 40 8192
	"$lttd" --piece-size 64k -o "$out" t > said 2>&1 &
	local pid=$! status=0
	until_true 10 together
	kill $pid
	wait $pid
	rm -r "$out"
	injected "$out/0002/kernel/events_0" write:error=ENOSPC:when=3 splice:error=ENOSPC:when=3 -- \
		--piece-size 64k -o "$out" t > said 2>&1 || status=$?
	[ $status = 1 ]
	grep -q 'No space left on device' said
	none_is_open
	cat "$out"/[0-9]*/kernel/events_0 | cmp -n 65536 - "$trace/events_0"
}

test_usage_of_pieces() {
	make_trace 3 4096
	fails 2 "--once" "$lttd" --once --piece-size 64k -o "$out" t
	fails 2 "--piece-size 1" "$lttd" --piece-size 1 -o "$out" t
	fails 2 "--state" "$lttd" --piece-size 1M -o "$out" --state all
	fails 2 "missing argument" "$bin/lttctl" rotate
	fails 2 "more" "$bin/lttctl" rotate t more
	fails 1 "$PWD" "$bin/lttctl" rotate "$PWD"
}

run_tests
