# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: the command that lttd runs for each closed piece (--after-rotate)."""
import fcntl
import os
import re
import subprocess

from bench import DEADLINE, check, equal, wait_until
from pieces import SMALL, count_in, kill, pieces_of, read, size_of


def lines(path):
    return path.read_text().splitlines() if path.exists() else []


def test_a_command_runs_once_for_each_piece(bench):
    """In order, when the piece is closed and compressed; the name of the recording has a blank."""
    path, log, early = bench.folder / 'a trace', bench.folder / 'log', bench.folder / 'early'
    command = f'echo "$LTT_RECORDING $LTT_PIECE" >> {log}; find "$LTT_PIECE" -type f ! -name metadata ! -name "*.zst" >> {early}'
    options = bench.folder / 'box.conf'
    options.write_text(f'compress\npiece-size = 256k\nafter-rotate = {command}\n')
    recording = count_in(bench, path, '--options', options)
    equal('stored', 100000, recording.stored)
    pieces = pieces_of(path)
    check(len(pieces) > 4, 'pieces', len(pieces))
    equal('commands', [f'{path} {piece}' for piece in pieces], lines(log))
    equal('files that were open or not compressed', [], lines(early))


def test_a_command_that_fails_does_not_end_the_recording(bench):
    path, log = bench.folder / 'trace', bench.folder / 'log'
    recording = count_in(bench, path, '--piece-size', '256k', '--after-rotate', f'echo >> {log}; exit 73')
    equal('stored and lost', (100000, 0), (recording.stored, recording.lost))
    equal('commands', len(pieces_of(path)), len(lines(log)))
    equal('reported', len(pieces_of(path)), len(re.findall(r'\b73\b', recording.errors)))
    recording = count_in(bench, bench.folder / 'other', '--piece-size', '1M', '--after-rotate', 'kill -USR2 $$', events=1000)
    check(re.search(r'signal 12\b', recording.errors), recording.errors)


def test_a_command_starts_as_from_a_shell(bench):
    """It has the standard descriptors, no signal blocked or ignored, and a process group of its own."""
    out = bench.folder / 'out'
    out.mkdir()
    command = f'cd {out}; cat /proc/self/status > status; ls /proc/self/fd > fd; cat /proc/$$/stat > stat; readlink /proc/$$/fd/0 > in'
    count_in(bench, bench.folder / 'trace', '--piece-size', '1M', '--after-rotate', command, events=1000)
    status = dict(line.split(':\t', 1) for line in lines(out / 'status'))
    # The C library of the parent may ignore two of its own.
    equal('signals', (0, 0), tuple(int(status[name], 16) & ~(3 << 31) for name in ('SigBlk', 'SigIgn')))
    equal('descriptors, and that of ls', ['0', '1', '2', '3'], lines(out / 'fd'))
    equal('standard input', ['/dev/null'], lines(out / 'in'))
    stat = (out / 'stat').read_text().rpartition(')')[2].split()
    equal('process group and niceness', (status['PPid'], str(os.nice(0))), (stat[2], stat[16]))


def test_a_slow_command_keeps_its_piece_and_delays_nothing(bench):
    path, log, go = bench.folder / 'trace', bench.folder / 'log', bench.folder / 'go'
    quota, sizes = 1 << 20, []
    command = f'while [ ! -e {go} ]; do sleep 0.05; done; ls "$LTT_PIECE"/user-*/metadata >> {log}'
    lttd = bench.lttd(options=['--quota', '1M', *SMALL, '--lossless', '5000', '--after-rotate', command])
    # Of a thread that changes its CPU, newer events may be in an older piece.
    process = bench.start('taskset', '1', *bench.prog('count', 300000), begun=False)
    while process.poll() is None:
        sizes.append(size_of(path))
    names = [piece.name for piece in pieces_of(path)]
    check(names[0] == '0001' and int(names[-1]) > 30, 'pieces', names)
    check(int(names[1]) > 10, 'the quota has removed none', names)
    check(max(sizes + [size_of(path)]) <= quota, 'sizes', max(sizes), size_of(path))
    equal('commands that have ended', [], lines(log))
    go.touch()
    recording = bench.end(lttd)
    equal('stored', 300000, recording.stored)
    ran = [re.search(r'/(\d{4})/', line)[1] for line in lines(log)]
    equal('the first command', '0001', ran[0])
    equal('in order', sorted(ran), ran)
    check(len(ran) > 3, 'no later piece', ran)
    skipped = set(re.findall(r'piece (\d{4}): the command .* did not run', recording.errors))
    check(len(skipped) > 10 and not skipped & set(ran), 'reported', skipped, ran)
    # The piece that was kept goes with the next one that is closed.
    numbers = read(*[path / name for name in ran[-3:]])
    equal('the newest are whole', list(range(numbers[0], numbers[0] + len(numbers))), numbers)


def test_a_lock_of_a_reader_keeps_no_piece(bench):
    """Without a command, the quota holds whatever others lock."""
    path = bench.folder / 'trace'
    lttd = bench.lttd(options=['--quota', '1M', *SMALL, '--lossless', '5000'])
    piece = os.open(path / '0001', os.O_RDONLY)
    fcntl.flock(piece, fcntl.LOCK_SH)
    bench.start(*bench.prog('count', 200000), begun=False).wait(DEADLINE)
    bench.end(lttd)
    os.close(piece)
    check(not (path / '0001').exists() and len(pieces_of(path)) > 3, [piece.name for piece in pieces_of(path)])


def test_a_piece_of_a_killed_lttd_gets_its_command(bench):
    path, log = bench.folder / 'trace', bench.folder / 'log'
    lttd = bench.lttd(options=['--piece-time', '1h', '--flush', '50', '--size', '4k'])
    bench.start(*bench.prog('count', 1000), begun=False).wait(DEADLINE)
    wait_until('events are written', lambda: any(file.stat().st_size for file in path.glob('0001/user-*/events_*')))
    kill(lttd)
    bench.end(bench.lttd(options=['--piece-time', '1h', '--after-rotate', f'echo "$LTT_PIECE" >> {log}'], said='said'))
    equal('commands', [f'{path}/0001'], lines(log))


def test_columns_of_pieces(bench):
    """The command of the documentation: each event is in the tables once, also when all pieces are exported again."""
    path, tables = bench.folder / 'a trace', bench.folder / 'the tables'
    lttctl = bench.built / 'lttctl'
    count_in(bench, path, '--piece-size', '256k', '--after-rotate', f'{lttctl} export --parquet --partition -o "{tables}" "$LTT_PIECE"')

    def files():
        return sorted(str(file.relative_to(tables)) for file in tables.rglob('*') if file.is_file())

    before = files()
    equal('files', len(pieces_of(path)), len([file for file in before if 'event=test%3Acount/' in file]))
    subprocess.run([lttctl, 'export', '--parquet', '--partition', '-o', tables, path], check=True)
    equal('after another export', before, files())
