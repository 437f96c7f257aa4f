# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: an lttd that starts, ends or is killed while they run."""
import itertools
import os
import re
import shutil
import signal
import struct
import subprocess
import time
from collections import Counter

from bench import DEADLINE, Recording, Skipped, check, equal, stop, wait_until


def test_lttd_comes_later(bench):
    process = bench.start(*bench.prog('forever', 1000))
    lttd = bench.lttd()
    wait_until('events are there', lambda: (lttd.trace / f'user-{os.getuid()}').exists())
    time.sleep(0.2)         # events go on coming
    recording = bench.end(lttd)
    check(recording.stored > 20, 'stored', recording.stored)
    equal('it goes on', None, process.poll())


def test_lttd_runs_with_a_raised_priority(bench):
    """Where it may, and where the user has not chosen another."""
    niceness = lambda pid: {os.getpriority(os.PRIO_PROCESS, int(task)) for task in os.listdir(f'/proc/{pid}/task')}
    own = os.getpriority(os.PRIO_PROCESS, 0)
    bench.start(*bench.prog('forever', 1000))
    lttd = bench.lttd('own')
    wait_until('it has a user', lambda: len(os.listdir(f'/proc/{lttd.pid}/task')) > 1)
    equal('niceness', {-10} if own == 0 and os.geteuid() == 0 else {own}, niceness(lttd.pid))
    bench.end(lttd)
    chosen = bench.lttd('chosen', preexec_fn=lambda: os.nice(5))
    equal('niceness that was chosen', {own + 5}, niceness(chosen.pid))
    bench.end(chosen)


def until_none_is_late(bench, pattern, command, number, events):
    """Each of these programs has all its events in each of the recordings, or is named by it as late, as on a busy machine: again, then."""
    def attempt(again):
        lttds = [bench.lttd(f'{again}-{name}', pattern=pattern) for name in range(3)]
        processes = [bench.start(*command, begun=False) for _ in range(number)]
        for process in processes:
            equal('exit status', 0, process.wait(DEADLINE))
        late = 0
        for recording in map(bench.end, lttds):
            named = {process.pid for process in processes if f'(pid {process.pid})' in recording.errors}
            counts = Counter(int(event['pid']) for event in recording.events() if not event['name'].startswith('ltt:'))
            whole = {process.pid: counts[process.pid] for process in processes if process.pid not in named}
            equal('events of those that are not named', dict.fromkeys(whole, events), whole)
            equal('late', len(named), recording.summary['programs']['late_programs'])
            late += len(named)
        return not late

    attempts = itertools.count()
    wait_until('none is late', lambda: attempt(next(attempts)))


def test_a_program_is_recorded_from_its_first_event(bench):
    """By each recording that was there when it started, though no `record` started the program."""
    until_none_is_late(bench, 'test:*', bench.prog('count', 3000), 5, 3000)


def test_a_library_is_recorded_from_its_first_event(bench):
    # 100 times 100 events of the function, and one of the constructor.
    until_none_is_late(bench, 'plugin:*', bench.prog('plugin', bench.program('plugin.so'), 100), 1, 10100)


def test_a_program_whose_library_thread_starts_too_late_is_reported(bench):
    """It has ended before: its last thread sends what that thread did not."""
    lttds = [bench.lttd('wanting'), bench.lttd('other', pattern='nosuch:*')]
    process = bench.start(*bench.prog('count', 10), begun=False, env={
        **os.environ, 'LD_PRELOAD': str(bench.built.parent / 'userspace-tests/hinder.so'), 'LATE_START': str(DEADLINE)})
    equal('exit status', 0, process.wait(DEADLINE))
    wanting, other = map(bench.end, lttds)
    equal('late', (1, 0), tuple(recording.summary['programs']['late_programs'] for recording in (wanting, other)))
    check(f'(pid {process.pid})' in wanting.errors, wanting.errors)


def test_a_late_program_is_reported_for_its_last_site(bench):
    """It has 200 sites, of which it describes 64 at a time."""
    lttd = bench.lttd('wanting', pattern='many:m199')
    process = bench.start('sh', '-c', f'echo | exec {bench.program("prog")} many', begun=False, env={
        **os.environ, 'LD_PRELOAD': str(bench.built.parent / 'userspace-tests/hinder.so'), 'LATE_START': str(DEADLINE)})
    equal('exit status', 0, process.wait(DEADLINE))
    equal('late', 1, bench.end(lttd).summary['programs']['late_programs'])


def test_a_program_that_was_not_recorded_from_its_start_is_reported(bench):
    """The lttd answers too late: its recording is not complete if it wants events of the program."""
    wanting, other = bench.lttd('wanting'), bench.lttd('other', pattern='nosuch:*')
    for lttd in wanting, other:
        stop(lttd)
    process = bench.start(*bench.prog('until-told', 10))
    for lttd in wanting, other:
        lttd.send_signal(signal.SIGCONT)
    wait_until('it is recorded', lambda: 'on  user:test:count\n' in subprocess.run(
        [bench.built / 'lttctl', 'markers', 'user:test:*'], stdout=subprocess.PIPE, text=True).stdout)
    process.communicate('go\n', timeout=DEADLINE)
    recording = bench.end(wanting)
    equal('late', 1, recording.summary['programs']['late_programs'])
    check(re.search(rf'^lttd: .*prog.*\b{process.pid}\b', recording.errors, re.M), 'the program is not named')
    equal('late for the other', 0, bench.end(other).summary['programs']['late_programs'])


def test_programs_that_run_already_are_recorded_from_the_beginning(bench):
    """Each event that a program emits once `record` runs its command is there, of many programs, too."""
    counts = [bench.folder / f'counts{number}' for number in range(8)]
    processes = [bench.start(*bench.prog('count-in', file), begun=False) for file in counts]
    wait_until('all count', lambda: all(file.exists() and file.stat().st_size and done(file) > 100 for file in counts))
    look = f'cd {bench.folder}; cat counts* > first; cat counts* > last'
    recording = bench.record('sh', '-c', look)
    equal('complete', (True, 0), (recording.summary['complete'], recording.summary['programs']['late_programs']))
    for process in processes:
        process.terminate()
    # In the order of their names, as the shell has them.
    order = sorted(range(8), key=lambda number: f'counts{number}')
    first, last = ([struct.unpack_from('qq', (bench.folder / name).read_bytes(), 16 * place) for place in range(8)]
                   for name in ('first', 'last'))
    events = recording.named('test:count')
    for place, number in enumerate(order):
        got = [int(event['fields'].split(' = ')[1]) for event in events if event['pid'] == str(processes[number].pid)]
        check(got, 'nothing of', number)
        equal(f'events of {number}', list(range(got[0], got[-1] + 1)), got)
        check(got[0] <= first[place][0], 'the first of', number, 'is', got[0], 'not', first[place][0])
        check(got[-1] >= last[place][1] - 1, 'the last of', number, 'is', got[-1], 'not', last[place][1] - 1)


def done(file):
    return struct.unpack_from('q', file.read_bytes(), 8)[0]


def test_a_program_that_joins_late_is_named(bench):
    """It was stopped when the recording began: the recording is complete only if it stays so."""
    process = bench.start(*bench.prog('forever', 100))
    stop(process)
    stopped = bench.record(*bench.prog('count', 10), name='stopped')
    equal('complete', (True, 10), (stopped.summary['complete'], stopped.stored))
    events = f'{bench.folder}/*/user-{os.getuid()}/events_*'
    go_on = ['sh', '-c', f'kill -CONT {process.pid}; until ls {events} | grep -q $0; do :; done']
    for options, status in ([], 0), (['--strict'], 124):
        stop(process)
        recording = bench.record(*go_on, f'late{status}/', name=f'late{status}', options=options, status=status)
        late, = recording.summary['programs']['late']
        equal('late', ('prog', process.pid, 1, False), (late['name'], late['pid'], recording.summary['programs']['late_programs'],
                                                       recording.summary['complete']))
        check(0 < late['seconds'] <= recording.summary['seconds'], late)
        check(str(process.pid) in recording.errors, recording.errors)
    said = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'text', '-e', 'user:test:*', '--', *go_on, 'text/'],
                          stderr=subprocess.PIPE, text=True)
    equal('without being stopped', [], re.findall('moment', said.stderr))
    stop(process)
    said = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'text2', '-e', 'user:test:*', '--', *go_on, 'text2/'],
                          stderr=subprocess.PIPE, text=True)
    check(re.search(rf'^complete +no$(.|\n)*^ +prog \(pid {process.pid}\) .*\d\.\d\d\d s', said.stderr, re.M), said.stderr)


def test_two_at_once(bench):
    one, other = bench.lttd('one'), bench.lttd('other', pattern='*:cou*')
    bench.start(*bench.prog('count', 1000), begun=False, env={**os.environ, 'LTT_START': one.socket}).wait()
    wait_until('the other records it', lambda: (other.trace / f'user-{os.getuid()}').exists())
    equal('stored', 1000, bench.end(one).stored)
    bench.end(other)


def test_lttd_is_killed(bench):
    process = bench.start(*bench.prog('forever', 100))
    for attempt in range(10):
        lttd = bench.lttd(f'trace{attempt}')
        wait_until('it is recorded', lambda: (lttd.trace / f'user-{os.getuid()}').exists())
        lttd.kill()
        lttd.wait()
    recording = bench.record('sleep', '0.3', name='last')
    check(not os.path.exists(lttd.socket), 'the socket of a killed lttd is left')
    equal('it goes on', None, process.poll())
    check(recording.stored > 100, 'stored', recording.stored)


def test_slow_events_are_on_disk_soon(bench):
    """And so are the programs: though lttd is killed, they are in the trace."""
    lttd, never = bench.lttd(options=['--flush', '100']), bench.lttd('never', options=['--flush', '0'])
    process = bench.start(*bench.prog('fork-when-told'))
    written = lambda lttd: [file.name for file in (lttd.trace / f'user-{os.getuid()}').glob('*_*')]
    wait_until('all is written', lambda: any('events' in name for name in written(lttd)) and 'state_0' in written(lttd))
    equal('without a flush', [], written(never))
    for each in lttd, never:
        each.kill()
    recording = Recording(lttd.trace, {}, '', '')
    equal('events', ['i = -1'], recording.fields('test:count'))
    equal('it goes on', None, process.poll())
    check('name = "prog"' in recording.fields('ltt:program_started'), 'the program is not named')


def test_record_has_a_flush_timer(bench):
    """With 0, events are on disk when a sub-buffer is full."""
    seen = {}
    for flush in '50', '0':
        out = bench.folder / f'trace{flush}'
        process = bench.start(bench.built / 'lttctl', 'record', '-o', out, '-e', 'user:test:*', '--flush', flush, '--',
                              *bench.prog('forever', 1000))
        written = lambda: list(out.glob('user-*/events_*'))
        time.sleep(0.5) if flush == '0' else wait_until('events are written', written)
        seen[flush] = bool(written())
        process.terminate()
        process.wait(DEADLINE)
    equal('written before the end', {'50': True, '0': False}, seen)


def test_lttctl_is_killed(bench):
    """Its lttd does not record on for ever; what there was is in the trace."""
    lttctl = bench.start(bench.built / 'lttctl', 'record', '-o', bench.folder / 'trace', '-e', 'user:test:*', '--',
                         *bench.prog('forever', 1000))
    lttctl.kill()
    lttctl.wait()
    trace = Recording(bench.folder / 'trace', {}, '', '')
    ended = bench.folder / 'trace' / f'user-{os.getuid()}' / 'state_0'
    wait_until('its lttd has ended', ended.exists)
    wait_until('all is written', lambda: trace.fields('test:count'))
    subprocess.run(['pkill', '-KILL', '-f', f'^{bench.program("prog")} forever 1000$'], check=False)


def test_a_daemon(bench):
    folder = bench.folder / 'trace'
    env = {**os.environ, 'LTT_RUN_DIR': str(bench.folder)}
    subprocess.run([bench.built / 'lttd', '-d', '-o', folder, '--programs', 'test:*'], env=env, check=True,
                   timeout=DEADLINE)
    path, = bench.folder.glob('lttd/lttd-*')
    subprocess.run(bench.prog('count', 50), env={**env, 'LTT_START': str(path)}, check=True)
    os.kill(int(path.name.removeprefix('lttd-')), signal.SIGTERM)
    wait_until('it has ended', lambda: (folder / f'user-{os.getuid()}' / 'state_0').exists())
    equal('events', 50, len(Recording(folder, {}, '', '').named('test:count')))


def test_a_daemon_that_cannot_be_one(bench):
    """The command that starts it fails, and nothing is left where programs look."""
    if not shutil.which('strace'):
        raise Skipped('strace is not installed')
    for call in ['chdir'], ['openat', '-P', '/dev/null']:
        run = subprocess.run(['strace', '-f', '-qq', '-o', bench.folder / 'calls', '-e', f'inject={call[0]}:error=EIO', *call[1:],
                              bench.built / 'lttd', '-d', '-o', bench.folder / 'trace', '--programs', 'test:*'],
                             env={**os.environ, 'LTT_RUN_DIR': str(bench.folder)}, stderr=subprocess.PIPE, text=True,
                             timeout=DEADLINE)
        equal('exit status', 1, run.returncode)
        check(re.search('^lttd: .*Input/output error$', run.stderr, re.M), run.stderr)
        equal('left', [], list(bench.folder.glob('lttd/*')))


def test_the_clock_of_the_kernels_trace(bench):
    """The same counter makes it the clock of programs; another one is reported."""
    uuid = '01234567-89ab-cdef-0123-456789abcdef'
    for name, options, said, same in [
            ('none', [], '', False), ('same', ['--clock', f'tsc {uuid} 1000000000 5 6'], '', True),
            ('other', ['--clock', f'mono {uuid} 1000000000 5 6'], 'mono', False)]:
        lttd = bench.lttd(name, options=options)
        subprocess.run(bench.prog('count', 3), check=True, env={**os.environ, 'LTT_START': lttd.socket})
        lttd.terminate()
        equal('exit status', 0, lttd.wait(DEADLINE))
        messages = re.sub(r'lttd: .*\bstored\b.*\n', '', lttd.said.read_text())
        check(said in messages and bool(said) == bool(messages), f'messages about {name}:', messages)
        got = (lttd.trace / f'user-{os.getuid()}/metadata').read_bytes().decode(errors='replace')
        for line in f'uuid = "{uuid}";', 'freq = 1000000000;', 'offset_s = 5;', 'offset = 6;':
            equal(f'{line} of {name}', same, line in got)
        equal(f'its name, of {name}', ['tsc'], re.findall(r'clock \{\s+name = (\w+);', got))


def test_only_traces_of_users_make_a_directory_unfit(bench):
    for name, fit in ('user-notes', True), ('user-', True), ('user-7', False):
        folder = bench.folder / f'with-{name}'
        (folder / name).mkdir(parents=True)
        run = subprocess.run([bench.built / 'lttctl', 'record', '-o', folder, '-e', 'user:test:*', '--', 'true'],
                             stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
        equal(f'exit status beside {name}', 0 if fit else 2, run.returncode)
        if fit:
            bench.end(bench.lttd(name=f'with-{name}'))
        else:
            run = subprocess.run([bench.built / 'lttd', '-o', folder, '--programs', '*'], stderr=subprocess.PIPE,
                                 text=True, timeout=DEADLINE)
            equal(f'exit status of lttd beside {name}', 1, run.returncode)
        equal(f'{name} is left', True, (folder / name).is_dir())


def test_a_malformed_clock_is_rejected(bench):
    uuid = '01234567-89ab-cdef-0123-456789abcdef'
    for clock in '', 'tsc', f'tsc {uuid} 0 5 6', f'tsc {uuid} 1 5', f'tsc {uuid} 1 5 6 7', 'tsc 0123 1 5 6', f'a-b {uuid} 1 5 6':
        run = subprocess.run([bench.built / 'lttd', '-o', bench.folder / 'trace', '--programs', '*', '--clock', clock],
                             stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
        equal(f'exit status with {clock!r}', 2, run.returncode)
        check('--clock' in run.stderr, run.stderr)


def test_start_waits_briefly(bench):
    """0.3 seconds at most, whether lttd is absent, present or stopped.  A stopped lttd names the program later."""
    def duration():
        began = time.monotonic()
        subprocess.run(bench.prog('count', 1), check=True)
        return time.monotonic() - began

    absent = min(duration() for _ in range(5))
    lttd = bench.lttd()
    present = min(duration() for _ in range(5))
    stop(lttd)
    stopped = min(duration() for _ in range(5))
    lttd.send_signal(signal.SIGCONT)
    bench.end(lttd)
    check(max(absent, present, stopped) < 0.5, f'absent {absent}, present {present}, stopped {stopped}')


def test_started_by_one_that_is_stopped(bench):
    """The program waits for two seconds, then runs and ends at once; lttd names it."""
    lttd = bench.lttd()
    stop(lttd)
    began = time.monotonic()
    subprocess.run(bench.prog('count', 1), check=True, env={**os.environ, 'LTT_START': lttd.socket})
    took = time.monotonic() - began
    lttd.send_signal(signal.SIGCONT)
    equal('late', 1, bench.end(lttd).summary['programs']['late_programs'])
    check(1.5 < took < 20, 'took', took)


def test_sockets_of_killed_programs_do_not_pile_up(bench):
    """A program that starts removes some, also where no lttd runs; it leaves those of running programs."""
    env = {**os.environ, 'LTT_RUN_DIR': str(bench.folder)}
    sockets = lambda: {path.name for path in bench.folder.glob('lttd/program-*')}
    alive = bench.start(*bench.prog('forever', 1000), env=env)
    wait_until('it listens', lambda: len(sockets()) == 1)
    for number in range(30):
        process = bench.start(*bench.prog('forever', 1000), env=env)
        wait_until('it listens', lambda: any(f'program-{process.pid}-' in name for name in sockets()))
        process.kill()
        process.wait()
    # One that was killed at once has removed none.
    bench.start(*bench.prog('forever', 1000), env=env)
    wait_until('they are removed', lambda: len(sockets()) <= 3)
    check(any(f'program-{alive.pid}-' in name for name in sockets()), sockets())


def test_a_program_whose_lttd_has_gone(bench):
    def duration():
        began = time.monotonic()
        subprocess.run(bench.prog('count', 1), check=True, env={**os.environ, 'LTT_START': '/nowhere/lttd-1'})
        return time.monotonic() - began

    check(min(duration() for _ in range(5)) < 1, 'it waited')
