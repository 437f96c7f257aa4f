# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: what lttctl lists and changes while they run."""
import contextlib
import ctypes
import json
import os
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import time
import uuid
from pathlib import Path

from bench import DEADLINE, USERS, Recording, Skipped, as_user, check, equal, stop, traces_of, wait_until


LIBC = ctypes.CDLL(None, use_errno=True)
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1


def obey_modes():
    """In a new process: let the modes of files hold for root, too, in the program that it executes."""
    if not os.geteuid() and LIBC.prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0):
        raise OSError(ctypes.get_errno(), 'PR_CAPBSET_DROP')


def lttctl(bench, *words, status=0, env=None):
    """Standard output of lttctl, or its messages if it is to fail."""
    run = subprocess.run([bench.built / 'lttctl', *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, timeout=DEADLINE, env=env)
    equal(f'exit status of lttctl {words} ({run.stderr.strip()})', status, run.returncode)
    return run.stderr if status else run.stdout


def name_of(lttd):
    return f'programs-{lttd.pid}'


def counts(bench, lttd):
    """Of this user, as lttctl shows them."""
    shown, = json.loads(lttctl(bench, 'status', '--json', name_of(lttd)))
    return next((user for user in shown['users'] if user['uid'] == os.getuid()), None)


def stored(bench, lttd):
    """All that there is up to now."""
    lttctl(bench, 'snapshot', name_of(lttd))
    return counts(bench, lttd)['stored']


def start_listed(bench, *words):
    """A program whose thread that talks to lttds has come up."""
    process = bench.start(*words)
    wait_until('it is listed', lambda: f' {process.pid}]' in subprocess.run(
        [bench.built / 'lttctl', 'markers', '--info', 'user:'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True).stdout.replace(',', ']'))
    return process


# ---- Listing ----

def last_of_three_lttds(bench, listed):
    """Lttds record test:count one after the other; the last of them, which does. `listed` lists the marker."""
    for number in range(2):
        lttd = bench.lttd(f'trace{number}', options=['--size', '64k'])
        wait_until('it is recorded', lambda: 'on  user:test:count' in listed())
        bench.end(lttd)
        wait_until('it is not recorded any more', lambda: 'off user:test:count' in listed())
    lttd = bench.lttd('last')
    wait_until('it is recorded by the last', lambda: 'on  user:test:count' in listed())
    return lttd


def test_markers_of_programs_are_listed(bench):
    process = start_listed(bench, *bench.prog('forever', 1000))
    check('off user:test:count\n' in lttctl(bench, 'markers', 'user:'), 'it is not listed')
    info = lttctl(bench, 'markers', '--info', 'user:test:count')
    check('field i integer s64 base 10\n' in info, info)
    check('  at traced/prog/count.c:' in info and f'[prog {process.pid}]' in info, info)
    bench.lttd()
    wait_until('it is recorded', lambda: 'on  user:test:count\n' in lttctl(bench, 'markers', 'user:test:*'))
    marker, = json.loads(lttctl(bench, 'markers', '--json', 'user:count'))['markers']
    equal('as JSON', {'group': 'user:test', 'name': 'count', 'enabled': True}, marker)
    marker, = json.loads(lttctl(bench, 'markers', '--json', '--info', 'user:count'))['markers']
    places = marker['places']
    # Its sites have an int or a long.
    equal('its fields', {('i', 'integer', size, True, 10) for size in (4, 8)},
          {tuple(field[key] for key in ('name', 'type', 'size', 'signed', 'base'))
           for place in places for field in place.get('fields', marker['fields'])})
    equal('its places', {(f'traced/prog/{file}.c', 'prog', process.pid)
                         for file in ('count', 'ends', 'hostile', 'namespace', 'processes', 'threads')},
          {(place['file'], place['program'], place['pid']) for place in places})
    check('user:nosuch:x' in lttctl(bench, 'markers', 'user:nosuch:x', status=1), 'no complaint')


def test_markers_of_loaded_libraries_are_listed(bench):
    start_listed(bench, *bench.prog('plugin-until-told', bench.program('plugin.so')))
    check('off user:plugin:work\n' in lttctl(bench, 'markers', 'user:plugin:*'), 'it is not listed')


def test_a_stopped_program_is_not_waited_for(bench):
    process = start_listed(bench, *bench.prog('forever', 1000))
    other = start_listed(bench, *bench.prog('forever', 1000))
    stop(process)
    began = time.monotonic()
    run = subprocess.run([bench.built / 'lttctl', 'markers', '--info', 'user:test:count'], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    equal('exit status', 0, run.returncode)
    check(run.stderr.startswith('lttctl'), 'no warning:', run.stderr)
    check(f'[prog {other.pid}]' in run.stdout, run.stdout)
    check(time.monotonic() - began < 10, 'it took', time.monotonic() - began)


def test_many_markers(bench):
    """More markers than one message holds: all are listed, switched off and on."""
    start_listed(bench, *bench.prog('many'))
    listed = lttctl(bench, 'markers', 'user:many:*').splitlines()
    equal('listed', [f'off user:many:m{i:03}' for i in range(200)], listed)
    lttd = bench.lttd(pattern='many:*')
    wait_until('all are recorded', lambda: lttctl(bench, 'markers', 'user:many:*').count('on  ') == 200)
    lttctl(bench, 'disable', 'user:many:m1*')
    equal('recorded still', 100, lttctl(bench, 'markers', 'user:many:*').count('on  '))
    bench.end(lttd)


# ---- Recordings ----

def test_recordings_are_listed(bench):
    one, other = bench.lttd('one'), bench.lttd('other', pattern='*:cou*')
    listed = json.loads(lttctl(bench, 'list', '--json'))
    lines = lttctl(bench, 'list').splitlines()
    for lttd in one, other:
        entry = {'name': name_of(lttd), 'state': 'running', 'lttd': lttd.pid, 'output': str(lttd.trace)}
        check(entry in listed, entry, 'is not in', listed)
        check(any(line.startswith(f'{name_of(lttd)} running') and line.endswith(str(lttd.trace)) for line in lines), lines)
    lttctl(bench, 'destroy', name_of(one))
    equal('it has ended', 0, one.wait(DEADLINE))
    check(not any(line.startswith(name_of(one)) for line in lttctl(bench, 'list').splitlines()), 'it is listed still')
    check(name_of(one) in lttctl(bench, 'destroy', name_of(one), status=1), 'no complaint')


def test_switched_while_it_runs(bench):
    lttd = bench.lttd()
    bench.start(*bench.prog('forever', 100), env={**os.environ, 'LTT_START': lttd.socket})
    wait_until('there are events', lambda: stored(bench, lttd) > 10)
    lttctl(bench, 'disable', '-t', name_of(lttd), 'user:test:count')
    before = stored(bench, lttd)
    time.sleep(0.1)         # it goes on calling its marker
    equal('events, switched off', before, stored(bench, lttd))
    bench.start(*bench.prog('forever', 100), env={**os.environ, 'LTT_START': lttd.socket})
    wait_until('it is known', lambda: counts(bench, lttd)['programs'] == 2)
    time.sleep(0.1)
    equal('of one that came later', before, stored(bench, lttd))
    lttctl(bench, 'enable', 'user:*:count')
    wait_until('there are more', lambda: stored(bench, lttd) > before + 10)
    shown, = json.loads(lttctl(bench, 'status', '--json', name_of(lttd)))
    equal('patterns', [{'pattern': '*:count', 'enabled': True}, {'pattern': 'test:count', 'enabled': False},
                       {'pattern': 'test:*', 'enabled': True}], shown['patterns'])
    equal('programs', 2, counts(bench, lttd)['programs'])
    text = lttctl(bench, 'status', name_of(lttd))
    check(re.match(rf'{name_of(lttd)} running\b.*{lttd.trace}\n +enabled user:\*:count\n +disabled user:test:count\n'
                   r' +enabled user:test:\*\n', text), text)
    check(re.search(rf'\n +user {os.getuid()}\b.*\b2\b.*\b0\b.*\n$', text), text)
    check(bench.end(lttd).named('test:count'), 'nothing is read')


def cpu_ticks(process):
    """CPU time of all its threads, in the kernel and out of it."""
    return sum(map(int, Path(f'/proc/{process.pid}/stat').read_text().rsplit(')', 1)[1].split()[11:13]))


def test_a_program_that_may_have_no_descriptors_any_more(bench):
    """poll() rejects more than those; the library's thread receives messages all the same, and sleeps."""
    lttd = bench.lttd()
    process = bench.start(*bench.prog('until-told', 10), env={**os.environ, 'LTT_START': lttd.socket})
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (0, 0))
    run = subprocess.run([bench.built / 'lttctl', 'disable', '-t', name_of(lttd), 'user:test:*'], stderr=subprocess.PIPE,
                         text=True, timeout=DEADLINE)
    equal('disable, which waits for it', (0, ''), (run.returncode, run.stderr))
    before = cpu_ticks(process)
    time.sleep(0.6)         # for a thread that does not sleep to show
    used = cpu_ticks(process) - before
    check(used < 0.3 * os.sysconf('SC_CLK_TCK'), 'it uses', used, 'ticks')
    bench.end(lttd)


def test_a_change_warns_of_a_stopped_program(bench):
    lttd = bench.lttd()
    process = bench.start(*bench.prog('forever', 100), env={**os.environ, 'LTT_START': lttd.socket})
    wait_until('there are events', lambda: stored(bench, lttd) > 10)
    stop(process)
    run = subprocess.run([bench.built / 'lttctl', 'disable', 'user:test:*'], stderr=subprocess.PIPE, text=True,
                         timeout=DEADLINE)
    equal('exit status', 0, run.returncode)
    check(run.stderr.startswith('lttctl'), 'no warning:', run.stderr)
    process.send_signal(signal.SIGCONT)
    wait_until('it has done it', lambda: 'off user:test:count\n' in lttctl(bench, 'markers', 'user:test:count'))


def test_libraries_are_recorded_after_a_change(bench):
    lttd = bench.lttd()
    process = bench.start(*bench.prog('plugin-when-told', bench.program('plugin.so'), 3),
                          env={**os.environ, 'LTT_START': lttd.socket})
    lttctl(bench, 'enable', 'user:nosuch:*')
    process.communicate('go\n', timeout=DEADLINE)
    told = [event['name'] for event in bench.end(lttd).events() if 'ltt:library' in event['name']]
    equal('told', ['ltt:library_loaded', 'ltt:library_unloaded'] * 3, told)


def snapshot(bench, lttd, number):
    """A recording of its own, in the directory that lttctl prints."""
    said = lttctl(bench, 'snapshot', name_of(lttd)).strip()
    equal('the directory', f'{lttd.trace}-snapshot-{number}', said)
    return Recording(Path(said), {}, '', '')


def test_snapshots_are_whole(bench):
    """Each has all that the buffers hold and the programs, and takes nothing from them."""
    lttd = bench.lttd(options=['--overwrite'])
    process = bench.start(*bench.prog('until-told', 500), env={**os.environ, 'LTT_START': lttd.socket})
    first = snapshot(bench, lttd, 1)
    equal('rights of other users', (0, 0), tuple(path.stat().st_mode & 7 for path in (lttd.trace, first.path)))
    # Programs of root that other tests run come, too.
    check('name = "prog"' in first.fields('ltt:program_started'), first.fields('ltt:program_started'))
    process.communicate('go\n', timeout=DEADLINE)
    want = [f'i = {number}' for number in range(500)]
    for number in 2, 3:
        recording = snapshot(bench, lttd, number)
        equal(f'of snapshot {number}', want, recording.fields('test:count'))
        check('name = "prog"' in recording.fields('ltt:program_started'), 'the program is not named')
    equal('none in the first', [], first.fields('test:count'))
    recording = bench.end(lttd)
    equal('of the recording', want, recording.fields('test:count'))


def uuids(metadata):
    """Of the trace and of its clock."""
    return [uuid.UUID(text) for text in re.findall(r'uuid = "(.*?)"', metadata.read_text())]


def uuids_of_packets(file):
    data, at, found = file.read_bytes(), 0, set()
    while at < len(data):
        found.add(uuid.UUID(bytes=data[at + 4:at + 20]))
        at += struct.unpack_from('=Q', data, at + 48)[0] // 8
    return found


def test_each_snapshot_is_a_trace_of_its_own(bench):
    """Readers take several at once, which have the same clock."""
    lttd = bench.lttd(options=['--overwrite'])
    process = bench.start(*bench.prog('until-told', 500), env={**os.environ, 'LTT_START': lttd.socket})
    process.communicate('go\n', timeout=DEADLINE)
    folders = [snapshot(bench, lttd, number).path for number in (1, 2)]
    bench.end(lttd)
    traces, clocks = set(), set()
    for folder in *folders, lttd.trace:
        user = folder / f'user-{os.getuid()}'
        trace, clock = uuids(user / 'metadata')
        for file in user.glob('*_*'):
            equal(f'of the packets of {file}', {trace}, uuids_of_packets(file))
        traces.add(trace)
        clocks.add(clock)
    equal('traces and clocks', (3, 1), (len(traces), len(clocks)))
    parts = [trace for folder in folders for trace in traces_of(folder)]
    details = subprocess.run(['babeltrace2', *parts, '-c', 'sink.text.details'], stdout=subprocess.PIPE, text=True,
                             check=True, timeout=DEADLINE).stdout
    equal('traces that babeltrace2 reads', {str(trace) for trace in traces - set(uuids(user / 'metadata'))},
          set(re.findall(r'Trace `.*`:\n +UUID: (\S+)', details)))
    equal('tracers by the metadata', {'ltt'}, set(re.findall(r'tracer_name: (\S+)', details)))
    both = subprocess.run(['babeltrace2', *parts], stdout=subprocess.PIPE, text=True, check=True, timeout=DEADLINE).stdout
    numbers = [int(number) for number in re.findall(r'test:count: .* i = (\d+) ', both)]
    # Events that follow each other may have the same time.
    equal('by babeltrace2, in the order of time', list(range(500)), list(dict.fromkeys(numbers)))
    equal('each in both', sorted([*range(500), *range(500)]), sorted(numbers))
    viewed = lttctl(bench, 'view', *folders)
    equal('by lttctl view', numbers, [int(number) for number in re.findall(r'test:count: i=(\d+)', viewed)])


def test_a_snapshot_without_programs_leaves_nothing(bench):
    """A later one is written as if there had been none."""
    env = {**os.environ, 'LTT_RUN_DIR': str(bench.folder)}
    lttd = bench.lttd(options=['--overwrite'], env=env)
    check('no program' in lttctl(bench, 'snapshot', name_of(lttd), status=1, env=env), 'the reason is missing')
    equal('left', [], list(bench.folder.glob('trace-snapshot-*')))
    bench.start(*bench.prog('count-and-wait', 5), env={**env, 'LTT_START': lttd.socket})
    equal('the directory', f'{lttd.trace}-snapshot-1', lttctl(bench, 'snapshot', name_of(lttd), env=env).strip())
    bench.end(lttd)


def test_a_snapshot_that_cannot_be_written_leaves_nothing(bench):
    """The recording goes on."""
    lttd = bench.lttd(options=['--overwrite', '--size', '4k'])
    process = bench.start(*bench.prog('until-told', 3000), env={**os.environ, 'LTT_START': lttd.socket})
    resource.prlimit(lttd.pid, resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))
    process.communicate('go\n', timeout=DEADLINE)
    check(str(lttd.pid) in lttctl(bench, 'snapshot', name_of(lttd), status=1), 'lttd is not named')
    equal('left', [], list(bench.folder.glob('trace-snapshot-*')))
    resource.prlimit(lttd.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    check(snapshot(bench, lttd, 1).named('test:count', complaints=True), 'no events')
    bench.end(lttd)


def test_a_snapshot_reports_why_its_directory_cannot_be_made(bench):
    """The parent directory is not writable, also for root, which gives up its right to write anyway."""
    (bench.folder / 'parent').mkdir()
    lttd = bench.lttd('parent/trace', options=['--overwrite'], preexec_fn=obey_modes)
    bench.start(*bench.prog('count-and-wait', 5), env={**os.environ, 'LTT_START': lttd.socket})
    (bench.folder / 'parent').chmod(0o555)
    lttctl(bench, 'snapshot', name_of(lttd), status=1)
    check('snapshot-1: Permission denied' in lttd.said.read_text(), lttd.said.read_text())
    (bench.folder / 'parent').chmod(0o755)
    snapshot(bench, lttd, 1)
    bench.end(lttd)


def test_destroy_reports_a_failure(bench):
    """The disk takes no more than what the metadata needs."""
    lttd = bench.lttd(options=['--flush', '0'])
    bench.start(*bench.prog('count-and-wait', 3000), env={**os.environ, 'LTT_START': lttd.socket})
    resource.prlimit(lttd.pid, resource.RLIMIT_FSIZE, (8192, 8192))
    check('complete' in lttctl(bench, 'destroy', name_of(lttd), status=1), 'no complaint')
    equal('exit status of lttd', 1, lttd.wait(DEADLINE))


def test_forked_after_it_was_switched_off(bench):
    """A child has its parent's switches, and connects by itself."""
    lttd = bench.lttd()
    process = bench.start(*bench.prog('fork-when-told'), env={**os.environ, 'LTT_START': lttd.socket})
    lttctl(bench, 'disable', 'user:test:count')
    before = stored(bench, lttd)
    process.communicate('go\n', timeout=DEADLINE)
    equal('events', before, stored(bench, lttd))


def test_patterns_that_match_nothing_are_reported(bench):
    recording = bench.record(*bench.prog('count', 3), options=['-e', 'user:nosuch:*'])
    check('nosuch:*' in recording.errors, recording.errors)
    check('test:*' not in recording.errors, recording.errors)


def test_a_flight_recorder_is_written_when_asked_for(bench):
    lttd = bench.lttd(options=['--size', '4096', '--count', '4', '--overwrite'])
    process = bench.start(*bench.prog('until-told', 200000), env={**os.environ, 'LTT_START': lttd.socket})
    process.communicate('go\n', timeout=DEADLINE)
    folder = lttd.trace / f'user-{os.getuid()}'
    lttctl(bench, 'snapshot', name_of(lttd))
    equal('of the recording', [], sorted(folder.glob('events_*')))
    size = sum(file.stat().st_size for file in bench.folder.glob('trace-snapshot-1/user-*/events_*'))
    check(4096 <= size <= 5 * 8192 * os.cpu_count(), 'bytes of the snapshot', size)
    recording = bench.end(lttd)
    numbers = [int(event['fields'][4:]) for event in recording.named('test:count', complaints=True)]
    equal('the last', 199999, max(numbers))
    check(len(numbers) < 10000, 'kept', len(numbers))


def test_a_flight_recorder_ends_beside_its_writers(bench):
    """They write on into the sub-buffers that lttd reads: no record is read that they did not write."""
    for number in range(10):
        lttd = bench.lttd(f'trace{number}', options=['--overwrite', '--size', '64k', '--count', '2'])
        writers = [bench.start(*bench.prog('forever'), env={**os.environ, 'LTT_START': lttd.socket}) for _ in range(3)]
        for writer in writers:
            # The thread that would stop the recording in the program gets no CPU beside the writers.
            for thread in set(map(int, os.listdir(f'/proc/{writer.pid}/task'))) - {writer.pid}:
                os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))
        bench.end(lttd)
        for writer in writers:
            writer.kill()
            writer.wait()


def test_a_flight_recorder_of_threads(bench):
    """Without restartable sequences: the last events are there, in order."""
    recording = bench.record(*bench.prog('count', 20000), options=['--overwrite', '--size', '4k', '--count', '2'],
                             env={'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'})
    numbers = [int(event['fields'][4:]) for event in recording.named('test:count', complaints=True)]
    equal('the last ones', list(range(20000 - len(numbers), 20000)), numbers)
    check(100 < len(numbers) < 2000, 'kept', len(numbers))


def test_overwritten_packets_are_reported(bench):
    small = ['--size', '4k', '--count', '2']
    recording = bench.record(*bench.prog('count', 20000), options=['--overwrite', *small])
    check(recording.summary['programs']['overwritten_subbuffers'] > 10, recording.summary)
    equal('complete', False, recording.summary['complete'])
    run = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'text', '-e', 'user:test:*', '--overwrite', *small,
                          '--', *bench.prog('count', 20000)], stderr=subprocess.PIPE, text=True)
    check(re.search(r'^complete +no\n.*^programs\b.* [1-9]\d* .*overwritten', run.stderr, re.M | re.S), run.stderr)
    recording = bench.record(*bench.prog('count', 20), name='whole', options=['--overwrite', *small])
    equal('of a recording that fits', (0, True), (recording.summary['programs']['overwritten_subbuffers'], recording.summary['complete']))


# ---- Mistakes ----

def may_probe(bench, process, user=None):
    """'yes', 'refused' where the kernel denies access to its memory, or 'unreached'."""
    run = subprocess.run([bench.built / 'lttctl', 'probe', '-p', str(process.pid), 'load', bench.program('probe.so')],
                         stderr=subprocess.PIPE, text=True, timeout=DEADLINE, **as_user(user))
    return 'yes' if not run.returncode else 'refused' if 'memory' in run.stderr else \
        'unreached' if str(process.pid) in run.stderr else run.stderr


def has_socket(bench, process, user):
    """Whether the program listens as this user; it may have to be woken to see its new id."""
    subprocess.run([bench.built / 'lttctl', 'markers', 'user:'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    folder = f'/tmp/lttd-{user}' if user else '/run/lttd'
    return os.path.isdir(folder) and any(f'program-{process.pid}-' in name for name in os.listdir(folder))


def test_only_debuggers_may_probe(bench):
    """A user cannot make a daemon of root that acts for the user run the user's code."""
    if os.geteuid():
        raise Skipped('only root has several users')
    user, other = USERS
    bench.folder.chmod(0o755)
    for how, starter, group, listens, asker, may in [
            ('not', None, None, None, None, 'yes'), ('not', None, None, None, user, 'unreached'),
            ('not', user, user, user, user, 'yes'), ('not', user, user, user, other, 'unreached'),
            ('not', user, user, user, None, 'yes'), ('not', user, other, user, user, 'refused'),
            ('for-a-while', None, None, user, user, 'refused'), ('for-ever', None, None, user, user, 'refused'),
            ('hidden', user, user, user, user, 'refused'), ('hidden', user, user, user, None, 'yes')]:
        more = {} if starter is None else {'user': starter, 'group': group, 'extra_groups': []}
        process = subprocess.Popen(list(map(str, bench.prog('act-for', user, how))), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True, **more)
        bench.started.append(process)
        equal('first line', 'begun\n', process.stdout.readline())
        wait_until('it listens', lambda: has_socket(bench, process, listens))
        equal(f'{how}, started by {starter} of group {group}, asked by {asker}', may, may_probe(bench, process, asker))
        process.communicate('go\n', timeout=DEADLINE)
        equal('it has ended well', 0, process.returncode)


def test_the_user_changes_while_it_is_recorded(bench):
    """From then on its events are among those of the other."""
    if os.geteuid():
        raise Skipped('only root has several users')
    user = USERS[0]
    bench.folder.chmod(0o755)
    lttd = bench.lttd()
    process = bench.start(*bench.prog('act-for', user, 'for-ever'), env={**os.environ, 'LTT_START': lttd.socket})
    # It may have to be woken to see its new id.
    wait_until('it is recorded as the other', lambda: 'on  user:test:after' in lttctl(bench, 'markers', 'user:test:*') and
               (lttd.trace / f'user-{user}').is_dir())
    wait_until('all of it is', lambda: 'on  user:test:after' in lttctl(bench, 'markers', 'user:test:*'))
    process.communicate('go\n', timeout=DEADLINE)
    equal('it has ended well', 0, process.returncode)
    bench.end(lttd)
    for uid, name in (0, 'test:before'), (user, 'test:after'):
        events = Recording(lttd.trace / f'user-{uid}', {}, '', '').events()
        equal(f'of user {uid}', [(name, str(process.pid))],
              [(event['name'], event['pid']) for event in events if event['name'].startswith('test:')])


def user_changes(bench, late):
    if os.geteuid():
        raise Skipped('only root has several users')
    user = USERS[0]
    process = bench.start(*bench.prog('act-for', user, 'for-ever'),
                          env={**os.environ, 'LD_PRELOAD': bench.program('late-bind.so'), 'LATE': late})
    folder = Path(f'/tmp/lttd-{user}')
    wait_until('it can be called', lambda: folder.is_dir() and any(folder.glob(f'program-{process.pid}-*')))
    process.communicate('go\n', timeout=DEADLINE)
    equal('it has ended well', 0, process.returncode)


def test_the_user_changes_while_it_begins(bench):
    """Its socket, which was to be among those of root, is among the user's."""
    user_changes(bench, 'bind')


def test_the_user_changes_before_the_thread_sleeps(bench):
    """The thread has looked for a change already: it must not sleep on."""
    user_changes(bench, 'sleep')


def peer_of(connection):
    return struct.unpack('3i', connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]


def test_users_without_an_id_do_not_meet(bench):
    """In a namespace of users all that have no id there have the same: they are not each other's."""
    if os.geteuid():
        raise Skipped('only root has several users')
    folder = Path('/tmp/lttd-65534')
    if folder.exists():
        raise Skipped(f'{folder} is there')
    folder.mkdir(0o755)
    os.chown(folder, USERS[1], USERS[1])
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar:
            liar.bind(str(folder / 'lttd-1'))
            os.chown(folder / 'lttd-1', USERS[1], USERS[1])
            (folder / 'lttd-1').chmod(0o777)
            liar.listen()
            liar.settimeout(1)
            process = bench.start('unshare', '-U', *bench.prog('act-for', 0, 'not'), user=USERS[0])
            with contextlib.suppress(TimeoutError):
                # Any lttd of root looks whether there is one.
                while peer_of(liar.accept()[0]) != process.pid:
                    pass
                check(False, 'it has connected to another user')
            process.communicate('go\n', timeout=DEADLINE)
    finally:
        shutil.rmtree(folder)


def test_a_stopped_program_among_many_is_missed(bench):
    """Those that come by themselves meanwhile do not stand for it."""
    process = start_listed(bench, *bench.prog('forever', 1000))
    stop(process)
    run = subprocess.Popen([bench.built / 'lttctl', 'markers', 'user:test:count'], stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, text=True)
    while run.poll() is None:
        subprocess.run(bench.prog('count', 1), check=True)
    check(run.stderr.read().startswith('lttctl'), 'no warning')


def test_a_stopped_lttd_is_not_waited_for(bench):
    lttd = bench.lttd()
    stop(lttd)
    check(str(lttd.pid) in lttctl(bench, 'list', status=1), 'no complaint')
    destroy = subprocess.Popen([bench.built / 'lttctl', 'destroy', name_of(lttd)], stderr=subprocess.PIPE, text=True)
    check(str(lttd.pid) in destroy.stderr.readline(), 'no warning')
    lttd.send_signal(signal.SIGCONT)
    equal('exit status of destroy', 0, destroy.wait(DEADLINE))
    equal('it has ended', 0, lttd.wait(DEADLINE))


def test_wrong_words_about_recordings(bench):
    for words, status, said in [
            (['enable', 'user:'], 2, 'user:'),
            (['enable', 'user:test:*'], 1, 'recording'),
            (['enable', '-t', 'demo', 'user:a:*'], 2, 'demo'),
            (['enable', '-t', 'programs-1', 'a:*'], 2, 'user:'),
            (['disable', '-t', 'programs-99999999', 'user:a:*'], 1, 'programs-99999999'),
            (['status', 'programs-99999999'], 1, 'programs-99999999'),
            (['snapshot', '-o', 'x', 'programs-1'], 2, '-o')]:
        complaint = lttctl(bench, *words, status=status)
        check(said in complaint, words, complaint)


def test_patterns_for_one_program(bench):
    """Also of programs that fork, and changed while they run."""
    for name in 'shop', 'bank':
        os.symlink(bench.program('prog'), bench.folder / name)
    lttd = bench.lttd(pattern='@shop:test:*', options=['--programs', '@b*:test:par*'])
    for name in 'shop', 'bank':
        subprocess.run([bench.folder / name, 'forks', '3'], check=True)
    subprocess.run(bench.prog('forks', '3'), check=True)
    lttctl(bench, 'disable', 'user@shop:*:child')
    lttctl(bench, 'enable', 'user@prog:*')
    for command in [bench.folder / 'shop', 'forks', '7'], bench.prog('count', 5), [bench.folder / 'bank', 'count', '3']:
        subprocess.run(command, check=True)
    text = lttctl(bench, 'status', name_of(lttd))
    check(re.search(r'^ +enabled user@prog:\*\n +disabled user@shop:\*:child\n +enabled user@b\*:test:par\*\n', text, re.M), text)
    recording = bench.end(lttd)
    equal('events', {'test:child': 3, 'test:parent': 2 + 2 + 2, 'test:count': 5},
          {name: len(recording.named(name)) for name in ('test:child', 'test:parent', 'test:count')})
    equal('unmatched', 0, recording.summary['programs']['unmatched_patterns'])
