# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""doc/performance.md: the text of performance.md.in with tables in place of

	@table GROUP@	the group's figures, and the command and versions that made them
	@targets@	the promised limits, and the measured figures
	@absent@	the peers that could not be measured
"""
import re
from pathlib import Path

from .tables import VERDICT_HEADER, absent, table, verdict_rows

TEMPLATE = Path(__file__).with_name('performance.md.in')


def markdown(header, rows):
    rule = ['---', *['--:'] * (len(header) - 1)]
    return '\n'.join('| ' + ' | '.join(row) + ' |' for row in [header, rule, *rows])


def made_by(results, group):
    part = results.part[group]
    versions = ', '.join(f'{name} {version}' for name, version in results.versions[part].items())
    return f'`make bench PARTS={part}`: {versions}.'


def section(results, group):
    if group not in results.part:
        return 'Not measured.'
    return markdown(*table(results, group)) + '\n\n' + made_by(results, group)


def page(results, verdicts):
    def put(match):
        word, _, group = match[1].partition(' ')
        if word == 'table':
            return section(results, group)
        if word == 'targets':
            return markdown(VERDICT_HEADER, verdict_rows(verdicts))
        return ' '.join(absent(results)) or 'All peers were measured.'
    return re.sub(r'@(table [\w-]+|targets|absent)@', put, TEMPLATE.read_text())
