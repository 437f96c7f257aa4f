# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The costs that LTT promises not to exceed, and whether it does."""
from collections import namedtuple

from .results import figure, is_ltt, label

# met: None if it is not known, because a peer could not be measured.
Verdict = namedtuple('Verdict', 'what limit measured met')

# Instructions are counted exactly, but a compiler or a kernel may shift them a little.
TOLERANCE = 1.03
# Two figures of the same machine in the same rounds.
NOISE = 1.05

PLAIN = ['ltt-discard', 'ltt-overwrite']
WAY_TO_A_TRACE = 4      # instructions; as in tests/vm/cases/cost.sh
INSTRUCTIONS = {'int2': 78, 'marker-int2': 90, 'intstr': 150}
REFUSED = 60
GATE = 10               # beside a probe that does nothing
INSIDE = 85
CONTEXTS = {'pid': 3, 'comm': 10}       # more than without
FILTERED = {'a > 100, false': 90, 'a < 100, true': 140, 'comm ~ "kworker*", false': 140, 'comm ~ "cat*", true': 190}
COUNTED = {'count': 90, 'by process': 161}
QUARTER = ['lttng-discard', 'lttng-overwrite', 'ftrace-tsc', 'ftrace-mono', 'perf']


def judge(what, limit, measured, unit='', tolerance=1.0):
    if limit is None or measured is None:
        return Verdict(what, '', 'not measured', None)
    return Verdict(what, f'{figure(limit)}{unit}', f'{figure(measured)}{unit}',
                   measured <= limit * tolerance)


def worst(results, group, tools, case):
    values = [results.value(group, tool, case) for tool in tools]
    return None if None in values else max(values)


def event_limits(results):
    for case, limit in INSTRUCTIONS.items():
        yield judge(f'{case}: instructions, discard or overwrite', limit,
                    worst(results, 'kernel-event', PLAIN, case), tolerance=TOLERANCE)


def limited_events(results):
    limits = lambda *tools: worst(results, 'kernel-limits', tools, 'int2')
    site, outside = limits('empty-probe'), limits('ltt-outside-tasks', 'ltt-outside-cpus')
    for case in 'int2', 'intstr':
        yield judge(f'{case}: instructions, buffer full', REFUSED,
                    worst(results, 'kernel-limits', ['ltt-full'], case), tolerance=TOLERANCE)
    yield judge('int2: instructions outside a limit, more than a probe that does nothing', GATE,
                outside - site if site and outside else None)
    yield judge('int2: instructions inside a limit', INSIDE, limits('ltt-inside-tasks', 'ltt-inside-cpus'),
                tolerance=TOLERANCE)


def beside_peers(results):
    ours = worst(results, 'kernel-event', PLAIN, 'int2')
    for tool, share in [*[(tool, 25) for tool in QUARTER], ('bpf', 45)]:
        theirs = results.value('kernel-event', tool, 'int2')
        known = ours is not None and theirs
        yield judge(f'int2: share of {label(tool)}', share, 100 * ours / theirs if known else None,
                    ' %', TOLERANCE)


def several_traces(results):
    """Each further trace is to cost what one costs alone, and the way to it."""
    costs = sorted((int(case), results.value('traces', 'ltt', case))
                   for case in results.cases('traces'))
    steps = [(cost - less) / (traces - fewer)
             for (fewer, less), (traces, cost) in zip(costs, costs[1:])]
    yield judge('int2: instructions for each further trace',
                costs[0][1] + WAY_TO_A_TRACE if costs else None,
                max(steps, default=None), tolerance=TOLERANCE)


def unrecorded(results):
    """A no-op is all that may be left of an event."""
    for tool in results.tools('disabled'):
        values = [results.value('disabled', tool, case) for case in results.cases('disabled')]
        yield judge(f'any event, {label(tool)}: instructions', 1, max(values))


def contexts(results):
    alone = results.value('contexts', 'ltt', 'none')
    for context, more in CONTEXTS.items():
        yield judge(f'int2 with {context}: instructions', alone and alone + more,
                    results.value('contexts', 'ltt', context), tolerance=TOLERANCE)


def asked_events(results):
    for group, limits in ('filters', FILTERED), ('counting', COUNTED):
        for case, limit in limits.items():
            yield judge(f'int2, {case}: instructions', limit, results.value(group, 'ltt', case), tolerance=TOLERANCE)


def workloads(results):
    """The cheapest of the others may be another one in each workload."""
    for workload in results.cases('macro'):
        theirs = [row.value for row in results.rows
                  if row.group == 'macro' and row.case == workload and not is_ltt(row.tool)]
        yield judge(f'{workload}: million instructions, a quarter of the best peer',
                    min(theirs) / 4 if theirs else None, results.value('macro', 'ltt', workload))


def native_ring(results):
    ours, floor = (results.value('native', tool, 'int2') for tool in ('ltt', 'floor'))
    yield judge('ring in a program: times the floor', 1.6, ours / floor if ours and floor else None)


def times(a, b):
    return None if a is None or b is None else a * b


def program_events(results):
    def int2(tool):
        return results.value('user-event', tool, 'int2')

    ours, floor = int2('ltt'), int2('floor')
    yield judge('program, int2: 1.4 times the floor', times(floor, 1.4), ours, ' ns')
    yield judge('program, int2: an eighth of lttng-ust', times(int2('lttng-ust'), 1 / 8), ours, ' ns')
    yield judge('program, int2, without restartable sequences: 1.8 times the floor', times(floor, 1.8),
                int2('ltt-fallback'), ' ns')
    yield judge('program, int2, with the name of the thread', 30, int2('ltt-name'), ' ns')
    for case in 'int2', 'intstr':
        dropped, off = (results.value('user-event', tool, name) for tool, name in (('ltt-filtered', case), ('ltt', 'disabled')))
        yield judge(f'program, {case}, dropped by a filter: more than a marker that is off', 15,
                    None if None in (dropped, off) else dropped - off, ' ns')
    yield judge('program, int2, the slower of two threads: as one', ours, int2('ltt-threads'), ' ns', NOISE)
    yield judge('program, int2, two recordings: twice as one', times(ours, 2), int2('ltt-recordings'), ' ns', NOISE)
    yield judge('program, int2, first lap of 64 MiB at full speed', 15, results.value('user-first-lap', 'ltt', 'int2'), ' ns')


def program_costs(results):
    yield judge('program, int2 with an id above 29: on disk', 26, results.value('user-disk', 'ltt', 'int2-late'), ' bytes')
    for where in 'disk', 'tmpfs':
        yield judge(f'lttd, {where}: CPU time for a million events, as lttng-consumerd',
                    results.value('user-consumer', 'lttng-ust', where), results.value('user-consumer', 'ltt', where), ' ms')
    yield judge('program, 10 million events a second, 18 runs: those with losses', 0,
                results.value('user-paced', 'ltt', 'runs-with-losses'))
    for case in 'no-lttd', 'lttd':
        yield judge(f'program, fork() and _exit(), {case}', 200, results.value('user-fork', 'ltt', case), ' us')


def readers(results):
    for case, limit in ('count', 100), ('merged', 200), ('text', 333):
        yield judge(f'reading an event, {case}', limit, results.value('reader-event', 'ltt', case), ' ns')
    yield judge('opening a data file of 10 GB', 1000, results.value('reader-time', 'ltt', 'open-10gb'), ' ms')


def consumers(results):
    ours = results.value('consumer', 'lttd', 'per-mb')
    for tool in 'lttng-consumerd', 'trace-cmd-plain':
        yield judge(f'lttd: instructions per MB, below {label(tool)}',
                    results.value('consumer', tool, 'per-mb'), ours)


CHECKS = {
    'kernel': [event_limits, limited_events, beside_peers, several_traces, unrecorded],
    'sources': [contexts],
    'filters': [asked_events],
    'macro': [workloads],
    'native': [native_ring],
    'user': [program_events, program_costs],
    'consumer': [consumers],
    'reader': [readers],
}


def check(results):
    """The verdicts on all parts that ran."""
    return [verdict for part, rules in CHECKS.items() if part in results.versions
            for rule in rules for verdict in rule(results)]
