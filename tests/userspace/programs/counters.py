# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: performance counters as context fields."""
import collections
import os
import re
import subprocess

from bench import DEADLINE, check, equal

EVENT = re.compile(r'(?P<tid>\d+) \S+ +test:(?P<name>\w+): (?P<fields>.*)')
OF_KERNEL = {'perf_page_faults': 'faults', 'perf_context_switches': 'switches', 'perf_task_clock': 'ns'}


def view(bench, path):
    run = subprocess.run([bench.built / 'lttctl', 'view', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
    equal('lttctl view', (0, ''), (run.returncode, run.stderr))
    events = []
    for line in run.stdout.splitlines():
        found = EVENT.search(line)
        if found:
            fields = dict(field.split('=', 1) for field in found['fields'].split(', '))
            events.append((int(found['tid']), found['name'],
                           {name: value if value == 'unavailable' else int(value) for name, value in fields.items()}))
    return events


def test_counters_of_the_kernel(bench):
    """Each value is between those that the thread read before this event and before the next one."""
    recording = bench.record(*bench.prog('usage'), options=['--context', 'tid,perf:page-faults,perf:context-switches,perf:task-clock'])
    equal('stored and lost', (8, 0), (recording.stored, recording.lost))
    threads = collections.defaultdict(list)
    for tid, _, fields in view(bench, recording.path):
        threads[tid].append(fields)
    equal('events of each', [4, 4], [len(events) for events in threads.values()])
    for events in threads.values():
        for this, following in zip(events, events[1:]):
            for counter, account in OF_KERNEL.items():
                check(this[account] <= this[counter] <= following[account], counter, this, following)
            faults = following['perf_page_faults'] - this['perf_page_faults']
            check(this['pages'] <= faults <= this['pages'] + 50, faults, 'faults for', this['pages'], 'pages')
            check(following['perf_context_switches'] > this['perf_context_switches'], 'no switch', this, following)


def test_a_counter_that_the_machine_has_not(bench):
    """Where there is one, the processor counts instructions of each thread."""
    run = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'trace', '--context', 'tid,perf:instructions', '-e', 'user:test:*',
                          '--', *bench.prog('count', 100)], stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
    if run.returncode:
        equal('exit status', 125, run.returncode)
        check('perf:instructions' in run.stderr, run.stderr)
        return
    values = [fields['perf_instructions'] for _, _, fields in view(bench, bench.folder / 'trace')]
    check(len(values) == 100 and values == sorted(set(values)), values)


def env_of(bench, **more):
    return {'LD_PRELOAD': str(bench.built.parent / 'userspace-tests/fake-pmu.so'), **more}


def test_counters_of_the_cpu(bench):
    """Of each thread, of children, too; a thread that ends closes its own."""
    left = bench.folder / 'left'
    recording = bench.record(*bench.prog('counted', 30), options=['--context', 'tid,pid,perf:cycles,perf:cache-misses'],
                             env=env_of(bench, FAKE_PMU_LEFT=str(left)))
    events = view(bench, recording.path)
    equal('events', {'one': 31, 'child': 2, 'end': 1}, dict(collections.Counter(name for _, name, _ in events)))
    for tid, name, fields in events:
        # The child by the bare system call is recorded with the thread id of its parent.
        own = fields['pid'] if name == 'child' else tid
        equal(f'values of {name}', (1000000 + own, 1000000 + own), (fields['perf_cycles'], fields['perf_cache_misses']))
    check(2 in map(int, left.read_text().split()), 'left are those of the main thread:', left.read_text())
    equal('left', 2, max(map(int, left.read_text().split())))


def check_denied(bench, name, context, command):
    """Ten events, without the values. Each missing value counts once."""
    denies = bench.folder / f'{name}-denies'
    lttd = bench.lttd(name=name, options=['--context', context], env={**os.environ, **env_of(bench)})
    denies.touch()
    process = bench.start(*command, begun=False,
                          env={**os.environ, 'LTT_START': lttd.socket, **env_of(bench, FAKE_PMU_DENIES=str(denies))})
    equal('it ends well', 0, process.wait(DEADLINE))
    recording = bench.end(lttd, status=1)
    equal('stored and lost', (10, 0), (recording.stored, recording.lost))
    check(re.search(rf'prog \(pid {process.pid}\) .*counters.* 10 times: Permission denied', recording.errors), recording.errors)
    equal('values', ['unavailable'] * 10, [fields['perf_cycles'] for _, _, fields in view(bench, lttd.trace)])


def test_a_program_that_may_not_count_is_named(bench):
    """Also if its events are so far apart that each asks for the name of the thread anew."""
    check_denied(bench, 'at-once', 'tid,pid,perf:cycles', bench.prog('count', 10))
    check_denied(bench, 'apart', 'tid,pid,name,perf:cycles', bench.prog('forever', 2000, 10))
