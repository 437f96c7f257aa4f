# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: the call stack as a context field, and the names of its functions."""
import collections
import os
import re
import signal
import subprocess

import control
from bench import DEADLINE, check, equal, stop, wait_until

WITHOUT_SEQUENCES = {'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'}
CHAIN = ['inner_function', 'middle_function', 'outer_function']
KINDS = ['none', 'value', 'many', 'text', 'text.info', 'described']       # the events of inner_function()


def record(bench, *what, depth='', program='stack', context='tid,pid,stack', options=(), **more):
    return bench.record(bench.program(program), *map(str, what), pattern='stack:*', options=['--context', context + depth, *options], **more)


def view(bench, path):
    run = subprocess.run([bench.built / 'lttctl', 'view', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
    equal('lttctl view', (0, ''), (run.returncode, run.stderr))
    return run.stdout


def stacks(shown):
    """By the name of the event, the functions of each stack, without what is outside of the program."""
    found = collections.defaultdict(list)
    for name, stack in re.findall(r' stack:([\w.]+): .*?stack=\[(.*?)\]$', shown, re.M):
        found[name].append([place.split('+')[0] for place in stack.split(', ')])
    return found


def check_stacks(shown, want, number=1):
    """Each kind of event has this stack, so often."""
    found = stacks(shown)
    equal('events', dict.fromkeys(KINDS, number), {name: len(of_name) for name, of_name in found.items()})
    for name, of_name in found.items():
        for stack in of_name:
            equal(f'the stack of {name}', want, stack[:len(want)])
            check(not any(place.startswith('0x') for place in stack), 'a number in', stack)


def test_call_stacks(bench):
    """Of events by value and of packed ones, in the shared rings and in a thread's own."""
    for name, env in ('sequences', {}), ('own', WITHOUT_SEQUENCES):
        recording = record(bench, 'chain', 100, name=name, env=env)
        equal('stored and lost', (100 * len(KINDS), 0), (recording.stored, recording.lost))
        check_stacks(view(bench, recording.path), [*CHAIN, 'chain', 'main'], 100)


def test_call_stacks_of_a_static_library(bench):
    recording = record(bench, 'chain', 1, program='stack-static')
    check_stacks(view(bench, recording.path), [*CHAIN, 'chain', 'main'])


def test_call_stacks_read_by_others(bench):
    """babeltrace2 shows addresses; the last field of the context is the stack."""
    recording = record(bench, 'chain', 1, context='name,stack,tid')
    run = subprocess.run(['babeltrace2', recording.path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    equal('messages of babeltrace2', '', run.stderr)
    found = re.findall(r'stack:[\w.]+: .*\{ tid = \d+, name = "stack", _stack_length = (\d+), stack = \[ (.*?) \] \}', run.stdout)
    equal('events', len(KINDS), len(found))
    for length, stack in found:
        equal('addresses', int(length), len(re.findall(r'\[\d+\] = 0x[0-9A-F]+', stack)))
    # There is one program, so its names need no process id.
    check_stacks(view(bench, recording.path), [*CHAIN, 'chain', 'main'])


def test_the_depth_of_call_stacks(bench):
    for depth, want in (':1', 1), (':2', 2), ('', 16), (':64', 64):
        recording = record(bench, 'deep', 100, depth=depth, name=f'trace{want}')
        found = stacks(view(bench, recording.path))
        equal(f'lengths with {depth}', {want}, {len(stack) for of_name in found.values() for stack in of_name})
    for depth in ':0', ':65', ':', ':x', ':1,stack', ':99999999999', 's':
        run = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'refused', '-e', 'user:a:*', '--context', f'stack{depth}',
                              '--', 'true'], stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
        equal(f'exit status for {depth}', 2, run.returncode)
        check('--context' in run.stderr, run.stderr)


def test_call_stacks_of_threads_and_children(bench):
    """Children that end before they can connect to lttd, too."""
    check_stacks(view(bench, record(bench, 'threads', 20, name='threads').path), [*CHAIN, 'thread_function'], 20)
    recording = record(bench, 'forks', 20, name='forks')
    check_stacks(view(bench, recording.path), [*CHAIN, 'forks', 'main'], 20)


def test_call_stacks_of_handlers(bench):
    for what in 'handler', 'handler-elsewhere':
        found = stacks(view(bench, record(bench, what, name=what).path))
        equal('events', KINDS, list(found))
        for (stack,) in found.values():
            equal('the handler', ['inner_function', 'handler_function'], stack[:2])
            equal('what it interrupted', ['handle', what.replace('-', '_'), 'main'], stack[3:6])
    for n in 2000, 2001:
        recording = record(bench, 'handlers', n, name=f'handlers{n}')
        equal('lost', 0, recording.lost)
        found = stacks(view(bench, recording.path))
        check(len(found['value']) > n, 'no handler was called')
        for stack in found['value']:
            check(stack[:3] == CHAIN or stack[:2] == ['inner_function', 'handler_function'], stack)


def test_call_stacks_of_coroutines(bench):
    """Their stacks are unmapped, and others come in their place."""
    recording = record(bench, 'coroutines', 50)
    check_stacks(view(bench, recording.path), [*CHAIN, 'coroutine_function'], 50)


def test_frame_pointers_that_are_none(bench):
    """In the main thread, in another, and on an alternate stack: the program goes on."""
    for program in 'stack', 'stack-without':
        for name, env in ('sequences', {}), ('own', WITHOUT_SEQUENCES):
            recording = record(bench, 'wrong', program=program, name=f'{program}-{name}', env=env)
            equal('stored and lost', 3 * (22 * 2 + 3 + 20000), recording.stored + recording.lost)
            found = stacks(view(bench, recording.path))['wrong']
            equal('the first address', {'mark_without_frame'}, {stack[0] for stack in found})
            check(max(map(len, found)) > 1, 'no frame is ever found')


def test_programs_without_frame_pointers(bench):
    for what in 'chain', 'threads', 'forks', 'handlers', 'coroutines', 'deep':
        recording = record(bench, what, 100, program='stack-without', name=what)
        equal(f'lost of {what}', 0, recording.lost)
        equal('first functions', {'inner_function'}, {stack[0] for stack in stacks(view(bench, recording.path))['value']})


def test_a_call_stack_costs_little(bench):
    """Of eight addresses, in the shared rings: no system call is made once the stack is known."""
    best = {}
    for context in 'tid,pid', 'tid,pid,stack:8':
        recording = record(bench, 'cost', 8, context=context, name=context, options=['--overwrite'], status=None)
        best[context] = int(recording.output.splitlines()[0]) / 100
    print('#', best)
    check(best['tid,pid,stack:8'] - best['tid,pid'] < 150, 'nanoseconds:', best)


def test_call_stacks_of_many_recordings(bench):
    """Each has its own depth; one has none."""
    options = [['--context', f'pid,stack:{depth}'] for depth in (1, 3)] + [['--context', 'tid,pid']]
    lttds = [bench.lttd(f'trace{i}', pattern='stack:*', options=options[i]) for i in range(3)]
    subprocess.run([bench.program('stack'), 'chain', '10'], check=True, timeout=DEADLINE)
    for i, lttd in enumerate(lttds):
        recording = bench.end(lttd)
        equal('stored', 10 * len(KINDS), recording.stored)
        found = stacks(view(bench, recording.path))
        equal('lengths', {1} if i == 0 else {3} if i == 1 else set(), {len(stack) for stack in found['value']})


def test_names_of_libraries_without_markers(bench):
    """Two are loaded in turn, each at the address that the other had."""
    recording = record(bench, 'libraries', 40, bench.program('calling-one.so'), bench.program('calling-two.so'))
    found = stacks(view(bench, recording.path))['value']
    callers = [stack[2] for stack in found if stack[:2] == ['inner_function', 'called_back']]
    equal('callers', ['inner_of_one', 'inner_of_two'] * 20, callers)
    mapped = [event for event in mappings(recording) if 'calling-' in event]
    check(len({re.search('start = (0x[0-9A-F]+)', event)[1] for event in mapped}) < len(mapped), 'none takes the place of another')


def mappings(recording):
    run = subprocess.run(['babeltrace2', recording.path], stdout=subprocess.PIPE, text=True, timeout=DEADLINE)
    return re.findall('ltt:object_mapped: (.*)', run.stdout)


def test_objects_are_recorded_when_they_are_needed(bench):
    recording = record(bench, 'chain', 1, context='tid,pid', name='plain')
    equal('without code addresses', [], mappings(recording))
    recording = record(bench, 'chain', 1, name='stack')
    paths = [re.search('path = "(.*?)"', event)[1] for event in mappings(recording)]
    equal('each once', len(set(paths)), len(paths))
    check(os.path.realpath(bench.program('stack')) in paths and any('libltt' in path for path in paths), paths)
    check(all(re.search('build_id = "[0-9a-f]{40}"', event) for event in mappings(recording) if 'vdso' not in event), mappings(recording))


def test_flight_recorders_keep_the_names(bench):
    """Whatever is overwritten, also in each snapshot."""
    lttd = bench.lttd(pattern='stack:*', options=['--context', 'tid,pid,stack', '--overwrite', '--size', '4k', '--count', '2'])
    subprocess.run([bench.program('stack'), 'chain', '5000'], check=True, timeout=DEADLINE)
    control.lttctl(bench, 'snapshot', control.name_of(lttd))
    recording = bench.end(lttd)
    check(recording.summary['programs']['overwritten_subbuffers'], 'nothing is overwritten')
    for path in f'{recording.path}-snapshot-1', recording.path:
        shown = view(bench, path)
        found = stacks(shown)
        check(found, 'no events in', path)
        for of_name in found.values():
            equal('stacks', [[*CHAIN, 'chain', 'main']] * len(of_name), [stack[:5] for stack in of_name])


def test_objects_of_running_programs_are_recorded(bench):
    program = bench.start(*bench.prog('until-told', 10))
    lttd = bench.lttd(options=['--context', 'tid,pid,stack'])
    wait_until('lttd knows its objects', lambda: is_noted(bench, lttd, os.path.realpath(bench.program('prog'))))
    program.communicate('end\n', timeout=DEADLINE)
    recording = bench.end(lttd)
    check(re.search(r'test:count: .*stack=\[\w+\+0x', view(bench, recording.path)), 'no name')


def is_noted(bench, lttd, path):
    state = lttd.trace / f'user-{os.geteuid()}' / 'state_0'
    return state.exists() and path.encode() in state.read_bytes()


def test_callers_of_wrappers_are_in_call_stacks(bench):
    recording = bench.record(bench.program('unmarked-frames'), 'memory', '5', pattern='malloc:*',
                             options=['--preload', 'malloc', '--context', 'tid,pid,stack'])
    found = re.findall(r'malloc:alloc: .*size=10001, .*stack=\[(.*?)\]', view(bench, recording.path))
    check(found, 'no event')
    for stack in found:
        functions = [place.split('+')[0] for place in stack.split(', ')]
        check('malloc' in functions, functions)
        equal('its caller', 'allocate', functions[functions.index('malloc') + 1])


def test_lttd_is_stopped_when_a_library_goes(bench):
    """dlclose() waits for it once, and not long."""
    lttd = bench.lttd(pattern='stack:*', options=['--context', 'tid,pid,stack'])
    program = bench.start(bench.program('stack'), 'libraries', 60, bench.program('calling-one.so'), bench.program('calling-two.so'),
                          'begin', env={**os.environ, 'LTT_START': lttd.socket})
    stop(lttd)
    program.communicate('go\n', timeout=20)
    equal('exit status of the program', 0, program.returncode)
    lttd.send_signal(signal.SIGCONT)
    recording = bench.end(lttd)
    equal('stored', 60 * len(KINDS), recording.stored)
