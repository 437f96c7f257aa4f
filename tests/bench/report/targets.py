# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The costs that LTT promises not to exceed, and whether it does."""
from collections import namedtuple

from .results import figure, label

# met: None if it is not known, because a peer could not be measured.
Verdict = namedtuple('Verdict', 'what limit measured met')

# Instructions are counted exactly, but a compiler or a kernel may shift them a little.
TOLERANCE = 1.03

PLAIN = ['ltt-discard', 'ltt-overwrite']
WAY_TO_A_TRACE = 4      # instructions; as in tests/vm/cases/cost.sh
INSTRUCTIONS = {'int2': 78, 'marker-int2': 90, 'intstr': 150}
REFUSED = 60
GATE = 10               # beside a probe that does nothing
INSIDE = 85
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


def native_ring(results):
    ours, floor = (results.value('native', tool, 'int2') for tool in ('ltt', 'floor'))
    yield judge('ring in a program: times the floor', 1.6, ours / floor if ours and floor else None)


def programs(results):
    ours, theirs, fallback = (results.value('user-event', tool, 'int2')
                              for tool in ('ltt', 'lttng-ust', 'ltt-fallback'))
    if theirs:
        yield judge('program, int2: at most 20 ns, or a quarter of lttng-ust', max(20, theirs / 4), ours, ' ns')
    else:
        yield judge('program, int2', 20, ours, ' ns')
    yield judge('program without restartable sequences, int2', 25, fallback, ' ns')


def consumers(results):
    ours = results.value('consumer', 'lttd', 'per-mb')
    for tool in 'lttng-consumerd', 'trace-cmd-plain':
        yield judge(f'lttd: instructions per MB, below {label(tool)}',
                    results.value('consumer', tool, 'per-mb'), ours)


CHECKS = {
    'kernel': [event_limits, limited_events, beside_peers, several_traces, unrecorded],
    'native': [native_ring],
    'user': [programs],
    'consumer': [consumers],
}


def check(results):
    """The verdicts on all parts that ran."""
    return [verdict for part, rules in CHECKS.items() if part in results.versions
            for rule in rules for verdict in rule(results)]
