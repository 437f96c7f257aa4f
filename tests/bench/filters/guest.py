# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""In the VM: instructions for an event with two integers that a tool filters or counts.

	guest FOLDER TOOL...

Leaves in FOLDER "figures", lines "GROUP TOOL CASE VALUE", and "missing", lines "TOOL WHY", all
separated by tabs.

ltt-test-cost fires the event and prints the figure. It is worth nothing unless the tool has, by its own
account, every event that passes its filter and no other.
"""
import re
import sys
from pathlib import Path

from tools import COUNTS, FILTERS, TOOLS
from guests import LTT, Unable, run_alone, said_by

FIRED = 5000
NO_OP = 1       # what the event costs when no tool looks at it


def figure(said):
    return float(re.search(r'^int2 ([0-9.]+)', said, re.M)[1])


def measure(record, case, wanted):
    said, events = record(case)
    if events != wanted:
        raise RuntimeError(f'it has {events} events, not {wanted}')
    value = figure(said)
    if value <= NO_OP:
        raise RuntimeError('it did not look at the events')
    return value


class Report:
    def __init__(self, folder):
        self.figures = open(folder / 'figures', 'w')
        self.missing = open(folder / 'missing', 'w')

    def measure(self, group, tool, case, *what):
        try:
            value = measure(*what)
        except Unable:
            return
        except Exception as error:      # whatever it is, the others are to be measured
            print(f'{tool.name}: {case}', ' '.join(str(error).split()), sep='\t', file=self.missing, flush=True)
            return
        print(group, tool.name, case, value, sep='\t', file=self.figures, flush=True)


def main():
    report = Report(Path(sys.argv[1]))
    run_alone()
    said_by(LTT / 'tests/vm/ltt-load', 'clock=tsc')
    said_by('insmod', LTT / 'tests/modules/cost/ltt-test-cost.ko')
    for tool in [tool for tool in TOOLS if tool.name in sys.argv[2:]]:
        for case, passes in FILTERS.items():
            report.measure('filters', tool, case, tool.record, case, FIRED if passes else 0)
        for case in COUNTS:
            report.measure('counting', tool, case, tool.count, case, FIRED)


if __name__ == '__main__':
    main()
