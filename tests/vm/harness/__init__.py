# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The parts of tests/vm/vm and of the runners, one idea a file:

	kernel		the kernel, as a file that QEMU starts
	tsc		the frequency of the time stamp counter
	initramfs	the first files of the guest
	order		the order for a run, which the guest reads after it has booted
	qemu		QEMU's command line, and a running QEMU
	snapshot	booted VMs on disk, and running copies of them
	complaints	messages of a kernel in trouble
	verdict		how a run ended
	repeat		jobs beside each other, and those that failed once more alone (for ./run)
	results		the results of tests, as a TAP stream (for ./run and other runners)
	copies		copies of this tree, for other kernels (for tests/debug and tests/kernels)

This file has what they share.
"""
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
REPO = HERE.parent.parent
WORK = REPO / 'build' / 'vm'

GUEST_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'


class SetupError(Exception):
    """One sentence for the user."""


def write_file(path, data):
    """In one step, for two VMs may be starting at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f'{path.name}.{os.getpid()}')
    partial.write_bytes(data)
    partial.replace(path)


def read_text(path):
    return path.read_text(errors='replace') if path.exists() else ''


def newer(path, than):
    return path.exists() and path.stat().st_mtime >= than.stat().st_mtime


def this_boot():
    return Path('/proc/sys/kernel/random/boot_id').read_text().strip()


def compiled(source, *flags):
    """A program of one file."""
    program = WORK / source.stem
    if not newer(program, source):
        WORK.mkdir(parents=True, exist_ok=True)
        partial = WORK / f'{source.stem}.{os.getpid()}'
        subprocess.run(['cc', '-O2', '-Wall', '-Wextra', *flags, '-o', partial, source], check=True)
        partial.replace(program)
    return program
