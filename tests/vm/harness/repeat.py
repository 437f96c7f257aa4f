# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Run tests, some at a time; those that failed beside others run once more, alone.

A loaded machine can make a test fail that waits for another program with a time limit.  Alone, such a
test passes.  The second run decides, and what is printed names the first one.  A test in which the
kernel was in trouble is never run again: no load makes a kernel panic.  For breakpoints that were removed, see
takes_removed_breakpoint() in verdict.py.
"""
from concurrent.futures import ThreadPoolExecutor

from .results import FAILED, PASSED, end_of

# A fault in LTT makes many tests fail; the time to run all of them again would be wasted.
REPEATED_AT_MOST = 8


class Report:
    """The results of a case or a suite, to be printed when it is known that they count."""

    def __init__(self, log):
        self.log = log                  # the file or the folder with all there is to know
        self.repeatable = True          # unless the kernel was in trouble
        self.lines = []                 # arguments of Results.add(), or lines of comment

    def add(self, name, outcome, note='', log=()):
        self.lines.append((name, outcome, note, log))

    def comment(self, lines):
        self.lines.append(lines)

    def tests(self):
        return [line for line in self.lines if isinstance(line, tuple)]

    def failed(self):
        return [name for name, outcome, *_ in self.tests() if outcome == FAILED]

    def print_to(self, results, failed_before=(), first_log=None):
        """With the names of the tests that failed in the first run, whose log was kept."""
        for line in self.lines:
            if not isinstance(line, tuple):
                results.comment(line)
                continue
            name, outcome, note, log = line
            if name in failed_before:
                note += f'{"; " if note else ""}failed beside others: see {first_log}'
            results.add(name, outcome, note, log)


def keep_first(log):
    """Rename the log of the first run, so that the second has a place."""
    first = log.with_name(log.name + '.first')
    log.rename(first)
    return first


def repeat_alone(results, held):
    """Run each of these once more: (job, the report of its first run). The names of tests that passed then."""
    rescued = []
    for job, before in held:
        failed, first_log = before.failed(), keep_first(before.log)
        report = job(again=failed)
        # A suite may run only those that failed: the others keep their results.
        named = {name for name, *_ in report.tests()}
        report.lines = [line for line in before.tests() if line[0] not in named and line[1] != FAILED] + report.lines
        # A test without a result in the second run failed there as well.
        for name in sorted(set(failed) - {name for name, *_ in report.tests()}):
            report.add(name, FAILED, 'the second run has no result of it')
        report.print_to(results, failed, first_log)
        rescued += [name for name, outcome, *_ in report.tests() if name in failed and outcome == PASSED]
    return rescued


def run_all(results, groups, at_once, once, waiting=()):
    """Run groups of jobs: name -> list of functions that return a Report.

    A job takes @again, the names of the tests that failed when it ran before.  The jobs of a group follow each other.
    The groups named by @waiting use little CPU time, and run beside @at_once others.  With @once nothing is repeated.
    """
    held = []
    alone = sum(len(jobs) for jobs in groups.values()) == 1

    def run_group(jobs):
        for job in jobs:
            report = job()
            if once or alone or not report.failed() or not report.repeatable:
                report.print_to(results)
            else:
                for name, outcome, note, log in report.tests():
                    if outcome == FAILED:
                        why = f': {note}' if note else ''
                        results.comment([f'{name} failed beside others, and will be repeated{why}', *end_of(log)])
                held.append((job, report))

    with ThreadPoolExecutor(at_once) as busy, ThreadPoolExecutor(len(waiting) or 1) as idle:
        submitted = {(idle if name in waiting else busy).submit(run_group, jobs): name for name, jobs in groups.items()}
        for job, name in submitted.items():
            if job.exception():
                results.add(name, FAILED, repr(job.exception()))
    if len(held) > REPEATED_AT_MOST:
        results.comment([f'nothing is repeated: {len(held)} failed, which is more than a loaded machine explains'])
        for _, report in held:
            report.print_to(results)
        return
    rescued = repeat_alone(results, held)
    if rescued:
        results.comment([f'failed beside others, and passed alone (see doc/testing.md): {" ".join(rescued)}'])
