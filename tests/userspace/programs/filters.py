# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: filters, which libltt evaluates before it writes an event."""
import errno
import json
import os
import re
import shutil
import socket
import struct
import subprocess

import control
import liars
from bench import DEADLINE, check, equal, status_of, traces_of, wait_until
from liars import LISTEN, READY, SITE, SITES_END

# Expressions on the fields of test:value and test:packed, and on contexts.
EXPRESSIONS = [
    'i < 7', 'small < 0', 'large > 1 << 62', 'large / 3 % 5 == 2', 'state == running', 'state in (idle, blocked)',
    '!(i & 1) && i >= 20 || i == 3', 'small * -3 + i > 40', '-small >> 2 == 4', 'i / (i - 5) == 1', '(i == 3) + (small < 0) == 1',
    'name == "alpha"', 'name ~ "alpha*"', 'name !~ "[a-b]*"', 'name == "(null)"', 'name in ("beta", "", "x")', 'name == "a]b*"',
    'part == "abc"', 'part ~ "?b*"', 'letter == "c"', 'letter ~ "[x-z]"', 'last > 40000 && name ~ "*a*"',
    'tid == pid', 'comm == "prog" && i < 3', 'comm ~ "p?og" && cpu < 4096', f'uid == {os.getuid()} && i == 4', 'context.pid != tid || i == 1',
]
COUNT = 100


def emitted(recording):
    programs = recording.summary['programs']
    return programs['stored'] + programs['lost'] + programs['filtered']


def filtered(bench, expression, *command, name, **more):
    return bench.record(*command, name=name, options=['-f', expression, '--state', 'none', *more.pop('options', ())], **more)


def viewed(bench, recording, expression):
    """The events that `lttctl view -f` shows, without their times and ids."""
    run = subprocess.run([bench.built / 'lttctl', 'view', '-f', expression, *traces_of(recording.path)], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    return [line.split(' test:')[1] for line in run.stdout.splitlines() if ' test:' in line]


def test_a_filter_passes_what_a_reader_shows(bench):
    """The same events are recorded as `lttctl view -f` shows of a recording of all."""
    whole = bench.record(*bench.prog('values', COUNT), name='whole')
    passed = 0
    for number, expression in enumerate(EXPRESSIONS):
        part = filtered(bench, expression, *bench.prog('values', COUNT), name=f'part{number}')
        # Of the reader, the contexts are what was recorded: it knows no user, and the CPU of the other run.
        wanted = viewed(bench, whole, re.sub(r'\bcpu < 4096|uid == \d+', '1', expression).replace('context.pid', 'pid'))
        equal(f'events of {expression}', wanted, viewed(bench, part, '1'))
        equal(f'counted of {expression}', (len(wanted), 2 * COUNT), (part.stored, emitted(part)))
        equal(f'{expression} leaves it complete', True, part.summary['complete'])
        passed += len(wanted)
    check(len(EXPRESSIONS) * COUNT / 10 < passed < len(EXPRESSIONS) * COUNT, passed, 'events passed')


def test_filters_are_exact_in_threads_and_forks(bench):
    """Also in handlers of signals, without restartable sequences, and with other buffers and contexts."""
    for number, more in enumerate([{}, {'env': {'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'}},
                                   {'options': ['--buffers', 'shared', '--context', 'tid,pid,name']},
                                   {'options': ['--lossless', '1000', '--size', '16k']}]):
        recording = filtered(bench, 'i % 10 == 3', *bench.prog('threads', 4, 5000), name=f'trace{number}', **more)
        handled = int(recording.output.splitlines()[0])
        equal(f'emitted {number}', 4 * 4 * 5000 + handled, emitted(recording))
        check(recording.summary['programs']['filtered'] - 16 * 5000 * 9 // 10 in range(handled * 8 // 10, handled + 1), recording.summary)
    recording = filtered(bench, 'i % 10 == 3', *bench.prog('threads', 4, 5000), name='overwriting', pattern='test:count',
                         options=['--overwrite', '--size', '4k', '--count', '2'])
    equal('of a flight recorder', 16 * 5000 * 9 // 10, recording.summary['programs']['filtered'])
    recording = filtered(bench, 'i == 1', *bench.prog('forks', 20), name='forks')
    equal('of processes', (1, 21), (recording.stored, recording.summary['programs']['filtered']))


def test_filters_of_other_builds(bench):
    """Of 32 bits, of another C library, of another machine as far as an emulator goes, linked statically, sanitized."""
    expression = 'last / -3 % 5 == -2 && i > 5 || name ~ "*b*" && letter in ("b", "h") && part != "a" || uid != uid || cpu < 0'
    wanted = viewed(bench, filtered(bench, expression, *bench.prog('values', COUNT), name='usual', pattern='test:packed'), '1')
    check(5 < len(wanted) < COUNT, wanted)
    for build in 'prog-32-bit', 'prog-musl', 'prog-static', 'prog-address', 'prog-thread', 'prog-arm64':
        command = [bench.program(build), 'values', COUNT]
        if build == 'prog-arm64':
            command = [shutil.which('qemu-aarch64-static'), '-L', '/usr/aarch64-linux-gnu', *command]
        if not command[0] or not os.path.exists(bench.program(build)) or status_of(command):
            continue
        if build == 'prog-arm64':
            # Its clock is another, which lttd may take for damage: only what is dropped is compared.
            recording = filtered(bench, expression, *map(str, command), name=build, pattern='test:packed', status=None)
            equal('dropped on arm64', COUNT - len(wanted), recording.summary['programs']['filtered'])
            continue
        recording = filtered(bench, expression, *map(str, command), name=build, pattern='test:packed')
        equal(f'events of {build}', wanted, viewed(bench, recording, '1'))
        equal(f'emitted by {build}', COUNT, emitted(recording))


def test_the_last_filter_of_an_event_decides(bench):
    recording = bench.record(*bench.prog('values', COUNT), options=['-f', '0', '-e', 'user:test:value', '-f', 'i < 5'])
    equal('stored', {'test:value': 5}, {name: len(recording.named(name)) for name in ['test:value']})
    equal('of the others', [], recording.named('test:packed'))
    equal('emitted', 2 * COUNT, emitted(recording))
    recording = bench.record(*bench.prog('values', COUNT), name='of-one-program', pattern='@nobody:test:*',
                             options=['-f', '0', '-e', 'user:test:value', '--allow-missing'])
    equal('of another program', (COUNT, 0), (recording.stored, recording.summary['programs']['filtered']))


def test_names_that_no_event_has(bench):
    recording = filtered(bench, 'nowhere == 1', *bench.prog('values', COUNT), name='unknown')
    equal('counted', (0, 2 * COUNT, 1), tuple(recording.summary['programs'][key] for key in ('stored', 'filtered', 'unknown_filters')))
    equal('complete', False, recording.summary['complete'])
    check(re.search(r'^lttd: .*column 1: .*nowhere.*; fields: .*', recording.errors, re.M), recording.errors)
    filtered(bench, 'nowhere == 1', *bench.prog('values', 1), name='strict', options=['--strict'], status=124)
    for context in 'prio', 'cgroup', 'irq':
        recording = filtered(bench, f'i == 1 || {context} == 1', *bench.prog('values', COUNT), name=context)
        equal(f'{context} counted', 1, recording.summary['programs']['unknown_filters'])
        check(re.search(rf'column 11: .*kernel.*{context}', recording.errors), recording.errors)
    # An event that lacks a name is dropped, which is right while another has it.
    recording = filtered(bench, 'last != 1 || 1', *bench.prog('values', COUNT), name='lacking')
    equal('stored', {'test:packed'}, {event['name'] for event in recording.events()} - {'ltt:program_started', 'ltt:program_ended'})
    equal('complete', True, recording.summary['complete'])


def test_types_that_do_not_fit(bench):
    """The event is not recorded, and named with the reason."""
    for number, (expression, column) in enumerate([('name == 1', 9), ('1 && body', 6), ('i > 3 && real < 2', 10)]):
        recording = filtered(bench, expression, *bench.prog('values', COUNT), name=f'trace{number}', pattern='test:packed')
        rejected, = recording.summary['programs']['rejected']
        check('test:packed' in rejected and f'column {column}:' in rejected, rejected)
        equal('counted', (0, 0, 1), tuple(recording.summary['programs'][key] for key in ('stored', 'filtered', 'rejected_markers')))


def test_filters_that_are_too_long(bench):
    numbers = ', '.join(map(str, range(1000, 1155)))
    recording = filtered(bench, f'i in ({numbers}, 7)', *bench.prog('values', COUNT), name='long', pattern='test:value')
    equal('stored', 1, recording.stored)
    for number, text in enumerate([f'i in ({numbers}, {numbers})', f'name in ({", ".join(chr(34) + "x" * 250 + str(i) + chr(34) for i in range(5))})',
                                   'i' + ' + (i * 2' * 40 + ')' * 40 + ' == 1']):
        recording = filtered(bench, text, *bench.prog('values', 1), name=f'too-long{number}', pattern='test:packed')
        equal(f'rejected of {number}', 1, recording.summary['programs']['rejected_markers'])


def test_wrong_usage_of_filters(bench):
    for options in [['-f', 'i ='], ['-f', '"x" =='], *[['-f', text] for text in ('', 'i < 3 < 5')]]:
        run = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'none', '-e', 'user:test:*', *options, 'true'],
                             stderr=subprocess.PIPE, text=True)
        equal(f'exit status of {options}', 2, run.returncode)
        check('column' in run.stderr, run.stderr)
    many = [word for number in range(65) for word in ('-e', f'user:test:n{number}', '-f', 'i == 1')]
    equal('too many', 2, subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'none', *many, 'true'],
                                        stderr=subprocess.PIPE).returncode)
    check(not (bench.folder / 'none').exists(), 'a directory')
    for text in 'i == 1', 'test:* i =', 'te st:* i == 1', 'test:*', 'test:* i ==\n1':
        run = subprocess.run([bench.built / 'lttd', '-o', bench.folder / 'none', '--programs', 'test:*', '--filter', text],
                             stderr=subprocess.PIPE, text=True)
        check(run.returncode and '--filter' in run.stderr, text, run.returncode, run.stderr)
    run = subprocess.run([bench.built / 'lttd', '-o', bench.folder / 'none', '--filter', 'test:* 1', 'trace'],
                         stderr=subprocess.PIPE, text=True)
    check(run.returncode and '--filter' in run.stderr, run.stderr)


# ---- While it runs ----

def counts(bench, lttd):
    found = control.counts(bench, lttd)
    return found['stored'], found['filtered']


def both(bench, lttd):
    """All that there is up to now."""
    control.lttctl(bench, 'snapshot', control.name_of(lttd))
    return counts(bench, lttd)


def test_filters_change_while_it_runs(bench):
    bench.start(*bench.prog('forever', 200))
    lttd = bench.lttd(options=['--filter', 'test:count i < 0'])
    name, run = control.name_of(lttd), lambda *words, **more: control.lttctl(bench, *words, **more)
    wait_until('events are filtered', lambda: both(bench, lttd)[1] > 10)
    stored, filtered_before = both(bench, lttd)
    equal('stored', 0, stored)
    equal('listed', 'user:test:count  i < 0\n', run('filters', name))
    equal('as JSON', [{'pattern': 'user:test:count', 'expression': 'i < 0'}], json.loads(run('filters', '--json', name)))
    # A rejected change leaves all as it was.
    said = run('filter', name, 'user:test:*', 'nowhere > 3', status=1)
    check('column 1:' in said and 'nowhere' in said and 'fields: i' in said, said)
    check('column 6:' in run('filter', name, 'user:test:*', 'i == "x"', status=1), 'no column')
    run('filter', name, 'user:test:*', 'i =', status=2)
    run('filter', name, 'test:*', 'i == 1', status=2)
    run('filter', name, 'user:test:*', status=2)
    run('unfilter', name, 'user:test:*', status=1)
    run('filter', 'programs-1', 'user:test:*', 'i == 1', status=1)
    equal('listed', 'user:test:count  i < 0\n', run('filters', name))
    wait_until('it filters as before', lambda: both(bench, lttd)[1] > filtered_before)
    equal('stored', 0, both(bench, lttd)[0])
    # Another filter, and none.
    run('filter', name, 'user:test:count', 'i >= 0')
    filtered_then = both(bench, lttd)[1]
    wait_until('events pass', lambda: both(bench, lttd)[0] > 10)
    equal('filtered', filtered_then, both(bench, lttd)[1])
    run('filter', name, 'user:test:*', '0')
    stored = both(bench, lttd)[0]
    wait_until('the newest decides', lambda: both(bench, lttd)[1] > filtered_then)
    equal('stored', stored, both(bench, lttd)[0])
    run('unfilter', name, 'user:test:*')
    run('unfilter', name, 'user:test:count')
    equal('listed', '', run('filters', name))
    stored, filtered_then = both(bench, lttd)
    wait_until('all pass', lambda: both(bench, lttd)[0] > stored)
    equal('filtered', filtered_then, both(bench, lttd)[1])
    # As `enable` sets it.
    run('disable', '-t', name, 'user:test:count')
    run('enable', '-t', name, '-f', 'i < 0', 'user:test:count')
    stored, filtered_then = both(bench, lttd)
    wait_until('they are filtered', lambda: both(bench, lttd)[1] > filtered_then)
    equal('stored', stored, both(bench, lttd)[0])
    check('filtered' in run('status', name), 'status does not show it')
    check('filtered' in bench.end(lttd).errors, 'lttd does not show it')


def test_a_filter_is_of_one_recording(bench):
    """Another at the same time has all events."""
    one, other = bench.lttd('one', options=['--filter', 'test:* i < 5']), bench.lttd('other')
    program = bench.start(*bench.prog('until-told', 500), env={**os.environ, 'LTT_START': one.socket})
    wait_until('both record it', lambda: all(control.counts(bench, lttd) for lttd in (one, other)))
    program.communicate('go\n', timeout=DEADLINE)
    equal('with a filter', 5, bench.end(one).stored)
    equal('without', 500, bench.end(other).stored)


# ---- False lttds ----

FIELD, CONTEXT, NUMBER, IS, LIKE, PUSH = range(6)
JUMP_IF, JUMP_IF_EQUAL, OR = 8, 10, 11


def insn(op, which=0, to=0, number=0):
    return struct.pack('=BBHIQ', op, which, to, 0, number)


def listen(site, *insns, texts=b'', nr=None):
    return struct.pack('=6I', LISTEN, site, 0, 3, 1, len(insns) if nr is None else nr) + b''.join(insns) + texts


WRONG = [
    lambda site: listen(site, insn(FIELD, 1)),                         # it has one field
    lambda site: listen(site, insn(FIELD, 255)),
    lambda site: listen(site, insn(IS, 0, 1), texts=b'x'),             # an integer for a text
    lambda site: listen(site, insn(CONTEXT, 77)),
    lambda site: listen(site, insn(200)),
    lambda site: listen(site, insn(JUMP_IF, to=0), insn(NUMBER)),      # for ever
    lambda site: listen(site, insn(JUMP_IF, to=9)),
    lambda site: listen(site, insn(OR)),                               # of nothing
    lambda site: listen(site, *[insn(PUSH)] * 100),
    lambda site: listen(site, insn(LIKE, 255, 3, 1 << 63), texts=b'abc'),
    lambda site: listen(site, insn(NUMBER), nr=2),                     # longer than the message
    lambda site: listen(site, nr=1),
    lambda site: listen(site, nr=1 << 31),
    lambda site: listen(site, nr=1 << 28),                             # whose bytes are 0 in 32 bits
    lambda site: listen(site, *[insn(NUMBER)] * 200),
    lambda site: listen(site, insn(NUMBER), texts=b'x' * 2000),
]


def test_wrong_filters_are_refused(bench):
    """A program that gets one from a false lttd does not record the event, reports it, and goes on."""
    with liars.false_lttd(bench) as (listening, env):
        program = bench.start(*bench.prog('until-told', 100), begun=False, env=env)
        connection, _ = listening.accept()
        connection.settimeout(DEADLINE)
        counts_site = None
        while True:
            message = connection.recv(20000)
            kind, number = struct.unpack('=II', message[:8])
            if kind == SITE and b'test\0count\0i %ld\0' in message and b'traced/prog/count.c' in message:
                counts_site = number
            elif kind == SITES_END and struct.unpack('=I', message[8:12])[0] == number:
                break
            elif kind == SITES_END:
                connection.send(struct.pack('=II', READY, number) + message[8:])
        ring = liars.buffers(liars.RINGS)
        copy = os.dup(ring)
        socket.send_fds(connection, [liars.channel()], [ring])
        for number, wrong in enumerate(WRONG):
            # It is on before, and off afterwards.
            connection.send(listen(counts_site, insn(NUMBER, number=1)))
            connection.send(wrong(counts_site))
            equal(f'the answer to wrong filter {number}', errno.EBADMSG, liars.unable(connection))
        connection.send(struct.pack('=IIII', READY, 1 << 30, 1 << 30, 0))
        equal('first line', 'begun\n', program.stdout.readline())
        program.communicate('go\n', timeout=DEADLINE)
        equal('exit status', 0, program.returncode)
        # No ring has a record, or has counted one.
        for at in 0, liars.RINGS // 2:
            equal('positions and counts', (0, 0, 0), (*struct.unpack('=Q', os.pread(copy, 8, at)),
                                                       *struct.unpack('=Q', os.pread(copy, 8, at + 24)),
                                                       *struct.unpack('=Q', os.pread(copy, 8, at + 80))))
        os.close(copy)


def test_older_libraries_are_refused(bench):
    """They know no filters: lttd does not record them without one, and names them."""
    lttd = bench.lttd(options=['--filter', 'test:* i < 5'])
    check(liars.lie(lttd.socket, [liars.hello(version=liars.VERSION - 1)], DEADLINE), 'lttd keeps the connection')
    wait_until('lttd reports it', lambda: f'{liars.VERSION - 1}, not {liars.VERSION}' in lttd.said.read_text())
    bench.end(lttd, status=1)
