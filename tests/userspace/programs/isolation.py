# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: buffers of its own for each process, and what that keeps from the others."""
import contextlib
import os
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

from bench import DEADLINE, USERS, VERSION, Recording, Skipped, check, equal, in_order, stop, wait_until
from control import lttctl, name_of

NO_RSEQ = {'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'}
SMALL = ['--size', '64k', '--count', '8']


def env_of(lttd, **more):
    return {**os.environ, 'LTT_START': lttd.socket, **more}


def files_of(lttd, pattern='events_*'):
    return sorted(file.name for file in lttd.trace.glob(f'user-*/{pattern}'))


def vault_of(lttd):
    """The descriptor table in which lttd keeps the memory of buffer sets."""
    task, = [task for task in Path(f'/proc/{lttd.pid}/task').iterdir() if (task / 'comm').read_text() == 'lttd-vault\n']
    return task / 'fd'


def memory_of(lttd):
    """The memory of each buffer set that lttd has open, in bytes."""
    sizes = []
    for fd in [*Path(f'/proc/{lttd.pid}/fd').iterdir(), *vault_of(lttd).iterdir()]:
        with contextlib.suppress(FileNotFoundError):
            if '/memfd:ltt' in os.readlink(fd):
                sizes.append(fd.stat().st_blocks * 512)
    return sizes


def mapped_by(pid):
    return sum('/memfd:ltt' in line for line in Path(f'/proc/{pid}/maps').read_text().splitlines())


def of(process, events):
    return [event for event in events if event['pid'] == str(process.pid) and event['tid'] == str(process.pid)]


def test_a_scribbler_harms_only_itself(bench):
    """It writes all over its buffers, over their headers, or over records; the others are recorded whole."""
    for where in 'all', 'headers', 'records':
        lttd = bench.lttd(where, options=[*SMALL, '--lossless', '5000', '--flush', '50'])
        honest = [bench.start(*bench.prog('until-told', 40000), env=env_of(lttd, **env)) for env in ({}, NO_RSEQ)]
        scribbler = bench.start(*bench.prog('scribble-on', where, 1000000), env=env_of(lttd))
        for process in honest:
            process.communicate('go\n', timeout=DEADLINE)
        late = bench.start(*bench.prog('count', 5000), begun=False, env=env_of(lttd))
        late.wait(DEADLINE)
        scribbler.kill()
        scribbler.wait()
        recording = bench.end(lttd, status=1)
        events = recording.named('test:count', complaints=True)
        for process, count in (honest[0], 40000), (honest[1], 40000), (late, 5000):
            equal(f'events of an honest program beside a scribbler on {where}', {str(process.pid): count},
                  in_order(of(process, events)))
        check(re.search(rf'\bprog \(pid {scribbler.pid}\) .*buffers', recording.errors), recording.errors)
        for process in honest:
            check(f'pid {process.pid})' not in recording.errors, recording.errors)


def test_reading_resumes_after_damage(bench):
    """A program that has damaged its heads is still recorded: the sub-buffers at that time are lost."""
    lttd = bench.lttd(options=['--size', '4k', '--count', '8', '--lossless', '5000', '--flush', '20'])
    process = bench.start(*bench.prog('damage-heads', 5000, 20000), env=env_of(lttd))
    process.wait(DEADLINE)
    recording = bench.end(lttd, status=1)
    events = recording.named('test:count', complaints=True)
    numbers = [int(event['fields'].split()[-1]) for event in events]
    after = [number for number in numbers if number >= 5000]
    equal('the last', 24999, after[-1])
    check(len(after) >= 19000, len(after), 'of 20000 events after the damage')
    equal('in order', sorted(set(after)), after)


def test_slots_are_used_again(bench):
    """There are as many files as processes at a time, and time does not go back in them."""
    lttd = bench.lttd()
    number = 300 if bench.many else 100
    subprocess.run(['sh', '-c', f'for i in $(seq {number}); do {bench.program("prog")} count 10; done'], check=True,
                   env=env_of(lttd), timeout=DEADLINE)
    files = files_of(lttd)
    recording = bench.end(lttd)
    events = recording.named('test:count')
    equal('stored and lost', (10 * number, 0), (recording.stored, recording.lost))
    equal('programs', {10}, set(in_order(events).values()))
    equal('their number', number, len(in_order(events)))
    # The end of one process is seen late, now and then.
    check(len(files) <= 8 * os.cpu_count(), len(files), 'files:', files)


def test_shared_buffers(bench):
    """All processes of a user write to the same files."""
    lttd = bench.lttd(options=['--buffers', 'shared'])
    processes = [bench.start(*bench.prog('count-and-wait', 100), env=env_of(lttd)) for _ in range(3)]
    equal('sets of buffers', 1, len(memory_of(lttd)))
    for process in processes:
        process.communicate('go\n', timeout=DEADLINE)
    recording = bench.end(lttd)
    equal('events', {str(process.pid): 100 for process in processes}, in_order(recording.named('test:count')))
    check(all(re.fullmatch(r'events_\d+', name) for name in files_of(lttd)), files_of(lttd))


def test_each_process_has_its_own_buffers(bench):
    lttd = bench.lttd()
    processes = [bench.start(*bench.prog('count-and-wait', 100), env=env_of(lttd)) for _ in range(3)]
    equal('sets of buffers', 3, len(memory_of(lttd)))
    processes[0].kill()
    processes[0].wait()
    wait_until('those of the one that was killed are gone', lambda: len(memory_of(lttd)) == 2)
    for process in processes[1:]:
        process.communicate('go\n', timeout=DEADLINE)
    recording = bench.end(lttd)
    equal('events', {str(process.pid): 100 for process in processes}, in_order(recording.named('test:count')))
    check({'0', '1', '2'} >= {name.split('_')[1] for name in files_of(lttd) if name.count('_') == 2}, files_of(lttd))


def test_a_child_leaves_its_parents_buffers(bench):
    """It has no event twice, loses none, and lets the parent's buffers end."""
    for name, env in ('sequences', {}), ('rings', NO_RSEQ):
        lttd = bench.lttd(name, options=[*SMALL, '--lossless', '5000'])
        process = bench.start(*bench.prog('leave-a-child', 50000), env=env_of(lttd, **env))
        process.wait(DEADLINE)
        if not env:         # a thread with a ring of its own leaves it with its next event only
            wait_until('the parent\'s buffers are gone', lambda: len(memory_of(lttd)) == 1)
        process.stdin.close()
        wait_until('all buffers are gone', lambda: not memory_of(lttd))
        recording = bench.end(lttd)
        events = recording.named('test:count')
        equal(f'with {name}, of the child', [50000], list(in_order(events).values()))
        check(events[0]['pid'] != str(process.pid), 'the child has its parent\'s id')
        equal('lost', 0, recording.lost)


def test_a_child_unmaps_its_parents_buffers(bench):
    lttd = bench.lttd()
    process = bench.start(*bench.prog('fork-when-told'), env=env_of(lttd))
    process.stdin.write('go\n')
    process.stdin.flush()
    children = Path(f'/proc/{process.pid}/task/{process.pid}/children')
    wait_until('it has a child', lambda: children.read_text())
    child = children.read_text().split()[0]
    wait_until('two sets of buffers', lambda: len(memory_of(lttd)) == 2)
    # The child writes for 0.1 seconds at least; afterwards it has none.
    wait_until('it maps its own only', lambda: not Path(f'/proc/{child}').exists() or mapped_by(child) == 1)
    process.communicate(timeout=DEADLINE)
    recording = bench.end(lttd)
    equal('events', {child: 1000}, in_order([event for event in recording.named('test:count') if event['tid'] == child]))


def storms(bench, name, options, env, counts, generator):
    lttd = bench.lttd(name, options=options)
    for _ in range(6 if bench.many else 2):
        processes = [bench.start(*bench.prog('storm', counts), env=env_of(lttd, **env), start_new_session=True)
                     for _ in range(2)]
        for process in processes:
            time.sleep(generator.random() * 0.05)
            with contextlib.suppress(ProcessLookupError):
                # The parent alone first: its children go on in its buffers, or in theirs.
                if generator.random() < 0.5:
                    process.kill()
                    time.sleep(generator.random() * 0.01)
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    recording = bench.end(lttd, status=None)
    recording.status = lttd.returncode
    return recording


def test_storms_of_kills_forks_and_signals(bench):
    """Each thread has at most one event that it did not finish, and so have handlers; of the others none is lost."""
    generator = random.Random(19)
    for name, options, env in [('default', [], {}), ('tiny', ['--size', '16k', '--count', '4'], {}), ('rings', [], NO_RSEQ)]:
        for attempt in range(4):
            counts = bench.folder / f'counts-{name}-{attempt}'
            recording = storms(bench, f'{name}-{attempt}', ['--lossless', '10000', *options], env, counts, generator)
            # A busy machine may let lttd answer after the time for which programs wait.
            if not recording.summary['programs']['late_programs']:
                break
        equal(f'exit status of lttd ({recording.errors})', 0, recording.status)
        *numbers, caught, caught_done = struct.unpack(f'{counts.stat().st_size // 8}q', counts.read_bytes())
        begun, done = sum(numbers[1::2]) + caught, sum(numbers[2::2]) + caught_done
        check(caught > 0, name, ': no handler has run')
        # In a thread's own ring a handler's event waits for the one that it interrupted, and ends with that.
        caught_done = 0 if name == 'rings' else caught_done
        check(done <= recording.stored + recording.lost <= begun, name, ':', done, 'emitted,', recording.stored, 'stored,',
              recording.lost, 'lost of', begun, 'begun')
        equal(f'lost ({name})', 0, recording.lost)
        # A thread may have been killed amid its first event.
        threads = len(in_order(recording.named('test:count')))
        check(sum(number > 0 for number in numbers[2::2]) <= threads <= sum(number > 0 for number in numbers[1::2]),
              name, ':', threads, 'threads')


# ---- Limits ----

def test_memory_is_limited(bench):
    """Programs that get no buffers are named, and the others are recorded whole."""
    lttd = bench.lttd(options=['--memory', '1M', '--flush', '0'])
    processes = [bench.start(*bench.prog('count-and-wait', 200), env=env_of(lttd)) for _ in range(120)]
    check(sum(memory_of(lttd)) <= 1 << 20, 'memory', memory_of(lttd))
    for process in processes:
        process.communicate('go\n', timeout=DEADLINE)
    recording = bench.end(lttd, status=1)
    recorded = in_order(recording.named('test:count'))
    named = set(re.findall(r'^lttd: program prog \(pid (\d+)\) .*--memory', recording.errors, re.M))
    equal('events', {200}, set(recorded.values()))
    equal('named or recorded', {str(process.pid) for process in processes}, named | set(recorded))
    check(named and not named & set(recorded), len(named), 'are named of', len(processes))
    check(len(recorded) >= 5, len(recorded), 'are recorded')


def test_memory_is_limited_while_programs_write(bench):
    """Also while lttd is stopped; what has no room is counted as lost, and the limit is named."""
    for kind, options, env in ('reading', [], {}), ('flight-recorder', ['--overwrite'], {}), ('rings', [], NO_RSEQ):
        lttd = bench.lttd(kind, options=['--memory', '4M', *options])
        processes = [bench.start(*bench.prog('until-told', 100000), env=env_of(lttd, **env)) for _ in range(8)]
        # lttd withholds memory before the programs have written anything.
        wait_until('all have connected', lambda: len(memory_of(lttd)) == 8)
        stop(lttd)
        for process in processes:
            process.communicate('go\n', timeout=DEADLINE)
        check(sum(memory_of(lttd)) <= (4 << 20), kind, 'memory', memory_of(lttd))
        lttd.send_signal(signal.SIGCONT)
        recording = bench.end(lttd, status=None)
        over = [int(nr) for nr in re.findall(r'has lost (\d+) events: .*--memory', recording.errors)]
        check(over and sum(over) <= recording.lost, kind, over, 'of', recording.lost)
        check(recording.lost <= 800000 == recording.stored + recording.lost or kind == 'flight-recorder',
              kind, recording.stored, recording.lost)


def test_programs_that_write_much_get_more_memory(bench):
    """It comes from those that write little, of which there are so many that half of the limit is theirs."""
    lttd = bench.lttd(options=['--memory', '8M', '--size', '16k', '--count', '64', '--flush', '50'])
    for _ in range(6):
        bench.start(*bench.prog('count-and-wait', 10), env=env_of(lttd))
    writer = bench.start(*bench.prog('forever', 20), env=env_of(lttd))
    size = lambda: sum((lttd.trace / f'user-{os.geteuid()}' / name).stat().st_size for name in files_of(lttd))
    wait_until('it has written much', lambda: size() > 2 << 20)
    writer.terminate()
    writer.wait(DEADLINE)
    check(sum(memory_of(lttd)) <= 8 << 20, 'memory', memory_of(lttd))
    recording = bench.end(lttd)
    equal('lost', 0, recording.lost)


def test_slow_programs_have_little_memory(bench):
    """The memory of records that lttd has written goes back to the kernel."""
    lttd = bench.lttd(options=['--flush', '20'])
    processes = [bench.start(*bench.prog('forever', 50), env=env_of(lttd)) for _ in range(2)]
    size = lambda: sum((lttd.trace / f'user-{os.geteuid()}' / name).stat().st_size for name in files_of(lttd))
    wait_until('they have written a lot', lambda: size() > 3 << 20)
    equal('sets of buffers', 2, len(memory_of(lttd)))
    check(max(memory_of(lttd)) <= 256 << 10, 'memory', memory_of(lttd))
    for process in processes:
        process.terminate()
        process.wait()
    recording = bench.end(lttd)
    equal('lost', 0, recording.lost)
    equal('programs', 2, len(in_order(recording.named('test:count'))))


def test_a_day_of_slow_programs(bench):
    """As many flushes as a day has seconds (--many), each of an event, while other programs start and end.

    lttd stays as it is, and each event takes a page at most.
    """
    flushes, nr_short = 86400 if bench.many else 3000, 0
    lttd = bench.lttd(options=['--flush', '1'])
    slow = [bench.start(*bench.prog('forever', 1000, flushes), env=env_of(lttd)) for _ in range(2)]
    sizes = []
    while any(process.poll() is None for process in slow) or nr_short < 10:
        subprocess.run(bench.prog('count', 1), env=env_of(lttd), check=True, timeout=DEADLINE)
        nr_short += 1
        sizes.append((int(re.search(r'VmRSS:\s+(\d+)', Path(f'/proc/{lttd.pid}/status').read_text())[1]),
                      len(os.listdir(f'/proc/{lttd.pid}/fd'))))
        time.sleep(0.1)
    recording = bench.end(lttd)
    equal('lost', 0, recording.lost)
    equal('events', sorted([1] * nr_short + [flushes] * 2), sorted(in_order(recording.named('test:count')).values()))
    equal('starts and ends', (nr_short + 2, nr_short + 2),
          (len(recording.fields('ltt:program_started')), len(recording.fields('ltt:program_ended'))))
    check(sizes[-1][0] < sizes[5][0] + 2048 + 256 * os.cpu_count() and sizes[-1][1] < sizes[5][1] + 10, 'memory in KiB and files', sizes[5], sizes[-1])
    size = sum((lttd.trace / f'user-{os.geteuid()}' / name).stat().st_size for name in files_of(lttd))
    check(size <= 4096 * (2 * flushes + 2 * nr_short + 100), 'bytes', size)


def many(bench, nr):
    """Processes that live at the same time: memory and files are bounded, and nothing is lost.

    At most 50 of them start at a time: a program begins without an answer of lttd after 0.3 seconds,
    which thousands that start take to get a CPU.
    """
    lttd = bench.lttd()
    reader, writer = os.pipe()
    script = f'while read count; do for i in $(seq $count); do {bench.program("prog")} count-and-wait 5 <&{reader} & done; done; wait'
    shell = subprocess.Popen(['bash', '-c', script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env_of(lttd), text=True,
                             pass_fds=[reader])
    bench.started.append(shell)
    os.close(reader)
    for begun in range(0, nr, 50):
        shell.stdin.write(f'{min(50, nr - begun)}\n')
        shell.stdin.flush()
        for _ in range(min(50, nr - begun)):
            equal('line', 'begun\n', shell.stdout.readline())
    shell.stdin.close()
    memory, files = memory_of(lttd), files_of(lttd)
    os.close(writer)
    shell.wait(10 * DEADLINE)
    return lttd, memory, files


def test_hundreds_of_processes(bench):
    lttd, memory, _ = many(bench, 300)
    check(max(memory) <= 64 << 10, 'the largest:', max(memory))
    recording = bench.end(lttd)
    equal('stored and lost', (1500, 0), (recording.stored, recording.lost))
    equal('processes', 300, len(in_order(recording.named('test:count'))))


def test_thousands_of_processes(bench):
    """Memory is bounded, and those that the limit of open files permits are recorded."""
    if not bench.many:
        raise Skipped('this takes long: make check-all')
    lttd, memory, _ = many(bench, 10000)
    check(len(memory) >= min(10000, resource.getrlimit(resource.RLIMIT_NOFILE)[1] // 2), len(memory), 'are recorded')
    check(sum(memory) <= len(memory) * (64 << 10), 'memory:', sum(memory))
    recording = bench.end(lttd, status=None)
    equal('complete', len(memory) == 10000 and 'did not wait' not in recording.errors, not lttd.returncode)
    equal('lost', 0, recording.lost)
    numbers = {}
    for event in recording.named('test:count'):
        numbers.setdefault(event['pid'], []).append(int(event['fields'].split()[-1]))
    equal('all of each, or all since it joined', [], [got for got in numbers.values() if got != list(range(5))[-len(got):]])
    print(f'# {len(memory)} processes recorded, with {sum(memory) >> 20} MiB')


def test_programs_beyond_the_limit_of_open_files_are_named(bench):
    lttd = bench.lttd(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100)))
    processes = [bench.start(*bench.prog('count-and-wait', 10), env=env_of(lttd)) for _ in range(40)]
    for process in processes:
        process.communicate('go\n', timeout=DEADLINE)
    recording = bench.end(lttd, status=1)
    recorded = in_order(recording.named('test:count'))
    named = set(re.findall(r'^lttd: program prog \(pid (\d+)\).* room for 25 programs', recording.errors, re.M))
    equal('named or recorded', {str(process.pid) for process in processes}, named | set(recorded))
    check(named and len(recorded) >= 10, len(named), 'are named,', len(recorded), 'are recorded')


def connect_falsely(path, nr, user):
    """A process of another user, with connections that send HELLO and no more, until it is killed."""
    begun = os.pipe()
    pid = os.fork()
    if pid:
        os.close(begun[1])
        equal('it has begun', b'x', os.read(begun[0], 1))
        os.close(begun[0])
        return pid
    try:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        connections = []
        for _ in range(nr):
            connections.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            connections[-1].connect(path)
            with contextlib.suppress(OSError):
                connections[-1].send(struct.pack('=II16sQQ', 0, VERSION, b'false', 0, 0))
                connections[-1].send(struct.pack('=IIII', 2, 1, 1, 0))
        os.write(begun[1], b'x')
        signal.pause()
    finally:
        os._exit(0)


def test_false_connections_leave_room_for_other_users(bench):
    if os.geteuid():
        raise Skipped('only root has several users')
    bench.folder.chmod(0o755)
    lttd = bench.lttd(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (10128, 10128)))
    liars = [connect_falsely(lttd.socket, 6000, user) for user in USERS]
    honest = bench.start(*bench.prog('until-told', 1000), env=env_of(lttd))
    wait_until('it is recorded', lambda: 'on  user:test:count' in lttctl(bench, 'markers', 'user:test:count'))
    honest.communicate('go\n', timeout=DEADLINE)
    for pid in liars:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    bench.end(lttd, status=1)
    recording = Recording(lttd.trace / 'user-0', {}, '', '')
    equal('events of an honest program', {str(honest.pid): 1000}, in_order(recording.named('test:count')))


# ---- Flight recorders ----

def test_a_flight_recorder_keeps_the_buffers_of_ended_processes(bench):
    lttd = bench.lttd(options=['--overwrite', *SMALL])
    subprocess.run(['sh', '-c', f'for i in $(seq 30); do {bench.program("prog")} count 10; done'], check=True,
                   env=env_of(lttd), timeout=DEADLINE)
    alive = bench.start(*bench.prog('count-and-wait', 10), env=env_of(lttd))
    path = lttctl(bench, 'snapshot', name_of(lttd)).strip()
    check(path.endswith('trace-snapshot-1'), path)
    snapshot = Recording(lttd.trace.with_name('trace-snapshot-1'), {}, '', '')
    alive.communicate('go\n', timeout=DEADLINE)
    recording = bench.end(lttd)
    for each in snapshot, recording:
        counts = in_order(each.named('test:count'))
        equal('processes', 31, len(counts))
        equal('events of each', {10}, set(counts.values()))
    check(len(files_of(lttd)) <= 8 * os.cpu_count(), files_of(lttd))


def test_a_flight_recorder_drops_those_that_ended_first(bench):
    lttd = bench.lttd(options=['--overwrite', *SMALL, '--memory', '1M'])
    pids = []
    for _ in range(30):
        process = bench.start(*bench.prog('count', 10000), begun=False, env=env_of(lttd))
        process.wait(DEADLINE)
        pids.append(str(process.pid))
    recording = bench.end(lttd)
    found = list(in_order(recording.named('test:count', complaints=True)))
    check(0 < len(found) < 30, len(found), 'of 30 are left')
    equal('left are the last', pids[-len(found):], [pid for pid in pids if pid in found])
    check(recording.summary['programs']['overwritten_subbuffers'] >= 30 - len(found), recording.summary)


def cpu_time(process):
    """In ticks of 10 ms."""
    fields = Path(f'/proc/{process.pid}/stat').read_text().rpartition(')')[2].split()
    return int(fields[11]) + int(fields[12])


def test_a_flight_recorder_grows_when_memory_is_free_again(bench):
    """A ring that is full has no room for newer events until then."""
    # Programs of tests that run beside this would take memory, too.
    alone = {'LTT_RUN_DIR': str(bench.folder / 'run')}
    (bench.folder / 'run').mkdir()
    lttd = bench.lttd(options=['--overwrite', '--memory', '1M', '--size', '16k', '--count', '16'], env={**os.environ, **alone})
    others = [bench.start(*bench.prog('count-and-wait', 10), env=env_of(lttd, **alone)) for _ in range(9)]
    # On one CPU: a ring of another would be a reason of its own for more memory.
    cpu = {min(os.sched_getaffinity(0))}
    writer = bench.start(*bench.prog('forever', 20), env=env_of(lttd, **alone), preexec_fn=lambda: os.sched_setaffinity(0, cpu))
    newest = [-1]

    def moves():
        # Otherwise a writer that has had no CPU since the last time would look like a full ring.
        before = cpu_time(writer)
        wait_until('it writes', lambda: cpu_time(writer) >= before + 3)
        said = lttctl(bench, 'snapshot', name_of(lttd), env={**os.environ, **alone}).strip()
        events = Recording(Path(said), {}, '', '').named('test:count', complaints=True)
        newest.append(max(int(re.match(r'i = (\d+)', event['fields'])[1])
                          for event in events if event['tid'] == str(writer.pid)))
        return newest[-1] > newest[-2]
    wait_until('its rings are full', lambda: not moves())
    for process in others:
        process.communicate('go\n', timeout=DEADLINE)
    wait_until('it is recorded again', moves)
    writer.terminate()
    writer.wait(DEADLINE)
    bench.end(lttd)
    check('--memory' in lttd.said.read_text(), lttd.said.read_text())


# ---- Sockets ----

def test_sockets_of_killed_programs_are_removed(bench):
    folder = bench.folder / 'run'
    folder.mkdir()
    lttd = bench.lttd(env={**os.environ, 'LTT_RUN_DIR': str(folder)})
    left = lambda: [path.name for path in (folder / 'lttd').glob('program-*')]
    processes = [bench.start(*bench.prog('count-and-wait', 1), env=env_of(lttd, LTT_RUN_DIR=str(folder))) for _ in range(20)]
    equal('sockets', 20, len(left()))
    for process in processes:
        process.kill()
        process.wait()
    wait_until('they are gone', lambda: not left())
    bench.end(lttd)
