# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: threads, signal handlers, fork, exec, dlopen."""
import re
import struct

from bench import check, equal, in_order


def test_threads_and_handlers(bench):
    recording = bench.record(*bench.prog('threads', 30, 1000))
    handled = int(recording.output.splitlines()[0])
    events = recording.events()
    counts = in_order([event for event in events if event['name'] == 'test:count'])
    equal('threads', 120, len(counts))
    equal('events of each', {1000}, set(counts.values()))
    equal('of handlers', handled, len([event for event in events if event['name'] == 'test:handler']))


def test_exit_while_threads_trace(bench):
    for attempt in range(5):
        bench.record(*bench.prog('exit-amid-threads'), name=f'trace{attempt}', options=['--overwrite'])


def test_events_during_exit_are_stored(bench):
    """Threads go on emitting until the kernel ends them: each has at most one event that it did not finish."""
    for attempt in range(5):
        counts = bench.folder / f'counts{attempt}'
        recording = bench.record(*bench.prog('exit-counting', counts), name=f'trace{attempt}')
        numbers = struct.unpack('6q', counts.read_bytes())
        begun, done = sum(numbers[0::2]), sum(numbers[1::2])
        check(done <= recording.stored + recording.lost <= begun, done, 'emitted,', recording.stored, 'stored,',
              recording.lost, 'lost')
        equal('lost', 0, recording.lost)
        equal('read', recording.stored, len(recording.named('test:count')))


def test_forks_are_themselves(bench):
    recording = bench.record(*bench.prog('forks', 20))
    children = recording.named('test:child')
    equal('children', 20, len({event['pid'] for event in children}))
    for event in children:
        equal('pid, as the child says', f'pid = {event["pid"]}', event['fields'].split(', ')[0])
    equal('parent', 2, len(recording.named('test:parent')))


def test_forked_children_that_emit_are_announced(bench):
    recording = bench.record(*bench.prog('forks-exit', 20))
    events = recording.events()
    pids = lambda name: {event['pid'] for event in events if event['name'] == name}
    equal('children with events', 10, len(pids('test:child')))
    check(pids('test:child') <= pids('ltt:program_started'), pids('test:child') - pids('ltt:program_started'))
    # On a very busy machine some have no time to send their status.
    check('how = "exit 3"' in recording.fields('ltt:program_ended'), recording.fields('ltt:program_ended'))


def test_children_of_vfork_do_not_trace(bench):
    recording = bench.record(*bench.prog('vforks', 200))
    equal('parent', 200, len(recording.named('test:parent')))
    equal('children', 0, len(recording.named('test:child')))


def test_exec(bench):
    recording = bench.record(*bench.prog('exec', 30))
    equal('before', 1, len(recording.named('test:before')))
    equal('after', 30, len(recording.named('test:count')))


def test_a_program_that_closes_all_descriptors(bench):
    recording = bench.record(*bench.prog('daemonize', 2000))
    equal('events', 2000, len(recording.named('test:count')))


def test_few_descriptors(bench):
    recording = bench.record('sh', '-c', f'ulimit -n 20; exec {bench.program("prog")} daemonize 100')
    equal('events', 100, len(recording.named('test:count')))


def test_libraries_come_and_go(bench):
    recording = bench.record(*bench.prog('plugin', bench.program('plugin.so'), 50), pattern='plugin:*')
    equal('constructors', 50, len(recording.named('plugin:loaded')))
    equal('work', 5000, len(recording.named('plugin:work')))
    library = f'name = "{bench.program("plugin.so")}"'
    equal('recorded', [('ltt:library_loaded', library), ('ltt:library_unloaded', library)] * 50,
          [(event['name'], event['fields']) for event in recording.events() if 'ltt:library' in event['name']])


def test_no_descriptor_is_seen(bench):
    out = bench.record('sh', '-c', f'exec 3< /dev/null; exec {bench.program("prog")} forever 1000 & '
                                   'sleep 1; ls /proc/$!/fd; kill $!; wait', status=None).output
    equal('its descriptors', ['0', '1', '2', '3'], re.findall(r'^\d+$', out, re.M))
