#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl on a /dev/ltt made by fake-device: lttctl stream, and replies that the kernel does not give.

. "$(dirname "$0")/lib-lttctl.sh"

test_connect_twice() {
	tracer
	"$tools/connect-twice"
	LTT_DEBUGFS=$PWD/nothing fails 1 "$PWD/nothing" "$tools/connect-twice"
	"$scripts/fake-device" -- "$tools/connect-twice"
}

# LTT_DEVICE names the device; lttctl stream writes to nothing that is not one.
test_stream_wants_a_device() {
	echo precious > file
	LTT_DEVICE=$PWD/file fails 1 "$PWD/file" lttctl stream traces
	[ "$(cat file)" = precious ]
	LTT_DEVICE=$PWD/nothing fails 1 "$PWD/nothing" lttctl stream traces
	LTT_DEVICE=/dev/null fails 1 lttctl lttctl stream traces
	LTT_DEVICE=$PWD/nothing fails 1 "$PWD/nothing" lttctl stream --via device traces
	fails 2 "--via" lttctl stream --via debugfs traces
	fails 2 "--nonsense" lttctl stream --nonsense
}

# Real replies are in tests/vm/cases; here are those that the kernel does not give.
test_replies_of_the_device() {
	local there=('traces=a\nb' uuid=123 state=running) mode
	for mode in --plain --chatty --slow; do
		[ "$(device $mode "${there[@]}" -- list | xargs)" = 'a running b running' ]
	done
	fails 1 device device --garbage -- list
	fails 1 device device --short -- list
	# Of a terminal the end may be an error.
	fails 1 lttctl device --end "${there[@]}" -- list
	fails 1 traces device traces=- -- list
	fails 1 "not you" device 'traces=!1 not you' -- list
	fails 1 "dozing" device "${there[@]}" state=dozing -- list
	fails 1 "gone wrong" device "${there[@]}" 'state=!5 gone wrong' -- list
	[ -z "$(device "${there[@]}" 'state=!2 gone' -- list)" ]
	fails 1 "still busy" device "${there[@]}" state=stopped 'destroy=!16 still busy' -- destroy a
	fails 1 "all full" device 'create=!28 all full' -- create x
	fails 1 "gone wrong" device 'uuid=!5 gone wrong' -- create x
	local channel='events subbuf_size 4096 subbuf_count 4 overwrite 0 lossless_ms'
	fails 0 running device "${there[@]}" "channels=$channel 0 later 1" -- status a
	fails 1 "lossless_ms" device "${there[@]}" "channels=$channel many" -- status a
	fails 1 events device "${there[@]}" "channels=$channel" -- status a
	fails 1 "a/b" device "${there[@]}" channels=a/b -- status a
	fails 1 nosuch device 'markers=a:b 1' -- markers nosuch
	fails 1 a:.b device 'markers=a:.b 1' -- markers --info '*'
}

# requests ARGUMENT...: the requests that lttctl makes of the device, each after a comma
requests() {
	FAKE_REQUESTS=$PWD/requests device traces=a state=running uuid=123 \
		'channels=events subbuf_size 4096 subbuf_count 4 overwrite 0 lossless_ms 0' -- "$@" > said
	sed 's/^/, /' requests | tr -d '\n'
	rm -f requests
}

test_one_request_each() {
	[ "$(requests start t)" = ", shared start t" ]
	[ "$(requests stop t)" = ", shared stop t" ]
	[ "$(requests enable --allow-missing -t t a:b)" = ", shared enable t a:b" ]
	[ "$(requests list)" = ", shared traces, shared state a" ]
	[ "$(requests status t)" = ", shared state t, shared stats t, shared channels t, shared filters t, shared events t" ]
}

# The traces of record are to record what everybody's do, where the user may know that.
test_record_by_a_device_that_refuses() {
	fails 125 "no groups" device 'groups=!5 no groups' -- record -o out touch ran
	fails 125 "no more" device 'wanted=!5 no more' -- record -o out touch ran
	fails 125 stay device 'wanted=a:b' 'want=!5 stay' -- record -o out touch ran
	# A user without the right to see them goes on without.  Groups of tasks or CPUs are not repeated.
	local way
	for way in 'groups=!1 not you' 'groups=cpus g 0\ntasks h 1'; do
		fails 125 "no stream left" \
			device "$way" 'stream=!12 no stream left' -- record -o out touch ran
	done
	[ ! -e out ]
	[ ! -e ran ]
}

test_stream() {
	lines > lines
	fails 1 nosuch \
		device 'traces=a\nb' 'create=!17 there is one' -- stream < lines
	local line
	while read -r line; do
		grep -qE -- "^$line" "$scratch/out" || { cat "$scratch/out"; die "no line with $line"; }
	done <<-'END'
		1 traces:
		2 create: .*EEXIST.* there is one
		lttctl.*: .*odd.*arg1
		lttctl.*: .*\<9\>
		5 odd: done
		lttctl.*: .*-1.*arg0
		lttctl.*: .*99999999999999999g.*arg0
		8 stream: .*77
		lttctl.*: .*9z.*value
		lttctl.*: .*uuid.*trace
		lttctl.*: .*create.*\<b\>
		lttctl.*: .*quote
		lttctl.*: .*a b
		lttctl.*: .*long
	END
	grep -q '^  create name  *does create$' "$scratch/out"
	fails 1 "not you" device 'share=!1 not you' -- stream --share traces
	! grep -q traces "$scratch/out" || die "it went on without sharing"
	fails 0 "2 traces" device -- stream --share traces
	fails 0 "* traces" device --note -- stream traces
	fails 1 lttctl device --end -- stream < lines
	fails 1 "Is a directory" \
		"$scripts/fake-device" -- sh -c "exec $bin/lttctl stream < /"
}

test_stream_as_json() {
	lines > lines
	local status=0
	device --note 'traces=a\nb' 'create=!17 there is one' -- stream --json < lines > replies 2> said || status=$?
	[ $status = 1 ]
	python3 - <<-'END'
		import json
		lines = [json.loads(line) for line in open('replies')]
		by_id = {line['id']: line for line in lines if line.get('id')}
		assert by_id[1]['command'] == 'traces' and by_id[1]['status'] == 'ok' and by_id[1]['text'] == 'a\nb', by_id[1]
		assert by_id[2]['status'] == 'error' and by_id[2]['errno'] == 'EEXIST', by_id[2]
		assert by_id[8]['descriptor'] == 77, by_id[8]
		rejected = [line['command'] for line in lines if line.get('id', 0) is None]
		assert 'nosuch' in rejected and 'odd' in rejected, rejected
		assert any(line.get('notification') == 'traces' and line['value'] == 5 for line in lines)
		assert any(line.get('name') == 'create' and line['arguments'] == ['name'] for line in lines)
	END
	device 'traces=a\nb' -- stream --json traces | python3 -c 'import json, sys; json.load(sys.stdin)'
}

run_tests
