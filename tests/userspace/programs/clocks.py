# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of the samples of the clock that lttd writes into recordings."""
import csv
import io
import os
import resource
import subprocess
import time

from bench import DEADLINE, Skipped, check, equal, wait_until
from control import lttctl
from pieces import kill, pieces_of

FIELDS = 'before', 'after', 'realtime', 'boottime', 'state', 'status', 'max_error'


def samples_of(bench, path):
    text = lttctl(bench, 'view', '--raw', '--csv', '-e', 'clock:sample', '--fields', ','.join(('time', *FIELDS)), path)
    return [{name: int(value, 0) for name, value in row.items()} for row in csv.DictReader(io.StringIO(text))]


def check_samples(samples, begin, end):
    """They are of the time between begin and end, and each says what the clock was at its own time."""
    check(len(samples) >= 2, len(samples), 'samples')
    for sample in samples:
        check(begin <= sample['realtime'] <= end, begin, sample, end)
        check(sample['before'] <= sample['after'], sample)
    order = [(sample['before'], sample['realtime'], sample['boottime']) for sample in samples]
    equal('in order', sorted(order), order)


def test_samples_at_the_begin_and_the_end(bench):
    begin = time.time_ns()
    recording = bench.record(*bench.prog('count', 10))
    samples = samples_of(bench, recording.path / 'clock')
    check_samples(samples, begin, time.time_ns())
    # The date has not been set meanwhile: the offset of the metadata holds.
    for sample in samples:
        check(abs(sample['time'] - sample['realtime']) < 10**9, sample)
    equal('files', ['clock_0', 'metadata'], sorted(os.listdir(recording.path / 'clock')))
    shown = lttctl(bench, 'view', recording.path)
    check('clock:' not in shown and 'test:count' in shown, shown[:300])
    run = subprocess.run(['babeltrace2', recording.path / 'clock'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    equal('babeltrace2', (0, '', len(samples)), (run.returncode, run.stderr, run.stdout.count('clock:sample:')))


def test_a_recording_without_events_has_no_samples(bench):
    path = bench.folder / 'trace'
    bench.end(bench.lttd(options=['--pid', str(os.getpid())]))
    equal('traces', [], [name for name in os.listdir(path) if name.startswith('clock')])


def test_each_piece_has_samples(bench):
    path, begin = bench.folder / 'trace', time.time_ns()
    bench.record(*bench.prog('count', 50000), name=path.name,
                 options=['--state', 'none', '--size', '4k', '--count', '64', '--lossless', '5000', '--piece-size', '256k'])
    pieces = pieces_of(path)
    check(len(pieces) > 2, 'pieces', len(pieces))
    for piece in pieces[1:]:
        check_samples(samples_of(bench, piece / 'clock'), begin, time.time_ns())
    equal('hidden', [], list(path.glob('*/.clock*')))


def test_samples_of_a_killed_lttd(bench):
    path, begin = bench.folder / 'trace', time.time_ns()
    for number, name in enumerate(('clock', 'clock-2')):
        lttd = bench.lttd()
        process = bench.start(*bench.prog('forever', 1), begun=False)
        wait_until('there is a sample', lambda: (path / name / 'clock_0').exists() and (path / name / 'clock_0').stat().st_size)
        kill(lttd)
        process.terminate()
        process.wait(DEADLINE)
        check(len(samples_of(bench, path / name)) == 1, name)
        check_samples(samples_of(bench, path / name) * 2, begin, time.time_ns())
        if not number:
            user = path / f'user-{os.getuid()}'
            user.rename(bench.folder / 'kept')


def test_a_packet_that_the_disk_has_no_room_for(bench):
    """The second: of its part that was written, readers see nothing."""
    lttd = bench.lttd()
    process = bench.start(*bench.prog('forever', 100000), begun=False)
    samples = lttd.trace / 'clock/clock_0'
    wait_until('there is a sample', lambda: samples.exists() and samples.stat().st_size)
    resource.prlimit(lttd.pid, resource.RLIMIT_FSIZE, (6000, 6000))
    process.terminate()
    process.wait(DEADLINE)
    recording = bench.end(lttd, status=None)
    equal('bytes', 4096, samples.stat().st_size)
    check('clock' in recording.errors, recording.errors)
    run = subprocess.run(['babeltrace2', samples.parent], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    equal('babeltrace2', (0, '', 1), (run.returncode, run.stderr, run.stdout.count('clock:sample:')))


def test_offsets_of_virtual_machines(bench):
    """As debugfs shows them on a host; here it is a folder."""
    if os.geteuid():
        raise Skipped('needs root')
    debugfs = '/sys/kernel/debug'
    script = f'''mount -t tmpfs none {debugfs} || exit 77
        mkdir -p {debugfs}/kvm/123-9/vcpu0 {debugfs}/kvm/123-9/vcpu17 {debugfs}/kvm/456-7
        echo -9223372036854775807 > {debugfs}/kvm/123-9/vcpu0/tsc-offset
        echo 42 > {debugfs}/kvm/123-9/vcpu17/tsc-offset
        echo 281474976710656 > {debugfs}/kvm/123-9/vcpu17/tsc-scaling-ratio
        echo 48 > {debugfs}/kvm/123-9/vcpu17/tsc-scaling-ratio-frac-bits
        exec "$@"'''
    path = bench.folder / 'trace'
    run = subprocess.run(['unshare', '-m', 'sh', '-c', script, 'sh', bench.built / 'lttctl', 'record', '--state', 'none', '-o', path,
                          '-e', 'user:test:*', '--', *bench.prog('count', 10)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, timeout=DEADLINE)
    if run.returncode == 77 or 'unshare' in run.stderr:
        raise Skipped('mounts are not permitted')
    equal(f'exit status ({run.stderr})', 0, run.returncode)
    fields = 'time', 'pid', 'vcpu', 'tsc_offset', 'ratio', 'bits'
    text = lttctl(bench, 'view', '--csv', '-e', 'clock:kvm', '--fields', ','.join(fields), path / 'clock')
    rows = [tuple(map(int, row)) for row in list(csv.reader(io.StringIO(text)))[1:]]
    equal('at the begin and at the end', sorted(2 * [(123, 0, -9223372036854775807, 0, 0), (123, 17, 42, 1 << 48, 48)]),
          sorted(row[1:] for row in rows))
