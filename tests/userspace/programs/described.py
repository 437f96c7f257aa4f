# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: events that a program describes while it runs."""
import os
import re
import subprocess

import control
from bench import DEADLINE, check, equal, in_order, wait_until


def described(bench, *what):
    return [bench.program('described'), *map(str, what)]


def test_described_events_are_recorded_from_the_first(bench):
    recording = bench.record(*described(bench, 'count', 500))
    equal('stored', 500, recording.stored)
    equal('events', 500, sum(in_order(recording.named('test:count')).values()))


def check_types(bench, program):
    got = {event['name']: event['fields'] for event in bench.record(program, 'types', pattern='types:*').events()}
    equal('integers', 'yes = 1, a = -1, b = 255, c = -2, d = 65535, e = -3, f = 4000000000, '
          'g = -9223372036854775808, h = 18446744073709551615, x = 0xBEEF, state = ( "run" : container = -1 )',
          got['types:integers'])
    equal('reals', 'f = 1.5, d = -0.25', got['types:reals'])
    equal('texts', 's = "text", n = "(null)", t = "cut", u = "a"', got['types:texts'])
    check(re.fullmatch(r's = "x{4091}\.\.\.\\?.*"', got['types:long_text']), got['types:long_text'][-20:])
    equal('sequences', '_blob_length = 2, blob = [ [0] = 0x1, [1] = 0xFF ], _shorts_length = 2, '
          'shorts = [ [0] = 1, [1] = -1 ], _none_length = 0, none = [ ]', got['types:sequences'])
    check('types:nothing' in got, 'an event without fields')


def test_described_types(bench):
    check_types(bench, bench.program('described'))


def test_described_types_of_another_width(bench):
    check_types(bench, bench.program_of_32_bits('described-32-bit', 'types'))


def test_equal_descriptions_are_one_event(bench):
    recording = bench.record(*described(bench, 'same'))
    equal('the same pointer: of threads, of another place, of another type', '1 0 0', recording.output.splitlines()[0])
    events = recording.named('test:count')
    equal('events of all, and of the marker', 70, len(events))
    equal('one event in the trace, and that of the other type', 2,
          (recording.path / f'user-{os.geteuid()}' / 'metadata').read_text().count('name = "test:count"'))


def test_described_events_are_listed(bench):
    process = control.start_listed(bench, *described(bench, 'until-told', 7))
    info = control.lttctl(bench, 'markers', '--info', 'user:test:count')
    check('field i integer s64 base 10' in info, info)
    lttd = bench.lttd()
    wait_until('it is recorded', lambda: 'on  user:test:count' in control.lttctl(bench, 'markers', 'user:test:count'))
    process.communicate('go\n', timeout=DEADLINE)
    equal('exit status', 0, process.returncode)
    equal('events of a program that was there before', 7, bench.end(lttd).stored)


def test_described_events_in_recordings_that_come_and_go(bench):
    process = control.start_listed(bench, *described(bench, 'until-told', 9))
    listed = lambda: control.lttctl(bench, 'markers', 'user:test:count')
    lttd = control.last_of_three_lttds(bench, listed)
    process.communicate('go\n', timeout=DEADLINE)
    equal('events', 9, bench.end(lttd).stored)


def test_described_events_of_threads_and_children(bench):
    equal('threads', 4 * 300, bench.record(*described(bench, 'threads', 300), name='threads').stored)
    recording = bench.record(*described(bench, 'forks', 10), name='forks')
    equal('of the parent', 11, len(recording.named('test:parent')))
    for name in 'test:parent', 'test:child':
        for event in recording.named(name):
            equal(f'pid of {name}', f'pid = {event["pid"]}', event['fields'])
    equal('of children', 10, len(recording.named('test:child')))


def test_descriptions_that_are_refused(bench):
    equal('refused', 'all\n', subprocess.check_output(described(bench, 'refused'), text=True))
    # The program may not look at the error: the recording is not complete, also if it ends first.
    lttd = bench.lttd(pattern='nosuch:*')
    process = bench.start(*described(bench, 'too-many', 20000), begun=False, env={**os.environ, 'LTT_START': lttd.socket})
    equal('too many', '16384 ENOSPC\n', process.stdout.readline())
    wait_until('lttd reports it', lambda: f'(pid {process.pid})' in lttd.said.read_text())
    bench.end(lttd, status=1)


def test_described_events_call_probes(bench):
    subprocess.run(described(bench, 'probes'), check=True, timeout=DEADLINE)
