# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""How each tool records sched:*, syscall:*, irq:* and block:* of the whole system while a command
runs, and writes it to a folder.

Each tool has its default buffers, except where it would lose events.
"""
import os
import subprocess
from pathlib import Path

LTT = Path(os.environ['LTT'])


def quietly(*command):
    """RuntimeError with the last line if the program fails. No pipe: a daemon may keep it open."""
    with open('/run/said', 'w+') as said:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd='/run').returncode
        said.seek(0)
        if status:
            last = (said.read().strip().splitlines() or ['it printed nothing'])[-1]
            raise RuntimeError(f'{Path(command[0]).name} ended with status {status}: {last}')


def each_by(option, values):
    return [word for value in values for word in (option, value)]


class Recorder:
    """A tool that runs the command; none if it has no words."""

    def __init__(self, name, *words, file=''):
        self.name = name
        self.words = words
        self.file = file

    def prepare(self):
        pass

    def run(self, folder, command):
        output = ['-o', folder / self.file, '--'] if self.words else []
        quietly(*self.words, *output, *command)


class Lttng:
    """Its consumer looks for data by a timer, and its 4 sub-buffers of 1 MiB can be full before that."""
    name = 'lttng'

    def prepare(self):
        quietly(LTT / 'tests/bench/lttng/start', 'sched,irq,block')

    def run(self, folder, command):
        quietly('lttng', 'create', 'bench', f'--output={folder}')
        quietly('lttng', 'enable-channel', '--kernel', '--num-subbuf=16', 'events')
        quietly('lttng', 'enable-event', '--kernel', '--channel=events', 'sched_*,irq_*,block_*')
        quietly('lttng', 'enable-event', '--kernel', '--channel=events', '--syscall', '--all')
        quietly('lttng', 'start')
        quietly(*command)
        quietly('lttng', 'stop')
        quietly('lttng', 'destroy')


# Not "syscalls", which has an event for each call: that takes perf and trace-cmd several times as long to
# begin. raw_syscalls have the number of the call and its arguments as numbers.
EVENTS = 'sched:*,syscall:*,irq:*,block:*'
SYSTEMS = ['sched', 'raw_syscalls', 'irq', 'block']

TOOLS = {tool.name: tool for tool in [
    Recorder('none'),
    Recorder('ltt', 'lttctl', 'record', '--strict', '-e', EVENTS),
    # Buffers of 1408 KiB, as ftrace's are.
    Recorder('trace-cmd', 'trace-cmd', 'record', *each_by('-e', SYSTEMS), file='trace.dat'),
    # Without build ids perf does not read at the end what it wrote.
    Recorder('perf', 'perf', 'record', '-a', '--no-buildid', '-m', '4M',
             *each_by('-e', [f'{name}:*' for name in SYSTEMS]), file='perf.data'),
    Lttng(),
]}
