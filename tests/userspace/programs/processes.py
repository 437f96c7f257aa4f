# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: threads, signal handlers, fork, exec, dlopen."""
import collections
import json
import os
import re
import signal
import struct
import subprocess

import control
from bench import DEADLINE, Recording, Skipped, check, equal, in_order, stop, wait_until


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
    for how, status in ('exit', 0), ('_exit', 0), ('quick_exit', 0), ('exec', 0), ('abort', 134), ('exit', 0):
        counts = bench.folder / 'counts'
        counts.unlink(missing_ok=True)
        recording = bench.record(*bench.prog('exit-counting', counts, how), name=f'trace{len(list(bench.folder.iterdir()))}',
                                 status=status)
        numbers = struct.unpack('8q', counts.read_bytes())
        equal(f'of a handler, with {how}', 500 if how in ('exit', 'quick_exit') else 0, numbers[7])
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


def test_exits_forks_and_cancellations_amid_libltt(bench):
    """In the same thread, while libltt holds its lock. Without an lttd, too."""
    for what, line in ('exit', 'forked'), ('fork', 'forked'), ('nested', 'forked'), ('create', 'cancelled'):
        command = ['timeout', '-s', 'KILL', str(DEADLINE // 2), bench.program('amid'), what]
        alone = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        equal(f'amid {what}: status and output', (0, f'{line}\n'), (alone.returncode, alone.stdout))
        recording = bench.record(*command, name=what)
        check(line in recording.output.splitlines(), what, recording.output)
        equal(f'amid {what}: events', 1, len(recording.named('test:parent')))
        ends = recording.fields('ltt:program_ended')
        check('how = "exit 0"' in ends, what, ends)


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


def test_a_child_of_exit_is_recorded(bench):
    """It was forked when libltt had reported its parent's end to lttd."""
    recording = bench.record(*bench.prog('plugin-amid-exit', bench.program('plugin.so')), pattern='plugin:*')
    equal('constructors', 1, len(recording.named('plugin:loaded')))
    equal('work', 100, len(recording.named('plugin:work')))


def test_a_child_in_another_namespace_of_process_ids_keeps_its_ring(bench):
    """Without exec(): its thread's id is that of no thread in the parent's namespace, whose threads look for rings."""
    if os.geteuid():
        raise Skipped('only root can make a namespace of process ids')
    recording = bench.record(*bench.prog('enter-namespace', 100), options=['--buffers', 'shared'],
                             env={'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'})
    equal('stored and lost', (300, 0), (recording.stored, recording.lost))
    equal('events', [100, 200], sorted(in_order(recording.named('test:count')).values()))


def test_no_descriptor_is_seen(bench):
    out = bench.record('sh', '-c', f'exec 3< /dev/null; exec {bench.program("prog")} forever 1000 & '
                                   'sleep 1; ls /proc/$!/fd; kill $!; wait', status=None).output
    equal('its descriptors', ['0', '1', '2', '3'], re.findall(r'^\d+$', out, re.M))


def test_one_process_and_its_descendants(bench):
    """-p: also children of children, and those that outlive their parents; no others."""
    parent = bench.start(*bench.prog('fork-when-told'))
    orphan = bench.start(*bench.prog('orphan', 40))
    shell = bench.start('sh', '-c', f'echo begun; read line; {bench.program("prog")} count 20; '
                                    f'sh -c "{bench.program("prog")} count 30; exec {bench.program("prog")} count 5"')
    stranger = bench.start(*bench.prog('forever', 1000))
    family = {name: bench.lttd(name, options=['--pid', str(process.pid)])
              for name, process in (('parent', parent), ('orphan', orphan), ('shell', shell))}
    bench.start(*bench.prog('count', 50), begun=False).wait(DEADLINE)
    # lttd learns of the orphan when its ancestors have gone.
    stop(family['orphan'])
    for process in parent, orphan, shell:
        process.stdin.write('go\n')
        process.stdin.flush()
        process.wait(DEADLINE)
    equal('the orphan is one', 'begun\n', orphan.stdout.readline())
    family['orphan'].send_signal(signal.SIGCONT)
    wait_until('the others have gone', lambda: control.counts(bench, family['orphan'])['programs'] == 1)
    orphan.stdin.write('go\n')
    orphan.stdin.flush()
    counts = lambda name: sorted(collections.Counter(
        event['pid'] for event in Recording(family[name].trace, {}, '', '').named('test:count')).values())
    wait_until('the orphan is recorded', lambda: counts('orphan') == [40])
    for name, want in ('parent', [1000]), ('orphan', [40]), ('shell', [20, 30, 5]):
        recording = bench.end(family[name])
        equal(f'events for {name}', sorted(want), counts(name))
        equal('late', 0, recording.summary['programs']['late_programs'])
        check(str(stranger.pid) not in [event['pid'] for event in recording.events()], 'a stranger is recorded')


def test_record_limits_programs_to_a_process(bench):
    stranger = bench.start(*bench.prog('forever', 1000))
    command = f'{bench.built}/lttctl record --json -o {bench.folder}/trace -e user:test:* -p $$ -- {bench.program("prog")} count 7; true'
    run = subprocess.run(['sh', '-c', command], stdout=subprocess.PIPE, text=True, timeout=DEADLINE)
    summary = json.loads(run.stdout)
    equal('stored', (7, True), (summary['programs']['stored'], summary['complete']))
    gone = bench.start('true', begun=False)
    gone.wait()
    for command, status in ([bench.built / 'lttctl', 'record', '-o', bench.folder / 'gone', '-e', 'user:*', '-p', str(gone.pid), 'true'], 125), \
                           ([bench.built / 'lttd', '-o', bench.folder / 'gone', '--programs', '*', '--pid', str(gone.pid)], 1):
        run = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
        equal('exit status', status, run.returncode)
        check(str(gone.pid) in run.stderr and 'No such process' in run.stderr, run.stderr)
    equal('the stranger goes on', None, stranger.poll())
