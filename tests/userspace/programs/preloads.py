# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs without markers, into which `lttctl record --preload` loads libraries."""
import collections
import json
import os
import re
import signal
import shutil
import subprocess

import control
from bench import DEADLINE, Recording, Skipped, check, equal, wait_until

ALL = 'malloc,pthread,stdio,functions'
WITHOUT_SEQUENCES = {'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'}


def record(bench, libraries, *command, program='unmarked', name='trace', options=(), **more):
    """Record a command, or a test program and its arguments, with the patterns of the libraries alone."""
    words = [bench.program(program), *map(str, command)] if program else command
    return bench.record(*words, name=name, pattern=f'{libraries.split(",")[0]}:*', options=['--preload', libraries, *options],
                        **more)


def field(event, name):
    return re.search(rf'\b{name} = (?:"(.*?)"|(\S+?))(?:,|$)', event['fields'])[0].rstrip(',').split(' = ')[1]


def number(event, name):
    return int(field(event, name), 0)


def plain(bench, *command, program='unmarked'):
    return subprocess.run([bench.program(program), *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=DEADLINE)


# ---- malloc ----

SIZES = {('alloc', 10001, 0): 1, ('alloc', 10002, 0): 1, ('alloc', 10003, 0): 1, ('realloc', 20003, None): 1,
         ('realloc', 10004, None): 1, ('alloc', 10048, 64): 1, ('alloc', 10005, 128): 1, ('alloc', 10006, 32): 1,
         ('alloc', 10007, os.sysconf('SC_PAGE_SIZE')): 1}


def check_blocks(events):
    """No two blocks of a process have one address at a time, and each that is freed was there."""
    live = collections.defaultdict(dict)
    sizes = collections.Counter()
    for event in events:
        kind, blocks = event['name'].removeprefix('malloc:'), live[event['pid']]
        size = 0 if kind == 'free' else number(event, 'size')
        if kind != 'free' and 10000 < size < 21000:
            sizes[kind, size, number(event, 'alignment') if kind == 'alloc' else None] += 1
        if kind == 'free':
            # The child of a fork() has blocks of its parent.
            blocks.pop(number(event, 'address'), None)
            continue
        if kind == 'realloc':
            blocks.pop(number(event, 'old'), None)
        address = number(event, 'address')
        check(address not in blocks, 'two blocks at', event)
        if address:
            blocks[address] = size
    left = [size for blocks in live.values() for size in blocks.values() if 10000 < size < 21000]
    equal('blocks that are not freed', [], left)
    return sizes


def test_allocations_are_recorded(bench):
    """From four threads, four children, with a handler all the time."""
    for name, env in ('sequences', {}), ('own', WITHOUT_SEQUENCES):
        recording = record(bench, 'malloc', 'memory', 200, name=name, env=env)
        equal('lost', 0, recording.lost)
        events = [event for event in recording.events() if event['name'].startswith('malloc:')]
        equal('blocks', {key: 8 * 200 for key in SIZES}, check_blocks(events))
        failed = [event for event in events if event['name'] != 'malloc:free' and not number(event, 'address')]
        equal('failures', [('malloc:alloc', 2 ** 64 - 4096), ('malloc:realloc', 2 ** 64 - 1)],
              [(event['name'], number(event, 'size')) for event in failed])


def test_the_librarys_own_calls_are_not_recorded(bench):
    recording = record(bench, 'malloc,pthread', 'memory', 1, options=['-e', 'user:pthread:*'])
    threads = {event['tid'] for event in recording.events() if event['name'].startswith('malloc:')}
    check(len(threads) == 9, 'main, four threads, four children:', threads)
    equal('locks', [], [event for event in recording.events() if event['name'].startswith('pthread:')])


def test_children_of_vfork_do_not_record(bench):
    recording = record(bench, 'malloc', 'vforks', 100)
    sizes = collections.Counter(number(event, 'size') for event in recording.named('malloc:alloc'))
    equal('of the parent and of the children', (100, 0), (sizes[10008], sizes[10009]))


# ---- pthread ----

def test_waits_for_locks_are_measured(bench):
    recording = record(bench, 'pthread', 'wait')
    waited = [int(word) for word in recording.output.splitlines()[0].split()]
    for name, seen in zip(['pthread:mutex_lock', 'pthread:rwlock_rdlock'], waited):
        events = [event for event in recording.named(name) if number(event, 'wait_ns')]
        equal('events with a wait', 1, len(events))
        wait = number(events[0], 'wait_ns')
        check(seen / 2 <= wait <= seen, name, wait, 'ns, and the program sees', seen)
    equal('of the thread that waits for none', [0], [number(event, 'wait_ns') for event in recording.named('pthread:rwlock_wrlock')])
    equal('unlocks', (2, 2), (len(recording.named('pthread:mutex_unlock')), len(recording.named('pthread:rwlock_unlock'))))


def test_locks_keep_their_results(bench):
    want = plain(bench, 'results').stdout.decode().splitlines()
    recording = record(bench, 'pthread', 'results')
    equal('results', want, recording.output.splitlines()[:len(want)])
    main = recording.named('pthread:mutex_lock')[0]['pid']

    def results(name):
        return [number(event, 'result') for event in recording.named(f'pthread:{name}') if event['tid'] == main]

    equal('mutex_lock', [0, 35, 35, 22, 0, 0, 130, 131, 0, 110, 0, 0], results('mutex_lock'))
    equal('mutex_trylock', [16], results('mutex_trylock'))
    equal('rwlock_rdlock', [22, 22, 0], results('rwlock_rdlock'))
    equal('rwlock_tryrdlock', [0], results('rwlock_tryrdlock'))
    equal('rwlock_wrlock', [22, 110, 0, 35], results('rwlock_wrlock'))
    equal('rwlock_trywrlock', [16], results('rwlock_trywrlock'))
    equal('cond_wait', [110, 110], results('cond_wait'))
    check(all(number(event, 'wait_ns') >= 15000000 for event in recording.named('pthread:cond_wait')
              if event['tid'] == main), 'the wait for a condition is too short')
    equal('signals', (1, 1), (len(recording.named('pthread:cond_signal')), len(recording.named('pthread:cond_broadcast'))))
    equal('barrier: one thread is the last', [-1, 0],
          sorted(number(event, 'result') for event in recording.named('pthread:barrier_wait')))


# ---- stdio ----

TEXTS = [
    (1, 36, r'printf 8 No such file or directory\n'.replace(r'\n', '\n')), (2, 13, 'fprintf text\n'), (1, 10, 'dprintf 3\n'),
    (1, 9, 'list 4 x\n'), (2, 9, 'list 4 x\n'), (2, 9, 'list 4 x\n'), (1, 4, 'puts'), (2, 6, 'fputs\n'), (1, 9, 'unlocked\n'),
    (1, 7, 'fwrite\n'), (2, 8, 'nul'), (1, 1, 'a'), (1, 1, 'b'), (1, 1, '\n'), (1, 1000, 'x' * 1000), (2, 1000, 'x' * 1000)]


def test_texts_are_recorded(bench):
    for program in 'unmarked', 'unmarked-fortified':
        want = plain(bench, 'texts', 8, program=program)
        recording = record(bench, 'stdio', 'texts', 8, program=program, name=program)
        check(recording.output.encode().startswith(want.stdout), 'it writes something else:', recording.output)
        check(recording.errors.encode().startswith(want.stderr), 'it writes something else:', recording.errors)
        got = [(number(event, 'fd'), number(event, 'length'),
                re.search('text = "(.*)"$', event['fields'], re.S)[1].replace('\\n', '\n'))
               for event in recording.named('stdio:output')]
        texts = [(fd, len(text) if fd == 1 and text.startswith('printf') else length, text) for fd, length, text in TEXTS]
        equal('texts', texts, got)
        equal('of the log', ['priority = 3, length = 9, text = "list 4 x\\n"', 'priority = 28, length = 8, text = "syslog 7"'],
              recording.fields('stdio:syslog'))


def test_fortified_programs_stay_fortified(bench):
    """The C library ends one whose format in writable memory has %n, before anything is stored."""
    kept = record(bench, 'stdio', 'print-count', status=7)
    equal('of one that is not fortified', ['fd = 1, length = 8, text = "counted\\n"'], kept.fields('stdio:output'))
    fortified = record(bench, 'stdio', 'print-count', program='unmarked-fortified', name='fortified', status=128 + signal.SIGABRT)
    equal('of one that is', ([], True), (fortified.fields('stdio:output'), '%n' in fortified.errors))


def test_texts_need_little_stack(bench):
    """Threads may have small ones: a short text takes a kilobyte more, and a long one also what it has in the event."""
    used = lambda output: int(re.search(r'^used (\d+)$', output, re.M)[1])
    for length, more in (50, 1500), (3000, 5000):
        recording = record(bench, 'stdio', 'stack-use', length, name=f'of-{length}')
        took = used(recording.output) - used(plain(bench, 'stack-use', length).stdout.decode())
        check(took <= more, took, 'bytes of the stack for a text of', length)
        equal('length', [f'length = {length + 1}'], re.findall(r'length = \d+', recording.fields('stdio:output')[0]))


# ---- functions ----

def test_functions_are_recorded(bench):
    recording = record(bench, 'functions', 'functions', 100, program='unmarked-instrumented')
    by_process = collections.Counter((event['pid'], event['name']) for event in recording.events()
                                     if event['name'].startswith('functions:'))
    main = recording.named('functions:enter')[0]['pid']
    # main(), functions(), outer_function() and inner_function(); the child ends amid two.
    equal('of the parent', {'enter': 103, 'exit': 103}, {name.split(':')[1]: nr for (pid, name), nr in by_process.items() if pid == main})
    equal('of the child', {'enter': 2, 'exit': 2}, {name.split(':')[1]: nr for (pid, name), nr in by_process.items() if pid != main})


def test_a_program_can_be_linked_with_the_functions_library(bench):
    program, folder = bench.folder / 'linked', bench.built / 'ltt'
    source = bench.folder / 'linked.c'
    source.write_text('void work(void) { __asm__ volatile(""); } int main(void) { work(); return 0; }')
    subprocess.run(['cc', '-finstrument-functions', '-o', program, source, f'-L{folder}', f'-L{bench.built}', '-lltt-functions',
                    '-lltt-objects', '-lltt', f'-Wl,-rpath,{folder}:{bench.built}'], check=True)
    recording = bench.record(program, pattern='functions:*')
    equal('entries', 2, len(recording.named('functions:enter')))


# ---- The command ----

def refuse(bench, *words, status=2):
    run = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'refused', *words], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
    equal(f'exit status of {words} ({run.stderr})', status, run.returncode)
    check(not (bench.folder / 'refused').exists(), 'a folder is left')
    return run.stderr


def test_preload_refuses_what_cannot_be(bench):
    said = refuse(bench, '--preload', 'malloc,nosuch', '--', 'true')
    check('nosuch' in said and all(name in said for name in ALL.split(',')), said)
    refuse(bench, '--preload', '', '--', 'true')
    refuse(bench, '--preload', 'malloc')
    check('static' in refuse(bench, '--preload', 'malloc', '--', bench.program('unmarked-static')), 'the reason')
    script = bench.folder / 'script'
    script.write_text(f'#! {bench.program("unmarked-static")} -x\n')
    script.chmod(0o755)
    check('static' in refuse(bench, '--preload', 'malloc', '--', script), 'the reason, of a script')
    if os.path.exists(bench.program('unmarked-musl')):
        check('musl' in refuse(bench, '--preload', 'malloc', '--', bench.program('unmarked-musl')), 'the reason')


def test_preload_refuses_programs_with_more_rights(bench):
    if os.getuid():
        raise Skipped('not root')
    program = bench.folder / 'program'
    shutil.copy(bench.program('unmarked'), program)
    os.chown(program, 64001, 64001)
    for bit, name in (0o4000, 'setuid'), (0o2000, 'setgid'):
        program.chmod(0o755 | bit)
        check(name in refuse(bench, '--preload', 'malloc', '--', program), 'the reason')
    program.chmod(0o755)
    equal('without these bits', 2, record(bench, 'malloc', str(program), program=None, status=2).summary['command_status'])


def test_patterns_of_the_libraries_are_added(bench):
    def names(*options):
        out = bench.folder / f'trace{len(list(bench.folder.iterdir()))}'
        subprocess.run([bench.built / 'lttctl', 'record', '--strict', '-o', out, *options, '--', *[bench.program('unmarked'), 'texts', '1']],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=DEADLINE)
        return {event['name'] for event in Recording(out, {}, '', '').events() if not event['name'].startswith('ltt:')}

    equal('of two', {'malloc:alloc', 'malloc:free', 'stdio:output', 'stdio:syslog'}, names('--preload', 'malloc,stdio'))
    equal('one names the group', {'malloc:free', 'stdio:output', 'stdio:syslog'},
          names('--preload', 'malloc,stdio', '-e', 'user:malloc:free'))
    equal('by a glob', {'stdio:syslog'}, names('--preload', 'stdio', '-e', 'user:std*:syslog'))


def test_other_preloaded_libraries_stay(bench):
    run = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'trace', '--preload', 'malloc', '--',
                          'sh', '-c', 'echo "$LD_PRELOAD"'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                         env={**os.environ, 'LD_PRELOAD': 'libm.so.6'}, timeout=DEADLINE)
    libraries = run.stdout.strip().split(':')
    equal('the last', 'libm.so.6', libraries[-1])
    check('libltt-malloc.so' in libraries[0], libraries)


REAL = [
    ['ls', '-lR', '/usr/share/doc/base-files', '/etc/apt'],
    ['python3', '-c', 'import json, ctypes, threading; print(json.dumps(list(range(1000)))); raise SystemExit(3)'],
    ['git', '--version'],
    ['sort', '--parallel=4', '-S', '1M', '/etc/services', '/etc/protocols', '/etc/mime.types'],
    ['sh', '-c', 'for i in 1 2 3; do date -u -d @0; done | tail -1; ls /nonexistent; exit 4'],
]


def test_real_programs_do_the_same(bench):
    for i, command in enumerate(REAL):
        if not shutil.which(command[0]):
            continue
        command = [word for word in command if not word.startswith('/etc/') or os.path.exists(word)]
        want = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
        recording = record(bench, ALL, *command, program=None, name=f'trace{i}', status=want.returncode)
        check(recording.output.startswith(want.stdout), command, 'writes something else')
        check(recording.errors.startswith(want.stderr), command, 'reports something else:', recording.errors)
        equal(f'lost of {command}', 0, recording.lost)
        equal(f'complete, of {command}', True, recording.summary['complete'])
        check(recording.stored, command, 'has no events')
        equal('read', recording.stored, len([event for event in recording.events() if not event['name'].startswith('ltt:')]))


# ---- Names of functions ----

def view(bench, recording, status=0):
    run = subprocess.run([bench.built / 'lttctl', 'view', recording.path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, timeout=DEADLINE)
    equal('exit status of lttctl view', status, run.returncode)
    return run.stdout, run.stderr


def entered(shown):
    """Each function with its caller, and how often it was entered from there."""
    return collections.Counter(re.findall(r'functions:enter: function=(\S+), call_site=([^+\s]+)', shown))


def test_functions_are_shown_by_name(bench):
    """In the parent and in a child, at fixed and at random addresses."""
    for program in 'unmarked-instrumented', 'unmarked-fixed':
        recording = record(bench, 'functions', 'functions', 10, program=program, name=program)
        shown, said = view(bench, recording)
        equal('messages', '', said)
        names = entered(shown)
        equal('inner', 11, names['inner_function+0x0', 'outer_function'])
        equal('outer', 2, sum(nr for (name, _), nr in names.items() if name == 'outer_function+0x0'))
        check(not re.search(r'function=0x', shown), shown)
        check('function = 0x' in recording.fields('functions:enter')[0], 'babeltrace2 shows another value')


def test_functions_of_stripped_programs_are_shown_by_file(bench):
    recording = record(bench, 'functions', 'functions', 10, program='unmarked-stripped')
    shown, _ = view(bench, recording)
    names = {name.split('+')[0] for name, _ in entered(shown)}
    equal('names', {'unmarked-stripped'}, names)
    offsets = subprocess.run(['nm', bench.program('unmarked-instrumented')], stdout=subprocess.PIPE, text=True).stdout
    inner = int(re.search(r'(\w+) T inner_function', offsets)[1], 16)
    check(any(int(name.split('+')[1], 16) == inner for name, _ in entered(shown)), hex(inner), 'is not in', entered(shown))


def test_functions_of_another_build_are_not_named(bench):
    program = bench.folder / 'program'
    shutil.copy(bench.program('unmarked-instrumented'), program)
    recording = record(bench, 'functions', program, 'functions', '3', program=None)
    program.unlink()
    shutil.copy(bench.program('unmarked-fixed'), program)
    shown, said = view(bench, recording)
    check('build id' in said, said)
    equal('names', {'program'}, {name.split('+')[0] for name, _ in entered(shown)})
    program.unlink()
    os.mkfifo(program)
    shown, said = view(bench, recording)
    equal('names, with a pipe in its place', {'program'}, {name.split('+')[0] for name, _ in entered(shown)})
    check(str(program) in said, said)


def test_functions_of_libraries_are_shown_by_name(bench):
    """Two libraries are loaded in turn, each at the address that the other had."""
    recording = record(bench, 'functions', 'libraries', 20, bench.program('first.so'), bench.program('second.so'),
                       program='unmarked-instrumented')
    mapped = [event for event in recording.named('ltt:object_mapped') if re.search(r'/(first|second)\.so"', event['fields'])]
    check(len({field(event, 'start') for event in mapped}) < len(mapped), 'none takes the place of another')
    shown, said = view(bench, recording)
    equal('messages', '', said)
    names = entered(shown)
    for inner in 'first_inner+0x0', 'second_inner+0x0':
        equal(inner, 20, names[inner, 'library_function'])
    check(not any(name.startswith(('padding', '0x')) for name, _ in names), names)


def test_callers_are_shown_by_name(bench):
    recording = record(bench, 'malloc', 'memory', 5)
    shown, _ = view(bench, recording)
    equal('callers', {'allocate'}, set(re.findall(r'malloc:alloc: .*size=10001, .*caller=([^+]+)', shown)))


def test_objects_are_recorded_for_each_recording(bench):
    """The program runs already, with its libraries loaded, as a second recording begins."""
    libraries = ':'.join(str(bench.built / name) for name in ('ltt/libltt-functions.so', 'ltt/libltt-objects.so', 'libltt.so.1'))
    objects = ['--objects']
    first = bench.lttd('first', pattern='functions:*', options=objects)
    program = bench.start(bench.program('unmarked-instrumented'), 'until-told', '5',
                          env={**os.environ, 'LD_PRELOAD': libraries, 'LTT_START': first.socket})
    second = bench.lttd('second', pattern='functions:*', options=objects)
    listed = lambda: json.loads(control.lttctl(bench, 'status', '--json', control.name_of(second)))[0]['users']
    wait_until('the second knows the program', lambda: any(user['programs'] for user in listed()))
    wait_until('its events are recorded', lambda: program.poll() is not None or enter_again(program, bench, second))
    program.communicate('end\n', timeout=DEADLINE)
    for lttd in first, second:
        shown, _ = view(bench, bench.end(lttd))
        check(entered(shown)['inner_function+0x0', 'outer_function'], 'no name in', shown[-500:])


def enter_again(program, bench, lttd):
    program.stdin.write('again\n')
    program.stdin.flush()
    program.stdout.readline()
    control.lttctl(bench, 'snapshot', control.name_of(lttd))
    return control.counts(bench, lttd)['stored']
