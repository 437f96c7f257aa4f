# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""In the VM: let each tool move the same events to disk, and count its instructions.

	guest FOLDER [lttng]	with it if its modules are built

Leaves in FOLDER: the trace files, in TOOL-DISK-EVENTS; "figures", with a line
"TOOL DISK EVENTS CONSUMER RECORDER" for each; "missing", with a line for each peer that
failed.

The TSC counts instructions, and the scheduler's clock is the TSC. So the CPU time of a control
group in microseconds is exactly its instructions in thousands. CONSUMER counts the tool's own
processes and the kernel's threads that write to the disk for them, from the tool's start until
all data is on the disk; RECORDER the same up to the last event.

DISK is "ext4", a file system in memory, or "tmpfs". The program that fires the events has
the lowest priority, so the consumer runs whenever it wants to, and no CPU idles.
"""
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tools import CGROUPS, RECORDERS, Consumerd, Lttd, join, run

LTT = Path(os.environ['LTT'])
DRIVER = '/sys/kernel/debug/ltt-test-cost'
DISKS = {'ext4': Path('/run/ext4'), 'tmpfs': Path('/run/tmpfs')}
DISK_KIB = 200 * 1024
EVENTS = [400_000, 1_600_000]


def make_groups():
    run('mount', '-t', 'cgroup2', 'none', CGROUPS)
    for group in 'consumer', 'producer', 'harness':
        (CGROUPS / group).mkdir()
    join('harness')


def make_disks():
    run('modprobe', 'brd', 'rd_nr=1', f'rd_size={DISK_KIB}')
    # The first write to a page of the disk allocates it, which must be in no figure.
    with open('/dev/ram0', 'r+b', buffering=0) as disk:
        for _ in range(DISK_KIB // 1024):
            disk.write(bytes(1 << 20))
        os.fsync(disk)
    run('mkfs.ext4', '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', '/dev/ram0')
    for disk in DISKS.values():
        disk.mkdir()
    run('mount', '/dev/ram0', DISKS['ext4'])
    run('mount', '-t', 'tmpfs', '-o', f'size={DISK_KIB}k', 'none', DISKS['tmpfs'])


def used(group):
    return int(re.search(r'usage_usec (\d+)', (CGROUPS / group / 'cpu.stat').read_text())[1])


def by_consumer():
    """The consumer's group, and the kernel's threads: all tasks that are in no group."""
    time.sleep(0.0001)      # a task is accounted for when another one takes over
    text = Path('/proc/schedstat').read_text()
    everybody = int(re.search(r'^cpu0 (.*)', text, re.M)[1].split()[6]) // 1000
    return everybody - used('producer') - used('harness')


def fire(events):
    def be_producer():
        join('producer')
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    subprocess.run(['sh', '-c', f'printf "int2 {events}" > {DRIVER}'], check=True,
                   preexec_fn=be_producer)


def sync(folder):
    subprocess.run(['sync', '-f', folder], check=True, preexec_fn=lambda: join('consumer'))


def measure(tool, disk, events, out):
    folder = DISKS[disk] / f'{tool.name}-{disk}-{events}'
    folder.mkdir()
    before = by_consumer()
    tool.start(folder)
    fire(events)
    recorded = by_consumer()
    tool.stop()
    sync(folder)
    done = by_consumer()
    run('cp', '-r', folder, out)
    run('rm', '-r', folder)
    run('sync')
    with open(out / 'figures', 'a') as figures:
        print(tool.name, disk, events, done - before, recorded - before, file=figures)


def clear_away():
    """Processes that a failed tool has left running would be in the figures of the next."""
    (CGROUPS / 'consumer/cgroup.kill').write_text('1')
    if shutil.which('trace-cmd'):
        run('trace-cmd', 'reset')


def measure_tool(tool, out):
    for disk in DISKS:
        for events in EVENTS:
            measure(tool, disk, events, out)


def measure_peer(tool, out):
    """The sentence on why not, if so."""
    if not shutil.which(tool.command):
        return f'{tool.command} is not installed'
    try:
        measure_tool(tool, out)
    except Exception as error:      # whatever it is, the others are to be measured
        clear_away()
        return ' '.join(str(error).split())
    return ''


def main():
    out = Path(sys.argv[1])
    make_groups()
    make_disks()
    run(LTT / 'tests/vm/ltt-load', 'clock=tsc')
    run('insmod', LTT / 'tests/modules/cost/ltt-test-cost.ko')
    peers = RECORDERS + [Consumerd()] * ('lttng' in sys.argv[2:])
    measure_tool(Lttd(), out)
    for tool in peers:
        why = measure_peer(tool, out)
        if why:
            with open(out / 'missing', 'a') as missing:
                print(tool.name, why, sep='\t', file=missing)


if __name__ == '__main__':
    main()
