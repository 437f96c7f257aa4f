# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""In the VM: instructions for an event of each source, with each tool that records it.

	guest FOLDER TOOL...

Leaves in FOLDER "figures", lines "GROUP TOOL CASE VALUE", and "missing", lines "TOOL WHY", all
separated by tabs.

A figure is what the command that fires the events counts, less what it counts with no tool.
It is worth nothing unless the tool has every event by its own account.
"""
import re
import shutil
import sys
from pathlib import Path

from tools import FIRE, TOOLS
from guests import LTT, Unable, fire, run_alone, said_by

DEBUG = Path('/sys/kernel/debug')
FIRED = 5000
SAMPLES = 375       # of 500 interrupts of fire: the others are the kernel's ticks

FUNCTION = ['/bin/cat', DEBUG / 'ltt-test-functions']
COMMANDS = {
    'tracepoint': ['/bin/cat', DEBUG / 'ltt-test-cost'],
    'syscall': [FIRE, 'syscall'],
    'syscall-entry': [FIRE, 'syscall'],
    'syscall-exit': [FIRE, 'syscall'],
    'kprobe': FUNCTION,
    'kretprobe': FUNCTION,
    'uprobe': [FIRE, 'uprobe'],
    'uretprobe': [FIRE, 'uprobe'],
    'usdt': [FIRE, 'usdt'],
    'function': FUNCTION,
    'function_graph': FUNCTION,
    'sample': [FIRE, 'sample'],
    'printk': [FIRE, 'printk'],
}
CONTEXTS = ['', 'pid', 'comm', 'kernel stack']
# The modules take the cost of the call itself off what they print.
ABSOLUTE = ['syscall', 'syscall-entry', 'syscall-exit', 'uprobe', 'uretprobe', 'usdt', 'printk']
# Two events for each call.
PAIRS = {('syscall', tool) for tool in ('ltt', 'ftrace', 'perf', 'bpftrace', 'lttng')} | \
    {('function_graph', tool) for tool in ('ltt', 'ftrace')} | {('kretprobe', 'lttng')}


def parsed(source, text):
    """Instructions for each event."""
    if source == 'tracepoint':
        return float(re.search(r'^int2 ([0-9.]+)', text, re.M)[1])
    return int(text) / 10


def measure(tool, source, context, base):
    said, recorded = tool.record(source, context, COMMANDS[source])
    wanted = SAMPLES if source == 'sample' else FIRED * (2 if (source, tool.name) in PAIRS else 1)
    if recorded < wanted:
        raise RuntimeError(f'it recorded {recorded} events, not {wanted}')
    return parsed(source, said) - base


def empty_probes(base):
    """The kernel's own way to probes of system calls: both do nothing."""
    said_by('insmod', LTT / 'tests/modules/syscalls/ltt-test-syscalls.ko')
    value = parsed('syscall', fire(COMMANDS['syscall'])) - base
    said_by('rmmod', 'ltt-test-syscalls')
    return value


class Report:
    def __init__(self, folder):
        self.figures = open(folder / 'figures', 'w')
        self.missing = open(folder / 'missing', 'w')

    def measure(self, group, tool, case, *what):
        try:
            value = measure(tool, *what)
        except Unable:
            return
        except Exception as error:      # whatever it is, the others are to be measured
            print(f'{tool.name}: {case}', ' '.join(str(error).split()), sep='\t', file=self.missing, flush=True)
            return
        self.write(group, tool.name, case, value)

    def write(self, *words):
        print(*words, sep='\t', file=self.figures, flush=True)


def main():
    report = Report(Path(sys.argv[1]))
    tools = [tool for tool in TOOLS if tool.name in sys.argv[2:]]
    shutil.copy(LTT / 'build/bench/sources/fire', FIRE)
    run_alone()
    said_by(LTT / 'tests/vm/ltt-load', 'clock=tsc')
    for module in 'cost', 'functions':
        said_by('insmod', LTT / f'tests/modules/{module}/ltt-test-{module}.ko')
    base = {source: parsed(source, fire(COMMANDS[source])) if source in ABSOLUTE else 0
            for source in COMMANDS}
    for tool in tools:
        for source in COMMANDS:
            report.measure('sources', tool, source, source, '', base[source])
        for context in CONTEXTS:
            report.measure('contexts', tool, context or 'none', 'tracepoint', context, 0)
    report.write('sources', 'empty-probe', 'syscall', empty_probes(base['syscall']))


if __name__ == '__main__':
    main()
