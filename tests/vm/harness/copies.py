# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Copies of this tree, in which LTT is built for other kernels.

A build for one kernel cannot be used with another; each copy keeps that for its kernel.
"""
import os
import subprocess

from . import REPO
from .qemu import FETCHED


def update(copy, built=()):
    """Make the copy have the sources of this tree, its folders of build/ that any kernel can use, and the tools fetched."""
    copy.mkdir(parents=True, exist_ok=True)
    subprocess.run(['rsync', '-a', '--delete', '--exclude=/.git', '--filter=:- .gitignore',
                    f'{REPO}/', copy], check=True)
    (copy / 'build').mkdir(exist_ok=True)
    for tool in FETCHED, REPO / 'build/prometheus', REPO / 'build/bpftrace':
        link = copy / 'build' / tool.name
        if tool.exists() and not link.is_symlink():
            link.symlink_to(tool)
    for name in built:
        if (REPO / 'build' / name).is_dir():
            subprocess.run(['rsync', '-a', REPO / 'build' / name, copy / 'build'], check=True)


def build(copy, kdir, log, *words):
    """Build targets, with settings of make, and return whether that succeeded."""
    with open(log, 'wb') as output:
        done = subprocess.run(['make', f'-j{os.cpu_count()}', '-C', copy, f'KDIR={kdir}', *words],
                              stdout=output, stderr=subprocess.STDOUT)
    return done.returncode == 0
