# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""How each tool filters the event with two integers, and counts it.

A tool is a class with .name, .record(case) for the cases of FILTERS and .count(case) for those of
COUNTS. Both return what the command that fires the events printed, and how many events the tool
recorded or counted, or raise Unable.
"""
import json
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from guests import FIRST, TRACING, Unable, chosen, fire, said_by, scratch, start_lttng     # noqa: E402

COMMAND = ['/bin/cat', '/sys/kernel/debug/ltt-test-cost']
EVENT = 'cost:cost_int2'

# CASE: whether the events pass.
FILTERS = {
    'no filter': True,
    'a > 100, false': False,
    'a < 100, true': True,
    'a < 100 && b < 100, true': True,
    'comm ~ "kworker*", false': False,
    'comm ~ "cat*", true': True,
}
COUNTS = ['count', 'by process', 'by name', 'histogram']


def expression(case):
    """That of a case, in a notation that LTT, ftrace and perf have in common."""
    return '' if case == 'no filter' else case.rpartition(',')[0]


def with_filter(case):
    return ['--filter', expression(case)] if expression(case) else []


class Ltt:
    name = 'ltt'
    questions = {
        'count': ['count'],
        'by process': ['count', '--by', 'pid'],
        'by name': ['count', '--by', 'comm'],
        'histogram': ['hist', '-v', 'b'],
    }

    def record(self, case):
        said_by('lttctl', 'create', '-e', EVENT, *with_filter(case), '--size', '64K', '--count', '64', 'cost')
        try:
            said_by('lttctl', 'start', 'cost')
            said = fire(COMMAND)
            said_by('lttctl', 'stop', 'cost')
            status = json.loads(said_by('lttctl', 'status', '--json', 'cost'))[0]
        finally:
            said_by('lttctl', 'destroy', 'cost')
        # The other channel has the changes of tasks.
        return said, sum(cpu['stored'] for channel in status['channels'] if channel['name'] == 'events'
                         for cpu in channel['cpus'])

    def count(self, case):
        said = said_by('lttctl', *self.questions[case], '-e', EVENT, '--json', '--', *FIRST, *COMMAND)
        answer = json.loads(re.search('^{.*', said, re.M)[0])
        return said, sum(row['count'] for row in answer['rows'])


class Ftrace:
    """It counts by keys only; the name is that of the thread with the key."""
    name = 'ftrace'
    folder = TRACING / 'events/cost/cost_int2'
    keys = {'by process': 'common_pid', 'by name': 'common_pid.execname', 'histogram': 'b.log2'}

    def record(self, case):
        (TRACING / 'buffer_size_kb').write_text('16384')
        (TRACING / 'trace_clock').write_text('x86-tsc')
        (TRACING / 'trace').write_text('\n')
        (self.folder / 'filter').write_text(expression(case) or '0')
        (self.folder / 'enable').write_text('1')
        try:
            said = fire(COMMAND)
            stats = (TRACING / 'per_cpu/cpu0/stats').read_text()
        finally:
            (self.folder / 'enable').write_text('0')
            (self.folder / 'filter').write_text('0')
        return said, int(re.search('^entries: ([0-9]+)', stats, re.M)[1])

    def count(self, case):
        trigger = f'hist:keys={chosen(self.keys, case)}'
        (self.folder / 'trigger').write_text(trigger)
        try:
            said = fire(COMMAND)
            table = (self.folder / 'hist').read_text()
        finally:
            (self.folder / 'trigger').write_text(f'!{trigger}')
        return said, int(re.search('^ +Hits: ([0-9]+)', table, re.M)[1])


class Perf:
    name = 'perf'

    def record(self, case):
        data = scratch() / 'perf.data'
        said = said_by('perf', 'record', '-q', '--no-buildid', '-m', '16M', '-a', '-e', EVENT, *with_filter(case),
                       '-o', data, '--', *FIRST, *COMMAND)
        stats = said_by('perf', '--no-pager', 'report', '--stats', '-i', data)
        samples = re.search(r'SAMPLE events: +(\d+)', stats)
        return said, int(samples[1]) if samples else 0

    def count(self, case):
        raise Unable


class PerfStat:
    """It counts, and has no keys."""
    name = 'perf-stat'

    def record(self, case):
        raise Unable

    def count(self, case):
        if case != 'count':
            raise Unable
        counts = scratch() / 'counts'
        said = said_by('perf', 'stat', '-x', ';', '-o', counts, '-a', '-e', EVENT, '--', *FIRST, *COMMAND)
        return said, int(re.search(r'^(\d+);', counts.read_text(), re.M)[1])


class Bpftrace:
    name = 'bpftrace'
    # It has no globs: it compares the first characters.
    predicates = {
        'no filter': '',
        'a > 100, false': '/args->a > 100/',
        'a < 100, true': '/args->a < 100/',
        'a < 100 && b < 100, true': '/args->a < 100 && args->b < 100/',
        'comm ~ "kworker*", false': '/strncmp(comm, "kworker", 7) == 0/',
        'comm ~ "cat*", true': '/strncmp(comm, "cat", 3) == 0/',
    }
    maps = {
        'count': '@ = count()',
        'by process': '@[pid] = count()',
        'by name': '@[comm] = count()',
        'histogram': '@ = hist(args->b)',
    }

    def run(self, clause):
        """The outputs of the command and of bpftrace."""
        text = scratch() / 'text'
        said = said_by(*FIRST, 'bpftrace', '-o', text, '-e', f'tracepoint:{EVENT} {clause}',
                       '-c', ' '.join(COMMAND), env={**os.environ, 'BPFTRACE_PERF_RB_PAGES': '4096'})
        return said, text.read_text(errors='replace')

    def record(self, case):
        said, printed = self.run(self.predicates[case] + ' { printf("@ %d %d %d\\n", nsecs, args->a, args->b); }')
        return said, len(re.findall('^@ ', printed, re.M))

    def count(self, case):
        said, printed = self.run('{ ' + self.maps[case] + '; }')
        numbers = r'^[\[(].*[\])] +(\d+) \|' if case == 'histogram' else r'^@.*: (\d+)$'
        return said, sum(map(int, re.findall(numbers, printed, re.M)))


class Lttng:
    """It does not count."""
    name = 'lttng'
    filters = {
        'no filter': '',
        'a > 100, false': 'a > 100',
        'a < 100, true': 'a < 100',
        'a < 100 && b < 100, true': 'a < 100 && b < 100',
        'comm ~ "kworker*", false': '$ctx.procname == "kworker*"',
        'comm ~ "cat*", true': '$ctx.procname == "cat*"',
    }

    def record(self, case):
        trace = scratch() / 'trace'
        words = ['--filter', self.filters[case]] if self.filters[case] else []
        start_lttng('cost')
        said_by('lttng', 'create', 'bench', f'--output={trace}')
        try:
            said_by('lttng', 'enable-channel', '-k', '--subbuf-size=4M', '--num-subbuf=4', 'all')
            said_by('lttng', 'enable-event', '-k', '-c', 'all', 'cost_int2', *words)
            said_by('lttng', 'start')
            said = fire(COMMAND)
        finally:
            said_by('lttng', 'destroy')
        return said, said_by('babeltrace2', trace).count('\n')

    def count(self, case):
        raise Unable


TOOLS = [Ltt(), Ftrace(), Perf(), PerfStat(), Bpftrace(), Lttng()]
