# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: peers that send false messages, written by hand (userspace/common/protocol.h).

lttd reports a program that sends false messages in one line, or drops it. A program ignores an lttd
or lttctl that does. The other programs go on, and are recorded whole.
"""
import contextlib
import errno
import fcntl
import json
import os
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time
from pathlib import Path

import control
from bench import DEADLINE, VERSION, Skipped, check, equal, stop, wait_until

HELLO, SITE, SITES_END, BYE, PROBED, OBJECT, CHALLENGE, UNABLE, MAPPED, MAPPED_END = range(10)
CHANNEL, LISTEN, READY, TELL, PROVE, PROBE, NOTED = range(16, 23)
ASK = 32
ENABLE, DISABLE, SNAPSHOT, STATUS, END, FILTER, UNFILTER = range(7)
INT = 8 | 4 << 8 | 1 << 16      # an argument of a site: an int
STRING = 1 | 8 << 8
TEXT, ANSWER = ASK + 1, ASK + 2
SITES_MAX = 1000000
LISTED_MAX = 20000              # messages of a program, to lttctl


def hello(name=b'liar', version=VERSION):
    return struct.pack('=II16sQQ', HELLO, version, name, 0, 0)


def site(texts=b'test\0lie\0x %d\0file.c\0', nr_args=1, arg=INT, number=0):
    return struct.pack('=IIIII12I', SITE, number, 1, 0, nr_args, *[arg] * 12) + texts


def end(number=1, of=1, turn=0):
    return struct.pack('=IIII', SITES_END, number, of, turn)


def mapped(words, is_there=1, start=4096, end=8192):
    return struct.pack('=IIQQQ', MAPPED, is_there, 4096, start, end) + words


def text(kind, what, words):
    return struct.pack('=II', kind, what) + words


# ---- To lttd ----

# Outcomes: lttd reports the program and closes the connection; it reports a marker that it
# does not record, and goes on; None: nothing, as the messages may be true.
CLOSES, REPORTS = 'closes', 'reports'

# The messages, and what lttd does.
LIES = [
    ([b'\0\0\0'], CLOSES),                                   # no whole number
    ([hello()[:-1]], CLOSES),
    ([hello(), hello()], CLOSES),
    ([hello(version=VERSION + 1)], CLOSES),
    ([hello(b'\x1b[2J\n\xff' + b'x' * 10)], None),
    ([site()], CLOSES),                                       # before its hello
    ([end()], CLOSES),
    ([text(OBJECT, 1, b'/lib/x.so\0')], CLOSES),
    ([struct.pack('=II', UNABLE, errno.ENOMEM)], CLOSES),
    ([struct.pack('=II', BYE, 0)], None),
    ([hello(), site()[:50]], CLOSES),
    ([hello(), site(nr_args=13)], CLOSES),
    ([hello(), site(b'test\0lie\0x %d\0file.c')], CLOSES),    # the last text has no end
    ([hello(), site(b'test\0lie\0')], CLOSES),                # two texts are missing
    ([hello(), site(b'')], CLOSES),
    ([hello(), site(arg=99 | 4 << 8)], CLOSES),               # no such type
    ([hello(), site(arg=8 | 3 << 8)], CLOSES),                # no such size
    ([hello(), site(b'.test\0lie\0x %d\0f\0')], REPORTS),
    ([hello(), site(b'te st\0lie\0x %d\0f\0')], REPORTS),
    ([hello(), site(b'test\0\0x %d\0f\0')], REPORTS),
    ([hello(), site(b'test\0' + b'n' * 64 + b'\0x %d\0f\0')], REPORTS),
    ([hello(), site(b't' * 200 + b'\0lie\0x %d\0f\0')], REPORTS),
    ([hello(), site(b'test\0\x1b[2J\0x %d\0f\0')], REPORTS),
    ([hello(), site(b'test\0lie\0x %d y %d\0f\0')], REPORTS),   # of one argument
    ([hello(), site(b'test\0lie\0x %n\0f\0')], REPORTS),
    ([hello(), site(b'test\0lie\0x %s\0f\0')], REPORTS),
    # The same name with other fields is another event.
    ([hello(), site(b'test\0lie\0x %x\0f\0'), site(b'test\0lie\0y %d\0f\0'), site(arg=8 | 8 << 8 | 1 << 16),
      site(arg=INT & 0xffff), site(), site(), site(b'test\0lie\0x %d y %d\0f\0', nr_args=2),
      site(b'test\0lie\0x %s\0f\0', arg=STRING)], None),
    ([hello(), end()[:12]], CLOSES),
    ([hello(), text(OBJECT, 1, b'')], CLOSES),
    ([hello(), text(OBJECT, 1, b'/lib/x.so')], CLOSES),       # it has no end
    ([hello(), text(OBJECT, 7, b'/lib/\x1b' + b'y' * 3000 + b'\0'), text(OBJECT, 0, b'\0')], None),
    ([mapped(b'/lib/x.so\0\0')], CLOSES),                      # before its hello
    ([struct.pack('=II', MAPPED_END, 1)], CLOSES),
    ([hello(), mapped(b'/lib/x.so\0\0')[:32]], CLOSES),
    ([hello(), mapped(b'')], CLOSES),
    ([hello(), mapped(b'/lib/x.so')], CLOSES),                # it has no end
    ([hello(), mapped(b'/lib/x.so\0')], CLOSES),              # the build id is missing
    ([hello(), mapped(b'/lib/x.so\0ab')], CLOSES),            # which has no end
    ([hello(), mapped(b'\0\0'), mapped(b'/\x1b\n\xff' + b'y' * 9000 + b'\0' + b'z' * 3000 + b'\0', 7, 2 ** 64 - 1, 0),
      mapped(b'x\0y\0', 0), struct.pack('=II', MAPPED_END, 99), mapped(b'/lib/x.so\0\xff\0')], None),
    ([hello(), b'\0' * 20000], CLOSES),                       # longer than any message
    ([hello(), struct.pack('=II', 99, 0)], CLOSES),
    ([hello(), struct.pack('=II', CHANNEL, 0)], CLOSES),      # a message of lttd itself
    ([hello(), struct.pack('=II', BYE, 1 << 31), struct.pack('=II', BYE, 256)], None),
    ([hello(), text(ASK, STATUS, b'x\0')], CLOSES),               # a program does not ask
    ([text(ASK, 99, b'x\0')], CLOSES),
    ([text(ASK, STATUS, b'')], CLOSES),
    ([text(ASK, STATUS, b'x')], CLOSES),
    ([text(ASK, ENABLE, b't:' + b't' * 16000 + b'\0')], CLOSES),      # longer than any pattern
    ([text(ASK, ENABLE, b'[:*\0')], CLOSES),
    ([text(ASK, DISABLE, b't*:t\0')], None),
    ([text(ASK, FILTER, b't*:t x =\0')], None),                # lttctl gets the reason
    ([text(ASK, FILTER, b'\0')], None),
    ([text(ASK, UNFILTER, b'nosuch:*\0')], None),
]


def lie(path, messages, wait=0.05):
    """Send them; whether lttd closes the connection before it is silent for so long."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar:
        liar.connect(path)
        liar.settimeout(DEADLINE)
        try:
            for message in messages:
                liar.send(message)
            liar.settimeout(wait)
            while liar.recv(20000):
                pass
        except TimeoutError:
            return False
        except (BrokenPipeError, ConnectionResetError):
            pass
        return True


def test_lies_to_lttd(bench):
    lttd = bench.lttd(pattern='[!w]*:*')      # prog has markers of its own that are wrong
    honest = bench.start(*bench.prog('until-told', 500), env={**os.environ, 'LTT_START': lttd.socket})
    for number, (messages, does) in enumerate(LIES):
        before = len(lttd.said.read_text())
        closed = lie(lttd.socket, messages, DEADLINE if does == CLOSES else 0.05)
        said = lambda: lttd.said.read_text()[before:]
        if does:
            wait_until(f'lttd reports lie {number}', said)
            equal(f'lttd closes the connection of lie {number}', does == CLOSES, closed)
            equal(f'lines about lie {number}: {said()}', 1, said().count('\n'))
            check(said().startswith('lttd: '), said())
        else:
            equal(f'lines about lie {number}', '', said())
        if messages == [hello(version=VERSION + 1)]:
            check(str(VERSION + 1) in said(), said())
        equal(f'lttd goes on after lie {number}', None, lttd.poll())
    honest.communicate('go\n', timeout=DEADLINE)
    recording = bench.end(lttd, status=1)
    equal('of the honest one', 500, len([event for event in recording.named('test:count') if event['pid'] == str(honest.pid)]))
    check(not re.search('[\x00-\x08\x0b-\x1f\x7f-\xff]', recording.errors), 'lttd shows what is not text')


def test_a_recording_without_a_program_is_not_complete(bench):
    """One that violates the protocol, or has another libltt; but a peer that has sent no HELLO may be anything."""
    for number, (messages, status) in enumerate([([hello(version=VERSION + 1)], 1), ([hello(), site()[:50]], 1), ([b'GET /'], 0)]):
        lttd = bench.lttd(f'trace{number}')
        check(lie(lttd.socket, messages, DEADLINE), f'lttd keeps the connection of {messages}')
        bench.end(lttd, status=status)


def test_enable_waits_until_programs_confirm(bench):
    """That they have processed lttd's answers for their sites, not only that they have sent these."""
    lttd = bench.lttd(pattern='nosuch:*')
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as program:
        program.settimeout(DEADLINE)
        program.connect(lttd.socket)

        def wait_for(kind):
            while (message := struct.unpack_from('=I', program.recv(1000))[0]) != kind:
                check(message in (CHANNEL, LISTEN, READY), message)

        for message in hello(), site(), end(), end():
            program.send(message)
        wait_for(READY)
        for turn, confirms in (1, True), (2, False):
            enable = subprocess.Popen([bench.built / 'lttctl', 'enable', '-t', control.name_of(lttd), f'user:test:lie{turn}'],
                                      stderr=subprocess.PIPE, text=True)
            wait_for(TELL)
            program.send(site())
            program.send(end(turn=turn))
            wait_for(READY)
            if confirms:
                program.send(end(turn=turn))
            equal(f'programs that have not confirmed in turn {turn}', [] if confirms else ['1'],
                  re.findall(r'\b\d+\b(?= program)', enable.communicate(timeout=DEADLINE)[1]))
            equal('exit status', 0, enable.returncode)
    bench.end(lttd)


def test_programs_that_cannot_be_recorded_are_named(bench):
    """lttd names each, and fails."""
    lttd = bench.lttd()
    lie(lttd.socket, [hello(), struct.pack('=II', UNABLE, errno.ENOMEM), struct.pack('=II', UNABLE, 1 << 31)])
    recording = bench.end(lttd, status=1)
    check(re.search(rf'^lttd: .*\b{os.getpid()}\b.*Cannot allocate memory$', recording.errors, re.M), recording.errors)


def test_messages_sent_before_a_program_ends_are_read(bench):
    """Though the program ended without reading the messages of lttd."""
    lttd = bench.lttd()
    stop(lttd)
    liars = []
    for status in range(20):
        liar = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        liar.connect(lttd.socket)
        liar.send(hello())
        liars.append(liar)
    lttd.send_signal(signal.SIGCONT)
    for liar in liars:
        liar.recv(200, socket.MSG_PEEK)         # the buffers are there, unread
    stop(lttd)
    for status, liar in enumerate(liars):
        liar.send(site())
        liar.send(struct.pack('=II', BYE, status))
        liar.close()
    lttd.send_signal(signal.SIGCONT)
    recording = bench.end(lttd)
    equal('how they ended', {f'how = "exit {status}"' for status in range(20)}, set(recording.fields('ltt:program_ended')))


def test_a_text_that_never_ends_takes_little_time(bench):
    """A program fills a large sub-buffer with the text of one record, which has no NUL."""
    size, ring = 64 << 20, None
    lttd = bench.lttd(options=['--size', '64M', '--count', '2'])
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar:
        liar.connect(lttd.socket)
        liar.settimeout(DEADLINE)
        for message in hello(), site(b'test\0lie\0x %s\0file.c\0', arg=STRING), end():
            liar.send(message)
        event = None
        while event is None:
            message, descriptors, _, _ = socket.recv_fds(liar, 20000, 1)
            ring = descriptors[0] if descriptors else ring
            if struct.unpack('=I', message[:4])[0] == LISTEN:
                event = struct.unpack('=6I', message)[3]
        os.pwrite(ring, struct.pack('=BIQ', 31, event, 1) + b'\1\0\0' * 2 + b'x' * size, 4096)
        os.pwrite(ring, struct.pack('=QQQ', size, 1, 0), 256)           # the sub-buffer's end, begin, losses
        os.pwrite(ring, struct.pack('=QQ', size, 2), 0)                 # head, last
        os.close(ring)
        wait_until('lttd reports the program', lttd.said.read_text)
        seconds = int((Path('/proc') / str(lttd.pid) / 'schedstat').read_text().split()[0]) / 1e9
    check(seconds < 1, f'lttd has used {seconds} seconds')
    bench.end(lttd, status=1)


def test_more_markers_than_there_may_be(bench):
    lttd = bench.lttd(pattern='nosuch:*')
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar:
        liar.connect(lttd.socket)
        liar.send(hello())
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for _ in range(SITES_MAX + 200):
                liar.send(site(b'a\0b\0\0\0', nr_args=0))
    recording = bench.end(lttd, status=1)
    check(re.search(rf'^lttd: .*\b{SITES_MAX}\b', recording.errors, re.M), recording.errors)


def test_more_events_than_there_may_be(bench):
    """A program takes three quarters of those that there may be; the others have room for theirs."""
    lttd = bench.lttd()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar:
        liar.connect(lttd.socket)
        liar.send(hello())
        for number in range(12288 + 30):
            liar.send(site(b'test\0n%d\0\0\0' % number, nr_args=0))
            if number < 12288:
                liar.recv(200)
        wait_until('lttd names the first one too many', lambda: 'test:n12288' in lttd.said.read_text())
        check('test:n12287' not in lttd.said.read_text(), lttd.said.read_text())
        subprocess.run(bench.prog('count', 100), env={**os.environ, 'LTT_START': lttd.socket}, check=True, timeout=DEADLINE)
    equal('of an honest program beside it', 100, bench.end(lttd).stored)


def test_programs_that_load_too_often(bench):
    """lttd records the first 40000 loads and unloads of a program, and the recording is not complete."""
    lttd = bench.lttd()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar:
        liar.connect(lttd.socket)
        for message in [hello()] + [text(OBJECT, 1, b'/lib/x.so\0')] * 40100:
            liar.send(message)
    recording = bench.end(lttd, status=1)
    equal('loads', 40000, len(recording.fields('ltt:library_loaded')))
    equal('messages', 1, recording.errors.count(f'(pid {os.getpid()})'))


def test_more_starts_and_ends_than_there_may_be(bench):
    """256 MiB of them, of many programs, are recorded, and the recording is not complete."""
    if not bench.many:
        raise Skipped('it writes 300 MB: --many')
    lttd = bench.lttd()
    for _ in range(8):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar:
            liar.connect(lttd.socket)
            liar.send(hello())
            for _ in range(39000):
                liar.send(text(OBJECT, 1, b'/' * 1000 + b'\0'))
    recording = bench.end(lttd, status=1)
    check('state_0 is full' in recording.errors, recording.errors)
    check(250 << 20 < (recording.path / f'user-{os.getuid()}' / 'state_0').stat().st_size < 400 << 20, 'its size')


def test_more_rejected_markers_than_are_counted(bench):
    """A program with 1001 wrong markers, which lttctl starts: 1000 are counted, and there may be more."""
    program = (f'import os, sys; sys.path.insert(0, {os.path.dirname(__file__)!r}); import liars; '
               r'liars.lie(os.environ["LTT_START"], [liars.hello()] + [liars.site(b"wrong\0n%d\0x %%n\0f\0" % i) '
               'for i in range(1001)])')
    command = ['python3', '-B', '-c', program]
    run = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'text', '-e', 'user:wrong:*', '--', *command],
                         stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
    check('at least 1000' in run.stderr, run.stderr)
    equal('counted', 1000, bench.record(*command, pattern='wrong:*').summary['programs']['rejected_markers'])


def test_more_programs_than_there_may_be(bench):
    """A user's programs take three quarters of what other users have left, and those beyond it are named."""
    lttd = bench.lttd()
    resource.prlimit(lttd.pid, resource.RLIMIT_NOFILE, (40, 40))
    with contextlib.ExitStack() as stack:
        for _ in range(11):
            liar = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            liar.connect(lttd.socket)
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                liar.send(hello())
        wait_until('lttd reports it', lambda: lttd.said.read_text())
    recording = bench.end(lttd, status=1)
    named = re.findall(rf'^lttd: .*\(pid {os.getpid()}\).*\buser {os.getuid()}\b', recording.errors, re.M)
    check(len(named) >= 1, 'lttd names', len(named), 'programs')


def test_pinned_buffers_do_not_delay_lttd(bench):
    """The pages of programs that have ended stay in pipes, for which the kernel lets lttd wait."""
    lttd = bench.lttd()
    pipes = [os.pipe() for _ in range(8)]
    for _, into in pipes:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar:
            liar.connect(lttd.socket)
            liar.send(hello())
            _, (ring, *_), _, _ = socket.recv_fds(liar, 20000, 1)
            equal('pinned', 4096, os.splice(ring, into, 4096, offset_src=0))
            os.close(ring)

    def answers_for_a_second():
        for _ in range(20):
            began = time.monotonic()
            control.lttctl(bench, 'status', control.name_of(lttd))
            if time.monotonic() - began > 0.5:
                return False
            time.sleep(0.05)
        return True

    wait_until('lttd answers without a pause', answers_for_a_second)
    for ends in pipes:
        for end_of in ends:
            os.close(end_of)
    bench.end(lttd)


def test_programs_that_send_nothing_are_reported(bench):
    lttd = bench.lttd()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar:
        liar.connect(lttd.socket)
        wait_until('lttd reports it', lambda: f'(pid {os.getpid()})' in lttd.said.read_text())
    bench.end(lttd, status=1)


def test_programs_that_do_not_read_are_reported(bench):
    lttd = bench.lttd()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar:
        liar.connect(lttd.socket)
        liar.send(hello())
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for _ in range(20000):
                liar.send(site())
        wait_until('lttd reports it', lambda: 'liar' in lttd.said.read_text())
    bench.end(lttd, status=1)


def join_slowly(folder, call, times, ready, joined):
    """Wait for the call of an lttd.  Then let one program after the other join it and go, until lttd is ready."""
    call.settimeout(DEADLINE)
    call.recv(1)
    path, = folder.glob('lttd-*')
    for _ in range(times):
        if ready.wait(0.1):
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar, contextlib.suppress(OSError):
            liar.connect(str(path))
            liar.send(hello())
            liar.send(struct.pack('=II', UNABLE, errno.EINPROGRESS))
            joined.append(path)


def test_programs_that_join_one_by_one_delay_no_recording(bench):
    folder = bench.folder / 'run/lttd'
    folder.mkdir(mode=0o700, parents=True)
    ready, joined = threading.Event(), []
    with contextlib.ExitStack() as stack:
        fakes = [stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) for _ in range(200)]
        for number, fake in enumerate(fakes):
            fake.bind(str(folder / f'program-{os.getpid()}-{number:x}'))
        joining = threading.Thread(target=join_slowly, args=[folder, fakes[0], len(fakes), ready, joined], daemon=True)
        joining.start()
        began = time.monotonic()
        lttd = bench.lttd(env={**os.environ, 'LTT_RUN_DIR': str(folder.parent)})
        took = time.monotonic() - began
        ready.set()
        joining.join(DEADLINE)
        # On a busy machine one may come too late to be waited for.
        check(len(joined) > 1, 'no program has joined')
        # Without a bound it is the time of all, 20 seconds.
        check(took < 16, 'the recording began after', took, 's')
    bench.end(lttd, status=None)


# ---- To programs ----

@contextlib.contextmanager
def false_lttd(bench):
    """A socket where programs look for lttds; and for each that comes, its connection."""
    folder = bench.folder / 'run/lttd'
    folder.mkdir(mode=0o700, parents=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(str(folder / 'lttd-1'))
        listening.listen()
        listening.settimeout(DEADLINE)
        yield listening, {**os.environ, 'LTT_RUN_DIR': str(folder.parent), 'LTT_START': f'{folder}/lttd-1'}


def buffers(size, seals=fcntl.F_SEAL_SHRINK):
    fd = os.memfd_create('liar', os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, size)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)
    return fd


def channel(number=0, uuid=b'u' * 16, buffer_set=1, nr_cpus=1, nr_rings=2, nr_sb=2, sb_order=12, lossless=0, context=3, objects=0):
    return struct.pack('=II16sQ8I', CHANNEL, number, uuid, buffer_set, nr_cpus, nr_rings, nr_sb, sb_order, 0, lossless, context, objects)


RINGS = 2 * (4096 + 8192)       # of nr_rings 2, with their headers


def unable(connection):
    """The errno with which the program says that it cannot be recorded, from now on."""
    while True:
        message = connection.recv(20000)
        check(message, 'the program has gone')
        if struct.unpack('=I', message[:4])[0] == UNABLE:
            return struct.unpack('=II', message)[1]


def test_preloaded_libraries_wait_once(bench):
    """They announce their markers together: each list of markers is a wait for lttd's answer."""
    libraries = ':'.join(str(bench.built / f'ltt/libltt-{name}.so') for name in ('malloc', 'pthread', 'stdio', 'functions'))
    with false_lttd(bench) as (listening, env):
        program = bench.start(bench.program('unmarked'), 'texts', begun=False, env={**env, 'LD_PRELOAD': libraries},
                                stderr=subprocess.DEVNULL)
        connection, _ = listening.accept()
        connection.settimeout(DEADLINE)
        sites, ends = 0, set()
        while message := connection.recv(20000):
            kind, *numbers = struct.unpack('=4I', message[:16].ljust(16, b'\0'))
            sites += kind == SITE
            # The program repeats the end of a list once it has the answer.
            if kind == SITES_END and numbers[1] not in ends:
                ends.add(numbers[1])
                connection.send(struct.pack('=IIII', READY, *numbers))
        equal('lists of markers', {sites}, ends)
        check(sites >= 15, sites, 'markers')
        equal('exit status', 0, program.wait(DEADLINE))


def test_lies_to_programs(bench):
    with false_lttd(bench) as (listening, env):
        program = bench.start(*bench.prog('until-told', 100), begun=False, env=env)
        connection, _ = listening.accept()
        connection.settimeout(DEADLINE)
        for message in [b'', b'\0', b'\0' * 7, struct.pack('=II', 77, 0), channel()[:40], struct.pack('=II', LISTEN, 0),
                        struct.pack('=II', READY, 9), struct.pack('=II', PROBE, 0), struct.pack('=II', NOTED, 9),
                        struct.pack('=6I', LISTEN, 0, 5, 0, 1, 0),              # of a channel that there is not
                        struct.pack('=IIII', READY, 9, 9, 77)]:                 # of a round that was not
            if message:
                connection.send(message)
        for want, fields, fd in [
                (errno.EMFILE, {}, None),                                       # no descriptor
                (errno.EINVAL, {}, '/dev/null'),                                # no memfd
                (errno.EPERM, {}, buffers(RINGS * 2, seals=0)),
                (errno.EINVAL, {}, buffers(4096)),                              # too small
                (errno.EINVAL, {'nr_cpus': 0}, buffers(RINGS * 2)),
                (errno.EINVAL, {'nr_cpus': 3}, buffers(RINGS * 2)),
                (errno.EINVAL, {'nr_rings': 1 << 20}, buffers(RINGS * 2)),
                (errno.EINVAL, {'nr_sb': 1}, buffers(RINGS * 2)), (errno.EINVAL, {'nr_sb': 3}, buffers(RINGS * 2)),
                (errno.EINVAL, {'nr_sb': 1 << 20}, buffers(RINGS * 2)), (errno.EINVAL, {'sb_order': 11}, buffers(RINGS * 2)),
                (errno.EINVAL, {'sb_order': 40}, buffers(RINGS * 2))]:
            fd = os.open(fd, os.O_RDWR) if isinstance(fd, str) else fd
            if fd is None:
                connection.send(channel(**fields))
            else:
                socket.send_fds(connection, [channel(**fields)], [fd])
                os.close(fd)
            equal(f'why {fields} cannot be', want, unable(connection))
        # Buffers that can be had, twice; others of the same channel, of another trace; a marker that there is not.
        for uuid, buffer_set in (b'1' * 16, 1), (b'1' * 16, 1), (b'1' * 16, 2), (b'2' * 16, 2):
            # Of a call stack that is deeper than any.
            socket.send_fds(connection, [channel(uuid=uuid, buffer_set=buffer_set, lossless=1 << 31, context=0xffffffff, objects=1)],
                            [buffers(RINGS * 2)])
            for number in 0, 0, 1 << 20:
                connection.send(struct.pack('=6I', LISTEN, number, 0, 7, 1, 0))
                connection.send(struct.pack('=6I', LISTEN, number, 0, 8, 1, 0))
        # Without a proof no function is called.
        for words in b'', b'x', b'/nosuch\0', b'a\0b\0c\0':
            connection.send(struct.pack('=II32s', PROBE, 0, b'no proof') + words)
            equal('the answer', (PROBED, errno.EPERM), answer(connection, PROBED))
        connection.send(struct.pack('=IIII', READY, 1 << 30, 1 << 30, 0))
        equal('first line', 'begun\n', program.stdout.readline())
        program.communicate('go\n', timeout=DEADLINE)
        equal('exit status', 0, program.returncode)
        connection.close()


def answer(connection, kind):
    while True:
        message = connection.recv(20000)
        check(message, 'the program has gone')
        if struct.unpack('=I', message[:4])[0] == kind:
            return struct.unpack('=II', message[:8])


def proof_of(program, connection):
    connection.send(struct.pack('=II', PROVE, 0))
    while True:
        message = connection.recv(20000)
        if struct.unpack('=I', message[:4])[0] == CHALLENGE:
            break
    _, _, address = struct.unpack('=IIQ', message)
    with open(f'/proc/{program.pid}/mem', 'rb', 0) as memory:
        memory.seek(address)
        return memory.read(32)


def test_a_lttctl_that_asks_for_what_cannot_be(bench):
    """With the proof that it may."""
    with false_lttd(bench) as (listening, env):
        program = bench.start(*bench.prog('until-told', 100), begun=False, env=env)
        connection, _ = listening.accept()
        connection.settimeout(DEADLINE)
        for what, words, want in [
                (0, b'', errno.EINVAL), (0, b'no end', errno.EINVAL), (1, b'a\0b\0', errno.EINVAL), (1, b'a\0b\0c', errno.EINVAL),
                (0, b'/nosuch\0', errno.ENOENT), (1, b'a\0nosuch\0c\0', errno.ENOENT), (2, b'a\0abort\0c\0', errno.ENOENT),
                (9, b'a\0abort\0c\0', errno.EINVAL)]:
            connection.send(struct.pack('=II32s', PROBE, what, proof_of(program, connection)) + words)
            equal(f'{what} {words}', (PROBED, want), answer(connection, PROBED))
        proof = proof_of(program, connection)
        for want in errno.ENOENT, errno.EPERM:          # it is good for once
            connection.send(struct.pack('=II32s', PROBE, 0, proof) + b'/nosuch\0')
            equal('with a proof', (PROBED, want), answer(connection, PROBED))
        connection.send(struct.pack('=IIII', READY, 1 << 30, 1 << 30, 0))
        equal('first line', 'begun\n', program.stdout.readline())
        program.communicate('go\n', timeout=DEADLINE)
        equal('exit status', 0, program.returncode)
        connection.close()


# ---- To lttctl ----

@contextlib.contextmanager
def called_by(bench, *words):
    """A lttctl that asks programs, of which we are one: its connection, and what it says in the end."""
    folder = bench.folder / 'run/lttd'
    folder.mkdir(mode=0o700, parents=True)
    said = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as called, \
            socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as liar:
        called.bind(str(folder / f'program-{os.getpid()}-1'))
        called.settimeout(DEADLINE)
        liar.settimeout(DEADLINE)
        lttctl = subprocess.Popen([bench.built / 'lttctl', *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, env={**os.environ, 'LTT_RUN_DIR': str(folder.parent)})
        bench.started.append(lttctl)
        called.recv(1)
        liar.connect(str(folder / f'lttd-list-{lttctl.pid}'))
        yield liar, said
    said += lttctl.communicate(timeout=DEADLINE)
    said.append(lttctl.returncode)
    shutil.rmtree(folder.parent)


LISTED = 'off user:test:lie\n'


def test_lies_to_lttctl(bench):
    """Malformed messages list nothing; the markers before them are listed."""
    none, complains = ('', True, 1), True
    for messages, want in [
            ([hello(), b'\0' * 7], none),
            ([hello()[:-1], site()], none),
            ([hello(), site(), b'\0\0\0', site(b'test\0more\0x %d\0f\0')], (LISTED, False, 0)),
            ([hello(), site(), site()[:50], site(b'test\0more\0x %d\0f\0')], (LISTED, False, 0)),
            ([hello(), site(nr_args=13)], none),
            ([hello(), *[site()] * LISTED_MAX], (LISTED, False, 0)),
            ([hello(), *[site()] * (LISTED_MAX + 1)], (LISTED, complains, 0))]:
        with called_by(bench, 'markers', 'user:') as (liar, said), contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for message in messages:
                liar.send(message)
        listed, complaint, status = said
        equal(f'{len(messages)} messages, from {messages[:3]}', want, (listed, complaint.startswith('lttctl'), status))


def test_a_name_that_is_no_text(bench):
    with called_by(bench, 'markers', '--info', 'user:') as (liar, said):
        liar.send(hello(b'\x1b[2J\n\xff'))
        liar.send(site())
    check(f' [?[2J?? {os.getpid()}]\n' in said[0], said)


def test_lies_about_probes(bench):
    """lttctl reports the errno, or the text, of the program."""
    pid = os.getpid()
    for reply, want in [(struct.pack('=II', PROBED, errno.ENOMEM), 'Cannot allocate memory'),
                        (text(PROBED, errno.EIO, b'\x1b!\0'), '?!'),
                        (None, str(pid))]:
        with called_by(bench, 'probe', '-p', pid, 'load', bench.program('probe.so')) as (liar, said):
            liar.send(hello())
            liar.send(end())
            equal('its request', struct.pack('=II', PROVE, 0), liar.recv(20000))
            liar.send(struct.pack('=IIQ', CHALLENGE, 0, 0))         # no memory is there
            equal('its proof', struct.pack('=II32s', PROBE, 0, bytes(32)), liar.recv(20000)[:40])
            if reply:
                liar.send(reply)
        equal(f'output and status of {reply}', ('', 1), (said[0], said[2]))
        check(re.fullmatch(f'lttctl.*: .*{re.escape(want)}.*\n', said[1]), said[1])


@contextlib.contextmanager
def asked_by(bench, *words):
    """A lttctl that asks for recording 1: its connection, and what it says in the end."""
    said = []
    with false_lttd(bench) as (listening, env):
        lttctl = subprocess.Popen([bench.built / 'lttctl', *words, 'programs-1'], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, env=env)
        bench.started.append(lttctl)
        connection, _ = listening.accept()
        connection.settimeout(DEADLINE)
        equal('its request', ASK, struct.unpack('=II', connection.recv(20000)[:8])[0])
        yield listening, connection, said
        connection.close()
        said += lttctl.communicate(timeout=DEADLINE)
        said.append(lttctl.returncode)
    shutil.rmtree(bench.folder / 'run')


def test_a_later_lttd_may_say_more(bench):
    """lttctl skips lines that it does not know."""
    with asked_by(bench, 'status', '--json') as (_, connection, said):
        connection.send(text(TEXT, 0, b'output /x\nnews\nnews of it\nenabled a:b\nuser 5 six\nuser 5 6 7 8 9\n'))
        connection.send(struct.pack('=II', TEXT + 99, 0))
        connection.send(struct.pack('=II', ANSWER, 0))
    equal('messages and status', ['', 0], said[1:])
    equal('shown', [{'name': 'programs-1', 'state': 'running', 'lttd': 1, 'output': '/x',
                     'patterns': [{'pattern': 'a:b', 'enabled': True}],
                     'users': [{'uid': 5, 'programs': 6, 'stored': 7, 'lost': 8, 'filtered': 9}]}], json.loads(said[0]))


def test_an_lttd_that_hangs_up(bench):
    """A request that lttd did not answer fails; whether it was done is unknown."""
    for words in ['status'], ['snapshot'], ['enable', 'user:a:*', '-t'], ['destroy']:
        with asked_by(bench, *words) as (_, _, said):
            pass
        equal(f'output and status of {words}', ('', 1), (said[0], said[2]))
        check(re.fullmatch('lttctl.*: .*\n', said[1]), said[1])
    with asked_by(bench, 'destroy') as (listening, _, said):
        os.unlink(listening.getsockname())
    equal('output and status for one that has ended', ('', 1), (said[0], said[2]))
    check(re.fullmatch('lttctl.*: .*complete.*\n', said[1]), said[1])
