# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""All results as one table for a terminal."""
from .tables import VERDICT_HEADER, absent, table, title, verdict_rows

GAP = '  '


def lines(header, rows):
    """Columns as wide as need be: the first to the left, the figures to the right."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    for row in [header, *rows]:
        words = [row[0].ljust(widths[0])]
        words += [word.rjust(width) for word, width in zip(row[1:], widths[1:])]
        yield GAP.join(words).rstrip()


def text(results, verdicts):
    out = []
    for group in results.groups():
        header, rows = table(results, group)
        out += ['', title(results, group)]
        out += [GAP + line for line in lines(header, rows)]
    out += ['', 'In brackets: times the first line of the group.', *absent(results)]
    if verdicts:
        out += ['', *lines(VERDICT_HEADER, verdict_rows(verdicts))]
    return '\n'.join(out) + '\n'
