# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""doc/performance.svg: a bar for each tool, as long as an event with two integers costs.

The picture has no background, and its colours follow the reader's light or dark scheme.
"""
from html import escape

from .results import figure, is_ltt, label

GROUP, CASE = 'kernel-event', 'int2'
WIDTH, LEFT, RIGHT = 760, 180, 130      # of the picture, of the names, of the figures
TOP, STEP, BAR = 62, 30, 20

# The first colours are for programs that know of no schemes: they can be read on both.
STYLE = '''\
text { font: 13px system-ui, sans-serif; fill: #6e7781 }
.title { font-size: 16px; font-weight: 600 }
.ours { fill: #2f81f7 }
.theirs { fill: #8c959f }
@media (prefers-color-scheme: light) {
  text { fill: #1f2328 }
  .note { fill: #59636e }
}
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .note { fill: #9198a1 }
}'''


def bar(results, tool, number, scale):
    row, ratio = results.row(GROUP, tool, CASE), results.ratio(GROUP, tool, CASE)
    y, length = TOP + number * STEP, row.value * scale
    times = '' if is_ltt(tool) or ratio is None else f' <tspan class="note">({ratio:.1f} ×)</tspan>'
    return (f'<text x="{LEFT - 10}" y="{y + 15}" text-anchor="end">{escape(label(tool))}</text>\n'
            f'<rect class="{"ours" if is_ltt(tool) else "theirs"}" x="{LEFT}" y="{y}"'
            f' width="{length:.1f}" height="{BAR}" rx="2"/>\n'
            f'<text x="{LEFT + length + 8:.1f}" y="{y + 15}">{figure(row.value)}{times}</text>')


def chart(results):
    rows = [row for row in results.rows if row.group == GROUP and row.case == CASE]
    rows.sort(key=lambda row: row.value)
    scale = (WIDTH - LEFT - RIGHT) / max([row.value for row in rows], default=1)
    height = TOP + len(rows) * STEP + 8
    bars = '\n'.join(bar(results, row.tool, number, scale) for number, row in enumerate(rows))
    return f'''\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" \
height="{height}" role="img" aria-labelledby="title">
<style>
{STYLE}
</style>
<text id="title" class="title" x="10" y="24">What an event with two integers costs</text>
<text class="note" x="10" y="44">Instructions in the kernel, and times what LTT takes. \
Fewer is better.</text>
{bars}
</svg>
'''
