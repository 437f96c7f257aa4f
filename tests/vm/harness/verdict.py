# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""How a run ended, from the files in its folder and QEMU's status."""
import re

from . import qemu, read_text
from .complaints import complaints

ENDINGS = {
    125: 'the VM could not be set up',
    201: 'kernel panic',
    202: 'the kernel complained',
    203: 'hang',
    204: 'the VM was lost',
    205: 'no report',
    206: 'hang at a breakpoint',
}
SETUP, PANIC, COMPLAINT, HANG, LOST, NO_REPORT, BREAKPOINT = ENDINGS

# An unsigned module from outside the kernel tree cannot avoid taint O and E.
EXPECTED_TAINT = 1 << 12 | 1 << 13


def hung_at(console, parallel):
    """The kind of a hang.

    One thread of QEMU finds that a page has no translated code, and is about to write to it when the
    host gives the CPU to another thread, which translates that page and reads the old bytes.  So QEMU
    keeps a breakpoint that the kernel has removed, and the virtual CPU takes it for ever.
    """
    taken = any('exc_int3' in line for line in console)
    return BREAKPOINT if parallel and taken else HANG


def judge(folder, nonce, parallel, qemu_status, hung_after):
    """(exit status, a sentence unless it is the command's)"""
    console = [re.sub(r'^\[ *[\d.]+\] ', '', line)
               for line in read_text(folder / 'console.log').splitlines()]
    found = complaints(console)
    (folder / 'complaints').write_text(''.join(f'{number} {line}\n' for number, line in found))
    report = re.search(rf'^{nonce} status (\d+) taint (\d+)$', read_text(folder / 'report'), re.M)
    panic = [line for line in console if 'Kernel panic - not syncing' in line]

    if hung_after:
        return hung_at(console, parallel), f'no end after {hung_after:g} s'
    if panic:
        return PANIC, panic[0]
    if qemu_status < 0:
        return LOST, f'QEMU was killed by signal {-qemu_status}'
    if qemu_status != qemu.DONE:
        return LOST, f'QEMU stopped with exit status {qemu_status} before the command had ended'
    if not report:
        return NO_REPORT, 'QEMU left by the debug exit port, but the command never reported its end'
    if found:
        return COMPLAINT, found[0][1]
    status, taint = map(int, report.groups())
    if taint & ~EXPECTED_TAINT:
        return COMPLAINT, f'the kernel is tainted ({taint:#x})'
    return status, ''


def excerpt(folder, length=25):
    """The console from shortly before the first complaint on, or its end."""
    console = read_text(folder / 'console.log').splitlines()
    first = read_text(folder / 'complaints').split(maxsplit=1)
    start = int(first[0]) - 5 if first else len(console) - length
    start = max(start, 0)
    return '\n'.join([*console[start:start + length], read_text(folder / 'qemu.log')])
