# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: their events in the trace, by type, compiler, library and machine."""
import os
import pty
import re
import shutil
import signal
import subprocess

import control
from bench import DEADLINE, Skipped, check, equal, in_order, wait_until


def test_one_command(bench):
    recording = bench.record(*bench.prog('count', 500))
    equal('stored', 500, recording.stored)
    equal('lost', 0, recording.lost)
    events = recording.named('test:count')
    equal('events', 500, sum(in_order(events).values()))
    equal('a thread with the id of the process', [events[0]['pid']], list({event['tid'] for event in events}))
    equal('name', ['name = "prog"'], recording.fields('ltt:program_started'))
    # On a very busy machine it has no time to send its status.
    check(recording.fields('ltt:program_ended') in (['how = "exit 0"'], ['how = "ended"']), 'how it went')


def test_at_a_terminal_it_draws_its_progress(bench):
    terminal, other = pty.openpty()
    process = subprocess.Popen([bench.built / 'lttctl', 'record', '-o', bench.folder / 'trace', '-e', 'user:test:*'],
                               stdin=subprocess.DEVNULL, stderr=other)
    bench.started.append(process)
    os.close(other)
    drawn = []

    def draws():
        drawn.append(os.read(terminal, 1000).decode())
        return re.search(r'\r\d+\.\d s', ''.join(drawn))

    wait_until('it draws', draws)
    check('; ^C ends it' in ''.join(drawn), drawn)
    process.send_signal(signal.SIGINT)
    equal('exit status', 0, process.wait(DEADLINE))
    os.close(terminal)


def test_exit_status_is_the_commands(bench):
    bench.record('sh', '-c', f'{bench.program("prog")} count 3; exit 5', status=5)


def test_only_what_was_asked_for(bench):
    recording = bench.record(*bench.prog('forks', 3), pattern='test:par*')
    equal('names', {'test:parent', 'ltt:program_started', 'ltt:program_ended'},
          {event['name'] for event in recording.events()})
    recording = bench.record(*bench.prog('forks', 3), name='by-name', pattern='chil?')
    equal('by name, of any group', 3, len(recording.named('test:child')))
    recording = bench.record(*bench.prog('forks', 3), name='none', pattern='a.b')
    equal('stored', 0, recording.stored)


EXPECTED = {
    'none': '',
    'chars': "c = 99, sc = -1, uc = 255",
    'shorts': 's = -2, us = 65535',
    'ints': 'i = -3, u = 4000000000, x = 0xFF',
    'longs': 'l = -4, ul = 18446744073709551615',
    'llongs': 'l = -5, ul = 6',
    'enums': 'a = 1, b = -2',
    'bitfields': 'a = 5, b = -3',
    'pointers': 'p = 0x1234, n = 0x0',
    'strings': 's = "literal", a = "array", n = "(null)", e = ""',
    'twelve': 'a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = "eleven", l = 12',
    'five': 'a = 1, b = 2, c = 3, d = 4, e = 5',
    'six': 'a = 1, b = "two", c = 3, d = "four", e = 5, f = 6',
    'in_inline': 'x = 1',
}


EXPECTED_CXX = {
    'reference': 'r = 5', 'enum_class': 'e = 200', 'in_template': 'v = 7', 'lambda': 'x = 8',
    'constructor': 'm = 9', 'method': 'm = 9',
}


def test_all_types_in_all_dialects(bench):
    programs = sorted(bench.programs.glob('types-*-*'))
    equal('programs', 10, len(programs))
    for program in programs:
        recording = bench.record(program, name=program.name, pattern='types:*')
        got = {event['name'].removeprefix('types:'): event['fields'] for event in recording.events()
               if event['name'].startswith('types:')}
        chars = got.pop('chars')
        check(re.fullmatch(r"c = (99|'c'|\"c\"|c), sc = -1, uc = 255", chars), chars)
        want = {**EXPECTED, **(EXPECTED_CXX if '++' in program.name else {})}
        want.pop('chars')
        equal(program.name, want, got)


def test_without_the_library(bench):
    program = bench.program('types-disabled')
    equal('exit status', 0, subprocess.run([program]).returncode)
    check('ltt' not in subprocess.check_output(['ldd', program], text=True), 'it is linked with libltt')


def test_systemtaps_probes_are_there(bench):
    notes = subprocess.check_output(['readelf', '-n', bench.program('types-gcc-c11')], text=True)
    check('Name: systemtap' in notes, notes)


def test_linked_statically(bench):
    equal('stored', 100, bench.record(bench.program('prog-static'), 'count', '100').stored)


def test_without_restartable_sequences(bench):
    recording = bench.record(*bench.prog('threads', 5, 500), env={'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'})
    handled = int(recording.output.splitlines()[0])
    events = recording.events()
    equal('events', 5 * 4 * 500, len([event for event in events if event['name'] == 'test:count']))
    equal('of handlers', handled, len([event for event in events if event['name'] == 'test:handler']))
    in_order([event for event in events if event['name'] == 'test:count'])


def test_under_valgrind(bench):
    if not shutil.which('valgrind'):
        raise Skipped('valgrind is not installed')
    # Valgrind takes seconds for each gigabyte of buffers that the program maps.
    recording = bench.record('valgrind', '-q', '--error-exitcode=9', '--leak-check=full',
                             '--errors-for-leak-kinds=definite', *bench.prog('count', 1000),
                             options=['--size', '64k', '--count', '8'])
    equal('stored', 1000, recording.stored)


def test_lttds_one_after_the_other(bench):
    """Memory that they leave in a program is reachable for tools that look for leaks, and not used any more."""
    if not shutil.which('valgrind'):
        raise Skipped('valgrind is not installed')
    process = bench.start('valgrind', '-q', '--error-exitcode=9', '--leak-check=full', '--errors-for-leak-kinds=definite',
                          *bench.prog('until-told', 100))
    listed = lambda: subprocess.run([bench.built / 'lttctl', 'markers', 'user:test:count'], stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, text=True).stdout     # it may be too slow to answer
    wait_until('it is listed', lambda: 'off user:test:count' in listed())
    for number in range(2):
        lttd = bench.lttd(f'trace{number}', options=['--size', '64k'])
        wait_until('it is recorded', lambda: 'on  user:test:count' in listed())
        bench.end(lttd)
        wait_until('it is not recorded any more', lambda: 'off user:test:count' in listed())
    lttd = bench.lttd('last')
    wait_until('it is recorded by the last', lambda: 'on  user:test:count' in listed())
    process.communicate('go\n', timeout=DEADLINE)
    equal('exit status', 0, process.returncode)
    equal('stored by the last', 100, bench.end(lttd).stored)


def test_under_sanitizers(bench):
    """Not forks in that of threads, which gives up there, nor vfork(), which it does in another way."""
    every = [('threads',), ('exit-amid-threads',), ('probes',), ('names',), ('plugin', bench.program('plugin.so'), 20)]
    for sanitizer, more in ('address', [('forks',), ('vforks',), ('daemonize',)]), ('thread', []):
        for rings in '', 'glibc.pthread.rseq=0':
            for number, what in enumerate([*every, *more]):
                recording = bench.record(bench.program(f'prog-{sanitizer}'), *map(str, what), pattern='*:*',
                                         name=f'{sanitizer}{rings}{number}', env={'GLIBC_TUNABLES': rings})
                check('Sanitizer' not in recording.errors, what, recording.errors)
                check(recording.stored, 'nothing is recorded of', what)


def test_another_c_library(bench):
    """musl: nothing is registered for restartable sequences there."""
    if not os.path.exists(bench.program('prog-musl')):
        raise Skipped('musl-tools is not installed')
    program = bench.program('prog-musl')
    recording = bench.record(program, 'threads', name='threads')
    equal('of the threads', 80000, len(recording.named('test:count')))
    equal('how it ended', ['how = "exit"'], recording.fields('ltt:program_ended'))
    check(min(int(event['cpu']) for event in recording.named('test:count')) >= os.cpu_count(), 'rings of CPUs')
    equal('forks', 12, bench.record(program, 'forks', name='forks').stored)
    equal('vforks', 100, bench.record(program, 'vforks', name='vforks').stored)
    equal('probes', 14, bench.record(program, 'probes', name='probes').stored)


def test_another_machine(bench):
    """arm64, as far as an emulator on this machine goes: its clock is another than lttd's."""
    qemu = shutil.which('qemu-aarch64-static')
    if not qemu or not os.path.exists(bench.program('prog-arm64')):
        raise Skipped('qemu-user-static or gcc-aarch64-linux-gnu is not installed')
    program = [qemu, '-L', '/usr/aarch64-linux-gnu', bench.program('prog-arm64')]
    subprocess.run([*program, 'probes'], check=True, timeout=DEADLINE)
    process = control.start_listed(bench, *program, 'forever', 10000)
    info = control.lttctl(bench, 'markers', '--info', 'user:test:count')
    check('field i integer s64 base 10\n  at traced/prog.c:' in info and f'[prog-arm64 {process.pid}]' in info, info)
    lttd = bench.lttd()
    wait_until('it is recorded', lambda: 'on  user:test:count' in control.lttctl(bench, 'markers', 'user:test:count'))
    control.lttctl(bench, 'probe', '-p', str(process.pid), 'connect', 'user:test:count', 'nosuch', status=1)
    bench.end(lttd, status=None)        # the times of another clock may look like damage
    equal('it goes on', None, process.poll())
