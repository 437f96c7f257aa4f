# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: recordings in pieces, their quota and their compression."""
import contextlib
import fcntl
import os
import re
import shutil
import struct
import subprocess
import time

from bench import DEADLINE, Skipped, check, equal, in_order_quickly, wait_until

EXT4_IOC_SHUTDOWN = 0x8004587d

SMALL = ['--size', '4k', '--count', '64']


def pieces_of(path):
    """By number, the directories of the pieces."""
    return sorted((piece for piece in path.iterdir() if re.fullmatch(r'\d{4,}', piece.name)), key=lambda piece: int(piece.name))


def is_open(piece):
    return (piece / 'open').exists()


def is_compressed(piece):
    """All data files are."""
    files = [file.name for file in piece.glob('*/*') if file.name != 'metadata']
    return bool(files) and all(name.endswith('.zst') for name in files)


def unpack(path):
    for file in path.glob('*/*/*.zst'):
        subprocess.run(['unzstd', '-q', '--rm', file], check=True)


def size_of(path):
    """By du, which minds no file that vanishes."""
    said = subprocess.run(['du', '-sb', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return int(said.split()[0]) if said else 0


def read(*paths):
    """The numbers of test:count, in the order of babeltrace2, which has nothing to say."""
    run = subprocess.run(['babeltrace2', *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    equal('babeltrace2', (0, ''), (run.returncode, run.stderr))
    return [int(number) for number in re.findall(r'test:count: .*\{ i = (\d+) \}$', run.stdout, re.M)]


def packets_of(path):
    """By stream, sequence number and count of lost events of the packets in all pieces."""
    streams = {}
    for file in (file for piece in pieces_of(path) for file in piece.glob('user-*/events_*')):
        data, at = file.read_bytes(), 0
        while at < len(data):
            size, sequence, lost = struct.unpack_from('<QQQ', data, at + 48)
            streams.setdefault(file.name, []).append((sequence, lost))
            at += size // 8
    return streams


def by_itself(path):
    """The numbers in all pieces, each read alone. The cut is not at one time on all CPUs."""
    return sorted(number for piece in pieces_of(path) for number in read(piece))


def count_in(bench, path, *options, events=100000):
    """Record events to the pieces of a directory; the summary."""
    return bench.record(*bench.prog('count', events), name=path.name, options=['--state', 'none', *SMALL, '--lossless', '5000', *options])


def test_pieces_have_each_event_once(bench):
    path = bench.folder / 'trace'
    recording = count_in(bench, path, '--piece-size', '256k')
    equal('stored and lost', (100000, 0), (recording.stored, recording.lost))
    pieces = pieces_of(path)
    check(len(pieces) > 4, 'pieces', len(pieces))
    equal('open', [], [piece.name for piece in pieces if is_open(piece)])
    for piece in pieces:
        sizes = sum(file.stat().st_size for file in piece.glob('user-*/events_*'))
        check(0 < sizes <= 256 << 10, piece.name, 'has', sizes)
    equal('together', list(range(100000)), read(path))
    equal('one by one', list(range(100000)), by_itself(path))
    uuids = {re.search(r'uuid = "(.*?)"', next(piece.glob('user-*/metadata')).read_text())[1] for piece in pieces}
    equal('uuids', 1, len(uuids))


def test_pieces_count_losses_across_the_cut(bench):
    def is_enough():
        nonlocal recording
        shutil.rmtree(bench.folder / 'trace', ignore_errors=True)
        recording = bench.record(*bench.prog('count', 1000000), options=['--size', '16k', '--count', '2', '--piece-size', '64k'])
        return recording.lost > 1000 and len(pieces_of(recording.path)) > 2

    recording = None
    wait_until('events are lost, and there are several pieces', is_enough)
    run = subprocess.run(['babeltrace2', recording.path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    equal('stored', recording.stored, run.stdout.count('test:count: '))
    # It takes each file for a stream of its own, and knows no number of what was lost before the first packet.
    check(0 < sum(map(int, re.findall(r'discarded (\d+) event', run.stderr))) <= recording.lost, run.stderr[:300])
    streams = packets_of(recording.path)
    equal('lost', recording.lost, sum(packets[-1][1] for packets in streams.values()))
    for name, packets in streams.items():
        equal(f'sequence numbers of {name}', list(range(len(packets))), [sequence for sequence, _ in packets])


def test_pieces_by_time(bench):
    path = bench.folder / 'trace'
    lttd = bench.lttd(options=['--piece-time', '200ms'])
    process = bench.start(*bench.prog('forever', 1000))
    wait_until('three pieces are closed', lambda: sum(not is_open(piece) for piece in pieces_of(path)) >= 3)
    process.terminate()
    recording = bench.end(lttd)
    numbers = read(path)
    equal('read', recording.stored, len(numbers))
    equal('in order', list(range(len(numbers))), numbers)
    equal('one by one', numbers, by_itself(path))


def test_no_piece_is_without_an_event(bench):
    lttd = bench.lttd(options=['--piece-time', '50ms'])
    time.sleep(0.5)         # ten such times
    bench.end(lttd)
    equal('pieces', [], pieces_of(bench.folder / 'trace'))


def rotate(bench, *arguments, status=0):
    run = subprocess.run([bench.built / 'lttctl', 'rotate', *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    equal(f'lttctl rotate ({run.stderr})', status, run.returncode)
    return run.stdout if not status else run.stderr


def test_rotate_closes_the_open_piece(bench):
    path = bench.folder / 'trace'
    lttd = bench.lttd(options=['--piece-time', '1h'])
    process = bench.start(*bench.prog('until-told', 1000), env={**os.environ, 'LTT_START': lttd.socket})
    process.communicate('go\n', timeout=DEADLINE)
    equal('closed, by its directory', f'{path}/0001\n', rotate(bench, path))
    equal('all that came before is in it', list(range(1000)), read(path / '0001'))
    equal('closed, by its name', f'{path}/0002\n', rotate(bench, f'programs-{lttd.pid}'))
    bench.end(lttd)
    check('no lttd' in rotate(bench, path, status=1), 'after the end')
    check('neither' in rotate(bench, 'nosuch', status=1), 'of no trace')


def test_rotate_takes_no_other_lock_for_that_of_an_lttd(bench):
    """Of a read lock the process may be unknown, -1, which would be all processes; unshare() keeps these from a signal."""
    if os.geteuid():
        raise Skipped('only root can make a namespace of processes')
    path = bench.folder / 'trace'
    lttd = bench.lttd(options=['--piece-time', '1h'])
    bench.start(*bench.prog('count', 10), begun=False, env={**os.environ, 'LTT_START': lttd.socket}).wait()
    kill(lttd)
    with open(path / '0001/open', encoding='utf-8') as mark:
        fcntl.fcntl(mark, fcntl.F_OFD_SETLK, struct.pack('hhqqi4x', fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0))
        run = subprocess.run(['unshare', '--pid', '--fork', bench.built / 'lttctl', 'rotate', path],
                             stderr=subprocess.PIPE, text=True, timeout=2 * DEADLINE)
    equal('exit status', 1, run.returncode)
    check('no lttd records' in run.stderr, run.stderr)


def quota_holds(bench, lttd, quota, nr, kept):
    """At each moment.  Of all that is written, more than @kept bytes are left: the newest events."""
    path, sizes = bench.folder / 'trace', []
    # Of a thread that changes its CPU, newer events may be in an older piece.
    process = bench.start('taskset', '1', *bench.prog('count', nr), begun=False)
    while process.poll() is None:
        sizes.append(size_of(path))
    recording = bench.end(lttd)
    equal('stored', nr, recording.stored)
    check(recording.summary['programs']['bytes_on_disk'] > 3 * quota, 'too little was written')
    check(max(sizes + [size_of(path)]) <= quota, 'sizes', max(sizes), size_of(path))
    check(size_of(path) > kept, 'more is removed than necessary', size_of(path))
    numbers = read(path)
    equal('the newest are there', list(range(nr - len(numbers), nr)), numbers)


def test_a_quota_removes_the_oldest_pieces(bench):
    quota_holds(bench, bench.lttd(options=['--quota', '1M', *SMALL, '--lossless', '5000']), 1 << 20, 300000, 1 << 19)


def test_a_quota_of_few_sub_buffers(bench):
    """A packet, which is never cut, is a whole piece then, and larger than --piece-size.  Two are written while one is closed."""
    lttd = bench.lttd(options=['--quota', '2200k', '--piece-size', '64k', '--size', '256k', '--count', '4', '--lossless', '5000'],
                      env={**os.environ, 'LD_PRELOAD': str(bench.built.parent / 'userspace-tests/hinder.so'), 'SLOW_SYNC': '50'})
    quota_holds(bench, lttd, 2200 << 10, 600000, 550 << 10)


def test_a_directory_of_pieces_is_continued(bench):
    path = bench.folder / 'trace'
    count_in(bench, path, '--piece-size', '256k', events=20000)
    first = pieces_of(path)
    count_in(bench, path, '--piece-size', '256k', events=20000)
    equal('older pieces', first, pieces_of(path)[:len(first)])
    equal('both', sorted(2 * list(range(20000))), by_itself(path))
    equal('together', 2 * list(range(20000)), read(path))
    run = subprocess.run([bench.built / 'lttctl', 'record', '-o', path, '-e', 'user:test:*', 'true'], stderr=subprocess.PIPE, text=True)
    check(run.returncode == 2 and 'already contains a trace' in run.stderr, run.stderr)


def test_states_go_with_their_pieces(bench):
    """Each recording to a directory has a state of the system, which the quota must not keep for ever."""
    path = bench.folder / 'trace'
    for again in range(3):
        bench.record(*bench.prog('count', 60000), options=['--quota', '1M', *SMALL, '--lossless', '5000'])
    equal('states', 1, len(list(path.glob('state*'))))


def test_compressed_pieces(bench):
    path = bench.folder / 'trace'
    count_in(bench, path, '--piece-size', '256k', '--compress')
    plain = count_in(bench, bench.folder / 'plain', '--piece-size', '256k')
    check(all(map(is_compressed, pieces_of(path))), 'compressed', [p.name for p in pieces_of(path) if not is_compressed(p)])
    shown = subprocess.run([bench.built / 'lttctl', 'view', path], stdout=subprocess.PIPE, text=True).stdout
    equal('in place, by lttctl view', list(range(100000)), [int(number) for number in re.findall(r'test:count: i=(\d+)', shown)])
    check(size_of(path) < size_of(plain.path) / 2, 'sizes', size_of(path), size_of(plain.path))
    file = next(path.glob('0001/user-*/events_*.zst'))
    frames = subprocess.run(['zstd', '-l', '-v', file], stdout=subprocess.PIPE, text=True, check=True).stdout
    check(int(re.search(r'# Zstandard Frames: (\d+)', frames)[1]) > 10, 'frames', frames)
    check(re.search(r'Decompressed Size: .*\(\d+ B\)', frames) and 'XXH64' in frames, 'sizes and checksums', frames)
    unpack(path)
    equal('all', list(range(100000)), read(path))


def blocks_of(file):
    """Of each frame of zstd in a file, the blocks (offset, bytes)."""
    data, at, frames = file.read_bytes(), 0, []
    while at < len(data):
        flags = data[at + 4]
        at += 5 + (not flags & 32) + (flags >> 5 & 1, 2, 4, 8)[flags >> 6]
        frames.append([])
        is_last = False
        while not is_last:
            word = int.from_bytes(data[at:at + 3], 'little')
            is_last, size = word & 1, 1 if word & 6 == 2 else word >> 3
            frames[-1].append((at + 3, size))
            at += 3 + size
        at += 4         # the checksum
    return frames


def test_a_window_decompresses_its_packets_only(bench):
    """The others are damaged, but for the block with the header."""
    path, damaged = bench.folder / 'trace', 0
    count_in(bench, path, '--piece-size', '256k', '--compress')
    wait_until('all is compressed', lambda: all(map(is_compressed, pieces_of(path))))
    for piece in pieces_of(path)[:-2]:
        for file in piece.glob('user-*/events_*.zst'):
            data = bytearray(file.read_bytes())
            for frame in blocks_of(file):
                for at, size in frame[1:]:
                    data[at:at + size] = bytes(size)
                    damaged += 1
            file.write_bytes(data)
    check(damaged > 10, 'damaged', damaged)
    view = [bench.built / 'lttctl', 'view', '--csv', path]
    equal('all of it', 1, subprocess.run(view, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).returncode)
    window = subprocess.run([*view, '--last', '1ns'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    equal('the end', (0, ''), (window.returncode, window.stderr))
    check('i=99999' in window.stdout, window.stdout)


def on_one_cpu():
    """So that there is one stream, and no event of another one that was not written any more."""
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])


def kill(process):
    process.kill()
    process.wait(DEADLINE)


def test_a_killed_lttd_leaves_whole_pieces(bench):
    """Closed pieces are whole, an open one is readable to its last whole packet; the next lttd closes it."""
    path = bench.folder / 'trace'
    for attempt in range(5):
        shutil.rmtree(path, ignore_errors=True)
        lttd = bench.lttd(options=['--piece-size', '64k', '--size', '4k', '--count', '16', '--lossless', '200'])
        process = bench.start(*bench.prog('forever', 1), begun=False, preexec_fn=on_one_cpu)
        wait_until('pieces are closed', lambda: len(pieces_of(path)) > 3)
        time.sleep(0.003 * attempt)     # another moment
        kill(lttd)
        process.terminate()
        process.wait(DEADLINE)
        pieces = pieces_of(path)
        closed = [number for piece in pieces if not is_open(piece) for number in read(piece)]
        equal('closed', list(range(len(closed))), closed)
        numbers = kept(bench, path)
        check(len(numbers) >= len(closed), 'fewer than were closed')
        equal('all, when the next lttd has begun', list(range(len(numbers))), numbers)
        equal('hidden', [], list(path.glob('.piece-*')))


def kept(bench, path, name='trace'):
    """The numbers in all pieces after another lttd has recorded to the directory, without an event."""
    bench.end(bench.lttd(name, options=['--piece-size', '128k'], said='said'))
    equal('open', [], [piece.name for piece in pieces_of(path) if is_open(piece)])
    return read(path)


@contextlib.contextmanager
def mounted(bench):
    """A file system whose power can be cut, if this machine has loop devices and the user may mount them."""
    image, folder = bench.folder / 'image', bench.folder / 'mounted'
    folder.mkdir()
    with image.open('wb') as file:
        file.truncate(64 << 20)
    mount = ['mount', '-o', 'loop', image, folder]
    if os.geteuid() or not shutil.which('mkfs.ext4') or subprocess.run(['mkfs.ext4', '-q', image]).returncode or \
            subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
        raise Skipped('no file system can be mounted')

    def cut():
        fd = os.open(folder, os.O_RDONLY)
        fcntl.ioctl(fd, EXT4_IOC_SHUTDOWN, struct.pack('I', 2))    # without its journal
        os.close(fd)

    def again():
        subprocess.run(['umount', folder], check=True)
        subprocess.run(mount, check=True)

    try:
        yield cut, again
    finally:
        subprocess.run(['umount', folder], check=True)


def test_a_power_cut_leaves_closed_pieces_whole(bench):
    with mounted(bench) as (cut, again):
        path = bench.folder / 'mounted/trace'
        for attempt in range(3):
            shutil.rmtree(path, ignore_errors=True)
            lttd = bench.lttd('mounted/trace', options=['--piece-size', '128k', *SMALL, '--lossless', '200'], said='said')
            process = bench.start(*bench.prog('forever', 20), begun=False, preexec_fn=on_one_cpu)
            wait_until('pieces are closed', lambda: sum(not is_open(piece) for piece in pieces_of(path)) > 2)
            time.sleep(0.005 * attempt)     # another moment
            closed = [piece.name for piece in pieces_of(path) if not is_open(piece)]
            cut()
            kill(lttd)
            process.terminate()
            process.wait(DEADLINE)
            again()
            equal('pieces that were closed', closed, [piece.name for piece in pieces_of(path)][:len(closed)])
            numbers = [number for name in closed for number in read(path / name)]
            equal('closed', list(range(len(numbers))), numbers)
            after = kept(bench, path, 'mounted/trace')
            check(len(after) >= len(numbers), 'fewer than were closed')
            equal('all, when the next lttd has begun', list(range(len(after))), after)


def test_a_torn_piece_is_cut(bench):
    path = bench.folder / 'trace'
    lttd = bench.lttd(options=['--piece-time', '1h', '--flush', '50', '--size', '4k'])
    bench.start(*bench.prog('count', 1000), begun=False).wait(DEADLINE)
    wait_until('all is written', lambda: list(path.glob('0001/user-*/events_*')) and
               len(bt := subprocess.run(['babeltrace2', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True).stdout) and bt.count('test:count') == 1000)
    kill(lttd)
    file = next(path.glob('0001/user-*/events_*'))
    whole = file.read_bytes()
    file.write_bytes(whole[:-1000])
    metadata = next(path.glob('0001/user-*/metadata'))
    metadata.write_text(metadata.read_text() + 'event {\n\tname = "half')
    numbers = kept(bench, path)
    check(0 < len(numbers) < 1000, 'read', len(numbers))
    equal('from the beginning on', list(range(len(numbers))), numbers)
    equal('whole packets', 0, file.stat().st_size % 4096)


def test_the_end_does_not_wait_for_a_thread_of_low_priority(bench):
    path = bench.folder / 'trace'
    lttd = bench.lttd(options=[*SMALL, '--lossless', '5000', '--piece-size', '64k', '--compress'],
                      env={**os.environ, 'LD_PRELOAD': str(bench.built.parent / 'userspace-tests/hinder.so'), 'NICED_WAIT': '500'})
    subprocess.run(bench.prog('count', 20000), check=True)
    begun = time.monotonic()
    bench.end(lttd)
    seconds = time.monotonic() - begun
    files = len(list(path.glob('*/user-*/events_*')))
    check(seconds < 10, f"{files} files are compressed in {seconds:.1f} s")
    equal('not compressed', [], [piece.name for piece in pieces_of(path) if not is_compressed(piece)])
    equal('hidden', [], list(path.glob('*/*/.*')))
    unpack(path)
    equal('all', list(range(20000)), read(path))


def test_a_killed_compression_loses_nothing(bench):
    path, store = bench.folder / 'trace', bench.folder / 'store'
    count_in(bench, store, '--piece-size', '1M', events=100000)
    for attempt in range(4):
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(store, path)
        lttd = bench.lttd(options=['--piece-size', '1M', '--compress'])
        wait_until('some is compressed', lambda: any(path.glob('*/*/*.zst')))
        time.sleep(0.002 * attempt)     # another moment
        kill(lttd)
        # Where both are there, they are the same.
        for file in path.glob('*/*/*.zst'):
            if file.with_suffix('').exists():
                file.unlink()
        for hidden in path.glob('*/*/.*.zst'):
            hidden.unlink()
        unpack(path)
        equal('all', list(range(100000)), read(path))


def test_an_interrupted_compression_is_completed(bench):
    path = bench.folder / 'trace'
    count_in(bench, path, '--piece-size', '256k', events=50000)
    file = next(path.glob('0001/user-*/events_*'))
    file.with_name(f'.{file.name}.zst').write_bytes(b'half')
    other = next(path.glob('0002/user-*/events_*'))
    subprocess.run(['zstd', '-q', other], check=True)
    lttd = bench.lttd(options=['--piece-size', '1M', '--compress'])
    wait_until('all is compressed', lambda: all(map(is_compressed, pieces_of(path)[:-1])))
    bench.end(lttd)
    equal('hidden', [], list(path.glob('*/*/.*')))
    unpack(path)
    equal('all', list(range(50000)), read(path))


def test_usage_of_pieces(bench):
    for words, why in [(['--piece-size', '1'], '--piece-size 1: must be'), (['--piece-time', 'x'], '--piece-time x: must be'),
                       (['--quota', '1k'], '--quota 1k: must be'), (['--quota', '7M'], '--quota 7M: must be at least eight sub-buffers'),
                       (['--quota', '8M', '--after-rotate', 'true'], '--quota 8M: must be at least sixteen sub-buffers'),
                       (['--compress'], '--compress: compresses closed pieces'),
                       (['--quota', '1M', '--piece-size', '512k'], '--piece-size 512k: must be at most a quarter'),
                       (['--after-rotate', 'true'], '--after-rotate: runs a command'), (['--after-rotate', '', '--quota', '1M'], '--after-rotate: must be'),
                       (['--quota', '1M', '--piece-size', '256k', '--after-rotate', 'true'], '--piece-size 256k: must be at most an eighth'),
                       (['--overwrite', '--piece-time', '1m'], '--piece-time: cannot be combined with --overwrite')]:
        for command in ['lttctl', 'record', '-e', 'user:test:*'], ['lttd', '--programs', '*']:
            run = subprocess.run([bench.built / command[0], *command[1:], '-o', bench.folder / 'none', *words],
                                 stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
            equal(f'status of {command[0]} {" ".join(words)}', 2, run.returncode)
            check(why in run.stderr, run.stderr)
    check(not (bench.folder / 'none').exists(), 'it made a directory')
