# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: each call of the C library by lttctl, lttd and libltt fails, one by one.

Each call, identified by its callers, fails once (tests/userspace/tools/fail-nth.c). The program
must go on. Its events are stored or counted as lost, or a message reports that they are not. The
trace can be read, and nothing is left behind. A call that is interrupted by a signal must have the
effect of one that is not. `make check` has a selection, `make check-faults` has all.
"""
import itertools
import json
import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from bench import DEADLINE, check, equal, wait_until

AT_ONCE = 4


def fail_env(bench, folder, nth, program, library=None, interrupted=False):
    """The environment in which the call fails, with a folder for sockets of its own."""
    env = {**os.environ, 'LD_PRELOAD': str(bench.built.parent / 'userspace-tests/fail-nth.so'), 'LTT_RUN_DIR': str(folder),
           'FAIL_IN': program, 'FAIL_NTH': str(nth), 'FAIL_DONE': str(folder / 'done')}
    if library:
        env['FAIL_OF'] = library
    if interrupted:
        env['FAIL_EINTR'] = '1'
    return env


class Late(Exception):
    """The machine was too busy to record the program from its beginning, and that is reported: try again."""


def each_call(bench, name, attempt, every):
    """attempt(folder, nth) for each call there is, or for one in so many: those that went wrong."""
    numbers, wrong, done = itertools.count(1, 1 if bench.all_calls else every), [], 0

    def one(nth):
        until = time.monotonic() + DEADLINE
        for again in itertools.count():
            folder = bench.folder / f'{name}-{nth}-{again}'
            folder.mkdir()
            try:
                attempt(folder, nth)
            except Exception as problem:
                if isinstance(problem, Late) and time.monotonic() < until:
                    continue
                failed = (folder / 'done').read_text() if (folder / 'done').exists() else 'nothing'
                return folder, f'{name}, call {nth}, {failed}: {problem}'
            return folder, None

    with ThreadPoolExecutor(AT_ONCE) as pool:
        while True:
            outcomes = list(pool.map(one, itertools.islice(numbers, 2 * AT_ONCE)))
            wrong += [problem for _, problem in outcomes if problem]
            made = sum((folder / 'done').exists() for folder, _ in outcomes)
            done += made
            if made < len(outcomes):
                break
    print(f'# {name}: {done} calls')
    check(done, name, 'nothing has failed')
    check(not wrong, f'{len(wrong)} of {done}:', *(f'\n{problem}' for problem in wrong))


# ---- What is judged ----

def read(path):
    """How many events of programs babeltrace2 reads."""
    run = subprocess.run(['babeltrace2', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
    complaints = [line for line in run.stderr.splitlines() if 'discarded' not in line]
    check(not run.returncode and not complaints, 'babeltrace2 cannot read it:', *(line[:200] for line in complaints[:2]))
    names = re.findall(r'^\S+ \(\S+\) \S+ (\S+): ', run.stdout, re.M)
    return sum(not name.startswith(('ltt:', 'clock:')) for name in names)


def judge(folder, run, emitted, interrupted, program, preloaded=False):
    """Of a recording, whatever has failed of a program in it."""
    failed = (folder / 'done').read_text() if (folder / 'done').exists() else None
    trace, said = folder / 'trace', run.stderr.strip()
    ran = re.search(r'^ended (\d+)$', run.stdout, re.M)
    summary = json.loads(run.stdout[run.stdout.rindex('{ "output"' if '{ "output"' in run.stdout else '{\n  "output"'):]) \
        if '"output"' in run.stdout else None
    counted = sum(summary['programs'][key] for key in ('stored', 'lost')) if summary else None
    if ran:
        equal(f'exit status of the program ({said})', '0', ran[1])
    if interrupted or failed is None:
        if summary and summary['programs']['late']:
            raise Late(said)
        equal('status, events and messages', (0, emitted(run.stdout), ''), (run.returncode, counted, said))
    check(run.returncode in (0, 125, 126), 'exit status', run.returncode, said)
    if run.returncode == 0:
        check(ran, 'the program has not run')
        # A program that is refused, or cannot see its caller's id, takes it that no lttd listens
        # any more: no other error would be true to life.
        check(counted == emitted(run.stdout) or said or
              (program in ('prog', 'described') and failed in ('connect', 'getsockopt')),
              f'{counted} events of {emitted(run.stdout)}, and no message')
    else:
        check(re.search('^lttd: ' if program == 'lttd' else '^ltt(d|ctl)\\b.*: ', said, re.M), 'no message:', said)
    if summary and list(trace.glob('user-*/metadata')):
        events = read(trace)
        check(events == summary['programs']['stored'] or run.returncode, 'events read', events, 'of', summary, said)
    if not ran and run.returncode != 126:       # the status after all else has begun
        check(not trace.exists(), 'a folder is left', list(trace.rglob('*')), said)
    # The shell, if it has the library, ends by _exit().
    left = [path.name for path in folder.glob('lttd/*') if not (preloaded and path.name.startswith('program-'))]
    check(not left or failed in ('unlink', 'unlinkat'), 'there is left', left, said)


def record(bench, name, command, emitted, every, pattern='test:*', env={}, options=(), **fail):
    def attempt(folder, nth):
        run = subprocess.run([bench.built / 'lttctl', 'record', '--state', 'none', '--json', '-o', folder / 'trace', '-e', f'user:{pattern}',
                              *options, '--', 'sh', '-c', '"$@"; echo ended $?', 'sh', *map(str, command)],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=DEADLINE,
                             env={**fail_env(bench, folder, nth, **fail), **env})
        judge(folder, run, emitted, fail.get('interrupted'), fail['program'], '--preload' in options)

    each_call(bench, name, attempt, every)


# ---- lttd and lttctl ----

def test_calls_of_lttd_fail(bench):
    record(bench, 'lttd', bench.prog('count', 200), lambda _: 200, 12, program='lttd')
    record(bench, 'lttd-interrupted', bench.prog('count', 200), lambda _: 200, 4, program='lttd', interrupted=True)


def test_calls_of_lttctl_fail(bench):
    record(bench, 'lttctl', bench.prog('count', 200), lambda _: 200, 12, program='lttctl')
    record(bench, 'lttctl-interrupted', bench.prog('count', 200), lambda _: 200, 4, program='lttctl', interrupted=True)


def without_faults(env):
    return {key: value for key, value in env.items() if not key.startswith('FAIL_') and key != 'LD_PRELOAD'}


def test_calls_of_lttd_fail_as_it_finds_programs(bench):
    """One that runs already is recorded, or lttd says that not all is well."""
    def attempt(folder, nth):
        env = fail_env(bench, folder, nth, 'lttd')
        program = subprocess.Popen(bench.prog('forever', 1000), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=without_faults(env))
        lttd = None
        try:
            wait_until('it can be called', lambda: list(folder.glob('lttd/program-*')))
            lttd = subprocess.Popen([bench.built / 'lttd', '-o', folder / 'trace', '--programs', 'test:*'], env=env,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(folder / 'said', 'w'))

            def is_on():
                return 'on  user:test:count' in subprocess.run(
                    [bench.built / 'lttctl', 'markers', 'user:test:*'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                    text=True, timeout=DEADLINE, env=without_faults(env)).stdout

            wait_until('it is recorded, or there is a message',
                       lambda: lttd.poll() is not None or (folder / 'said').read_text() or is_on())
            was_on = is_on()
            lttd.terminate()
            check(lttd.wait(DEADLINE) or was_on, 'lttd is content, and the program is not recorded:', (folder / 'said').read_text())
        finally:
            for process in filter(None, [program, lttd]):
                process.kill()
                process.wait()

    each_call(bench, 'lttd-finds', attempt, 12)


# ---- libltt ----

WITHOUT_SEQUENCES = {'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'}


def programs_of(bench):
    """Their names, commands, events as their output says, and how many of their calls are in the selection."""
    return [('count', bench.prog('count', 200), lambda _: 200, 7),
            ('threads', bench.prog('threads', 2, 100), lambda out: 800 + int(re.search(r'^\d+$', out, re.M)[0]), 12),
            ('forks', bench.prog('forks', 5), lambda _: 7, 12),
            ('plugin', bench.prog('plugin', bench.program('plugin.so'), 5), lambda _: 505, 12)]


def test_calls_of_libltt_fail(bench):
    for name, command, emitted, every in programs_of(bench):
        for rings, env in ('', {}), ('-own', WITHOUT_SEQUENCES):
            record(bench, name + rings, command, emitted, every, pattern='[tp]*:*', env=env, program='prog', library='libltt.so')


def test_calls_of_libltt_fail_as_events_are_described(bench):
    """The event is recorded, or cannot be described, or is missed with a message."""
    record(bench, 'described', [bench.program('described'), 'count', '200'],
           lambda out: int(re.search(r'^\d+$', out, re.M)[0]), 4, program='described', library='libltt.so')


def test_calls_of_libltt_are_interrupted(bench):
    for name, command, emitted, every in programs_of(bench):
        record(bench, name, command, emitted, every, pattern='[tp]*:*', program='prog', library='libltt.so', interrupted=True)


# ---- Preloaded libraries ----

def test_calls_around_preloaded_libraries_fail(bench):
    """Those of lttctl, as it prepares the command, and of the libraries in the program."""
    command = [bench.program('unmarked-instrumented'), 'calls', '5']
    # Enter and exit of main(), calls(), outer_function() and five times inner_function().
    for name, every, fail in ('lttctl', 8, {'program': 'lttctl'}), \
            ('libraries', 4, {'program': 'unmarked-instrumented', 'library': 'libltt'}):
        record(bench, f'preload-{name}', command, lambda _: 2 * 8, every, pattern='functions:*',
               options=['--preload', 'functions'], **fail)


# ---- Programs that are asked ----

# Without a thread, or a folder to be called in, a program is not found.
STARTS = 3
MISSED = 'pthread_create', 'connect', 'mkdir', 'lstat64', 'bind'


def ask(bench, folder, env, said):
    """Commands for a program that runs: each succeeds, or prints an error."""
    def lttctl(*words):
        run = subprocess.run([bench.built / 'lttctl', *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, timeout=DEADLINE, env=without_faults(env))
        check(run.returncode == 0 or run.returncode == 1 and run.stderr, words, run.returncode, run.stderr)
        said.append(run.stderr)
        return run.stdout

    program = subprocess.Popen(bench.prog('forever', 1000), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=env)
    lttd = None
    try:
        equal('first line', 'begun\n', program.stdout.readline())
        until = time.monotonic() + STARTS
        while f' {program.pid}]' not in lttctl('markers', '--info', 'user:test:count') and time.monotonic() < until:
            time.sleep(0.05)
        said.clear()            # it may have begun only just
        lttctl('probe', '-p', program.pid, 'load', bench.program('probe.so'))
        lttctl('probe', '-p', program.pid, 'connect', 'user:test:count', 'test_probe', 'text')
        lttd = subprocess.Popen([bench.built / 'lttd', '-o', folder / 'trace', '--programs', 'nosuch:*'], stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=open(folder / 'said', 'w'), env=without_faults(env))
        wait_until('lttd is there', lambda: list(folder.glob('lttd/lttd-*')))
        recording = f'programs-{lttd.pid}'
        lttctl('enable', '-t', recording, 'user:test:*')
        # A program that cannot be called looks for lttds by itself, each second.
        wait_until('it is recorded, or there is a message', lambda: 'on  user:test:count' in lttctl('markers', 'user:test:*') or
                   'cannot be recorded' in (folder / 'said').read_text() or
                   (folder / 'done').exists() and (folder / 'done').read_text() in MISSED)
        lttctl('snapshot', recording)
        lttctl('disable', '-t', recording, 'user:test:*')
        lttctl('destroy', recording)
        lttd.wait(DEADLINE)
        said.append((folder / 'said').read_text())
        program.terminate()
        equal('exit status of the program', 0, program.wait(DEADLINE))
    finally:
        for process in filter(None, [program, lttd]):
            process.kill()
            process.communicate()


def test_programs_that_are_asked_fail(bench):
    for interrupted, every in (False, 16), (True, 6):
        def attempt(folder, nth):
            said = []
            ask(bench, folder, fail_env(bench, folder, nth, 'prog', 'libltt.so', interrupted), said)
            if interrupted:
                check(re.fullmatch(r'lttd: .*nosuch:\*.*\n', ''.join(said)), said)

        each_call(bench, 'asked' + '-interrupted' * interrupted, attempt, every)


def test_lttds_that_are_asked_fail(bench):
    """A command that succeeds has done it; a recording that ended by itself has printed an error."""
    def attempt(folder, nth):
        env, failures = fail_env(bench, folder, nth, 'lttd'), {}
        with open(folder / 'said', 'w') as file:
            lttd = subprocess.Popen([bench.built / 'lttd', '-o', folder / 'trace', '--programs', 'test:*'],
                                    stdout=subprocess.DEVNULL, stderr=file, env=env)
        try:
            wait_until('lttd is there', lambda: list(folder.glob('lttd/lttd-*')) or lttd.poll() is not None)
            recording = f'programs-{lttd.pid}'
            if lttd.poll() is None:
                subprocess.run(bench.prog('count', 100), check=True, timeout=DEADLINE,
                               env={**without_faults(env), 'LTT_START': str(folder / f'lttd/lttd-{lttd.pid}')})
                for words in ['enable', '-t', recording, 'user:other:*'], ['status', recording], ['snapshot', recording], \
                        ['destroy', recording]:
                    run = subprocess.run([bench.built / 'lttctl', *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                         text=True, timeout=DEADLINE, env=without_faults(env))
                    check(run.returncode == 0 or run.returncode == 1 and run.stderr, words, run.returncode, run.stderr)
                    failures[words[0]] = run.returncode
            if failures.get('destroy'):
                lttd.terminate()
            status, said = lttd.wait(DEADLINE), (folder / 'said').read_text()
            check(status == 0 or status == 1 and said, 'exit status of lttd', status, said)
            check(failures.get('destroy') != 0 or status == 0, 'lttctl says that it ended well:', said)
            events = sum(read(path.parent) for path in folder.glob('trace/user-*/metadata'))
            check(status or events == 100 or re.search(r'^lttd: (?!.*other:\*)', said, re.M), events, 'events, and why is not said')
        finally:
            lttd.kill()
            lttd.wait()

    each_call(bench, 'lttd-asked', attempt, 12)


# ---- Programs without a socket, and programs that are gone ----

def test_calls_without_a_folder_fail(bench):
    """The program has no socket that it could be called by, or not even its own thread: it does not notice."""
    def attempt(folder, nth):
        env = {**fail_env(bench, folder, nth, 'prog', 'libltt.so'), 'LTT_RUN_DIR': '/' + 'x' * 200}
        run = subprocess.run(bench.prog('forever', 1000, 100), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             timeout=DEADLINE, env=env)
        equal('status and what it says', (0, 'begun\n'), (run.returncode, run.stdout))

    each_call(bench, 'no-folder', attempt, 1)


def test_calls_of_a_probe_fail(bench):
    """There is no such program: lttctl reports that, or the call that failed."""
    def attempt(folder, nth):
        run = subprocess.run([bench.built / 'lttctl', 'probe', '-p', str(os.getpid()), 'load', bench.program('probe.so')],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=DEADLINE,
                             env=fail_env(bench, folder, nth, 'lttctl'))
        equal('status and output', (1, ''), (run.returncode, run.stdout))
        check(re.fullmatch('lttctl(?: probe)?: .*\n', run.stderr), 'message', run.stderr)
        check(not list(folder.glob('lttd/*')) or (folder / 'done').read_text() == 'unlink', 'a socket is left')

    each_call(bench, 'probe', attempt, 1)
