# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Shared by the tests of programs: lttctl, lttd and programs to run, and traces to look at."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

DEADLINE = 120          # of a wait that takes less than a second on an idle machine
PROTOCOL = Path(__file__).resolve().parents[3] / 'userspace/common/protocol.h'
VERSION = int(re.search(r'LTT_PROGRAM_VERSION\s+(\d+)', PROTOCOL.read_text())[1])
USERS = [64001, 64002]
NOT_RUN = 126           # as a shell returns it


class Skipped(Exception):
    pass


class Failed(Exception):
    pass


def check(condition, *what):
    if not condition:
        raise Failed(' '.join(map(str, what)))


def equal(what, want, got):
    check(want == got, f'{what}: expected {want!r}, got {got!r}')


def status_of(command):
    """Run a program. Its exit status; NOT_RUN for one of a kind that this machine does not run."""
    try:
        return subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL).returncode
    except OSError:
        return NOT_RUN


def wait_until(what, condition):
    until = time.monotonic() + DEADLINE
    while not condition():
        check(time.monotonic() < until, f'in vain: {what}')
        time.sleep(0.01)


def stop(process):
    """SIGSTOP, until all threads have stopped: those that sleep run on until one has received it."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


class Bench:
    """A folder for a test, and the commands."""

    def __init__(self, built, programs, folder, all_calls=False, many=False):
        self.built, self.programs, self.folder, self.all_calls, self.many = built, programs, folder, all_calls, many
        self.started = []

    def program(self, name):
        return str(self.programs / name)

    def program_of_32_bits(self, name, *what):
        """The program, which a run with these words shows to run here; else the test is skipped."""
        program = self.program(name)
        if not os.path.exists(program):
            raise Skipped('lib32gcc-12-dev and libc6-dev-i386 are not installed')
        if status_of([program, *what]) == NOT_RUN:
            raise Skipped('this machine does not run programs of 32 bits')
        return program

    def prog(self, *what):
        return [self.program('prog'), *map(str, what)]

    def record(self, *command, name='trace', pattern='test:*', options=(), env={}, status=0, timeout=DEADLINE):
        """Record a command with lttctl; its summary."""
        out = self.folder / name
        run = subprocess.run([self.built / 'lttctl', 'record', '--json', '-o', out, '-e', f'user{"" if pattern[:1] in "@:" else ":"}{pattern}',
                              *options, '--', *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, env={**os.environ, **env}, timeout=timeout)
        equal('exit status of lttctl record', status, run.returncode) if status is not None else None
        said = run.stdout[run.stdout.rindex('{\n  "output"') if '{\n  "output"' in run.stdout else run.stdout.rindex('{ "output"'):]
        return Recording(out, json.loads(said), run.stdout, run.stderr)

    def lttd(self, name='trace', pattern='test:*', options=(), user=None, said=None, **more):
        """An lttd that is ready, and the socket that it has."""
        said = self.folder / (said or f'{name}.said')
        report_out, report_in = os.pipe()
        process = subprocess.Popen([self.built / 'lttd', '-o', self.folder / name, '--programs', pattern,
                                    '--report', str(report_in), *options], pass_fds=[report_in],
                                   stdout=open(said, 'w'), stderr=subprocess.STDOUT,
                                   **as_user(user), **more)
        os.close(report_in)
        self.started.append(process)
        process.report = os.fdopen(report_out)
        word = process.report.readline().split()
        check(word and word[0] == 'ready', 'lttd is not ready:', said.read_text())
        process.socket = word[1]
        process.trace, process.said = self.folder / name, said
        return process

    def end(self, lttd, status=0):
        """Send SIGTERM to lttd and wait for its end."""
        lttd.terminate()
        lttd.wait(DEADLINE)
        said = lttd.said.read_text()
        if status is not None:
            equal(f'exit status of lttd ({said.strip()})', status, lttd.returncode)
        return Recording(lttd.trace, {'programs': end_line(lttd.report.read())}, '', said)

    def start(self, *command, begun=True, user=None, **more):
        process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   text=True, **as_user(user), **more)
        self.started.append(process)
        if begun:
            equal('first line', 'begun\n', process.stdout.readline())
        return process

    def clean_up(self):
        """Those that can end by themselves do, which counts the lines that they have run."""
        for process in self.started:
            process.terminate()
            for stream in process.stdin, process.stdout:
                with contextlib.suppress(BrokenPipeError, AttributeError):
                    stream.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.5)
            process.kill()
            process.wait()


def as_user(user):
    return {} if user is None else {'user': user, 'group': user, 'extra_groups': []}


def remove_folders():
    """Remove the folders of users that exist for the tests only."""
    for user in USERS:
        shutil.rmtree(f'/tmp/lttd-{user}', ignore_errors=True)


def end_line(text):
    *others, last = text.splitlines() or ['']
    words = last.split()
    check(len(words) == 10 and words[0] == 'end', 'lttd reports no end:', text)
    check(all(re.match(r'late \d+ \d+ |rejected marker .*:.* ', line) for line in others), text)
    return dict(zip(['stored', 'lost', 'bytes_on_disk', 'overwritten_subbuffers', 'rejected_markers',
                     'unmatched_patterns', 'late_programs', 'filtered', 'unknown_filters'], map(int, words[1:])))


EVENT = re.compile(r'\[(?P<time>[\d:.]+)\] \(\S+\) \S+ (?P<name>\S+): \{ cpu_id = (?P<cpu>\d+) \}, '
                   r'\{ tid = (?P<tid>-?\d+), pid = (?P<pid>-?\d+) \}(?:, \{ (?P<fields>.*?) ?\})?$')


def traces_of(path):
    """The traces of a recording, but for the state of the system and samples of the clock; or the trace itself."""
    found = [trace.parent for trace in Path(path).glob('*/metadata') if not trace.parent.name.startswith(('state', 'clock'))]
    return found or [path]


class Recording:
    def __init__(self, path, summary, output, errors):
        self.path, self.summary, self.output, self.errors = path, summary, output, errors
        self.stored, self.lost = (summary.get('programs', {}).get(key, 0) for key in ('stored', 'lost'))

    def events(self, complaints=False):
        """The events that babeltrace2 reads, without a complaint but that of losses, where those are expected."""
        # A scribbler's texts are any bytes.
        run = subprocess.run(['babeltrace2', *traces_of(self.path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             errors='replace')
        equal('babeltrace2', 0, run.returncode)
        said = [line for line in run.stderr.splitlines() if not (complaints and 'discarded' in line)]
        equal('babeltrace2 has nothing to say', [], said[:3])
        events = [EVENT.match(line) for line in run.stdout.splitlines()]
        check(all(events), 'a line that is none:', [line for line in run.stdout.splitlines()
                                                    if not EVENT.match(line)][:1])
        return [event.groupdict() for event in events]

    def named(self, name, **more):
        return [event for event in self.events(**more) if event['name'] == name]

    def fields(self, name):
        return [event['fields'] for event in self.named(name)]


def in_order(events, of='i'):
    """Each thread's events are the numbers from 0 on, without a gap; by thread, how many."""
    after = {}
    for event in events:
        got = int(re.match(rf'{of} = (-?\d+)', event['fields'])[1])
        equal(f'the next number of thread {event["tid"]}', after.get(event['tid'], 0), got)
        after[event['tid']] = got + 1
    return after


ORDER = r"""
/ test:count: / {
    match($0, /tid = [0-9]+/); tid = substr($0, RSTART + 6, RLENGTH - 6)
    match($0, /i = [0-9]+/); i = substr($0, RSTART + 4, RLENGTH - 4)
    if (i != after[tid] + 0 && !wrong) wrong = "tid " tid ": " i ", not " after[tid] + 0
    after[tid] = i + 1
    events++
}
END { for (tid in after) threads++; print events + 0, threads + 0, wrong }
"""


def in_order_quickly(trace):
    """The same of millions of events: how many, of how many threads, what is wrong."""
    got = subprocess.run(f'babeltrace2 {trace} 2>&1 | awk "$ORDER"', shell=True, stdout=subprocess.PIPE, text=True,
                         env={**os.environ, 'ORDER': ORDER}).stdout.split(maxsplit=2)
    return int(got[0]), int(got[1]), ' '.join(got[2:])
