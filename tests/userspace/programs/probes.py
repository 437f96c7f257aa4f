# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: probes that lttctl loads and connects."""
import os
import re
import subprocess
import time

from bench import DEADLINE, check, equal, in_order, wait_until
from control import lttctl, stored, start_listed


def test_probes_of_the_program_itself(bench):
    for name, env in ('sequences', {}), ('rings', {'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'}):
        recording = bench.record(*bench.prog('probes'), name=name, env=env)
        equal('recorded', 6, len(recording.named('test:probed')))
        equal('recorded within probes', 8, len(recording.named('test:within')))
    equal('unrecorded', 0, subprocess.run(bench.prog('probes')).returncode)


def test_probes_that_are_loaded(bench):
    lttd = bench.lttd(pattern='probe:*')
    other = bench.start(*bench.prog('forever', 1000), env={**os.environ, 'LTT_START': lttd.socket})
    process = bench.start(*bench.prog('forever', 1000), env={**os.environ, 'LTT_START': lttd.socket})
    pid = ['-p', str(process.pid)]
    check('test_probe' in
          lttctl(bench, 'probe', *pid, 'connect', 'user:test:count', 'test_probe', status=1), 'no complaint')
    lttctl(bench, 'probe', *pid, 'load', bench.program('probe.so'))
    wait_until('it is recorded', lambda: 'on  user:probe:called\n' in lttctl(bench, 'markers', 'user:probe:*'))
    lttctl(bench, 'probe', *pid, 'connect', 'user:*:*', 'test_probe', 'some text')
    wait_until('it is called', lambda: stored(bench, lttd) > 10)
    check('off user:test:count\n' in lttctl(bench, 'markers', 'user:test:*'), 'it is not recorded, but called')
    check('connected' in
          lttctl(bench, 'probe', *pid, 'connect', 'user:*:*', 'test_probe', 'some text', status=1), 'no complaint')
    check('connected' in
          lttctl(bench, 'probe', *pid, 'disconnect', 'user:*:*', 'test_probe', status=1), 'no complaint')
    lttctl(bench, 'probe', *pid, 'disconnect', 'user:*:*', 'test_probe', 'some text')
    stored(bench, lttd)
    before = stored(bench, lttd)
    time.sleep(0.1)         # the marker goes on being passed
    equal('calls, disconnected', before, stored(bench, lttd))
    events = bench.end(lttd).named('probe:called')
    equal('the program of the calls', {str(process.pid)}, {event['pid'] for event in events})
    numbers = []
    for event in events:
        got = re.fullmatch(r'by = "count", data = "some text", nr = 1, first = (\d+)', event['fields'])
        check(got, event)
        numbers.append(int(got[1]))
    equal('the arguments', list(range(numbers[0], numbers[0] + len(numbers))), numbers)
    equal('the other goes on', None, other.poll())


def test_probes_of_markers_that_come_later(bench):
    lttd = bench.lttd(pattern='probe:*')
    process = bench.start(*bench.prog('plugin-when-told', bench.program('plugin.so'), 3),
                          env={**os.environ, 'LTT_START': lttd.socket})
    pid = ['-p', str(process.pid)]
    lttctl(bench, 'probe', *pid, 'load', bench.program('probe.so'))
    lttctl(bench, 'probe', *pid, 'connect', 'user:plugin:work', 'test_probe')
    process.communicate('go\n', timeout=DEADLINE)
    equal('exit status', 0, process.returncode)
    equal('calls', [f'by = "work", data = "", nr = 1, first = {i}' for i in range(100)] * 3,
          bench.end(lttd).fields('probe:called'))


def test_a_library_that_forks_as_it_is_loaded(bench):
    """Its child is another program, and the program goes on."""
    lttd = bench.lttd(pattern='*:*')
    process = bench.start(*bench.prog('forever', 1000), env={**os.environ, 'LTT_START': lttd.socket})
    wait_until('there are events', lambda: stored(bench, lttd) > 10)
    lttctl(bench, 'probe', '-p', str(process.pid), 'load', bench.program('forking.so'))
    before = stored(bench, lttd)
    wait_until('it goes on', lambda: stored(bench, lttd) > before + 10)
    equal('it has gone on', None, process.poll())
    recording = bench.end(lttd)
    equal('of the program, without a gap', 1, len(in_order(
        [event for event in recording.named('test:count') if event['pid'] == str(process.pid)])))
    events = recording.named('forking:child')
    child, = {event['pid'] for event in events} - {str(process.pid)}
    numbers = [int(event['fields'].removeprefix('i = ')) for event in events]
    equal('of the child, to its last', list(range(numbers[0], 500)), numbers)
    equal('how it ended', ['how = "exit 0"'],
          [event['fields'] for event in recording.named('ltt:program_ended') if event['pid'] == child])


def test_wrong_words_about_probes(bench):
    process = start_listed(bench, *bench.prog('forever', 1000))
    static = start_listed(bench, bench.program('prog-static'), 'forever', '1000')
    pid = ['-p', str(process.pid)]
    for words, status, said in [
            (['load', 'x'], 2, '-p'),
            (['-p', 'x', 'load', 'x'], 2, 'x'),
            ([*pid], 2, 'disconnect'),
            ([*pid, 'frob'], 2, 'frob'),
            ([*pid, 'load', '/nosuch'], 1, 'No such file'),
            ([*pid, 'load', '/etc/passwd'], 1, '/etc/passwd'),
            ([*pid, 'connect', 'test:*', 'f'], 2, 'user:'),
            ([*pid, 'connect', 'user:test:*'], 2, 'function'),
            ([*pid, 'connect', 'user:test:*', 'nosuch'], 1, 'nosuch'),
            (['-p', '1', 'load', bench.program('probe.so')], 1, '1'),
            (['-p', str(static.pid), 'connect', 'user:a', 'nosuch'], 1, 'libltt.a')]:
        complaint = lttctl(bench, 'probe', *words, status=status)
        check(said in complaint, words, complaint)
    equal('it goes on', None, process.poll())
