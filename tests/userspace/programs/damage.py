# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: kills at random, a full disk, overwritten buffers, nonsense."""
import contextlib
import os
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import time

from bench import DEADLINE, VERSION, Recording, check, equal, in_order_quickly, wait_until


def test_killed_at_random(bench):
    """Of all that share buffers what was published is read, once, in order; the others go on."""
    lttd = bench.lttd(options=['--size', '65536', '--count', '512'])
    survivor = bench.start(*bench.prog('forever', 200), env={**os.environ, 'LTT_START': lttd.socket})
    kills = 0
    for _ in range(100):
        processes = [bench.start(*bench.prog('forever', random.choice([1, 1, 10])), begun=False,
                                 env={**os.environ, 'LTT_START': lttd.socket}) for _ in range(5)]
        for process in processes:
            time.sleep(random.random() * 0.004)
            process.kill()
            kills += 1
        for process in processes:
            process.wait()
            process.stdout.close()
            process.stdin.close()
    equal('the survivor goes on', None, survivor.poll())
    survivor.kill()
    survivor.wait()
    recording = bench.end(lttd)
    equal('lost', 0, recording.lost)
    events, threads, wrong = in_order_quickly(recording.path)
    equal('wrong', '', wrong)
    equal('read', recording.stored, events)
    check(threads > 20, 'programs that got so far:', threads)
    print(f'# {kills} programs killed, {events} events of {threads} read')


def test_disk_full(bench):
    lttd = bench.lttd()
    process = bench.start(*bench.prog('forever'), env={**os.environ, 'LTT_START': lttd.socket})
    # Not before it has made the buffers, which are a file, too.
    resource.prlimit(lttd.pid, resource.RLIMIT_FSIZE, (5 << 20, 5 << 20))
    lttd.wait(DEADLINE)
    said = lttd.said.read_text()
    equal('exit status', 1, lttd.returncode)
    check('File too large' in said, said)
    equal('the program goes on', None, process.poll())
    check(Recording(lttd.trace, {}, '', '').named('test:count', complaints=True), 'nothing is left')


def test_buffers_that_are_written_over(bench):
    for seed in range(8):
        lttd = bench.lttd(f'trace{seed}', options=['--size', '4096', '--count', '8'])
        env = {**os.environ, 'LTT_START': lttd.socket}
        process = bench.start(*bench.prog('scribble', seed), begun=False, env=env)
        process.wait(DEADLINE)      # it may come to grief
        subprocess.run(bench.prog('count', 100), env=env, timeout=DEADLINE, check=False)
        recording = bench.end(lttd, status=1)
        recording.events(complaints=True)


def test_buffers_of_one_value(bench):
    """Then the positions of reader and writer agree."""
    lttd = bench.lttd(options=['--size', '4096', '--count', '8'])
    subprocess.run(bench.prog('fill-buffers'), env={**os.environ, 'LTT_START': lttd.socket}, check=True, timeout=DEADLINE)
    recording = bench.end(lttd, status=1)
    check(re.search(r'\bprog \(pid \d+\) has overwritten', recording.errors), recording.errors)


HURRIED = """
import os, signal, socket, struct, sys, time
path, lttd, version = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
def connect():
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.connect(path)
    s.send(struct.pack('=II16sQQ', 0, version, b'hurried', 0, 0))
    return s
first = connect()
first.recv(100)
first.close()
time.sleep(0.03)            # it is taken note of, and its end is waited for
os.kill(lttd, signal.SIGSTOP)
second = connect()
"""


def test_exec_and_exit_at_once(bench):
    """A new connection of a process whose last one has just ended, and its death, are seen together."""
    lttd = bench.lttd()
    for _ in range(30):
        subprocess.run([sys.executable, '-c', HURRIED, lttd.socket, str(lttd.pid), str(VERSION)], check=True, timeout=DEADLINE)
        lttd.send_signal(signal.SIGCONT)
    recording = bench.end(lttd)
    equal('ends', len(recording.fields('ltt:program_started')), len(recording.fields('ltt:program_ended')))


def test_nonsense_on_the_socket(bench):
    lttd = bench.lttd()
    generator = random.Random(7)
    hello = struct.pack('=II16sQQ', 0, VERSION, b'liar', 0, 0)
    site = struct.pack('=IIIII12I', 1, 0, 1, 0, 1, *[8 | 4 << 8 | 1 << 16] * 12) + b'test\0lie\0x %d\0file.c\0'
    end, ask = struct.pack('=IIII', 2, 9, 9, 0), struct.pack('=II', 32, generator.randrange(4)) + b'test:nosuch\0'
    loaded = struct.pack('=II', 5, 1) + b'/lib/\x1b.so\0'
    for _ in range(1500):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar:
            liar.connect(lttd.socket)
            with contextlib.suppress(BrokenPipeError, ConnectionResetError, BlockingIOError):
                for _ in range(generator.randrange(6)):
                    message = bytearray(generator.choice([hello, site, end, ask, loaded,
                                                          generator.randbytes(generator.randrange(200))]))
                    for _ in range(generator.choice([0, 0, 1, 4])):
                        if message:
                            message[generator.randrange(len(message))] = generator.randrange(256)
                    liar.send(bytes(message[:generator.choice([len(message)] * 3 + [9])]), socket.MSG_DONTWAIT)
    subprocess.run(bench.prog('count', 100), env={**os.environ, 'LTT_START': lttd.socket}, check=True)
    recording = bench.end(lttd, status=1)
    equal('of the honest one', 100, len(recording.named('test:count')))
    check(len(recording.errors.splitlines()) < 850, 'lttd prints so many lines', len(recording.errors.splitlines()))
    check(not re.search('[\x00-\x08\x0b-\x1f\x7f-\xff]', recording.errors), 'lttd shows what is not text')


def test_a_trace_that_was_cut_is_shown_up_to_there(bench):
    """At any byte of any file: the events of all whole packets, and no others; the files stay as they are."""
    recording = bench.record(*bench.prog('threads', 2, 300), options=['--size', '4k'])

    def view():
        run = subprocess.run([bench.built / 'lttctl', 'view', recording.path], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        equal('exit status', 0, run.returncode)
        return run.stdout.splitlines(), run.stderr

    # Without the names of threads, which are in one of the files.
    times = lambda lines: {line.split()[0] for line in lines if not line.startswith('***')}
    every, said = view()
    equal('without a warning', '', said)
    check(len(every) > 2400, len(every))
    random.seed(2)
    for file in sorted((recording.path / f'user-{os.getuid()}').glob('*_*')):
        content = file.read_bytes()
        starts = [0]
        while starts[-1] < len(content):
            starts.append(starts[-1] + struct.unpack_from('<Q', content, starts[-1] + 48)[0] // 8)
        cuts = {at for at in [1, 3, 4, 23, 24, 75, 76, 4095, 4097, len(content) - 1,
                              *(random.randrange(len(content)) for _ in range(4))] if at < len(content)}
        for at in sorted(cuts):
            whole = max(start for start in starts if start <= at)
            file.write_bytes(content[:whole])
            want, _ = view()
            file.write_bytes(content[:at])
            got, said = view()
            equal(f'{file.name} cut at {at}: events', want, [line for line in got if not line.startswith('***')])
            equal(f'{file.name} cut at {at}: a line about it', at != whole, len(got) > len(want))
            check((str(file) in said) == (at != whole), said)
            equal('size', at, file.stat().st_size)
        # As after a crash of the machine: the size is right, but the end was not written.
        file.write_bytes(content[:starts[-2]] + bytes(len(content) - starts[-2]))
        got, said = view()
        check(times(got) < times(every) and file.name in said, said)
        # Garbage in place of a packet is an error.
        file.write_bytes(content[:starts[-2]] + b'x' * 4096)
        equal('exit status with garbage', 1, subprocess.run([bench.built / 'lttctl', 'view', recording.path],
                                                            stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode)
        file.write_bytes(content)
