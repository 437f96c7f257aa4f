#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a Prometheus that scrapes ltt-exporter has the numbers of lttctl: events, losses, fill, counts, classic and native histograms
# vm: --smp 2
# when: all
# requires: lttctl lttd ltt-exporter python3 protoc ltt-control.ko ltt-test-markers.ko
# timeout: 600
. "$LTT/tests/vm/lib-record.sh"
. "$LTT/tests/vm/lib-exact.sh"

# make check-all fetches it, by tests/vm/fetch-prometheus.
PROMETHEUS=$LTT/build/prometheus
[ -e "$PROMETHEUS/complete" ] || skip 'there is no build/prometheus: run tests/vm/fetch-prometheus'
/usr/bin/python3 -c 'import prometheus_client' || skip 'python3-prometheus-client is not installed'

load_modules "$(fast_clock)"
load ltt-test-markers period_us=20
cd "$TMP"

cat > conf <<'EOF'
# every kind of question
listen = 127.0.0.1:10588
question = test_events count -e test:* --by cpu
question = test_sequence hist -e test:task -v seq --by cpu
question = test_linear hist -e test:task -v seq --linear 5,20,5
question = call_seconds latency -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit --key tid --by id -f 'comm == "one-call"'
question = task_few_keys count -e test:task --by seq --max-keys 8
EOF
ltt-exporter --options conf 2> exporter.err &
exporter=$!
at_exit "kill $exporter 2> /dev/null || :"
assert 'the exporter listens' wait_until 60 grep -q 'listening at' exporter.err

scrape() { /usr/bin/python3 "$LTT/tests/userspace/tools/scrape" 127.0.0.1:10588 "$@"; }

# sample FILE NAME{LABELS}: its value
sample()
{
	awk -v name="$2" '{ value = $NF; sub(/ [^ ]*$/, ""); if ($0 == name) print value }' "$1"
}

scrape > now
assert_eq 'all questions are asked' 5 "$(grep -c '^ltt_question_up{.* 1$' now)"

# ---- What LTT itself shows ----

# A small trace without a reader fills, and loses.
begin full 8K 2 0
echo "500 $SEQUENCES" > /proc/ltt-test-markers
put "$DBG/traces/full/state" stop
scrape > now
of='trace=full'
sum() { awk -v from="$1" -v of="$of" 'index($1, from "{") == 1 && index($1, of) && /channel=events/ { n += $NF } END { printf "%d\n", n }' now; }
assert_eq 'events that were recorded' "$(events_count full stored)" "$(sum ltt_events_recorded_total)"
assert_eq 'events that were lost' "$(events_count full refused)" "$(sum ltt_events_lost_total)"
assert 'there are some' [ "$(sum ltt_events_lost_total)" -gt 0 ]
assert_eq 'bytes in the buffers' "$(events_count full unread)" "$(sum ltt_buffer_unread_bytes)"
assert 'the buffers are nearly full' [ $((10 * $(sum ltt_buffer_unread_bytes))) -gt $((8 * $(sum ltt_buffer_size_bytes))) ]
put "$DBG/traces/remove" full
scrape > now
assert_eq 'the trace goes' '' "$(grep "$of" now || :)"

# A flight recorder holds what its buffer does.
begin box 8K 2 1
echo "500 $SEQUENCES" > /proc/ltt-test-markers
put "$DBG/traces/box/state" stop
scrape > now
of='trace=box'
assert 'a flight recorder is full' [ "$(sum ltt_buffer_unread_bytes)" -le "$(sum ltt_buffer_size_bytes)" ]
assert_eq 'what it overwrote was recorded' $(($(events_count box stored) + $(events_count box overwritten))) \
	"$(sum ltt_events_recorded_total)"
assert 'it has overwritten' [ "$(sum ltt_events_overwritten_total)" -gt 0 ]
put "$DBG/traces/remove" box

# A private recording, whose buffers no other process sees.
LTT_VIA=device lttctl record -o private -e test:task -- sh -c 'echo "50 task" > /proc/ltt-test-markers; touch ran; until [ -e go ]; do sleep 0.1; done' > record.log 2>&1 &
record=$!
assert 'a private recording runs' wait_until 60 test -e ran
assert 'it has its events' wait_until 60 sh -c "/usr/bin/python3 $LTT/tests/userspace/tools/scrape 127.0.0.1:10588 > now; grep -q '^ltt_events_recorded_total{channel=events,trace=record-[0-9]*} 100$' now"
assert 'and its lttd' grep -q '^ltt_lttd_cpu_seconds_total{trace=record-' now
assert 'and how full it is' grep -q '^ltt_buffer_size_bytes{channel=events,trace=record-[0-9]*} [1-9]' now
touch go
wait $record

# ---- Questions, through a Prometheus ----

cat > prometheus.yml <<'EOF'
global:
  scrape_interval: 2s
  scrape_timeout: 2s
scrape_configs:
  - job_name: ltt
    static_configs:
      - targets: ['127.0.0.1:10588']
EOF

# prometheus NAME PORT WORD...: start one with a storage of its own
prometheus()
{
	GOMAXPROCS=1 "$PROMETHEUS/usr/bin/prometheus" --config.file=prometheus.yml --storage.tsdb.path="$1" \
		--web.listen-address="127.0.0.1:$2" --web.enable-lifecycle "$3" > "$1.log" 2>&1 &
	at_exit "kill $! 2> /dev/null || :"
}

# query PORT EXPRESSION: the value of each series that Prometheus has now
query()
{
	/usr/bin/python3 -I -S - "$1" "$2" <<'CHECK'
import json, sys, urllib.parse, urllib.request
url = f'http://127.0.0.1:{sys.argv[1]}/api/v1/query?query=' + urllib.parse.quote(sys.argv[2])
try:
    answer = json.load(urllib.request.urlopen(url, timeout=60))
except OSError as error:
    sys.exit(str(error))
assert answer['status'] == 'success', answer
for result in answer['data']['result']:
    print(result['value'][1])
CHECK
}

has() { [ "$(query "$1" "$2" 2> /dev/null)" = "$3" ]; }

prometheus classic 9190 --log.level=warn
prometheus native 9191 --enable-feature=native-histograms
assert 'one Prometheus scrapes' wait_until 200 has 9190 'up{job="ltt"}' 1
assert 'one with native histograms, too' wait_until 200 has 9191 'up{job="ltt"}' 1

echo "1000 $SEQUENCES" > /proc/ltt-test-markers
ln -s /bin/sleep one-call
./one-call 0.3
scrape text > text
scrape protobuf > protobuf
emitted=$(driver_emitted)
interrupted=$(sample text 'ltt_question_lost_events_total{question=test_events,reason=interrupted}')
task=$(awk '$1 == "task" { n += $4 } END { print n }' /proc/ltt-test-markers)
assert_eq 'each event is counted' $((emitted - interrupted)) "$(awk '/^test_events_total/ { n += $NF } END { print n }' text)"
assert_eq 'the formats agree' "$(grep '^test_events_total\|^test_linear_bucket' text)" "$(grep '^test_events_total\|^test_linear_bucket' protobuf)"
assert 'Prometheus has all of them' wait_until 60 has 9190 'sum(test_events_total)' $((emitted - interrupted))
assert 'and a Prometheus with native histograms' wait_until 60 has 9191 'sum(test_events_total)' $((emitted - interrupted))

# seq is 0, 1, 2, ... on each CPU: all buckets are known.
per_cpu=$((task / 2))
for cpu in 0 1; do
	for limit in 1 2 4 8 256; do
		assert_eq "CPU $cpu, values up to $limit" $((limit + 1)) \
			"$(sample text "test_sequence_bucket{cpu=$cpu,event=test:task,le=$limit.0}")"
	done
	assert_eq "CPU $cpu: the sum" $((per_cpu * (per_cpu - 1) / 2)) "$(sample text "test_sequence_sum{cpu=$cpu,event=test:task}")"
	assert_eq "CPU $cpu: the native histogram" \
		"count=$per_cpu sum=$((per_cpu * (per_cpu - 1) / 2)) zero=2 2:1 4:2 8:4 16:8 32:16 64:32 128:64 256:128" \
		"$(grep -F "test_sequence{cpu=$cpu," protobuf | cut -d ' ' -f 2- | cut -d ' ' -f 1-11)"
done
assert 'the count of the classic histogram' has 9190 'sum(test_sequence_count)' "$task"
assert 'the count of the native one' wait_until 60 has 9191 'sum(histogram_count(test_sequence))' "$task"
assert 'and its sum' has 9191 'sum(histogram_sum(test_sequence))' "$(query 9190 'sum(test_sequence_sum)')"
assert_eq 'linear buckets have their greatest values' "10 20 30 $task" \
	"$(for limit in 4.0 9.0 14.0 +Inf; do sample text "test_linear_bucket{event=test:task,le=$limit}"; done | xargs)"

# The call that sleeps takes 0.3 s: between 1/4 and 1/2 s, in every form.
nanosleep=230
assert_eq 'a time is in its bucket' '0 1' "$(for limit in 0.25 0.5; do sample text "call_seconds_bucket{id=$nanosleep,le=$limit}"; done | xargs)"
assert 'in the native one, too' grep -Eq "^call_seconds\{id=$nanosleep\} count=1 sum=0\.3[0-9]* zero=0 0\.5:1$" protobuf
assert 'keys have a bound' [ "$(grep -c '^task_few_keys_total' text)" = 8 ]
assert_eq 'what has no room is a metric' $((task - $(awk '/^task_few_keys_total/ { n += $NF } END { print n }' text))) \
	"$(sample text 'ltt_question_lost_events_total{question=task_few_keys,reason=keys}')"
assert_eq 'Prometheus has found no fault' '' "$(grep -i 'error\|warn' classic.log | grep -v 'level=warn.*\(agent\|GOM\)' || :)"
scrape openmetrics > /dev/null
echo "# figure: one scrape takes $(sample text 'ltt_exporter_collect_seconds{}') s here"

# ---- The end ----

kill $exporter
status=0
wait $exporter || status=$?
assert_eq 'the exporter ends' 0 $status
assert 'Prometheus sees that' wait_until 60 has 9190 'up{job="ltt"}' 0
