# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The results of all parts, and how groups, tools and figures are called in print."""
from collections import namedtuple

Row = namedtuple('Row', 'group tool case value unit')

# GROUP: what is printed above it, and the tool that the others are compared with.
GROUPS = {
    'kernel-event': ('An event in the kernel, median', 'ltt-discard'),
    'kernel-event-mean': ('An event in the kernel, mean', 'ltt-discard'),
    'disabled': ('An event that is not recorded', None),
    'kernel-limits': ('An event that is refused or limited, median', None),
    'traces': ('An event that 1 to 8 traces record', None),
    'enabled-events': ('An event when 1 to 1000 are enabled and fire in turn', None),
    'sources': ('An event of each source, median', 'ltt'),
    'contexts': ('An event with two integers and a context, median', 'ltt'),
    'filters': ('An event with two integers and a filter, median', 'ltt'),
    'counting': ('An event with two integers that is counted, median', 'ltt'),
    'macro': ('Instructions that recording adds to a workload', 'ltt'),
    'macro-ends': ('Beginning and ending a recording of nothing', 'ltt'),
    'macro-alone': ('A workload that nothing records', None),
    'macro-events': ('Events of a recording', None),
    'native': ('The ring in a program, median', 'floor'),
    'native-p10': ('The ring in a program, tenth percentile', 'floor'),
    'native-p90': ('The ring in a program, ninetieth percentile', 'floor'),
    'user-event': ('An event of a program, median', 'floor'),
    'user-event-p10': ('An event of a program, tenth percentile', 'floor'),
    'user-first-lap': ('An event of a program in the first lap of the buffers', None),
    'user-consumer': ('Events of programs, from the buffers to the disk', 'ltt'),
    'user-paced': ('Ten million events a second on two busy CPUs', None),
    'user-disk': ('An event of a program on disk', None),
    'user-start': ('A program that does nothing, from fork() to its end', None),
    'user-fork': ('From fork() to the end of a child that does nothing, median', None),
    'consumer': ('From the buffers to the disk', 'lttd'),
    'disk': ('An event on disk', 'ltt'),
    'memory': ('Memory of a trace', None),
    'life': ('The life of a trace with every event enabled', None),
    'command': ('A command', 'stream-1'),
    'notification': ('A notification, for each stream that watches', None),
    'reader-event': ('Reading an event', 'ltt'),
    'reader-time': ('Opening and searching recordings', None),
    'fleet-send': ('A megabyte sent to a collector, by some senders at once', None),
    'fleet-collector': ('The collector of 200 senders', None),
    'module-size': ('Modules: text, data and bss', None),
}

# Rows of a table come in this order; tools that are not here follow.
TOOLS = {
    'floor': 'floor',
    'none': 'the workload alone',
    'site': 'no trace has it enabled',
    'enabled-not-running': 'enabled, but no trace runs',
    'ltt': 'LTT',
    'sender': 'lttctl send',
    'collector': 'lttng-relayd, for it',
    'rate': 'megabytes in a second',
    'ltt-discard': 'LTT, discard',
    'ltt-overwrite': 'LTT, overwrite',
    'ltt-2traces': 'LTT, two traces',
    'empty-probe': 'a probe that does nothing',
    'ltt-full': 'LTT, buffer full',
    'ltt-outside-tasks': 'LTT, outside a limit to tasks',
    'ltt-outside-cpus': 'LTT, outside a limit to CPUs',
    'ltt-inside-tasks': 'LTT, inside a limit to tasks',
    'ltt-inside-cpus': 'LTT, inside a limit to CPUs',
    'lttd': 'LTT: lttd',
    'ltt-fallback': 'LTT, without restartable sequences',
    'ltt-name': 'LTT, with the name of the thread',
    'ltt-filtered': 'LTT, dropped by a filter',
    'ltt-threads': 'LTT, each of two threads at once',
    'ltt-recordings': 'LTT, two recordings',
    'lttng-ust': 'lttng-ust',
    'usdt': 'SystemTap probe, by uprobe',
    'bpf': 'BPF ring buffer',
    'ftrace': 'ftrace',
    'ftrace-tsc': 'ftrace, clock x86-tsc',
    'ftrace-mono': 'ftrace, clock mono',
    'ftrace-full': 'ftrace, buffer full, no overwrite',
    'ftrace-outside-tasks': 'ftrace, outside set_event_pid',
    'ftrace-outside-cpus': 'ftrace, outside tracing_cpumask',
    'ftrace-inside-tasks': 'ftrace, inside set_event_pid',
    'ftrace-inside-cpus': 'ftrace, inside tracing_cpumask',
    'trace-cmd': 'trace-cmd record',
    'trace-cmd-plain': 'trace-cmd record, not compressing',
    'bpftrace': 'bpftrace',
    'lttng': 'LTTng',
    'lttng-discard': 'LTTng, discard',
    'lttng-overwrite': 'LTTng, overwrite',
    'lttng-consumerd': 'LTTng: lttng-consumerd',
    'perf': 'perf record',
    'perf-stat': 'perf stat',
    'stream-1': '/dev/ltt, one in a write',
    'stream-100': '/dev/ltt, 100 in a write',
    'stream-4000': '/dev/ltt, 4000 in a write',
    'debugfs': 'debugfs: open, read or write, close',
    'debugfs-open': 'debugfs: the file is open',
    'streams-1': 'one stream watches',
    'streams-10': 'ten streams watch',
    'rdtsc': 'rdtsc alone',
    'nothing': 'the loop alone',
}


def label(tool):
    return TOOLS.get(tool, tool)


def is_ltt(tool):
    return tool in ('ltt', 'lttd') or tool.startswith('ltt-')


def figure(value):
    """Three or four digits: more would not be the same next time."""
    if value == int(value) or value >= 1000:
        return f'{value:,.0f}'
    return f'{value:.1f}' if value >= 10 else f'{value:.2f}'


def read_table(path, columns):
    """The lines of a file as tuples; none if there is no such file."""
    if not path.exists():
        return []
    lines = [line.split('\t') for line in path.read_text().splitlines() if line]
    for line in lines:
        if len(line) != columns:
            raise SystemExit(f'{path} has a line of {len(line)} words, not {columns}: {line}')
    return lines


class Results:
    def __init__(self, build, parts):
        self.rows, self.versions, self.missing, self.part = [], {}, {}, {}
        for part in parts:
            for group, tool, case, value, unit in read_table(build / part / 'results', 5):
                self.rows.append(Row(group, tool, case, float(value), unit))
                self.part[group] = part
            self.versions[part] = dict(read_table(build / part / 'versions', 2))
            self.missing[part] = dict(read_table(build / part / 'missing', 2))

    def groups(self):
        return sorted(dict.fromkeys(row.group for row in self.rows), key=place(GROUPS))

    def tools(self, group):
        tools = dict.fromkeys(row.tool for row in self.rows if row.group == group)
        return sorted(tools, key=place(TOOLS))

    def cases(self, group):
        return list(dict.fromkeys(row.case for row in self.rows if row.group == group))

    def units(self, group):
        return list(dict.fromkeys(row.unit for row in self.rows if row.group == group))

    def row(self, group, tool, case):
        found = [row for row in self.rows if row[:3] == (group, tool, case)]
        return found[0] if found else None

    def value(self, group, tool, case):
        row = self.row(group, tool, case)
        return row.value if row else None

    def ratio(self, group, tool, case):
        """To the group's base; None for that itself and where there is none."""
        base = GROUPS.get(group, ('', None))[1]
        ours, theirs = self.value(group, base, case), self.value(group, tool, case)
        return theirs / ours if tool != base and ours and theirs is not None else None


def place(order):
    known = list(order)
    return lambda name: known.index(name) if name in order else len(known)
