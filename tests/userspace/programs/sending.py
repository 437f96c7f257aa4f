# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: recordings that are sent to a collector, the stock lttng-relayd, whatever happens to it."""
import contextlib
import fcntl
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time
from pathlib import Path

from bench import DEADLINE, Skipped, check, equal, wait_until
from pieces import SMALL, pieces_of, read

N = 100000


def free_ports(host, nr=3):
    family = socket.AF_INET6 if ':' in host else socket.AF_INET
    sockets = [socket.socket(family) for _ in range(nr)]
    for one in sockets:
        one.bind((host, 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Relayd:
    """A collector; it can be killed, and started again at the same ports."""

    def __init__(self, bench, host='127.0.0.1', within=(), root=None):
        if not root and not shutil.which('lttng-relayd'):
            raise Skipped('no lttng-relayd')
        self.bench, self.host, self.within = bench, host, within
        self.out, self.log = bench.folder / 'collected', bench.folder / 'relayd.log'
        self.out_there = self.out
        if root:
            self.out_there = Path('/tmp') / bench.folder.name
            self.out, self.within = root / self.out_there.relative_to('/'), ['chroot', root]
        self.ports = [5342, 5343, 5344] if within else free_ports(host)
        self.process = None

    def start(self):
        scheme, host = ('tcp6', f'[{self.host}]') if ':' in self.host else ('tcp', self.host)
        where = [f'{scheme}://{host}:{port}' for port in self.ports]
        self.process = subprocess.Popen([*self.within, 'lttng-relayd', '-o', self.out_there, '-C', where[0], '-D', where[1],
                                         '-L', where[2].replace(host, '127.0.0.1').replace('tcp6', 'tcp')],
                                        stdout=open(self.log, 'a'), stderr=subprocess.STDOUT)
        self.bench.started.append(self.process)
        wait_until('the relayd listens', self.listens)
        return self

    def listens(self):
        port = f':{self.ports[1]:04X} '
        return any(port in line and ' 0A ' in line
                   for name in ('tcp', 'tcp6') for line in open(f'/proc/{self.process.pid}/net/{name}'))

    def kill(self, signo=signal.SIGKILL):
        self.process.send_signal(signo)
        if signo == signal.SIGKILL:
            self.process.wait()

    def url(self, name='', host=None):
        host = host or (f'[{self.host}]' if ':' in self.host else self.host)
        return f'net://{host}:{self.ports[0]}:{self.ports[1]}' + (f'/{name}' if name else '')

    def sessions(self):
        return sorted(self.out.glob('*/*'))

    def received(self):
        return sum(file.stat().st_size for file in self.out.glob('*/*/**/events_*') if file.is_file())

    def session(self):
        sessions = self.sessions()
        equal('sessions at the collector', 1, len(sessions))
        return sessions[0]


def files_of(path):
    return {file.relative_to(path): file.read_bytes() for file in path.rglob('*') if file.is_file() and file.parent.name != 'index'}


def text_of(path):
    run = subprocess.run(['babeltrace2', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    equal('babeltrace2', (0, ''), (run.returncode, run.stderr))
    return run.stdout


def same(local, remote):
    """File for file, and event for event."""
    ours, theirs = files_of(local), files_of(remote)
    equal('files at the collector', sorted(ours), sorted(theirs))
    equal('files that differ', [], [name for name in ours if ours[name] != theirs[name]])
    equal('the text', text_of(local), text_of(remote))
    indexes = list(remote.rglob('*.idx'))
    equal('indexes', len([name for name in theirs if name.name != 'metadata']), len(indexes))


def all_numbers(nr, path):
    """Each event is there, once, in order."""
    numbers = read(path)
    wrong = next((i for i, (want, got) in enumerate(zip(range(nr), numbers)) if want != got), min(nr, len(numbers)))
    check(wrong == nr == len(numbers), f'{len(numbers)} numbers, {len(set(numbers))} different ones, of {nr}; number {wrong} is not followed '
          f'by the next: {numbers[max(wrong - 3, 0):wrong + 3]}')


def send(bench, path, url, *options, status=0, timeout=DEADLINE):
    run = subprocess.run([bench.built / 'lttctl', 'send', '--to', url, *options, path], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=timeout)
    equal(f'exit status of lttctl send ({run.stdout.strip()})', status, run.returncode)
    return run.stdout


def spools(bench):
    return list((bench.folder / 'tmp').iterdir())


def alone(bench):
    """A rendezvous folder of its own: other programs of this user are not recorded."""
    folder = bench.folder / 'run'
    folder.mkdir(exist_ok=True)
    return {'LTT_RUN_DIR': str(folder)}


def begin(bench, url, *command, options=(), stdin=None):
    """A recording that is sent while it runs, without a directory of its own."""
    (bench.folder / 'tmp').mkdir(exist_ok=True)
    command = [bench.built / 'lttctl', 'record', '--to', url, '-e', 'user:test:*', '--state', 'none', *SMALL,
               '--lossless', '5000', '--piece-size', '256k', *options, '--', *map(str, command)]
    process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, 'TMPDIR': str(bench.folder / 'tmp'), **alone(bench)})
    bench.started.append(process)
    return process


def name_of(process):
    """Of one that may be gone."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f'/proc/{process}/comm').read_text().strip()
    return ''


def sender_of(process):
    """The process of `lttctl send`, or None."""
    for child in Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if b'send' in Path(f'/proc/{child}/cmdline').read_bytes().split(b'\0'):
                return child
    return None


def has_recorded(bench, process):
    """Whether the command has ended, and lttd has closed all pieces.  While it runs, each may be closed: a new one has no mark yet."""
    children = Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split()
    programs = [child for child in children if name_of(child) == 'prog']
    return not programs and spools(bench) and len(pieces_of(spools(bench)[0])) > 1 and not list(spools(bench)[0].glob('*/open'))


def end(bench, process, status=0, timeout=60):
    """Its messages.  Nothing is left in the spool, unless it has failed."""
    said = process.communicate(timeout=timeout)[1]
    equal(f'exit status of lttctl record ({said})', status, process.returncode)
    equal('spools', status != 0, bool(spools(bench)))
    check(status or 'complete  yes' in said, said)
    return said


def test_a_recording_that_is_sent_is_the_same(bench):
    relayd = Relayd(bench).start()
    recording = bench.record(*bench.prog('count', N), env=alone(bench), options=[*SMALL, '--lossless', '5000', '--piece-size', '256k'])
    check(len(pieces_of(recording.path)) > 4, 'pieces')
    send(bench, recording.path, relayd.url('name'))
    same(recording.path, relayd.session())
    # The same again replaces the first.
    send(bench, recording.path, relayd.url('name'))
    same(recording.path, relayd.session())
    single = bench.record(*bench.prog('count', N), env=alone(bench), name='single')
    send(bench, single.path, relayd.url())
    same(single.path, relayd.sessions()[1])
    check((recording.path / '0001').exists() and (recording.path / 'state').exists(), 'the recording is still there')
    send(bench, recording.path, relayd.url('removed'), '--remove')
    send(bench, single.path, relayd.url('single'), '--remove')
    for removed in recording, single:
        check(not removed.path.exists(), 'the recording was to be removed')


def test_a_recording_is_sent_while_it_runs(bench):
    relayd = Relayd(bench).start()
    # As a service does.
    file = bench.folder / 'box.conf'
    file.write_text(f'piece-size = 256k\nlossless = 5000\nto = {relayd.url("name")}\n')
    recording = bench.record(*bench.prog('count', N), env=alone(bench), options=[*SMALL, '--options', file])
    equal('complete', True, recording.summary['complete'])
    same(recording.path, relayd.session())
    check(re.fullmatch(r'name-\d{8}-\d{6}', relayd.session().name), relayd.session().name)
    process = begin(bench, relayd.url('other'), *bench.prog('count', N))
    end(bench, process)
    all_numbers(N, relayd.sessions()[1])


def test_a_recording_that_goes_on_is_sent(bench):
    """Also packets that are not full come at once."""
    relayd = Relayd(bench).start()
    env = {**os.environ, **alone(bench)}
    lttd = bench.lttd(options=['--piece-size', '1M'], env=env)
    program = bench.start(*bench.prog('forever', 1000), env=env)
    sender = subprocess.Popen([bench.built / 'lttctl', 'send', '--to', relayd.url('name'), lttd.trace], stdout=subprocess.DEVNULL)
    bench.started.append(sender)
    wait_until('packets arrive', lambda: relayd.received() > 0)
    equal('the sender goes on', None, sender.poll())
    program.terminate()
    recording = bench.end(lttd)
    equal('exit status of the sender', 0, sender.wait(DEADLINE))
    same(lttd.trace, relayd.session())
    all_numbers(recording.stored, relayd.session())


def test_two_lttds_that_are_sent(bench):
    """One has few pieces, whose numbers are behind those of the other, which are removed."""
    relayd = Relayd(bench).start()
    env = [{**os.environ, 'LTT_RUN_DIR': str(bench.folder / name)} for name in ('slow-run', 'fast-run')]
    for one in env:
        os.mkdir(one['LTT_RUN_DIR'])
    slow = bench.lttd(options=['--piece-size', '16M'], env=env[0])
    fast = bench.lttd(options=[*SMALL, '--lossless', '5000', '--piece-size', '256k'], env=env[1])
    sender = subprocess.Popen([bench.built / 'lttctl', 'send', '--remove', '--to', relayd.url('name'), slow.trace],
                              stdout=subprocess.DEVNULL)
    bench.started.append(sender)
    bench.start(*bench.prog('count', 1000), begun=False, env=env[0]).wait(DEADLINE)
    bench.start(*bench.prog('count', N), begun=False, env=env[1]).wait(DEADLINE)
    stored = bench.end(fast).stored
    wait_until('the pieces of the fast one are sent', lambda: len(pieces_of(slow.trace)) <= 2)
    slow.send_signal(signal.SIGUSR1)
    wait_until('the first piece is sent', lambda: not (slow.trace / '0001').exists())
    bench.start(*bench.prog('count', 1000), begun=False, env=env[0]).wait(DEADLINE)
    stored += bench.end(slow).stored
    equal('exit status of the sender', 0, sender.wait(DEADLINE))
    check(not slow.trace.exists(), 'the spool is still there', list(slow.trace.rglob('*')))
    equal('events', stored, text_of(relayd.session()).count('test:count: '))


def opened(piece, beacon):
    """An open piece, as an lttd that writes no further beacon has it, until the file is closed."""
    mark = open(piece / 'open', 'w')
    mark.write(f'{beacon:020} {beacon:020}\n' if beacon else '')
    mark.flush()
    fcntl.lockf(mark, fcntl.LOCK_EX)
    return mark


def test_packets_are_sent_without_beacons(bench):
    """One lttd writes none, so the packets of the other one are later than what is known to be complete."""
    relayd = Relayd(bench).start()
    recording = bench.record(*bench.prog('count', N), env=alone(bench), options=[*SMALL, '--lossless', '5000', '--piece-size', '1G'])
    shutil.copytree(recording.path / '0001', recording.path / '0002')
    packets = sum(file.stat().st_size for file in recording.path.glob('000*/*/events_*'))
    with opened(recording.path / '0001', 1), opened(recording.path / '0002', 0):
        sender = subprocess.Popen([bench.built / 'lttctl', 'send', '--to', relayd.url('name'), recording.path],
                                  stdout=subprocess.DEVNULL)
        bench.started.append(sender)
        wait_until('all packets arrive', lambda: relayd.received() >= packets)
        equal('the sender goes on', None, sender.poll())
    for piece in '0001', '0002':
        (recording.path / piece / 'open').unlink()
    equal('exit status of the sender', 0, sender.wait(DEADLINE))
    same(recording.path / '0001', relayd.session() / '0001')


def test_an_lttd_sends_its_pieces(bench):
    """Also those that a killed one has left; its directory goes."""
    relayd = Relayd(bench).start()
    env = {**os.environ, **alone(bench)}
    killed = bench.lttd(options=['--piece-size', '1M'], env=env)
    bench.start(*bench.prog('count', 1000), begun=False, env=env).wait(DEADLINE)
    wait_until('packets are written', lambda: sum(file.stat().st_size for file in killed.trace.glob('0001/*/events_*')))
    killed.kill()
    killed.wait()
    lttd = bench.lttd(options=['--to', relayd.url('name'), *SMALL, '--lossless', '5000', '--piece-size', '256k'], env=env)
    bench.start(*bench.prog('count', N), begun=False, env=env).wait(DEADLINE)
    equal('stored', N, bench.end(lttd).stored)
    check(not lttd.trace.exists(), 'the spool is still there')
    numbers = [int(number) for number in re.findall(r'test:count: .*\{ i = (\d+) \}$', text_of(relayd.session()), re.M)]
    equal('events of the second', list(range(N)), numbers[-N:])
    check(0 < len(numbers) - N <= 1000, 'events of the first', len(numbers) - N)


def test_a_collector_that_is_killed_loses_nothing(bench):
    relayd = Relayd(bench).start()
    process = begin(bench, relayd.url('name'), *bench.prog('forever', 0, 5 * N))
    for _ in range(3):
        before = relayd.received()
        wait_until('more arrives', lambda: relayd.received() > before + (300 << 10) or process.poll() is not None)
        relayd.kill()
        time.sleep(0.1)     # the sender meets a port that is closed
        relayd.start()
    said = end(bench, process)
    check('(trying again)' in said, said)
    all_numbers(5 * N, relayd.session())


def test_a_collector_that_comes_late(bench):
    relayd = Relayd(bench)
    process = begin(bench, relayd.url('name'), *bench.prog('forever', 100, 3000))
    wait_until('there is a spool', lambda: spools(bench))
    time.sleep(0.3)         # the first attempts fail
    relayd.start()
    said = end(bench, process)
    check('refused' in said, said)
    all_numbers(3000, relayd.session())


def test_a_collector_that_never_comes(bench):
    """The recording does not wait for it; what it says sends the rest later."""
    relayd = Relayd(bench)
    process = begin(bench, relayd.url('name'), *bench.prog('count', N))
    wait_until('the recording has ended', lambda: has_recorded(bench, process))
    # The first may be for the end of the recording, before lttctl waits for the collector.
    wait_until('lttctl has ended', lambda: process.send_signal(signal.SIGINT) or process.poll() is not None)
    said = end(bench, process, status=125)
    relayd.start()
    command = re.search(r'`lttctl (send .*?)`', said)[1].split()
    subprocess.run([bench.built / 'lttctl', *command], check=True, stdout=subprocess.DEVNULL)
    equal('spools', [], spools(bench))
    all_numbers(N, relayd.session())


def test_a_sender_that_is_killed_is_reported_while_the_recording_goes_on(bench):
    relayd = Relayd(bench).start()
    process = begin(bench, relayd.url('name'), 'cat', stdin=subprocess.PIPE)
    wait_until('the sender runs', lambda: sender_of(process))
    sender = sender_of(process)
    os.kill(int(sender), signal.SIGKILL)
    # The command, cat, still runs.  Without the message it ends in time.
    timer = threading.Timer(DEADLINE, process.stdin.close)
    timer.start()
    line = next((line for line in process.stderr if 'signal' in line), '')
    check('signal 9' in line and relayd.url('name') in line, line)
    timer.cancel()
    equal('lttctl', None, process.poll())
    process.communicate(timeout=DEADLINE)
    equal('exit status', 125, process.returncode)


def test_a_full_spool_drops_the_oldest_pieces(bench):
    relayd = Relayd(bench)
    # On one CPU: a packet of another CPU may be in an earlier piece than older records.
    process = begin(bench, relayd.url('name'), 'taskset', '-c', min(os.sched_getaffinity(0)),
                    *bench.prog('forever', 0, 5 * N), options=['--quota', '2M'])
    wait_until('a piece was removed', lambda: spools(bench) and pieces_of(spools(bench)[0]) and
               not (spools(bench)[0] / '0001').exists())
    wait_until('the recording has ended', lambda: has_recorded(bench, process))
    relayd.start()
    said = process.communicate(timeout=60)[1]
    equal('exit status', 125, process.returncode)
    dropped = re.findall(r'piece \S+/(\d{4}) was removed before it was sent.*: (\d+) bytes', said)
    check(dropped and int(dropped[0][0]) == 1 and sum(int(number) for _, number in dropped) > 1 << 20, said)
    check('complete  no' in said, said)
    numbers = [int(number) for number in re.findall(r'test:count: .*\{ i = (\d+) \}$', subprocess.run(
        ['babeltrace2', relayd.session()], stdout=subprocess.PIPE, text=True).stdout, re.M)]
    check(numbers == list(range(numbers[0], 5 * N)),
          f'from {numbers[0]} on {5 * N - numbers[0]} should be there, and {len(numbers)} are')
    check(numbers[0] > 0, 'the oldest are not')


def test_collectors_have_names_and_addresses(bench):
    recording = bench.record(*bench.prog('count', 100), env=alone(bench))
    relayd = Relayd(bench).start()
    for host in 'localhost', '127.0.0.1', '':
        shutil.rmtree(relayd.out, ignore_errors=True)
        send(bench, recording.path, relayd.url('name', host).replace('//127.0.0.1', f'//{host}'))
        same(recording.path, relayd.session())
    relayd.kill()
    try:
        relayd = Relayd(bench, '::1')
    except OSError as error:
        raise Skipped(f'IPv6: {error}') from error
    relayd.start()
    for url in relayd.url('six'), relayd.url('six').replace('net:', 'net6:'):
        shutil.rmtree(relayd.out, ignore_errors=True)
        send(bench, recording.path, url)
        same(recording.path, relayd.session())


def test_a_newer_collector(bench):
    """The lttng-relayd that `make check-all` fetches."""
    root = bench.built.parent / 'relayd'
    if not (root / 'complete').exists() or os.geteuid():
        raise Skipped('no build/relayd: run tests/kernels/fetch-relayd as root')
    relayd = Relayd(bench, root=root).start()
    try:
        recording = bench.record(*bench.prog('count', N), env=alone(bench), options=[*SMALL, '--lossless', '5000', '--piece-size', '256k',
                                                                   '--to', relayd.url('name')])
        equal('complete', True, recording.summary['complete'])
        same(recording.path, relayd.session())
        shutil.rmtree(relayd.out)
        process = begin(bench, relayd.url('name'), *bench.prog('forever', 0, 20 * N))
        wait_until('packets arrive', lambda: relayd.received() > 300 << 10)
        relayd.kill()
        relayd.start()
        end(bench, process)
        all_numbers(20 * N, relayd.session())
    finally:
        relayd.kill()
        shutil.rmtree(relayd.out, ignore_errors=True)


def test_usage_of_send(bench):
    recording = bench.record(*bench.prog('count', 100), env=alone(bench))
    for url in 'tcp://x', 'net://x:0', 'net://x:65536', 'net://[::1', 'net://x/a/b', 'net://x/.a', 'net:x':
        said = send(bench, recording.path, url, status=2)
        check(url in said, said)
    send(bench, bench.folder / 'nowhere', 'net://localhost', status=1)
    send(bench, recording.path, 'net://localhost', '--timeout', 'x', status=2)
    (bench.folder / 'empty').mkdir()
    send(bench, bench.folder / 'empty', 'net://localhost', status=1)
    said = send(bench, recording.path, f'net://localhost:{free_ports("127.0.0.1")[0]}', '--timeout', '1ms', status=1)
    check('refused' in said, said)
    packed = bench.record(*bench.prog('count', 100), env=alone(bench), name='packed', options=['--piece-size', '1M', '--compress'])
    said = send(bench, packed.path, 'net://localhost', '--timeout', '1ms', status=1)
    check('unzstd' in said, said)
    equal('exit status of --compress with --to', 2, subprocess.run(
        [bench.built / 'lttctl', 'record', '--compress', '--to', 'net://localhost', '-e', 'user:test:*', 'true'],
        stderr=subprocess.DEVNULL).returncode)
    said = send(bench, recording.path, 'net://nowhere.invalid', '--timeout', '1ms', status=1)
    check('nowhere.invalid' in said, said)


OK = struct.pack('>I', 10)
VERSION = struct.pack('>II', 2, 13)
SESSION = struct.pack('>Q', 1) + OK
LIARS = {
    'silence': b'',
    'another protocol': b'HTTP/1.1 400 Bad Request\r\n\r\n' * 100,
    'an old version': struct.pack('>II', 2, 3) + SESSION,
    'another version': struct.pack('>II', 3, 0) + SESSION,
    'no session': VERSION + struct.pack('>QI', 0, 96),
    'no stream': VERSION + SESSION + struct.pack('>QI', 2 ** 64 - 1, 96) * 100,
    'noise': VERSION + SESSION + b'\xff' * 100000,
    'zeros': VERSION + SESSION + bytes(100000),
    'more than was asked': VERSION + SESSION + (struct.pack('>Q', 7) + OK) * 3 + OK * 100000,
}


def lie(server, answer):
    """Connections stay open, unless there is nothing to say."""
    connections = []
    with contextlib.suppress(OSError):
        while True:
            connections.append(server.accept()[0])
            connections[-1].sendall(answer)
            if not answer:
                connections.pop().close()


def test_collectors_that_lie(bench):
    """The sender gives up in the end, and what is in the directory stays."""
    recording = bench.record(*bench.prog('count', 100), env=alone(bench))
    before = files_of(recording.path)
    for name, answer in LIARS.items():
        servers = [socket.create_server(('127.0.0.1', 0)) for _ in range(2)]
        threading.Thread(target=lie, args=(servers[0], answer), daemon=True).start()
        said = send(bench, recording.path, 'net://127.0.0.1:%d:%d/x' % tuple(server.getsockname()[1] for server in servers),
                    '--remove', '--timeout', '500ms', status=1)
        check('(trying again)' in said, name, said)
        equal('the recording', before, files_of(recording.path))
        for server in servers:
            server.close()


@contextlib.contextmanager
def network(bench):
    """A machine of its own for the collector, at the other end of a cable."""
    space, cable = f'ltt-{os.getpid()}', f'ltt{os.getpid() % 100000}'
    commands = [f'ip netns add {space}', f'ip link add {cable} type veth peer name eth0 netns {space}',
                f'ip addr add 10.213.77.1/30 dev {cable}', f'ip link set {cable} up',
                f'ip -n {space} addr add 10.213.77.2/30 dev eth0', f'ip -n {space} link set eth0 up',
                f'ip -n {space} link set lo up']
    if os.geteuid() or subprocess.run(commands[0].split(), stderr=subprocess.DEVNULL).returncode:
        raise Skipped('no network namespaces')
    try:
        for command in commands[1:]:
            subprocess.run(command.split(), check=True)
        yield space, lambda state: subprocess.run(f'ip -n {space} link set eth0 {state}'.split(), check=True)
    finally:
        subprocess.run(f'ip link del {cable}'.split())
        subprocess.run(f'ip netns del {space}'.split())


def test_a_network_that_is_gone_for_a_while(bench):
    with network(bench) as (space, cable):
        relayd = Relayd(bench, '10.213.77.2', ['ip', 'netns', 'exec', space]).start()
        process = begin(bench, relayd.url('name'), *bench.prog('forever', 20, 2 * N))
        wait_until('packets arrive', lambda: relayd.received() > 300 << 10)
        cable('down')
        lines = iter(process.stderr.readline, '')
        check(any('acknowledged nothing' in line or 'reached' in line or 'route' in line for line in lines), 'a fault')
        cable('up')
        end(bench, process, timeout=180)
        all_numbers(2 * N, relayd.session())
        relayd.kill()


def test_a_collector_that_is_stopped_is_waited_for(bench):
    relayd = Relayd(bench).start()
    process = begin(bench, relayd.url('name'), *bench.prog('forever', 0, 5 * N))
    wait_until('packets arrive', lambda: relayd.received() > 0)
    relayd.kill(signal.SIGSTOP)
    time.sleep(20)          # longer than a peer may be silent
    equal('exit status of lttctl, which waits', None, process.poll())
    relayd.kill(signal.SIGCONT)
    said = end(bench, process)
    check('trying again' not in said, said)
    all_numbers(5 * N, relayd.session())
