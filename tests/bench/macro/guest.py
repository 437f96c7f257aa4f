# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""In the VM: instructions that recording adds to workloads, of all that the CPU executes.

	guest FOLDER TOOL...

Leaves in FOLDER: the trace files, in TOOL-WORKLOAD; "figures", with lines "TOOL WORKLOAD
BEGIN REST"; "missing", with a line for each peer that failed.

The TSC counts instructions, and the scheduler's clock is the TSC. So the run time of all tasks in
nanoseconds is their number of instructions: of the workload, of the tool with its consumer, and of
the kernel's threads, with the interrupts in them. BEGIN are those until the tool records, REST those
from then on until all data is on the disk. The tool "none" records nothing; the workload "nothing"
does nothing.
"""
import subprocess
import sys
import time
from pathlib import Path

from tools import LTT, TOOLS, quietly
from workloads import DISK, WORKLOADS, make_root, prepare

TRACES = Path('/run/traces')
TRACES_KIB = 300 * 1024
# Run by the tool before the workload, when it records.
BEGUN = Path('/run/begun')
NOTE = ['sh', '-c', f'cat /proc/schedstat > {BEGUN}; exec "$0" "$@"']


def make_disks():
    """One in memory for the traces, so that its waiting is in no figure, and one with the workload's files."""
    quietly('modprobe', 'brd', 'rd_nr=1', f'rd_size={TRACES_KIB}')
    # The first write to a page of the disk allocates it, which must be in no figure.
    quietly('dd', 'if=/dev/zero', 'of=/dev/ram0', 'bs=1M', f'count={TRACES_KIB // 1024}', 'conv=fsync')
    quietly('mkfs.ext4', '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', '/dev/ram0')
    TRACES.mkdir()
    quietly('mount', '/dev/ram0', TRACES)
    # A loop device has a queue of requests, as a real disk.
    quietly('modprobe', 'loop')
    quietly('dd', 'if=/dev/zero', 'of=/run/disk', 'bs=1M', 'count=64')
    quietly('mkfs.ext4', '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', '/run/disk')
    quietly('mount', '-o', 'loop', '/run/disk', DISK)


def by_all_tasks(schedstat):
    cpu = next(line for line in schedstat.splitlines() if line.startswith('cpu0 '))
    return int(cpu.split()[7])


def by_us():
    return int(Path('/proc/self/schedstat').read_text().split()[0])


def now():
    time.sleep(0.0001)      # a task is accounted for when another one takes over
    return by_all_tasks(Path('/proc/schedstat').read_text())


def measure(tool, name, out):
    prepare()
    quietly('sync')
    folder = TRACES / f'{tool.name}-{name}'
    folder.mkdir()
    before, ours = now(), by_us()
    tool.run(folder, [*NOTE, *WORKLOADS[name]])
    quietly('sync')
    after = now() - (by_us() - ours)
    begun = by_all_tasks(BEGUN.read_text())
    if any(folder.iterdir()):
        quietly('cp', '-r', folder, out)
    quietly('rm', '-r', folder)
    with open(out / 'figures', 'a') as figures:
        print(tool.name, name, begun - before, after - begun, file=figures)


def measure_tool(tool, out):
    """A sentence on why not, if so."""
    first = TRACES / 'first'
    try:
        tool.prepare()
        # The first recording after boot takes a tool longer.
        first.mkdir()
        tool.run(first, WORKLOADS['nothing'])
        quietly('rm', '-r', first)
        for name in WORKLOADS:
            measure(tool, name, out)
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        return ' '.join(str(error).split())
    return ''


def main():
    out = Path(sys.argv[1])
    make_root()
    make_disks()
    quietly(LTT / 'tests/vm/ltt-load', 'clock=tsc')
    # The first time is not as the others.
    for name in WORKLOADS:
        prepare()
        TOOLS['none'].run(None, WORKLOADS[name])
    for name in ['none', *sys.argv[2:]]:
        why = measure_tool(TOOLS[name], out)
        if why:
            with open(out / 'missing', 'a') as missing:
                print(name, why, sep='\t', file=missing)


if __name__ == '__main__':
    main()
