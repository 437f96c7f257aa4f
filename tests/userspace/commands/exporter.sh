#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# ltt-exporter, on a tracer made of plain files: formats, HTTP, traces that come and go. vm/exporter has questions.

. "$(dirname "$0")/lib-lttctl.sh"

# exporter WORD...: start one at $at, which ends with the test
exporter() {
	rm -f exporter.err
	LD_PRELOAD=$tools/fake-ltt.so "$bin/ltt-exporter" "$@" 2> exporter.err &
	exporter=$!
	trap 'kill $exporter 2> /dev/null || :' EXIT
	until_true 10 grep -qs 'listening at' exporter.err
	at=$(sed -n 's/.* listening at //p' exporter.err)
}

scrape() { "$scripts/scrape" "$at" "$@"; }

# shows SAMPLE VALUE [FORMAT]
shows() { scrape "${3:-openmetrics}" | grep -qxF -- "$1 $2"; }

test_metrics_of_a_trace() {
	tracer
	FAKE_REFUSED=5 lttctl create -o out t
	FAKE_REFUSED=5 lttctl start t
	exporter --listen 127.0.0.1:0
	local format
	for format in text openmetrics protobuf; do
		scrape $format > $format
		grep -qxF 'ltt_up{} 1' $format
		grep -qxF 'ltt_build_info{version=1.0} 1' $format
		grep -qxF 'ltt_trace_running{trace=t} 1' $format
		grep -qxF 'ltt_events_recorded_total{channel=events,cpu=0,trace=t} 1000' $format
		grep -qxF 'ltt_events_lost_total{channel=events,cpu=1,reason=full,trace=t} 5' $format
		grep -qxF 'ltt_buffer_unread_bytes{channel=events,cpu=0,trace=t} 2048' $format
		grep -q '^ltt_buffer_size_bytes{channel=events,cpu=0,trace=t} [1-9]' $format
		grep -q '^ltt_lttd_cpu_seconds_total{trace=t} [0-9.]*$' $format
		grep -q '^ltt_lttd_resident_memory_bytes{trace=t} [1-9]' $format
		grep -q '^process_cpu_seconds_total{} ' $format
	done
	[ "$(cut -d ' ' -f 1 text | sort)" = "$(cut -d ' ' -f 1 protobuf | sort)" ]
	[ "$(cut -d ' ' -f 1 text | sort)" = "$(cut -d ' ' -f 1 openmetrics | sort)" ]
	lttctl stop t
	until_true 10 shows 'ltt_trace_running{trace=t}' 0
	lttctl destroy t
	scrape > after
	[ "$(grep -c 'trace=t' after)" = 0 ]
}

test_prometheus_finds_no_fault_with_the_text() {
	local promtool=$build/prometheus/usr/bin/promtool
	[ -x "$promtool" ] || { echo 'there is no build/prometheus: run tests/vm/fetch-prometheus'; exit 77; }
	tracer
	lttctl create --lossless 5 t
	lttctl start t
	exporter --listen 127.0.0.1:0
	scrape raw > text
	"$promtool" check metrics < text > faults 2>&1 || { cat faults; die 'promtool finds faults'; }
	[ ! -s faults ] || { cat faults; die 'promtool finds faults'; }
	lttctl destroy t
}

test_formats_take_any_value() {
	"$tools/metrics" 0 > text
	"$tools/metrics" 1 > openmetrics
	[ "$(grep -c '^[a-z]*_sum' text)" = 3 ]
	[ "$(grep -o '^[a-z]*_sum' openmetrics)" = neither_sum ]
	/usr/bin/python3 - <<-'END'
		from prometheus_client import parser
		from prometheus_client.openmetrics import parser as openmetrics
		for file, parse in ('text', parser), ('openmetrics', openmetrics):
		    families = list(parse.text_string_to_metric_families(open(file, encoding='utf-8', newline='\n').read()))
		    assert [family.name for family in families] == ['limits', 'neither', 'values'], families
		    for family in families:
		        assert {sample.labels['any'] for sample in family.samples} == {'a\nb"c\\d\x01\ufffd\xe9\ufffd'}, family
	END
}

test_accept_chooses_the_format() {
	tracer
	exporter --listen 127.0.0.1:0
	local text='text/plain; version=0.0.4; charset=utf-8' open='application/openmetrics-text; version=1.0.0; charset=utf-8'
	PYTHONPATH=$scripts /usr/bin/python3 - "$at" "$text" "$open" <<-'END'
		import importlib.machinery, importlib.util, sys
		loader = importlib.machinery.SourceFileLoader('scrape', sys.path[1] + '/scrape')
		scrape = importlib.util.module_from_spec(importlib.util.spec_from_loader('scrape', loader))
		loader.exec_module(scrape)
		where, text, openmetrics = sys.argv[1:]
		protobuf = 'application/vnd.google.protobuf'
		for accept, kind in (
		        (None, text), ('', text), ('*/*', text), ('text/html, */*;q=0.1', text), ('nonsense', text), (';;,,;q=', text),
		        ('application/openmetrics-text', openmetrics), ('APPLICATION/OpenMetrics-Text ; Version=1.0.0', openmetrics),
		        ('application/openmetrics-text;version=0.0.1', text),
		        ('application/openmetrics-text;q=0.1, text/plain;q=0.9', text),
		        ('application/openmetrics-text;q=0, text/plain;q=0', text),
		        (protobuf + ';encoding=text, application/openmetrics-text;q=0.2', openmetrics),
		        (scrape.ACCEPT['protobuf'], scrape.TYPES['protobuf']),
		):
		    assert scrape.get(where, accept)[:2] == (200, kind), (accept, scrape.get(where, accept)[:2])
	END
}

test_tracer_comes_and_goes() {
	exporter --listen 127.0.0.1:0
	shows 'ltt_up{}' 0
	shows 'ltt_up{}' 0 text
	[ "$(wc -l < exporter.err)" = 2 ] || die "the reason is reported once: $(cat exporter.err)"
	shows 'ltt_build_info{version=1.0}' 1
	tracer
	shows 'ltt_up{}' 1
	[ "$(wc -l < exporter.err)" = 2 ]
	rm -r "$LTT_DEBUGFS"
	shows 'ltt_up{}' 0
	[ "$(wc -l < exporter.err)" = 3 ]
}

test_recording_of_programs() {
	tracer
	exporter --listen "unix:$PWD/socket"
	"$bin/lttctl" record -o out -e 'user:marked:*' -- "$tools/marked" > record.log 2>&1 &
	local record=$!
	ran() { scrape > now && grep -q '^ltt_programs_events_stored_total{trace=programs-[0-9]*,user=[0-9]*} 2$' now; }
	until_true 20 ran
	grep -q '^ltt_lttd_cpu_seconds_total{trace=programs-' now
	grep -q '^ltt_programs_events_lost_total{trace=programs-' now
	kill $record
	wait $record || :
	[ "$(scrape | grep -c '^ltt_programs')" = 0 ]
}

test_http() {
	tracer
	exporter --listen 127.0.0.1:0
	PYTHONPATH=$scripts /usr/bin/python3 - "$at" <<-'END'
		import importlib.machinery, importlib.util, socket, sys, threading
		loader = importlib.machinery.SourceFileLoader('scrape', sys.path[1] + '/scrape')
		scrape = importlib.util.module_from_spec(importlib.util.spec_from_loader('scrape', loader))
		loader.exec_module(scrape)
		where = sys.argv[1]
		host, port = where.rsplit(':', 1)
		def raw(request):
		    with socket.create_connection((host, int(port)), timeout=60) as connection:
		        answer = b''
		        # It may close the connection while the request is being sent.
		        try:
		            connection.sendall(request)
		            connection.shutdown(socket.SHUT_WR)
		        except OSError:
		            pass
		        try:
		            while part := connection.recv(65536):
		                answer += part
		        except ConnectionResetError:
		            pass
		        return answer
		assert scrape.get(where, None, path='/')[0] == 404
		assert scrape.get(where, None, path='/metrics/x')[0] == 404
		assert scrape.get(where, None, path='/metrics?name[]=ltt_up')[0] == 200
		for method in 'POST', 'PUT', 'DELETE', 'OPTIONS', 'NONSENSE':
		    assert scrape.get(where, None, method=method)[0] == 405, method
		status, kind, body = scrape.get(where, None, method='HEAD')
		assert status == 200 and not body
		# Nonsense is answered by an error, or not at all.
		for request in (b'\0' * 1000, b'GET /metrics\r\n\r\n', b'GET ' + b'/' * 100000 + b' HTTP/1.1\r\n\r\n',
		                b'GET /metrics HTTP/1.1\r\n' + b'A: ' + b'x' * 200000 + b'\r\n\r\n',
		                b'GET /metrics HTTP/1.1\r\nContent-Length: -5\r\n\r\n',
		                b'POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n' + b'x' * 300000):
		    answer = raw(request)
		    assert b'ltt_up' not in answer and (not answer or answer.startswith(b'HTTP/1.1 4')), answer[:100]
		assert b'ltt_up' in raw(b'GET /metrics HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc')
		# Clients that stop in the middle of a request, or do not read, hold up no other one.
		slow = [socket.create_connection((host, int(port))) for _ in range(20)]
		for connection in slow:
		    connection.sendall(b'GET /metr')
		assert scrape.get(where, None)[0] == 200
		# All at once, more than there are connections.
		results = []
		def one():
		    results.append(scrape.get(where, scrape.ACCEPT['openmetrics'])[0])
		threads = [threading.Thread(target=one) for _ in range(100)]
		for thread in threads:
		    thread.start()
		for thread in threads:
		    thread.join()
		assert results.count(200) == 100, results
		for connection in slow:
		    connection.settimeout(60)
		    assert connection.recv(1) == b'', 'a slow client is disconnected'
	END
	kill -0 $exporter
}

# A socket that a process listens at, which accepts nothing, and that no connection fits in any more.
busy_socket() {
	/usr/bin/python3 -c 'if 1:
		import signal, socket
		listening, waiting = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
		listening.bind("busy")
		listening.listen(0)
		waiting.connect("busy")
		open("busy.ready", "w").close()
		signal.pause()' &
	busy=$!
	trap 'kill $busy' EXIT
	until_true 10 test -e busy.ready
}

test_clients_that_send_a_byte_now_and_then() {
	tracer
	exporter --listen "unix:$PWD/socket"
	/usr/bin/python3 - <<-'END'
		import socket, time
		def connect():
		    connection = socket.socket(socket.AF_UNIX)
		    connection.connect('socket')
		    return connection
		slow = [connect() for _ in range(32)]
		for connection in slow:
		    connection.sendall(b'GET /metrics HTTP/1.1\r\nX: ')
		last = connect()
		last.sendall(b'GET /metrics HTTP/1.0\r\n\r\n')
		last.settimeout(2)
		deadline = time.monotonic() + 100
		while True:
		    try:
		        answer = last.recv(100)
		        break
		    except TimeoutError:
		        assert time.monotonic() < deadline, 'slow clients keep others away'
		    for connection in slow:
		        try:
		            connection.sendall(b'x')
		        except OSError:
		            pass
		assert answer.startswith(b'HTTP/1.1 200') or answer.startswith(b'HTTP/1.0 200'), answer
	END
}

test_where_it_listens() {
	tracer
	local sample="unix:$PWD/socket"
	fails 2 --public "$bin/ltt-exporter" --listen 0.0.0.0:10589
	fails 2 --public "$bin/ltt-exporter" --listen '[::]:10589'
	fails 2 --listen "$bin/ltt-exporter" --listen nonsense
	fails 2 --listen "$bin/ltt-exporter" --listen ::1
	fails 2 --listen "$bin/ltt-exporter" --listen unix:
	fails 2 --listen "$bin/ltt-exporter" --listen 127.0.0.1:http:x
	fails 2 70000 timeout 20 "$bin/ltt-exporter" --listen 127.0.0.1:70000
	fails 2 --listen timeout 20 "$bin/ltt-exporter" --listen 127.0.0.1:-1
	# A name server may answer later: systemd tries again after status 1.
	fails 1 host.invalid "$bin/ltt-exporter" --public --listen host.invalid:10589
	fails 1 no/folder "$bin/ltt-exporter" --listen unix:no/folder
	touch file
	fails 1 file "$bin/ltt-exporter" --listen unix:file
	[ -f file ]
	exporter --listen "$sample"
	[ "$(stat -c %a socket)" = 660 ]
	fails 1 socket "$bin/ltt-exporter" --listen "$sample"
	shows 'ltt_up{}' 1
	kill -9 $exporter
	wait $exporter 2> /dev/null || :
	[ -S socket ]
	exporter --listen "$sample"
	shows 'ltt_up{}' 1
	kill $exporter
	wait $exporter
	[ ! -e socket ]
	busy_socket
	fails 1 busy timeout 60 "$bin/ltt-exporter" --listen "unix:$PWD/busy"
	[ -S busy ]
	kill $busy
	exporter --public --listen 0.0.0.0:0
	at=127.0.0.1:${at##*:}
	shows 'ltt_up{}' 1
	fails 1 "$at" "$bin/ltt-exporter" --listen "$at"
}

# wrong WORD QUESTION: it is rejected, with the word in the message
wrong() { fails 2 "$1" "$bin/ltt-exporter" --listen "unix:$PWD/wrong" --question "$2"; }

test_wrong_questions() {
	tracer
	wrong count 'x'
	wrong latency 'x nonsense -e a:b'
	wrong digit '9x count -e a:b'
	wrong -e 'x count'
	wrong ltt_ 'ltt_x count -e a:b'
	wrong _sum 'x_sum hist -e a:b -v c'
	wrong _seconds 'x latency -e a:b -e c:d --key e'
	wrong --key 'x_seconds latency -e a:b -e c:d'
	wrong -v 'x count -e a:b -v c'
	wrong -v 'x hist -e a:b'
	wrong stack 'x count -e a:b --by stack'
	wrong event 'x count -e a:b --by event'
	wrong a_b 'x count -e a:b --by a-b,a+b'
	wrong --duration 'x count -e a:b --duration 5s'
	wrong --json 'x count -e a:b --json'
	wrong true 'x count -e a:b -- true'
	fails 2 another "$bin/ltt-exporter" --question 'x count -e a:b' --question 'x_total count -e c:d'
	printf '# a comment\nlisten = unix:%s/socket\nquestion = x nonsense\n' "$PWD" > conf
	fails 2 'No such file' "$bin/ltt-exporter" --options nosuch
	fails 2 latency "$bin/ltt-exporter" --options conf
	printf 'public = yes\n' > conf
	fails 2 conf:1 "$bin/ltt-exporter" --options conf
	fails 2 there "$bin/ltt-exporter" there
	[ ! -e wrong ] && [ ! -e socket ]
}

test_question_that_cannot_be_asked() {
	tracer
	exporter --listen 127.0.0.1:0 --question 'calls count -e raw_syscalls:sys_enter'
	shows 'ltt_question_up{question=calls}' 0
	shows 'ltt_up{}' 1
	grep -q '^ltt-exporter calls: ' exporter.err
}

run_tests
