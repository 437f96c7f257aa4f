# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The tools that move trace data to disk: how each is started and stopped.

start() returns when the tool records events, stop() when all files are complete. spawn() starts
the processes that count as the consumer. Each tool has its default buffers, except where a comment
gives the reason.
"""
import os
import subprocess
from pathlib import Path

LTT = Path(os.environ['LTT'])
CGROUPS = Path('/sys/fs/cgroup')
EVENT = 'cost:cost_int2'


def join(group, process=0):
    (CGROUPS / group / 'cgroup.procs').write_text(str(process))


def spawn(*command, **how):
    """A process whose instructions count."""
    return subprocess.Popen(command, preexec_fn=lambda: join('consumer'), **how)


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def finish(process, what):
    if process.wait(timeout=120):
        raise RuntimeError(f'{what} ended with status {process.returncode}')


class Lttd:
    """Sub-buffers of 1 MiB, 4 for each CPU."""
    name = command = 'lttd'
    traces = Path('/sys/kernel/debug/ltt/traces')

    def start(self, folder):
        (self.traces / 'create').write_text('bench')
        (self.traces / 'bench/events').write_text(EVENT)
        self.process = spawn('lttd', '-o', folder, 'bench', stderr=subprocess.DEVNULL)
        (self.traces / 'bench/state').write_text('start')

    def stop(self):
        (self.traces / 'bench/state').write_text('stop')
        (self.traces / 'remove').write_text('bench')
        finish(self.process, 'lttd')


class Consumerd:
    """Sub-buffers of 1 MiB for each CPU. Not 4 but 16, for its reader's timer looks
    every 200 ms only, and 4 are full before that at this pace."""
    name = 'lttng-consumerd'
    command = 'lttng-sessiond'

    def start(self, folder):
        run(LTT / 'tests/bench/lttng/start', 'cost')
        run('lttng', 'create', 'bench', f'--output={folder}')
        run('lttng', 'enable-channel', '--kernel', '--num-subbuf=16', 'events')
        run('lttng', 'enable-event', '--kernel', '--channel=events', 'cost_int2')
        run('lttng', 'start')
        daemon = subprocess.run(['pgrep', '-x', 'lttng-consumerd'], check=True,
                                stdout=subprocess.PIPE, text=True).stdout.split()
        for process in daemon:
            join('consumer', process)

    def stop(self):
        run('lttng', 'stop')
        run('lttng', 'destroy')


class Recorder:
    """A tool that records as long as a command runs: here, one that says when it runs,
    and ends with its input."""
    records = ['sh', '-c', 'echo running; exec cat']

    def __init__(self, name, file, *words):
        self.name = name
        self.command = words[0]
        self.file = file
        self.words = words

    def start(self, folder):
        self.process = spawn(*self.words, '-e', EVENT, '-o', folder / self.file, *self.records,
                             cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if 'running' in line:
                return
        raise RuntimeError(f'{self.name} has not started')

    def stop(self):
        self.process.communicate(timeout=120)
        finish(self.process, self.name)


# ftrace's buffers are 1408 KiB for each CPU. perf's are 4 MiB, for its own 512 KiB
# lose events.
RECORDERS = [
    Recorder('trace-cmd', 'trace.dat', 'trace-cmd', 'record'),
    Recorder('trace-cmd-plain', 'trace.dat', 'trace-cmd', 'record', '--compression', 'none'),
    Recorder('perf', 'perf.data', 'perf', 'record', '-a', '-m', '4M'),
]
