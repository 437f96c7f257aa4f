# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Shared by the parts of the bench that fire events in a VM while a tool looks at them."""
import os
import shutil
import subprocess
from pathlib import Path

LTT = Path(os.environ['LTT'])
TRACING = Path('/sys/kernel/tracing')
SCRATCH = Path('/run/bench')

# Before all other tasks, above all before the tool's own consumer.
FIRST = [shutil.which('chrt'), '-f', '1']


class Unable(Exception):
    """The tool cannot do it."""


def said_by(*command, **how):
    """The standard output; RuntimeError with the last line if the program fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors='replace', **how)
    if done.returncode:
        lines = (done.stderr.strip() or done.stdout.strip() or 'it printed nothing').splitlines()
        raise RuntimeError(f'{command[0]} failed: {lines[-1]}')
    return done.stdout


def fire(command):
    return said_by(*FIRST, *command)


def scratch():
    """An empty folder."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir()
    return SCRATCH


def chosen(table, case):
    if case not in table:
        raise Unable
    return table[case]


def run_alone():
    """Nothing is to interrupt the one that fires."""
    Path('/proc/sys/kernel/sched_rt_runtime_us').write_text('-1')


def start_lttng(probes):
    """The daemon keeps what it has as output open: that must be no pipe of ours."""
    subprocess.run([LTT / 'tests/bench/lttng/start', probes], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
