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
    206: 'a breakpoint that was removed',
    207: 'QEMU died',
}
SETUP, PANIC, COMPLAINT, HANG, LOST, NO_REPORT, BREAKPOINT, DIED = ENDINGS

# An unsigned module from outside the kernel tree cannot avoid taint O and E.
EXPECTED_TAINT = 1 << 12 | 1 << 13
# W: the kernel has warned.
WARNED = 1 << 9


def takes_removed_breakpoint(console):
    """Whether a virtual CPU took a breakpoint that the kernel had removed, which QEMU can do where CPUs run in parallel.

    One thread of QEMU finds that a page has no translated code, and is about to write to it when the
    host gives the CPU to another thread, which translates that page and reads the old bytes.  So QEMU
    keeps a breakpoint that the kernel has removed.  Linux 6.1 has the virtual CPU execute the instruction again, which
    takes the breakpoint for ever.  Later kernels stop with an oops, which has the code around the breakpoint: the byte
    before that in < > is of the new instruction, and not the breakpoint (cc).
    """
    for number, line in enumerate(console):
        if re.match(r'(Oops: )?int3: 0000 \[#1\]', line):
            code = [line for line in console[number:number + 10] if line.startswith('Code: ')]
            return bool(code) and not re.search(r'\bcc <', code[0])
    return any('exc_int3' in line for line in console)


def judge(folder, nonce, parallel, qemu_status, hung_after, warns=False):
    """(exit status, a sentence unless it is the command's)

    warns: the kernel may warn, which the command keeps off the console.
    """
    console = [re.sub(r'^\[ *[\d.]+\] ', '', line)
               for line in read_text(folder / 'console.log').splitlines()]
    found = complaints(console)
    (folder / 'complaints').write_text(''.join(f'{number} {line}\n' for number, line in found))
    report = re.search(rf'^{nonce} status (\d+) taint (\d+)$', read_text(folder / 'report'), re.M)
    panic = [line for line in console if 'Kernel panic - not syncing' in line]
    removed = parallel and takes_removed_breakpoint(console)

    if hung_after:
        return BREAKPOINT if removed else HANG, f'no end after {hung_after:g} s'
    if panic:
        return BREAKPOINT if removed else PANIC, panic[0]
    if qemu_status < 0:
        return DIED, f'QEMU was killed by signal {-qemu_status}'
    if qemu_status != qemu.DONE:
        return LOST, f'QEMU stopped with exit status {qemu_status} before the command had ended'
    if not report:
        return NO_REPORT, 'QEMU left by the debug exit port, but the command never reported its end'
    if found:
        return COMPLAINT, found[0][1]
    status, taint = map(int, report.groups())
    if taint & ~EXPECTED_TAINT & ~(WARNED if warns else 0):
        return COMPLAINT, f'the kernel is tainted ({taint:#x})'
    return status, ''


def excerpt(folder, length=25):
    """The console from shortly before the first complaint on, or its end."""
    console = read_text(folder / 'console.log').splitlines()
    first = read_text(folder / 'complaints').split(maxsplit=1)
    start = int(first[0]) - 5 if first else len(console) - length
    start = max(start, 0)
    return '\n'.join([*console[start:start + length], read_text(folder / 'qemu.log')])
