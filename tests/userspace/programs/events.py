# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: their events in the trace, by type, compiler, library and machine."""
import json
import os
import pty
import re
import shutil
import signal
import subprocess
from pathlib import Path

import control
from bench import DEADLINE, Skipped, check, equal, in_order, wait_until


def test_markers_of_a_later_header_are_reported(bench):
    recording = bench.record(*bench.prog('later-header'), status=None)
    equal('complete, and stored', (False, 10), (recording.summary['complete'], recording.stored))
    check(re.search(r'prog \(pid \d+\) .*<ltt/marker\.h>', recording.errors), recording.errors)


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
    recording = bench.record(*bench.prog('forks', 3), name='by-name', pattern='*:chil?')
    equal('by name, of any group', 3, len(recording.named('test:child')))
    recording = bench.record(*bench.prog('forks', 3), name='all', pattern='*')
    equal('all', {'test:child', 'test:parent'}, {event['name'] for event in recording.events()} - {
        'ltt:program_started', 'ltt:program_ended'})
    recording = bench.record(*bench.prog('forks', 3), name='none', pattern='a:b')
    equal('stored', 0, recording.stored)


def test_two_hundred_events_by_their_ids(bench):
    recording = bench.record('sh', '-c', f'echo | {bench.program("prog")} many', pattern='many:*', options=['--context', 'none'])
    equal('names, in order', [f'many:m{i:03}' for i in range(200)],
          re.findall(r' (many:\S+):', subprocess.check_output(['babeltrace2', recording.path], text=True)))
    equal('stored', 200, recording.stored)


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
    'sixty_four': ', '.join(['a = 18446744073709551615', 'b = 18446744073709551615', 'c = 0xFFFFFFFFFFFFFFFF',
                             'd = 0xFFFFFFFFFFFFFFFF', 'e = -9223372036854775808', 'f = -9223372036854775808',
                             'g = 3', 'h = 4']),
    'reals': 'f = 0.1, d = 0.1, e = -1.5e-300, n = 0, i = inf',
    'fixed': ', '.join(['b = [ [0] = 0, [1] = 127, [2] = 128, [3] = 255 ]', 'h = [ [0] = -1, [1] = 2, [2] = -32768 ]',
                        'w = [ [0] = 1, [1] = 4294967295 ]', 'l = [ [0] = -9223372036854775808 ]',
                        'e = [ [0] = 1, [1] = -2 ]', 'f = [ [0] = 1, [1] = 0 ]']),
    'counted': ', '.join(['_h_length = 3', 'h = [ [0] = -1, [1] = 2, [2] = -32768 ]', '_w_length = 2',
                          'w = [ [0] = 1, [1] = 4294967295 ]', '_z_length = 0', 'z = [ ]', '_m_length = 0', 'm = [ ]']),
    'blobs': ', '.join(['b = [ [0] = 0x0, [1] = 0x7F, [2] = 0x80, [3] = 0xFF ]', '_o_length = 3',
                        'o = [ [0] = 0x0, [1] = 0x7F, [2] = 0x80 ]', '_t_length = 2',
                        't = [ [0] = 0x61, [1] = 0x62 ]', '_z_length = 0', 'z = [ ]']),
    'absent': 'a = [ [0] = 0, [1] = 0 ], _s_length = 0, s = [ ], _b_length = 0, b = [ ]',
    'null': 'p = 0x0, after = 1',
    'addresses': 'b = 0x10, w = 0x20',
    'limited': 'a = "abc", b = "ab", c = "all", d = ""',
    # A text that is cut ends with three dots and SUB; whole characters stay.
    'longest': f'n = 1, s = "{"L" * 4091}...\\x1a", m = 2',
    'fits': f's = "{"F" * 4095}", m = 2',
    'wide': f's = "{"€" * 1363}...\\x1a"',
    'share': ', '.join([f'a = "{"L" * 4091}...\\x1a"', f'b = "{"L" * 4091}...\\x1a"', f'c = "{"L" * 82}...\\x1a"',
                        'd = "last"', 'e = 5']),
    'labels': ', '.join(['c = ( "green" : container = -2 )', 's = ( "on" : container = 2 )',
                         'u = ( <unknown> : container = 7 )', 'l = ( "min" : container = -9223372036854775808 )']),
}


EXPECTED_CXX = {
    'reference': 'r = 5', 'enum_class': 'e = 200, l = ( "dark" : container = 200 )', 'in_template': 'v = 7', 'lambda': 'x = 8',
    'constructor': 'm = 9', 'method': 'm = 9',
}


def test_all_types_in_all_dialects(bench):
    programs = sorted(bench.programs.glob('types-*-*'))
    equal('programs', 16 + len(list(bench.programs.glob('types-clang-19-*'))), len(programs))
    # Once more in a ring of the thread's own.
    without = {'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'}
    for program, env in [(program, {}) for program in programs] + [(programs[0], without)]:
        recording = bench.record(program, name=program.name + '-own' * bool(env), pattern='types:*', env=env)
        got = {event['name'].removeprefix('types:'): event['fields'] for event in recording.events()
               if event['name'].startswith('types:')}
        chars = got.pop('chars')
        check(re.fullmatch(r"c = (99|'c'|\"c\"|c), sc = -1, uc = 255", chars), chars)
        want = {**EXPECTED, **(EXPECTED_CXX if '++' in program.name else {})}
        want.pop('chars')
        equal(program.name, want, got)


def test_fields_as_lttctl_shows_them(bench):
    recording = bench.record(bench.program('types-gcc-c11'), pattern='types:*')
    view = subprocess.check_output([bench.built / 'lttctl', 'view', recording.path], text=True)
    shown = dict(re.findall(r' types:(\w+): (.*)', view))
    for name, text in {
            'reals': 'f=0.1, d=0.1, e=-1.5e-300, n=0, i=inf',
            'fixed': 'b=[0, 127, 128, 255], h=[-1, 2, -32768], w=[1, 4294967295], l=[-9223372036854775808], '
                     'e=[1, -2], f=[1, 0]',
            'blobs': 'b=[0x0, 0x7f, 0x80, 0xff], _o_length=3, o=[0x0, 0x7f, 0x80], _t_length=2, t=[0x61, 0x62], '
                     '_z_length=0, z=[]',
            'labels': 'c=green, s=on, u=7, l=min',
            'wide': f's="{"€" * 1363}...\\x1a"',
            }.items():
        equal(name, text, shown[name])


def test_a_second_reader_agrees_on_all_types(bench):
    recording = bench.record(bench.program('types-gcc-c11'), pattern='types:*')
    trace, = recording.path.glob('user-*')
    reader = Path(__file__).resolve().parents[2] / 'reader/ctf.py'
    run = subprocess.run([reader, '--agree', trace], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    equal('exit status', 0, run.returncode)
    check('types' in subprocess.check_output([reader, trace], text=True), 'it reads no event')


def test_arrays_that_are_too_large_are_lost_and_counted(bench):
    recording = bench.record(bench.program('types-gcc-c11'), 'large', pattern='types:array*')
    equal('lost', 2, recording.lost)
    equal('complete', False, recording.summary['complete'])
    fields, = [event['fields'] for event in recording.named('types:array_fits', complaints=True)]
    check(fields.startswith('_n_length = 4096, n = [ [0] = 0x0,'), fields[:60])
    for name in 'types:array_too_large', 'types:arrays_too_large':
        equal(name, [], recording.named(name, complaints=True))


def test_texts_larger_than_a_sub_buffer_are_lost_and_counted(bench):
    recording = bench.record(bench.program('types-gcc-c11'), pattern='types:share', options=['--size', '4k'])
    equal('stored, lost', (0, 1), (recording.stored, recording.lost))


def test_fields_are_described(bench):
    """By lttctl markers, of a program that runs."""
    bench.start(bench.program('types-gcc-c11'), 'large', 'until-told')
    command = [bench.built / 'lttctl', 'markers', '--info', 'user:types:*']
    listed = json.loads(subprocess.check_output([*command, '--json'], text=True))['markers']
    fields = {marker['name']: marker['fields'] for marker in listed}
    integer = {'type': 'integer', 'signed': True, 'base': 10}
    equal('labels', [
        {**integer, 'name': 'c', 'size': 4, 'labels': {'red': 1, 'green': -2}},
        {**integer, 'name': 's', 'size': 1, 'signed': False, 'labels': {'off': 0, 'on': 2}},
        {**integer, 'name': 'u', 'size': 4, 'labels': {'a': 1}},
        {**integer, 'name': 'l', 'size': 8, 'labels': {'min': -2**63}},
    ], fields['labels'])
    equal('reals', [('float', 4), ('float', 8)], [(field['type'], field['size']) for field in fields['reals']][:2])
    equal('limited', ['string'] * 4, [field['type'] for field in fields['limited']])
    bytes_of = {'size': 1, 'signed': False, 'base': 16}
    equal('blobs', [{**bytes_of, 'name': 'b', 'type': 'array', 'count': 4},
                    {**bytes_of, 'name': 'o', 'type': 'sequence'}], fields['blobs'][:2])
    text = subprocess.check_output(command, text=True)
    check('field c integer s32 base 10 {red=1,green=-2}\n' in text, text)


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
                             '--errors-for-leak-kinds=definite,possible', *bench.prog('count', 1000),
                             options=['--size', '64k', '--count', '8'])
    equal('stored', 1000, recording.stored)


def test_forked_children_under_valgrind(bench):
    if not shutil.which('valgrind'):
        raise Skipped('valgrind is not installed')
    recording = bench.record('valgrind', '-q', '--leak-check=full', *bench.prog('forks', 3),
                             name='forks', options=['--size', '64k', '--count', '8'])
    check('ltt_' not in recording.errors and 'lost in loss record' not in recording.errors, recording.errors)
    equal('events of children', 3, len(recording.named('test:child')))


def test_lttds_one_after_the_other(bench):
    """Memory that they leave in a program is reachable for tools that look for leaks, and not used any more."""
    if not shutil.which('valgrind'):
        raise Skipped('valgrind is not installed')
    process = bench.start('valgrind', '-q', '--error-exitcode=9', '--leak-check=full', '--errors-for-leak-kinds=definite,possible',
                          *bench.prog('until-told', 100))
    listed = lambda: subprocess.run([bench.built / 'lttctl', 'markers', 'user:test:count'], stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, text=True).stdout     # it may be too slow to answer
    wait_until('it is listed', lambda: 'off user:test:count' in listed())
    lttd = control.last_of_three_lttds(bench, listed)
    process.communicate('go\n', timeout=DEADLINE)
    equal('exit status', 0, process.returncode)
    equal('stored by the last', 100, bench.end(lttd).stored)


def test_under_sanitizers(bench):
    """Not forks in that of threads, which gives up there, nor vfork(), which it does in another way."""
    every = [('threads',), ('exit-amid-threads',), ('probes',), ('names-without-pause',),
             ('plugin', bench.program('plugin.so'), 20)]
    for sanitizer, more in ('address', [('forks',), ('vforks',), ('daemonize',), ('names',)]), ('thread', []):
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


def test_another_width(bench):
    """A program of 32 bits, and an lttd of 64: they share messages and memory."""
    program = bench.program_of_32_bits('prog-32-bit', 'probes')
    recording = bench.record(program, 'threads', name='threads')
    equal('of the threads', 80000, len(recording.named('test:count')))
    equal('how it ended', ['how = "exit 0"'], recording.fields('ltt:program_ended'))
    check(min(int(event['cpu']) for event in recording.named('test:count')) >= os.cpu_count(), 'rings of CPUs')
    for what, stored in ('forks', 12), ('vforks', 100), ('probes', 14):
        equal(what, stored, bench.record(program, what, name=what).stored)


def test_another_machine(bench):
    """arm64, as far as an emulator on this machine goes: its clock is another than lttd's."""
    qemu = shutil.which('qemu-aarch64-static')
    if not qemu or not os.path.exists(bench.program('prog-arm64')):
        raise Skipped('qemu-user-static or gcc-aarch64-linux-gnu is not installed')
    program = [qemu, '-L', '/usr/aarch64-linux-gnu', bench.program('prog-arm64')]
    subprocess.run([*program, 'probes'], check=True, timeout=DEADLINE)
    process = control.start_listed(bench, *program, 'forever', 10000)
    info = control.lttctl(bench, 'markers', '--info', 'user:test:count')
    check('field i integer s64 base 10\n  at traced/prog/count.c:' in info and f'[prog-arm64 {process.pid}]' in info, info)
    lttd = bench.lttd()
    wait_until('it is recorded', lambda: 'on  user:test:count' in control.lttctl(bench, 'markers', 'user:test:count'))
    control.lttctl(bench, 'probe', '-p', str(process.pid), 'connect', 'user:test:count', 'nosuch', status=1)
    bench.end(lttd, status=None)        # the times of another clock may look like damage
    equal('it goes on', None, process.poll())
