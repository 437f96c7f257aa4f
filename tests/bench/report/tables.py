# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""A group of results as a table of words, a header and rows, for page.py and terminal.py."""
from .results import GROUPS, figure, label

# One figure below another, since they are many or of several kinds.
LISTS = ['memory', 'life', 'module-size']
# The same, since their cases are many, but in one unit.
ACROSS = ['sources', 'contexts', 'filters', 'counting']

ABSENT = '-'


def title(results, group):
    units = results.units(group)
    name = GROUPS.get(group, (group, None))[0]
    return f'{name}, {units[0]}' if len(units) == 1 else name


def cell(results, group, tool, case):
    """The figure, and how many times the base's it is."""
    value, ratio = results.value(group, tool, case), results.ratio(group, tool, case)
    if value is None:
        return ABSENT
    return figure(value) if ratio is None else f'{figure(value)} ({ratio:.2f})'


def table(results, group):
    tools, cases = results.tools(group), results.cases(group)
    if group in ACROSS:
        return (['', *[label(tool) for tool in tools]],
                [[case, *[cell(results, group, tool, case) for tool in tools]] for case in cases])
    if group not in LISTS:
        return ['', *cases], [[label(tool), *[cell(results, group, tool, case) for case in cases]]
                              for tool in tools]
    unit = {row.case: row.unit for row in results.rows if row.group == group}
    return (['', *[label(tool) for tool in tools], ''],
            [[case, *[cell(results, group, tool, case) for tool in tools], unit[case]]
             for case in cases])


def absent(results):
    """A sentence on each peer without figures."""
    return [f'{label(tool)} was not measured: {why.rstrip(".")}.'
            for missing in results.missing.values() for tool, why in missing.items()]


def verdict_rows(verdicts):
    said = {True: 'met', False: 'NOT MET', None: 'unknown'}
    return [[verdict.what, verdict.limit, verdict.measured, said[verdict.met]]
            for verdict in verdicts]


VERDICT_HEADER = ['Targets', 'at most', 'measured', '']
